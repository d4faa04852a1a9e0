package drive

import (
	"math"

	"rig/internal/frame"
	"rig/internal/guard"
	"rig/sim"
)

// press finds what is down in this tick, in the window and in the cockpit. A press of a button
// counts though it ended before the tick did.
func (d *Drive) press(in *Inputs) {
	s := &d.State
	keys := s.window.keys(&in.Window, d.Setup.Dt) | in.Buttons.Down | in.Buttons.Pressed
	s.fresh = keys&^s.pressed | in.Buttons.Pressed
	s.pressed = keys
	s.released = s.released || in.Operator.Release
}

// down reports whether a key or its button is held.
func (s *State) down(key uint64) bool { return s.pressed&key != 0 }

// adjust obeys the keys that were not down a tick ago.
func (d *Drive) adjust(in *Inputs) {
	s := &d.State
	s.panel.step(s.pressed, s.fresh, s.Car.Power.Running, s.clutch)
	s.Rain.step(s.fresh)
	s.pause()
	s.gain(d.Setup.Dt)
	s.tuner.step(s.fresh, &s.Motion, d.Setup.Dt)
}

// pause obeys the key for it. A pause is no way out of a fault or a stop, nor does it outlast one,
// or an order to release.
func (s *State) pause() {
	switch state := s.Guard.State(); {
	case state == guard.Fault || state == guard.Stopped || s.released:
		s.Paused = false
	case s.fresh&frame.KeyPause != 0:
		s.Paused = !s.Paused
	}
}

const (
	gainStep = 0.05
	gainTold = 3 // [s]
)

// gain changes the strength of the force.
func (s *State) gain(dt float64) {
	s.gainShown = max(s.gainShown-dt, 0)
	for _, k := range [...]struct {
		key  uint64
		step float64
	}{{frame.KeyGainMore, gainStep}, {frame.KeyGainLess, -gainStep}} {
		if s.fresh&k.key != 0 {
			s.Force.Adjust(k.step)
			s.gainShown = gainTold
		}
	}
}

// bite is the clutch pedal for starts [0..1]: where the clutch carries a quarter.
func bite(c sim.Clutch) float64 { return c.Bite - c.Width/4 }

// levers adds to in what buttons do to handbrake and clutch.
func (d *Drive) levers(in *sim.Input) {
	if d.State.down(frame.KeyHandbrake) {
		in.Handbrake = 1
	}
	if d.State.down(frame.KeyClutchBite) {
		in.Clutch = math.Max(in.Clutch, d.bite)
	}
}

// window follows the rig's window by the count of its pictures.
type window struct {
	pictures uint64  // when they were last seen to grow; 0 before the first one
	silent   float64 // time since then [s]
}

const (
	// keysGoStale is how long a window may be silent before its keys count as let go: one
	// that died must not hold a key down [s].
	keysGoStale = 0.25
	// blindAfter is how long a driver who had a window may go without a picture [s].
	blindAfter = 2
)

// keys returns those that are down in the window.
//
// Only a stop or a closed window counts from a window that has died since, for it must not get
// lost. A confirmation does not: nobody may be holding the key any more.
func (w *window) keys(in *Window, dt float64) uint64 {
	w.silent += dt
	if in.Pictures != w.pictures {
		w.pictures, w.silent = in.Pictures, 0
	}
	if w.silent > keysGoStale {
		return in.Keys & (frame.KeyStop | frame.KeyClose)
	}
	return in.Keys
}

// lost reports whether there was a window and is none any more. A drive that never had one loses
// none.
func (w *window) lost() bool { return w.pictures != 0 && w.silent > blindAfter }

// Blind reports whether the window of a drive that had one is lost.
func (s *State) Blind() bool { return s.window.lost() }
