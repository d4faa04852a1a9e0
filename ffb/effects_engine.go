package ffb

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// shiftKnock is the knock of a gear change: the half shafts' torque in a band of 5 to 40 Hz, from
// the start of the change until 0.25 s after its end, when the driveline has settled. Its phase is 0 at
// 14 Hz, with a group delay of 7 ms there; it fades in and out in 15 ms.
type shiftKnock struct {
	band band
	gate fader
	dt   float64
}

type shiftKnockState struct {
	band      bandState
	gate      float64 // level of the fader
	remaining float64 // remaining time for which it is felt [s]
	gear      int8    // gear in the last tick
	known     bool    // gear is valid; false before the first tick
}

func newShiftKnock(dt float64) shiftKnock {
	return shiftKnock{band: newBand(5, 40, dt), gate: newFader(dt), dt: dt}
}

func (j *shiftKnock) next(s *shiftKnockState, car *sim.State) float64 {
	const feltFor = 0.25                   // time after the end of a change [s]
	const fullSwing, maxTorque = 1e3, 50e3 // [N·m]
	shafts := &car.Driveline.Shafts
	torque := (shafts[tire.FL].Torque + shafts[tire.FR].Torque) + (shafts[tire.RL].Torque + shafts[tire.RR].Torque)
	swing := j.band.next(&s.band, bounded(torque, maxTorque)/fullSwing)
	if changed := s.known && car.Driveline.Gear != s.gear; changed || car.Driveline.Gearbox.ShiftTime > 0 {
		s.remaining = feltFor
	}
	s.gear, s.known = car.Driveline.Gear, true
	open := 0.0
	if s.remaining > 0 {
		s.remaining -= j.dt
		open = 1
	}
	return j.gate.next(&s.gate, open) * softClip(swing)
}

// firing is the engine's vibration: its firing order (half the cylinders per turn) and twice and
// three times that. Its phase is the crank angle, so its only delay is the fade of 15 ms.
type firing struct {
	gate           fader
	dt             float64
	firingsPerTurn float64 // firings per turn of the crankshaft
}

type firingState struct {
	gate  float64 // level of the fader
	phase float64 // phase between two firings, 0..1
}

func newFiring(cylinders int, dt float64) firing {
	return firing{gate: newFader(dt), dt: dt, firingsPerTurn: float64(cylinders) / 2}
}

// next returns the vibration: 0.3 without load and 1 at 300 N·m for the first order; the shares of
// the others grow with load from about 0.1 to 0.25. Orders fade out towards 0.4 of the tick rate, above
// which they would alias.
func (f *firing) next(s *firingState, car *sim.State) float64 {
	const fullTorque, maxSpeed = 300, 3e3 // [N·m, rad/s]
	on := 0.0
	if car.Driveline.Engine.Running && car.Driveline.Fuel > 0 { // an electric motor has no fuel
		on = 1
	}
	if f.gate.next(&s.gate, on) == 0 {
		return 0
	}
	step := bounded(car.Driveline.EngineSpeed, maxSpeed) * f.dt * f.firingsPerTurn / (2 * math.Pi)
	s.phase += step
	s.phase -= math.Floor(s.phase)
	load := min(math.Abs(bounded(car.Driveline.Engine.Torque, fullTorque))/fullTorque, 1)
	sin, cos := math.Sincos(2 * math.Pi * s.phase)
	size := math.Abs(step)
	first := sin * orderGain(size)
	second := 2 * sin * cos * orderGain(2*size) * (0.11 + 0.16*load)
	third := sin * (3 - 4*sin*sin) * orderGain(3*size) * (0.08 + 0.17*load)
	return s.gate * (0.3 + 0.7*load) * (first + second + third)
}

// orderGain returns the gain of an order by its turns per tick.
func orderGain(turns float64) float64 { return 1 - smoothStep(turns, 0.75*maxFrequency, maxFrequency) }

// limiterCuts returns -2 while the hard limiter cuts the engine and 0 otherwise; the band-pass of 4 to
// 40 Hz turns that into about -1 to 1. It rounds the edges over 10 ms; its phase is 0 at 13 Hz, with a
// group delay of 7 ms there.
func limiterCuts(s *sim.State) float64 {
	if s.Driveline.Engine.LimiterCut {
		return -2
	}
	return 0
}
