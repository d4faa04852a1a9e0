package drive

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driveline"
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
	s.panel.step(s.pressed, s.fresh, s.Car.Driveline.Power.Running, s.clutch)
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
func bite(c driveline.Clutch) float64 { return c.Bite - c.Width/4 }

// levers adds to in what buttons do to handbrake and clutch.
func (d *Drive) levers(in *sim.Input) {
	if d.State.down(frame.KeyHandbrake) {
		in.Handbrake = 1
	}
	if d.State.down(frame.KeyClutchBite) {
		in.Clutch = math.Max(in.Clutch, d.bite)
	}
}
