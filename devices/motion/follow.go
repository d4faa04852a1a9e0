package motion

import "math"

// followLag is the longest delay between demand and movement that is no fault:
// of the line, the controller's filter and the motor [s].
const followLag = 0.25

// follow watches whether the actuators go where they are sent.
//
// By now an actuator should be between the path and the same path delayed by
// followLag, a filter of the first order. How far it is from there is the
// following error. Time beyond the limit adds up, time within takes a quarter of
// it back: an actuator that is stuck while its path passes by it again and again
// is found all the same.
type follow struct {
	limit, patience float64 // [share of the stroke], [s]
	late            Legs    // the delayed path
	beyond          Legs    // [s]
	error           Legs    // share of the stroke, positive above the path; NaN where unknown
}

// start begins to watch actuators that stand at a place.
func (f *follow) start(at *Legs) {
	f.late, f.beyond, f.error = *at, Legs{}, all(math.NaN())
}

// step takes the path and what was told of the actuators, NaN where nothing was,
// and reports that one is not where it was sent.
func (f *follow) step(path, told *Legs, dt float64) bool {
	lost := false
	for i, p := range path {
		f.late[i] += (p - f.late[i]) * dt / (followLag + dt)
		f.error[i] = outside(told[i], min(p, f.late[i]), max(p, f.late[i]))
		switch {
		case math.Abs(f.error[i]) > f.limit:
			f.beyond[i] += dt
		default: // also where nothing is known
			f.beyond[i] = max(0, f.beyond[i]-dt/4)
		}
		lost = lost || f.beyond[i] >= f.patience
	}
	return lost && f.limit > 0
}

// outside returns how far v is from low..high: negative below, NaN if v is.
func outside(v, low, high float64) float64 {
	return v - min(max(v, low), high)
}
