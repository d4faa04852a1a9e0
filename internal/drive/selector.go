package drive

// selector is the gear lever as two paddles move it.
//
// While the car changes gears they choose reverse, neutral or drive, as it stands. A driver
// who changes gears himself gets the next one for each pull.
type selector struct {
	lever    int8 // -1 reverse, 0 neutral, 1 and up forward
	last     int8 // forward gear that was engaged last
	up, down bool // as they were
	taken    bool // the driver changes gears until the car stands
	started  bool
}

// inDrive is a lever that the keys find when they take over.
var inDrive = selector{lever: 1, started: true}

// leverSpeed is the speed below which a car stands, and reverse and neutral are chosen [m/s].
const leverSpeed = 1.0

// choose returns the gear for the car, and whether the driver chose it.
func (s *selector) choose(d *Drive, up, down bool) (gear int8, manual bool) {
	car, p := &d.State.Car, &d.State.panel
	step := s.pulled(up, down)
	standing := car.Speed < leverSpeed && car.Speed > -leverSpeed
	s.last = max(s.last, 1)
	if car.Driveline.Gear > 0 {
		s.last = car.Driveline.Gear
	}
	if !s.started {
		s.start(p.worksClutch())
	}
	if manual = s.manual(p.shifting, step, standing); !manual && s.lever > 1 {
		s.lever = 1
	}
	s.move(step, d.gears, manual, standing)
	return s.lever, manual
}

// start puts the lever where the engine does not stall at once.
func (s *selector) start(automatic bool) {
	s.started = true
	if automatic {
		s.lever = 1
	}
}

// pulled returns 1 for a paddle that was pulled up in this tick, -1 for down.
func (s *selector) pulled(up, down bool) (step int8) {
	if up && !s.up {
		step++
	}
	if down && !s.down {
		step--
	}
	s.up, s.down = up, down
	return step
}

// manual reports who changes gears in this tick. By Auto a pull on the way takes over
// from the car, from the gear that it is in, until the car stands.
func (s *selector) manual(shifting Mode, step int8, standing bool) bool {
	if shifting != Auto {
		if shifting == Off && !s.taken && s.lever > 0 {
			s.lever = s.last
		}
		s.taken = shifting == Off
		return s.taken
	}
	switch {
	case standing:
		s.taken = false
	case step != 0 && s.lever > 0 && !s.taken:
		s.taken, s.lever = true, s.last
	}
	return s.taken
}

// move moves the lever by one step, if it goes there.
func (s *selector) move(step, gears int8, manual, standing bool) {
	to := min(max(s.lever+step, -1), gears)
	if !manual {
		to = min(to, 1)
	}
	if standing || s.lever > 0 && to > 0 {
		s.lever = to
	}
}
