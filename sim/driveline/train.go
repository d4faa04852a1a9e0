package driveline

import (
	"math"

	"rig.example/rig/sim/tire"
)

// train is the driveline in a tick: what each part asks for, from the wheels to the
// clutch, and how fast each turns at its end, from the clutch to the wheels.
type train struct {
	ends         [4]demand  // inner ends of the half shafts
	outputLoad   [2]demand  // both of an axle, at its differential
	axles        [2]demand  // with the differential itself
	out          demand     // all, at the gearbox' output
	modes        [3]mode    // of the differentials
	press        [3]float64 // their friction at no torque [N·m]
	carrierSpeed [3]float64 // how fast their carriers turned at the tick's start [rad/s]
	inner        [4]float64 // speed of the half shafts' inner ends
}

// Step advances everything that turns from the engine to the half shafts by a tick, all
// implicitly and at once, and sets out to what reaches each wheel. The caller turns the
// wheels by it, and then calls Twist.
//
// From the wheels up, each part asks for a torque that grows with its speed; the clutch
// sticks, or slips at what it holds; and down again each part gets its speed. That the
// differentials slip, or stick, is tried and corrected.
func (l *System) Step(s *State, in *Input, out *[4]Shaft) {
	o := orders{Input: *in}
	l.shift(s, &o)
	given, held := l.give(s, &o)
	var t train
	l.begin(&t, s, &o)
	start := t.carrierSpeed[centre]
	k := clutching{given: given, held: held, drag: l.drag(s, start)}
	l.couple(&k.coupling, s, &o)
	const rounds = 6
	for range rounds {
		l.reduce(&t)
		l.clutch(&k, s, &o, t.out)
		if !l.backSubstitute(&t, k.output) {
			break
		}
	}
	l.account(s, &k, start, t.out.at(k.output))
	s.Engine, s.Box.Shaft = k.engine, k.input
	l.turn(s, &t, &in.Spins, out)
}

// begin finds what the half shafts ask for, and how the differentials moved last.
func (l *System) begin(t *train, s *State, o *orders) {
	var torque [2]float64
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right := &s.Shafts[2*axle], &s.Shafts[2*axle+1]
		t.ends[2*axle] = l.half.asks(left, o.Spins[2*axle])
		t.ends[2*axle+1] = l.half.asks(right, o.Spins[2*axle+1])
		t.carrierSpeed[axle], torque[axle] = (left.Speed+right.Speed)/2, left.Torque+right.Torque
		l.guess(t, axle, left.Speed-right.Speed, o.Throttle, torque[axle])
	}
	t.carrierSpeed[centre] = l.Output(t.carrierSpeed[0], t.carrierSpeed[1])
	if l.driven[0] && l.driven[1] {
		l.guess(t, centre, t.carrierSpeed[0]-t.carrierSpeed[1], o.Throttle, torque[0]+torque[1])
	}
}

func (l *System) guess(t *train, i int, rel, throttle, torque float64) {
	d := &l.splits[i]
	t.press[i] = d.press(rel, throttle)
	d.guess(&t.modes[i], rel, t.press[i], torque, t.carrierSpeed[i])
}

// drag returns what teeth, bearings and oil take at the wheels [N·m]: by the torque of
// the last tick, fading out at walking speed.
func (l *System) drag(s *State, speed float64) float64 {
	torque := (s.Shafts[tire.FL].Torque + s.Shafts[tire.FR].Torque) + (s.Shafts[tire.RL].Torque + s.Shafts[tire.RR].Torque)
	return (l.oil + l.lost*math.Abs(torque)) * min(max(speed, -1), 1)
}

// reduce sums up what is asked for, from the half shafts to the gearbox' output.
func (l *System) reduce(t *train) {
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		t.outputLoad[axle] = l.splits[axle].outputLoad(&t.modes[axle], t.ends[2*axle], t.ends[2*axle+1])
		t.axles[axle] = demand{t.outputLoad[axle].need - l.carrier*t.carrierSpeed[axle], t.outputLoad[axle].slope + l.carrier}
	}
	switch {
	case !l.driven[0]:
		t.out = t.axles[1]
	case !l.driven[1]:
		t.out = t.axles[0]
	default:
		t.out = l.splits[centre].outputLoad(&t.modes[centre], t.axles[0], t.axles[1])
	}
}

// backSubstitute finds the speeds from the gearbox' output to the half shafts, and reports whether
// a differential moves in another way than was thought.
func (l *System) backSubstitute(t *train, output float64) (again bool) {
	speeds := [2]float64{output, output}
	if l.driven[0] && l.driven[1] {
		torque := t.out.at(output)
		speeds[0], speeds[1] = l.splits[centre].turn(&t.modes[centre], t.axles[0], t.axles[1], torque, output)
		again = l.check(t, centre, t.axles[0], torque, speeds[0], speeds[1])
	}
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right, torque := 2*axle, 2*axle+1, t.outputLoad[axle].at(speeds[axle])
		t.inner[left], t.inner[right] = l.splits[axle].turn(&t.modes[axle], t.ends[left], t.ends[right], torque, speeds[axle])
		more := l.check(t, axle, t.ends[left], torque, t.inner[left], t.inner[right])
		again = again || more
	}
	return again
}

func (l *System) check(t *train, i int, first demand, torque, one, two float64) (again bool) {
	return l.splits[i].check(&t.modes[i], t.press[i], t.carrierSpeed[i], first, torque, one, two)
}

// turn moves the half shafts' inner ends and finds what reaches the wheels.
func (l *System) turn(s *State, t *train, spins *[4]float64, out *[4]Shaft) {
	given := s.Flow.Differentials // what enters them
	for axle := range l.driven {
		left, right := 2*axle, 2*axle+1
		if l.driven[axle] {
			was, now := t.carrierSpeed[axle], (t.inner[left]+t.inner[right])/2
			given -= l.carrier * (now - was) * (now + was) / 2
			given -= l.half.turn(&s.Shafts[left], &out[left], t.inner[left], spins[left]) +
				l.half.turn(&s.Shafts[right], &out[right], t.inner[right], spins[right])
		} else {
			out[left].Torque, out[right].Torque = 0, 0
		}
		for _, i := range [...]int{left, right} {
			out[i].Torque -= l.bearing[i] * spins[i]
			out[i].Slope = l.bearing[i]
		}
	}
	s.Flow.Differentials = given
}
