package pidwheel

import (
	"math"
	"runtime"
	"time"

	"rig.example/rig/test/vm/mono"
)

const (
	middle = 0x8000              // raw value of the steering axis in the middle
	lock   = 450 * math.Pi / 180 // angle from the middle to a stop [rad]
)

// advance simulates the rim up to the time to, if it has a motor. The caller must hold mu.
func (w *Wheel) advance(to time.Duration) {
	if w.options.Rim == nil {
		return
	}
	m := Motion{Position: -w.motion.Angle / lock, Speed: -w.motion.Speed / lock}
	w.motion = w.options.Rim.Advance(w.motion, to, w.motor.force(w.motion.At, m))
}

// runRim simulates the rim in real time and sends an input report whenever it has moved, until Unplug.
func (w *Wheel) runRim() {
	runtime.LockOSThread()
	for next := mono.Now(); ; next += time.Millisecond {
		mono.SleepUntil(next)
		select {
		case <-w.unplugged:
			return
		default:
		}
		w.mu.Lock()
		w.advance(mono.Now())
		before := w.input.Steer
		w.input.Steer = w.motion.Steer()
		in := w.input
		w.mu.Unlock()
		if in.Steer != before {
			w.port.Send(in.report())
		}
	}
}
