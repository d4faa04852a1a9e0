package drive

import "rig.example/rig/sim"

// gearSelector is a gear lever that two paddles move.
//
// While the car changes gears, the paddles select reverse, neutral or drive at standstill. While the
// driver changes gears, each pull selects the next gear.
type gearSelector struct {
	lever        int8 // -1 reverse, 0 neutral, 1 and up forward
	lastForward  int8 // forward gear that was engaged last
	up, down     bool // paddles in the last tick
	driverShifts bool // the driver changes gears until the car stands
	started      bool
}

// inDrive is the state of the lever when the keyboard takes over from the driver model.
var inDrive = gearSelector{lever: 1, started: true}

// leverSpeed is the speed below which reverse and neutral can be selected, because the car stands [m/s].
const leverSpeed = 1.0

// choose returns the gear for a car with a number of forward gears, and whether the driver, and not the automatic shifting,
// selects gears.
func (s *gearSelector) choose(p *panel, car *sim.State, gears int8, up, down bool) (gear int8, manual bool) {
	step := s.pulled(up, down)
	standing := car.Speed < leverSpeed && car.Speed > -leverSpeed
	s.lastForward = max(s.lastForward, 1)
	if car.Driveline.Gear > 0 {
		s.lastForward = car.Driveline.Gear
	}
	if !s.started {
		s.start(p.automaticClutch())
	}
	if manual = s.manual(p.shifting, step, standing); !manual && s.lever > 1 {
		s.lever = 1
	}
	s.move(step, gears, manual, standing)
	return s.lever, manual
}

// start sets the initial position of the lever: drive if the clutch is automatic, else neutral, so that
// the engine does not stall.
func (s *gearSelector) start(automatic bool) {
	s.started = true
	if automatic {
		s.lever = 1
	}
}

// pulled returns 1 for a paddle that was pulled up in this tick, -1 for down.
func (s *gearSelector) pulled(up, down bool) (step int8) {
	if up && !s.up {
		step++
	}
	if down && !s.down {
		step--
	}
	s.up, s.down = up, down
	return step
}

// manual updates and reports whether the driver, and not the automatic shifting, selects gears. In mode Auto a
// pull (step) while driving hands over to the driver in the present gear, until the car stands.
func (s *gearSelector) manual(shifting Mode, step int8, standing bool) bool {
	if shifting != Auto {
		if shifting == Off && !s.driverShifts && s.lever > 0 {
			s.lever = s.lastForward
		}
		s.driverShifts = shifting == Off
		return s.driverShifts
	}
	switch {
	case standing:
		s.driverShifts = false
	case step != 0 && s.lever > 0 && !s.driverShifts:
		s.driverShifts, s.lever = true, s.lastForward
	}
	return s.driverShifts
}

// move moves the lever by one step if that is allowed.
func (s *gearSelector) move(step, gears int8, manual, standing bool) {
	to := min(max(s.lever+step, -1), gears)
	if !manual {
		to = min(to, 1)
	}
	if standing || s.lever > 0 && to > 0 {
		s.lever = to
	}
}
