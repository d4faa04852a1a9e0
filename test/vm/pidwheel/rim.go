package pidwheel

import (
	"math"
	"runtime"
	"time"

	"rig.example/rig/test/vm/mono"
)

const (
	middle = 0x8000
	lock   = 450 * math.Pi / 180 // angle of the rim's stops to both sides [rad]
)

// advance moves a rim with a motor to a time. The caller holds mu.
func (w *Wheel) advance(to time.Duration) {
	if w.options.Rim == nil {
		return
	}
	m := Motion{Position: -w.motion.Angle / lock, Speed: -w.motion.Speed / lock}
	w.motion = w.options.Rim.Advance(w.motion, to, w.motor.force(w.motion.At, m))
}

// turn moves the rim each millisecond and tells the host when it has moved.
func (w *Wheel) turn() {
	runtime.LockOSThread()
	for next := mono.Now(); ; next += time.Millisecond {
		mono.SleepUntil(next)
		select {
		case <-w.out:
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
