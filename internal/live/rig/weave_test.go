package rig

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim/driver"
	"rig.example/rig/test/level"
)

// A demo's driver holds the wheel quiet on straights: at most one reversal in 5 s. The first lap is driven in virtual time.
func TestADemoDoesNotWeave(t *testing.T) {
	level.SkipIfQuick(t)
	// What is more, and why: in the club's hardest braking both cars oversteer, and their swing is damped, but not at once.
	known := map[string]int{"club/pickup": 2, "club/wheelcollider": 3}
	for _, track := range []string{"club", "proving-ground"} {
		for _, car := range config.Cars() {
			if car == "reference" || car != "coupe" && !level.All() { // the reference has no driver: it only follows inputs
				continue
			}
			t.Run(track+"/"+car, func(t *testing.T) {
				c := weaveOfADemo(t, track, car)
				t.Logf("%d reversals in 5 s, at %.0f m", c.Most, c.MostAt)
				if most := max(known[track+"/"+car], 1); c.Most > most {
					t.Errorf("%d reversals of the steering wheel in 5 s of a straight, at %.0f m; want at most %d", c.Most, c.MostAt, most)
				}
			})
		}
	}
}

// weaveOfADemo drives a demo to the end of its first lap, and returns how the driver held the wheel. It counts what is slower
// than a driver can steer: waves of 6 m in the club's road lift the formula's front wheels off the ground seven times a second,
// and the torque of its column, ±13 N·m, shakes the rim by ±1.2° in relaxed arms whose hands mean to turn it by 0.03°.
func weaveOfADemo(t *testing.T, track, car string) (c driver.Reversals) {
	cfg := config.Default()
	cfg.Car, cfg.Track = car, track
	r := demoOf(t, cfg)
	const highest = 3.0 // frequency at which arms still turn a wheel on purpose [Hz]
	share := 2 * math.Pi * highest * period.Seconds()
	var once, twice float64 // the angle of the rim, low-passed
	line, s, station := driverOf(t, cfg, r).Line(), &r.drive.State, math.NaN()
	for s.Laps.Clock.Count == 0 {
		if err := r.Tick(); err != nil {
			t.Fatal(err)
		}
		if s.Guard.State() != guard.Driving {
			continue
		}
		if s.Car.Tick > 320_000 {
			t.Fatal("no lap in 320 s")
		}
		station, _ = line.Nearest(s.Car.Pos, station)
		once += share * (s.Input.Steer - once)
		twice += share * (once - twice)
		c.Add(period.Seconds(), twice, s.Station, line.At(station).Curvature)
	}
	return c
}
