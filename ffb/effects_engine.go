package ffb

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// gearJolt is the knock of a gear change: what the torque of the half shafts does in a band
// of 5 to 40 Hz from a change's begin until a quarter of a second after its end, by then
// the driveline has swung out. Its phase is 0 at 14 Hz, where a change is late by 7 ms; it
// fades in and out in 15 ms.
type gearJolt struct {
	band band
	gate fader
	dt   float64
}

type gearJoltState struct {
	band  bandState
	gate  float64 // level of the fader
	left  float64 // of the time in which it is felt [s]
	gear  int8
	known bool // gear is from the last tick
}

func newGearJolt(dt float64) gearJolt {
	return gearJolt{band: newBand(5, 40, dt), gate: newFader(dt), dt: dt}
}

func (j *gearJolt) next(s *gearJoltState, car *sim.State) float64 {
	const after = 0.25                  // [s]
	const whole, mostTorque = 1e3, 50e3 // [N·m]
	k := &car.Driveline.Shafts
	torque := (k[tire.FL].Torque + k[tire.FR].Torque) + (k[tire.RL].Torque + k[tire.RR].Torque)
	swing := j.band.next(&s.band, bounded(torque, mostTorque)/whole)
	if changed := s.known && car.Driveline.Gear != s.gear; changed || car.Driveline.Box.Time > 0 {
		s.left = after
	}
	s.gear, s.known = car.Driveline.Gear, true
	open := 0.0
	if s.left > 0 {
		s.left -= j.dt
		open = 1
	}
	return j.gate.next(&s.gate, open) * bend(swing)
}

// firing is the engine's vibration: the order of its firing, half its cylinders a turn, and
// twice and three times that. Its phase is the crank's angle, so it is late by nothing but
// the 15 ms of fading.
type firing struct {
	gate    fader
	dt      float64
	perTurn float64 // firings
}

type firingState struct {
	gate  float64 // level of the fader
	turns float64 // of the firing, 0..1
}

func newFiring(cylinders int, dt float64) firing {
	return firing{gate: newFader(dt), dt: dt, perTurn: float64(cylinders) / 2}
}

// next returns the vibration: 0.3 without load and 1 at 300 N·m for the first order; the
// others' shares grow with load from a tenth to a quarter. Orders above 0.4 of the ticks'
// frequency would be heard as others, and fade out towards it.
func (f *firing) next(s *firingState, car *sim.State) float64 {
	const whole, fastest = 300, 3e3 // [N·m, rad/s]
	on := 0.0
	if car.Driveline.Power.Running && car.Driveline.Fuel > 0 { // a motor has none
		on = 1
	}
	if f.gate.next(&s.gate, on) == 0 {
		return 0
	}
	step := bounded(car.Driveline.Engine, fastest) * f.dt * f.perTurn / (2 * math.Pi)
	s.turns += step
	s.turns -= math.Floor(s.turns)
	load := min(math.Abs(bounded(car.Driveline.Power.Torque, whole))/whole, 1)
	sin, cos := math.Sincos(2 * math.Pi * s.turns)
	size := math.Abs(step)
	first := sin * felt(size)
	second := 2 * sin * cos * felt(2*size) * (0.11 + 0.16*load)
	third := sin * (3 - 4*sin*sin) * felt(3*size) * (0.08 + 0.17*load)
	return s.gate * (0.3 + 0.7*load) * (first + second + third)
}

// felt returns the share of an order that is passed on at its turns per tick.
func felt(turns float64) float64 { return 1 - rise(turns, 0.75*mostShare, mostShare) }

// cuts is what the hard limiter does to the engine: -2 while it is cut and 0 while it pulls,
// in the limiter's own cycle, which its band makes -1 to 1. The band, of 4 to 40 Hz, rounds the
// edges over 10 ms; its phase is 0 at 13 Hz, and a change there is late by 7 ms.
func cuts(s *sim.State) float64 {
	if s.Driveline.Power.Cut {
		return -2
	}
	return 0
}
