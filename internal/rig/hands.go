package rig

import (
	"rig/devices/pedals"
	"rig/devices/wheel"
	"rig/internal/frame"
	"rig/sim"
	"rig/sim/maneuver"
)

// person is a driver behind real devices.
type person struct {
	wheel  *wheel.Wheel
	pedals *pedals.Pedals
	hands  wheel.Sample
	feet   pedals.Sample
	steer  float64 // [rad], kept while the wheel is away
	gears  selector
}

// freeRim is how fast a steering wheel that nobody holds centres itself, which
// stands in for a wheel that was unplugged [rad/s].
const freeRim = 1.5

func (p *person) present() (bool, bool) { return p.hands.Present, p.feet.Present }

func (p *person) faulty() bool { return p.hands.Fault || p.feet.Fault }

func (p *person) restart(*Rig) { p.gears = selector{} }

func (p *person) read(r *Rig) sim.Input {
	p.wheel.Poll(&p.hands)
	p.wheel.Live(r.guard.State().Moves())
	p.pedals.Poll(&p.feet)
	return p.input(r)
}

// input returns what hands and feet make of this tick.
func (p *person) input(r *Rig) sim.Input {
	in := sim.Input{Throttle: p.feet.Throttle, Brake: p.feet.Brake, Clutch: p.feet.Clutch, Handbrake: p.feet.Handbrake}
	if p.hands.Present {
		p.steer = p.hands.Angle
	} else {
		p.steer = towards(p.steer, 0, freeRim*r.dt)
		in.Throttle = 0 // nobody steers: the car coasts
	}
	in.Steer = p.steer
	lever := p.feet.Levers
	gear, manual := p.gears.choose(r, lever.ShiftUp || r.down(frame.KeyGearUp), lever.ShiftDown || r.down(frame.KeyGearDown))
	if lever.Gate {
		gear, manual = lever.Gear, true
	}
	in.Gear = gear
	r.panel.apply(&in, manual)
	if !p.feet.Present {
		in.Assists.Clutch = true // the engine runs on
	}
	return in
}

// robot is the driver model of the demo behind a simulated wheel; the keyboard
// takes its place when a key is pressed.
type robot struct {
	wheel  *wheel.Sim
	hands  wheel.Sample
	driver *maneuver.Driver
	memory maneuver.Memory
	gears  selector // of the keys
}

// armStiffness is that of a relaxed driver's arms at the rim [N·m/rad].
const armStiffness = 15

// newRobot returns a driver model at a simulated wheel in r's car.
func newRobot(r *Rig, rim *wheel.Sim, driver *maneuver.Driver) *robot {
	return &robot{wheel: rim, driver: driver, memory: driver.Start(&r.state), gears: inDrive}
}

func (d *robot) present() (bool, bool) { return true, true }

func (d *robot) faulty() bool { return false }

func (d *robot) restart(r *Rig) { d.memory, d.gears = d.driver.Start(&r.state), inDrive }

func (d *robot) read(r *Rig) sim.Input {
	in := d.wish(r)
	r.keys.step(r.pressed, r.state.Speed, r.car.DrivenSlip(&r.state))
	if r.keys.active() {
		in = d.keyed(r)
	} else {
		d.gears = inDrive
		r.keys.follow(in.Steer, in.Throttle, in.Brake)
		shifting := in.Assists.Shifting
		r.panel.apply(&in, !shifting)
		in.Assists.Clutch = true
	}
	d.wheel.Hands(in.Steer, armStiffness)
	d.wheel.Poll(&d.hands)
	in.Steer = d.hands.Angle
	return in
}

// wish returns what the driver model wants. It takes the wheel when the car begins to
// move: how long the devices needed to get ready must not change the drive.
func (d *robot) wish(r *Rig) sim.Input {
	if r.guard.State().Moves() {
		return d.driver.Drive(&d.memory, &r.state)
	}
	d.memory = d.driver.Start(&r.state)
	return d.memory.Wish
}

// keyed returns what the keys make of this tick.
func (d *robot) keyed(r *Rig) sim.Input {
	k := &r.keys
	gear, manual := d.gears.choose(r, r.down(frame.KeyGearUp), r.down(frame.KeyGearDown))
	k.manual, k.launch = manual, r.panel.set.Launch
	if !manual {
		gear = k.direction()
	}
	in := sim.Input{Steer: k.steer, Throttle: k.pedals.Throttle, Brake: k.pedals.Brake, Gear: gear}
	r.panel.apply(&in, manual)
	in.Assists.Clutch = true // there is no key for it
	return in
}
