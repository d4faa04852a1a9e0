package drive

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/sim"
)

// input is what the driver tells the car in this tick.
func (d *Drive) input(in *Inputs) sim.Input {
	if d.Setup.model != nil {
		return d.modelled(in)
	}
	return d.person(in)
}

// restartDriver has the driver begin anew where the car is.
func (d *Drive) restartDriver() {
	p := &d.State.driver
	if p.gears = (selector{}); d.Setup.model != nil {
		p.memory, p.gears = d.Setup.model.Start(&d.State.Car), inDrive
	}
}

// freeRim is how fast a steering wheel that nobody holds centres itself, which stands in for a
// wheel that was unplugged [rad/s].
const freeRim = 1.5

// person is what hands and feet make of this tick.
func (d *Drive) person(in *Inputs) sim.Input {
	s, feet := &d.State, &in.Pedals
	p := &s.driver
	to := sim.Input{Throttle: feet.Throttle, Brake: feet.Brake, Clutch: feet.Clutch, Handbrake: feet.Handbrake}
	if in.Wheel.Present {
		p.steer = in.Wheel.Angle
	} else {
		p.steer = towards(p.steer, 0, freeRim*d.Setup.Dt)
		to.Throttle = 0 // nobody steers: the car coasts
	}
	to.Steer = p.steer
	gear, manual := p.gears.choose(d, feet.ShiftUp || s.down(frame.KeyGearUp), feet.ShiftDown || s.down(frame.KeyGearDown))
	if feet.Gate {
		gear, manual = feet.Gear, true
	}
	to.Gear = gear
	s.panel.apply(&to, manual)
	if !feet.Present {
		to.Assists.Clutch = true // the engine runs on
	}
	return to
}

// armStiffness is that of a relaxed driver's arms at the rim [N·m/rad].
const armStiffness = 15

// modelled is what the driver model wants, or the keyboard, which takes its place when a key is
// pressed. Where the rim is they only ask for.
func (d *Drive) modelled(in *Inputs) sim.Input {
	s := &d.State
	to := s.driver.memory.Wish
	s.keys.step(d)
	if s.keys.active() {
		to = d.keyed()
	} else {
		s.driver.gears = inDrive
		s.keys.follow(to.Steer, to.Throttle, to.Brake)
		s.panel.apply(&to, !to.Assists.Shifting)
	}
	to.Assists.Clutch = true // there is no key for it
	to.Steer = in.Wheel.Angle
	return to
}

// keyed is what the keys make of this tick.
func (d *Drive) keyed() sim.Input {
	s := &d.State
	k := &s.keys
	gear, manual := s.driver.gears.choose(d, s.down(frame.KeyGearUp), s.down(frame.KeyGearDown))
	k.manual, k.launch = manual, s.panel.set.Launch
	if !manual {
		gear = k.direction()
	}
	to := sim.Input{Steer: k.steer, Throttle: k.pedals.Throttle, Brake: k.pedals.Brake, Gear: gear}
	s.panel.apply(&to, manual)
	return to
}

// plan has the driver model decide on the next tick. It takes the wheel when the car begins to
// move: how long the devices needed to get ready must not change the drive.
func (d *Drive) plan() {
	s, model := &d.State, d.Setup.model
	if s.Guard.State().Moves() {
		model.Drive(&s.driver.memory, &s.Car)
		return
	}
	s.driver.memory = model.Start(&s.Car)
}

// wanted is where the hands of the demo's driver want the rim for the next tick.
func (d *Drive) wanted() Hands {
	s := &d.State
	if s.keys.active() {
		return Hands{s.keys.steer, armStiffness}
	}
	return Hands{s.driver.memory.Wish.Steer, armStiffness}
}

func towards(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
