package drive

import "math"

// readDriver sets the car's input, by the person or the driver model. A simulated rim follows the model and steers; a real
// one does not steer.
func (d *Drive) readDriver(in *Inputs) {
	s := &d.State
	if d.Setup.model == nil {
		s.Input = d.cockpit.humanInput(&s.Cockpit, &in.Wheel, &in.Pedals, &s.Car)
	} else {
		s.Input = d.cockpit.modelInput(&s.Cockpit, &s.model.Input, &s.Car, d.Setup.Car.DrivenSlip(&s.Car))
		if !d.Setup.rimServo {
			s.Input.Steer = in.Wheel.Angle
		}
	}
	d.switchForceChain(in)
	d.cockpit.applyButtons(&s.Cockpit, &s.Input)
	s.Input.Slick = d.Setup.Circuit.Weather.GripLoss(float64(s.Car.Tick)*d.Setup.Dt, s.Cockpit.Rain.gripLoss())
}

// restartDriver resets gear lever and driver model to the car's present state.
func (d *Drive) restartDriver() {
	s := &d.State
	if s.Cockpit.lever = (gearSelector{}); d.Setup.model != nil {
		s.model, s.Cockpit.lever = d.Setup.model.Start(&s.Car), inDrive
	}
}

// stepDriverModel steps the driver model for the next tick. It starts when the car starts to move, so
// that the time that devices need to get ready does not change the drive.
func (d *Drive) stepDriverModel() {
	s, model := &d.State, d.Setup.model
	if s.Guard.State().Moves() {
		model.Drive(&s.model, &s.Car)
		return
	}
	s.model = model.Start(&s.Car)
}

// approach moves v towards target by at most step.
func approach(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
