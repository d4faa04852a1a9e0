package rig

import (
	"rig/devices/pedals"
	"rig/devices/wheel"
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

func (p *person) restart(*Rig) { p.gears = selector{} }

func (p *person) read(r *Rig) sim.Input {
	p.wheel.Poll(&p.hands)
	p.pedals.Poll(&p.feet)
	in := sim.Input{Throttle: p.feet.Throttle, Brake: p.feet.Brake, Clutch: p.feet.Clutch, Handbrake: p.feet.Handbrake}
	if p.hands.Present {
		p.steer = p.hands.Angle
	} else {
		p.steer = towards(p.steer, 0, freeRim*r.dt)
		in.Throttle = 0 // nobody steers: the car coasts
	}
	in.Steer = p.steer
	in.Gear = p.gears.choose(r, p.hands.ShiftUp, p.hands.ShiftDown)
	return in
}

// selector is the gear lever of a car that shifts by itself: the paddles move
// it between reverse, neutral and drive while the car stands.
type selector struct {
	lever    int8 // -1 reverse, 0 neutral, 1 drive
	gear     int8
	up, down bool
	started  bool
}

// leverSpeed is the speed below which the lever moves [m/s].
const leverSpeed = 1.0

func (s *selector) choose(r *Rig, up, down bool) int8 {
	if !s.started {
		s.lever, s.started = 1, true
	}
	if v := r.state.Speed; v < leverSpeed && v > -leverSpeed {
		if up && !s.up {
			s.lever = min(s.lever+1, 1)
		}
		if down && !s.down {
			s.lever = max(s.lever-1, -1)
		}
	}
	s.up, s.down = up, down
	if s.lever < 1 {
		s.gear = s.lever
	} else {
		s.gear = r.car.AutoGear(&r.state, max(s.gear, 1))
	}
	return s.gear
}

// robot is the driver model of the demo behind a simulated wheel; the keyboard
// takes its place when a key is pressed.
type robot struct {
	wheel  *wheel.Sim
	hands  wheel.Sample
	driver *maneuver.Driver
	memory maneuver.Memory
	gear   int8
}

// armStiffness is that of a relaxed driver's arms at the rim [N·m/rad].
const armStiffness = 15

// newRobot returns a driver model for r's car and circuit.
func newRobot(r *Rig, rim *wheel.Sim) (*robot, error) {
	driver, err := maneuver.NewDriver(maneuver.DefaultConfig(), r.car, r.circuit, r.dt)
	if err != nil {
		return nil, err
	}
	return &robot{wheel: rim, driver: driver, memory: driver.Start(&r.state)}, nil
}

func (d *robot) present() (bool, bool) { return true, true }

func (d *robot) restart(r *Rig) { d.memory = d.driver.Start(&r.state) }

func (d *robot) read(r *Rig) sim.Input {
	in := d.driver.Drive(&d.memory, &r.state)
	r.keys.step(r.pressed, r.state.Speed)
	if r.keys.active() {
		in = sim.Input{Steer: r.keys.steer, Throttle: r.keys.throttle, Brake: r.keys.brake, Gear: -1}
		if !r.keys.reverse {
			in.Gear = r.car.AutoGear(&r.state, max(d.gear, 1))
		}
	} else {
		r.keys.follow(in.Steer, in.Throttle, in.Brake)
	}
	d.gear = in.Gear
	d.wheel.Hands(in.Steer, armStiffness)
	d.wheel.Poll(&d.hands)
	in.Steer = d.hands.Angle
	return in
}
