package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/driveline"
	"rig.example/rig/test/level"
)

// A wheel turns no faster than the engine drives it or the road rolls it: full
// throttle from standstill, in both directions, at full lock and straight,
// slides the driven wheels while the clutch is closed.
func TestSlidingWheelsGainNoEnergyOfTheirOwn(t *testing.T) {
	c := coupe(t)
	for _, in := range []Input{
		{Throttle: 1, Gear: -1}, {Throttle: 1, Gear: 1},
		{Throttle: 1, Gear: -1, Steer: 6}, {Throttle: 1, Gear: 1, Steer: -6},
	} {
		s := c.Rest(r3.Vec{}, 0)
		for range 8000 {
			c.Step(&s, in)
			fastestWheel(t, c, &s)
		}
	}
}

// Any driving: gears thrown in both ways, brakes and clutch at random.
func TestRandomGearsNeverSpinTheWheelsUp(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	c := coupe(t)
	rng := rand.New(rand.NewPCG(7, 11))
	for range level.Pick(0, 10, 20) {
		s := c.Rest(r3.Vec{}, 0)
		var in Input
		for tick := range 6000 {
			if tick%250 == 0 {
				in = Input{
					Steer: rng.Float64()*12 - 6, Throttle: rng.Float64() * 2, Brake: rng.Float64()*4 - 3,
					Clutch: rng.Float64()*4 - 3, Handbrake: rng.Float64()*8 - 7, Gear: int8(rng.IntN(8) - 1),
				}
			}
			c.Step(&s, in)
			fastestWheel(t, c, &s)
		}
	}
}

// fastestWheel fails the test where a wheel is faster than any cause explains.
func fastestWheel(t *testing.T, c *Car, s *State) {
	t.Helper()
	d := c.p.Driveline
	limit := d.TorqueCurve[len(d.TorqueCurve)-1].RPM * driveline.PerRPM
	ratio := d.ReverseGear * d.FinalDrive
	if s.Driveline.Gear > 0 {
		ratio = d.Gears[s.Driveline.Gear-1] * d.FinalDrive
	}
	// an open differential may give one wheel the whole of the engine's speed, twice
	most := 2.5*limit/ratio + 2*math.Abs(s.Speed)/c.p.Rear.Wheel.Radius + 50
	for i := range s.Wheels {
		if spin := math.Abs(s.Wheels[i].Roll.Spin); !(spin < most) {
			t.Fatalf("tick %d, gear %d, %.1f m/s: wheel %d turns at %.0f rad/s, at most %.0f are plausible", s.Tick, s.Driveline.Gear, s.Speed, i, spin, most)
		}
	}
}
