// Package plausible judges what sensors of hands and feet report: whether a hand or a foot can
// have done that. It is pure: it is stepped once a tick and knows no clock.
package plausible

import "math"

// Limits say what one axis can do, in the axis' own unit.
type Limits struct {
	Rate   float64 // most change that is passed on [unit/s]
	Jump   float64 // from one report to the next: what nobody does [unit]
	Hold   float64 // a jump is not followed for so long [s]; one that stays is a fault then; 0 follows at once
	Jumps  float64 // so many jumps are reported; more are a fault
	Forget float64 // jumps forgotten each second [1/s]
}

// clearAfter is how long an axis must be free of what nobody does before its fault is over [s].
const clearAfter = 5

// Axis bounds what one axis reports, and finds what nobody can have done. The zero value with
// its limits is ready.
type Axis struct {
	Limits

	started bool
	value   float64 // passed on last

	reported bool
	last     float64 // of the newest report
	base     float64 // before the jump that is not followed
	away     float64 // time since that jump [s]
	jumped   bool    // there is such a jump
	jumps    float64 // so far, less what is forgotten
}

// Report takes one report, in the order in which they came.
func (a *Axis) Report(v float64) {
	if a.reported && math.Abs(v-a.last) > a.Jump {
		a.strike(1)
		if a.Hold > 0 && !a.jumped {
			a.jumped, a.base, a.away = true, a.last, 0
		}
	}
	a.reported, a.last = true, v
}

// Resync forgets the reports so far: some are missing, so the next one may be anywhere.
func (a *Axis) Resync() { a.reported, a.jumped = false, false }

// Step returns where the axis may be now, dt after the Step before [s]; v is what it says. The
// first Step takes v as it is.
func (a *Axis) Step(v, dt float64) float64 {
	if !a.started {
		a.started, a.value = true, v
		return v
	}
	a.jumps = max(a.jumps-a.Forget*dt, 0)
	a.settle(v, dt)
	if !a.jumped {
		most := a.Rate * dt
		a.value += min(max(v-a.value, -most), most)
	}
	return a.value
}

// settle decides what becomes of a jump that is not followed.
func (a *Axis) settle(v, dt float64) {
	if !a.jumped {
		return
	}
	a.away += dt
	switch {
	case math.Abs(v-a.base) <= a.Jump: // a single bad value
		a.jumped = false
	case a.away >= a.Hold:
		a.jumped = false
		a.strike(math.Inf(1))
	}
}

// strike counts jumps, no more than are forgotten in clearAfter.
func (a *Axis) strike(n float64) { a.jumps = min(a.jumps+n, a.Jumps+clearAfter*a.Forget) }

// Jumped reports whether the axis jumped lately.
func (a *Axis) Jumped() bool { return a.jumps > 0 }

// Fault reports whether the axis does what nobody can do, again and again or for good. It is
// over after 5 s without.
func (a *Axis) Fault() bool { return a.jumps > a.Jumps }
