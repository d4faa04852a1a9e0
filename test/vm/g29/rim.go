package g29

import (
	"runtime"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/rim"
)

// Rim is a steering wheel that its motor turns.
type Rim = rim.Rim

// DefaultRim has the size of a small belt- or gear-driven wheel, hands off: about 2 N·m
// and a rim of 1 kg.
func DefaultRim() Rim { return Rim{Inertia: 0.02, Friction: 0.15, Motor: rim.Motor{Peak: 2.1}} }

// levelOf is a force byte as a share of full force, positive left.
//
// One above NoForce pushes to the left: hid-lg4ff adds a positive level in direction
// 0x4000 to it, and input.h calls that direction left.
func levelOf(force byte) float64 { return (float64(force) - NoForce) / NoForce }

// advance moves a rim with a motor to a time. The caller holds mu.
func (w *Wheel) advance(to time.Duration) {
	if w.rim != nil {
		w.motion = w.rim.Advance(w.motion, to, levelOf(w.force))
	}
}

// turn moves the rim at each interval and tells the host when it has moved.
func (w *Wheel) turn() {
	runtime.LockOSThread()
	for next := mono.Now(); ; next += Interval {
		mono.SleepUntil(next)
		if w.gone() {
			return
		}
		w.mu.Lock()
		w.advance(mono.Now())
		before := w.input.Steer
		w.input.Steer = w.motion.Steer()
		in := w.input
		w.mu.Unlock()
		if in.Steer != before {
			w.tell(in)
		}
	}
}
