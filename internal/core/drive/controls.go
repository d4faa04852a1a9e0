package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driveline"
)

// readKeys updates the keys that are down in the window and the buttons of the cockpit. A press counts
// even if the button was released before this tick.
func (d *Drive) readKeys(in *Inputs) {
	s := &d.State
	keys := s.window.keys(&in.Window, d.Setup.Dt) | in.Buttons.Down | in.Buttons.Pressed
	s.justPressed = keys&^s.keysBefore | in.Buttons.Pressed
	s.keysDown, s.keysBefore = keys, keys
	d.stopByAnyKey(in)
	s.releaseOrdered = s.releaseOrdered || in.Operator.Release
}

// isDown reports whether a key or its button is held.
func (s *State) isDown(key uint64) bool { return s.keysDown&key != 0 }

// applyKeys applies the keys that were pressed in this tick.
func (d *Drive) applyKeys(in *Inputs) {
	s := &d.State
	s.panel.step(s.keysDown, s.justPressed, s.Car.Driveline.Engine.Running, s.clutchPedal)
	s.Rain.step(s.justPressed)
	s.stepPause(&in.Operator)
	s.adjustGain(d.Setup.Dt)
	d.applyTune(in.Operator.Tune)
	d.stepForceRamps()
	s.tuner.step(s.justPressed, &s.Motion, d.Setup.Dt)
}

// stepPause applies the pause key and the operator's orders. A fault, a stop and an order to release end a pause.
func (s *State) stepPause(orders *Operator) {
	switch state := s.Guard.State(); {
	case state == guard.Fault || state == guard.Stopped || s.releaseOrdered:
		s.Paused = false
	case s.justPressed&frame.KeyPause != 0:
		s.Paused, s.orders.orderedBy = !s.Paused, guard.ByDriver
	case orders.PauseBy != guard.Nobody:
		s.Paused, s.orders.orderedBy = true, orders.PauseBy
	case orders.ResumeBy != guard.Nobody:
		s.Paused = false
	}
}

const (
	gainStep     = 0.05
	gainShownFor = 3 // [s]
)

// adjustGain applies the keys for the gain of the force.
func (s *State) adjustGain(dt float64) {
	s.gainShownTime = max(s.gainShownTime-dt, 0)
	for _, k := range [...]struct {
		key  uint64
		step float64
	}{{frame.KeyGainMore, gainStep}, {frame.KeyGainLess, -gainStep}} {
		if s.justPressed&k.key != 0 {
			s.Force.Adjust(k.step)
			s.forceRamps[ForceGain].active = false // the driver's key counts more
			s.gainShownTime = gainShownFor
		}
	}
}

// bitePoint returns the clutch pedal position for a start, 0..1, at which the clutch transmits a quarter
// of its torque.
func bitePoint(c driveline.Clutch) float64 { return c.BitePoint - c.BiteWidth/4 }

// applyButtons adds the buttons for handbrake and clutch bite to the car's input.
func (d *Drive) applyButtons(in *sim.Input) {
	if d.State.isDown(frame.KeyHandbrake) {
		in.Handbrake = 1
	}
	if d.State.isDown(frame.KeyClutchBite) {
		in.Clutch = math.Max(in.Clutch, d.bitePoint)
	}
}
