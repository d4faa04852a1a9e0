// Package humanmotion checks the sensors of steering wheels and pedals: whether a hand or a foot can move as
// they report.
//
// Reports, values and time steps go in; values of limited speed, and faults, come out. The package is pure:
// it is stepped once a tick, reads no clock, opens no device and allocates nothing.
package humanmotion

import "math"

// Limits are the limits of the movement of one axis, in the axis' own unit.
type Limits struct {
	MaxRate   float64 // highest speed of the value that Step returns [unit/s]
	MaxJump   float64 // from one report to the next; a larger change is a jump [unit]
	JumpHold  float64 // time for which the value is held after a jump, before the jump counts as a fault [s]; 0: not held
	MaxJumps  float64 // more jumps than this are a fault
	JumpDecay float64 // number of jumps that are forgotten each second [1/s]
}

// faultClearTime is the time without jumps after which a fault ends [s].
const faultClearTime = 5

// Axis limits the speed of one axis, and detects jumps that no hand or foot can make. The zero value with
// Limits is ready to use.
type Axis struct {
	Limits

	started bool
	value   float64 // result of the last Step [unit]

	reported        bool
	lastReport      float64 // newest report [unit]
	valueBeforeJump float64 // report before the jump [unit]
	timeSinceJump   float64 // [s]
	holding         bool    // the value is held because of a jump
	jumpCount       float64 // number of jumps, minus JumpDecay for each second; not an integer
}

// AddReport takes one report of the axis' position from the device [unit]. Reports must be given in their order.
func (a *Axis) AddReport(v float64) {
	if a.reported && math.Abs(v-a.lastReport) > a.MaxJump {
		a.addJumps(1)
		if a.JumpHold > 0 && !a.holding {
			a.holding, a.valueBeforeJump, a.timeSinceJump = true, a.lastReport, 0
		}
	}
	a.reported, a.lastReport = true, v
}

// Resync forgets the reports so far. It is called when reports were lost, so that the next one may have any
// value.
func (a *Axis) Resync() { a.reported, a.holding = false, false }

// Step takes the newest value v of the axis [unit], and the time dt since the last Step [s]. It returns v
// with its speed limited, or the last result while the value is held after a jump. The first Step returns v
// itself.
func (a *Axis) Step(v, dt float64) float64 {
	if !a.started {
		a.started, a.value = true, v
		return v
	}
	a.jumpCount = max(a.jumpCount-a.JumpDecay*dt, 0)
	a.resolveJump(v, dt)
	if !a.holding {
		maxChange := a.MaxRate * dt
		a.value += min(max(v-a.value, -maxChange), maxChange)
	}
	return a.value
}

// resolveJump ends the hold after a jump: without a fault if the axis comes back, or with a fault when
// JumpHold is over.
func (a *Axis) resolveJump(v, dt float64) {
	if !a.holding {
		return
	}
	a.timeSinceJump += dt
	switch {
	case math.Abs(v-a.valueBeforeJump) <= a.MaxJump: // it was a single wrong value
		a.holding = false
	case a.timeSinceJump >= a.JumpHold:
		a.holding = false
		a.addJumps(math.Inf(1))
	}
}

// addJumps adds n jumps, which may be infinite, but limits the count so that a fault ends after
// faultClearTime without jumps.
func (a *Axis) addJumps(n float64) {
	a.jumpCount = min(a.jumpCount+n, a.MaxJumps+faultClearTime*a.JumpDecay)
}

// Jumped reports whether the axis has jumped and the jump is not forgotten yet.
func (a *Axis) Jumped() bool { return a.jumpCount > 0 }

// Fault reports whether the axis jumps repeatedly, or has jumped and remained there. The fault ends
// after 5 s without a jump.
func (a *Axis) Fault() bool { return a.jumpCount > a.MaxJumps }
