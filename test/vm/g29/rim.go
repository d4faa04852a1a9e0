package g29

import (
	"runtime"
	"time"

	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/rim"
)

// Rim describes the rim, its motor and the driver's hands; see package rim.
type Rim = rim.Rim

// DefaultRim returns a small belt- or gear-driven wheel with a motor of about 2 N·m and a rim of 1 kg, with
// hands off.
func DefaultRim() Rim { return Rim{Inertia: 0.02, Friction: 0.15, Motor: rim.Motor{Peak: 2.1}} }

// levelOf returns a force byte as a fraction of full force, positive to the left.
//
// One above NoForce pushes to the left: hid-lg4ff adds a positive level in direction
// 0x4000 to it, and input.h calls that direction left.
func levelOf(force byte) float64 { return (float64(force) - NoForce) / NoForce }

// advance simulates the rim up to the time to, if it has a motor. The caller must hold mu.
func (w *Wheel) advance(to time.Duration) {
	if w.rim != nil {
		w.motion = w.rim.Advance(w.motion, to, levelOf(w.forceByte))
	}
}

// runRim simulates the rim in real time and sends an input report whenever it has moved, until Unplug.
func (w *Wheel) runRim() {
	runtime.LockOSThread()
	for next := mono.Now(); ; next += Interval {
		mono.SleepUntil(next)
		if w.isUnplugged() {
			return
		}
		w.mu.Lock()
		w.advance(mono.Now())
		before := w.input.Steer
		w.input.Steer = w.motion.Steer()
		in := w.input
		w.mu.Unlock()
		if in.Steer != before {
			w.sendInput(in)
		}
	}
}
