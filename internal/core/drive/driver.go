package drive

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
)

// driverInput returns the car's input of this tick, from the person or the driver model.
func (d *Drive) driverInput(in *Inputs) sim.Input {
	if d.Setup.model != nil {
		return d.modelInput(in)
	}
	return d.humanInput(in)
}

// restartDriver resets gear lever and driver model to the car's present state.
func (d *Drive) restartDriver() {
	p := &d.State.driver
	if p.lever = (gearSelector{}); d.Setup.model != nil {
		p.model, p.lever = d.Setup.model.Start(&d.State.Car), inDrive
	}
}

// freeRimSpeed is how fast the steering returns to the center while no wheel is connected [rad/s].
const freeRimSpeed = 1.5

// humanInput returns the input of a person with wheel, pedals and buttons.
func (d *Drive) humanInput(in *Inputs) sim.Input {
	s, pedals := &d.State, &in.Pedals
	person := &s.driver
	to := sim.Input{Throttle: pedals.Throttle, Brake: pedals.Brake, Clutch: pedals.Clutch, Handbrake: pedals.Handbrake}
	if in.Wheel.Present {
		person.steer = in.Wheel.Angle
	} else {
		person.steer = approach(person.steer, 0, freeRimSpeed*d.Setup.Dt)
		to.Throttle = 0 // nobody steers: the car coasts
	}
	to.Steer = person.steer
	gear, manual := person.lever.choose(d, pedals.ShiftUp || s.isDown(frame.KeyGearUp), pedals.ShiftDown || s.isDown(frame.KeyGearDown))
	if pedals.HasHPattern {
		gear, manual = pedals.Gear, true
	}
	to.Gear = gear
	s.panel.apply(&to, manual)
	if !pedals.Present {
		to.Assists.AutoClutch = true // so that the engine does not stall
	}
	return to
}

// armStiffness is the stiffness of a relaxed driver's arms at the rim [N·m/rad].
const armStiffness = 15

// modelInput returns the input of the driver model, or of the keyboard while its keys are in use. The
// steering angle is that of the simulated rim, which follows them; a real rim does not steer.
func (d *Drive) modelInput(in *Inputs) sim.Input {
	s := &d.State
	to := s.driver.model.Input
	s.keys.step(d)
	if s.keys.active() {
		to = d.keyboardInput()
	} else {
		s.driver.lever = inDrive
		s.keys.follow(to.Steer, to.Throttle, to.Brake)
		s.panel.apply(&to, !to.Assists.AutoShift)
	}
	to.Assists.AutoClutch = true // because no key operates the clutch
	if !d.Setup.rimServo {
		to.Steer = in.Wheel.Angle
	}
	return to
}

// keyboardInput returns the input of the keyboard.
func (d *Drive) keyboardInput() sim.Input {
	s := &d.State
	k := &s.keys
	gear, manual := s.driver.lever.choose(d, s.isDown(frame.KeyGearUp), s.isDown(frame.KeyGearDown))
	k.manual, k.launch = manual, s.panel.aids.Launch
	if !manual {
		gear = k.direction()
	}
	to := sim.Input{Steer: k.steer, Throttle: k.pedals.Throttle, Brake: k.pedals.Brake, Gear: gear}
	s.panel.apply(&to, manual)
	return to
}

// stepDriverModel steps the driver model for the next tick. It starts when the car starts to move, so
// that the time that devices need to get ready does not change the drive.
func (d *Drive) stepDriverModel() {
	s, model := &d.State, d.Setup.model
	if s.Guard.State().Moves() {
		model.Drive(&s.driver.model, &s.Car)
		return
	}
	s.driver.model = model.Start(&s.Car)
}

// modelHands returns the rim angle that the simulated driver's hands hold in the next tick, and their
// stiffness.
func (d *Drive) modelHands() Hands {
	s := &d.State
	if s.keys.active() {
		return Hands{s.keys.steer, armStiffness}
	}
	return Hands{s.driver.model.Input.Steer, armStiffness}
}

// approach moves v towards target by at most step.
func approach(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
