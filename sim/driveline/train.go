package driveline

import (
	"math"

	"rig.example/rig/sim/tire"
)

// train holds intermediate results of a tick: the torque demands from the wheels to the clutch, and the
// speeds at the tick's end from the clutch to the wheels.
type train struct {
	innerEnds    [4]demand  // demands of the half shafts at their inner ends
	outputLoad   [2]demand  // demand of both half shafts of an axle, at the carrier
	axles        [2]demand  // demand of an axle with its differential
	out          demand     // demand of all, at the gearbox' output
	modes        [3]mode    // modes of the differentials
	friction     [3]float64 // friction torques of the differentials without carrier torque [N·m]
	carrierSpeed [3]float64 // speeds of the differentials' carriers at the tick's start [rad/s]
	innerSpeeds  [4]float64 // speeds of the half shafts' inner ends at the tick's end [rad/s]
}

// Step moves everything from the engine to the half shafts by a tick in one implicit step, and sets out to
// the torque on each wheel. The caller then turns the wheels by these torques and calls TwistShafts.
//
// From the wheels to the clutch, the torque demand of each part is a linear function of its speed. The clutch
// sticks, or slips at its capacity. Then each part from the clutch to the wheels gets its speed. Whether the
// differentials slip or stick is guessed and corrected.
func (l *System) Step(s *State, in *Input, out *[4]Shaft) {
	o := orders{Input: *in}
	l.shiftGears(s, &o)
	engineTorque, friction := l.engineTorque(s, &o)
	var t train
	l.beginTick(&t, s, &o)
	outputBefore := t.carrierSpeed[center]
	k := clutchResult{engineTorque: engineTorque, frictionTorque: friction,
		outputDrag: l.dragTorque(s, outputBefore)}
	l.connectEngine(&k.coupling, s, &o)
	const rounds = 6
	for range rounds {
		l.reduce(&t)
		l.solveClutch(&k, s, &o, t.out)
		if !l.backSubstitute(&t, k.output) {
			break
		}
	}
	l.recordPower(s, &k, outputBefore, t.out.torqueAt(k.output))
	s.EngineSpeed, s.Gearbox.InputSpeed = k.engine, k.input
	l.setShafts(s, &t, &in.Spin, out)
}

// beginTick sets the torque demands of the half shafts, and guesses the modes of the differentials.
func (l *System) beginTick(t *train, s *State, o *orders) {
	var torque [2]float64
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right := &s.Shafts[2*axle], &s.Shafts[2*axle+1]
		t.innerEnds[2*axle] = l.halfShaft.demand(left, o.Spin[2*axle])
		t.innerEnds[2*axle+1] = l.halfShaft.demand(right, o.Spin[2*axle+1])
		t.carrierSpeed[axle], torque[axle] = (left.Speed+right.Speed)/2, left.Torque+right.Torque
		l.guessMode(t, axle, left.Speed-right.Speed, o.Throttle, torque[axle])
	}
	t.carrierSpeed[center] = l.OutputSpeed(t.carrierSpeed[0], t.carrierSpeed[1])
	if l.driven[0] && l.driven[1] {
		l.guessMode(t, center, t.carrierSpeed[0]-t.carrierSpeed[1], o.Throttle, torque[0]+torque[1])
	}
}

// guessMode sets the friction and guesses the mode of differential i. rel and torque are as in
// differential.guessMode.
func (l *System) guessMode(t *train, i int, rel, throttle, torque float64) {
	d := &l.differentials[i]
	t.friction[i] = d.friction(rel, throttle)
	d.guessMode(&t.modes[i], rel, t.friction[i], torque, t.carrierSpeed[i])
}

// dragTorque returns the friction of gear meshes, bearings and oil as a torque at the wheels [N·m]. It
// depends on the torque of the last tick and fades out at low speed.
func (l *System) dragTorque(s *State, speed float64) float64 {
	torque := (s.Shafts[tire.FL].Torque + s.Shafts[tire.FR].Torque) + (s.Shafts[tire.RL].Torque + s.Shafts[tire.RR].Torque)
	return (l.oilDrag + l.toothLoss*math.Abs(torque)) * min(max(speed, -1), 1)
}

// reduce combines the torque demands of the half shafts step by step into one demand at the gearbox' output.
func (l *System) reduce(t *train) {
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		t.outputLoad[axle] = l.differentials[axle].outputLoad(&t.modes[axle], t.innerEnds[2*axle],
			t.innerEnds[2*axle+1])
		t.axles[axle] = demand{t.outputLoad[axle].base - l.carrierPerDt*t.carrierSpeed[axle],
			t.outputLoad[axle].slope + l.carrierPerDt}
	}
	switch {
	case !l.driven[0]:
		t.out = t.axles[1]
	case !l.driven[1]:
		t.out = t.axles[0]
	default:
		t.out = l.differentials[center].outputLoad(&t.modes[center], t.axles[0], t.axles[1])
	}
}

// backSubstitute sets the speeds from the gearbox' output to the half shafts, and corrects the modes of the
// differentials. It returns true if a mode was wrong; then reduce and the solution must be repeated.
func (l *System) backSubstitute(t *train, output float64) (again bool) {
	speeds := [2]float64{output, output}
	if l.driven[0] && l.driven[1] {
		torque := t.out.torqueAt(output)
		speeds[0], speeds[1] = l.differentials[center].outputSpeeds(&t.modes[center], t.axles[0], t.axles[1],
			torque, output)
		again = l.correctMode(t, center, t.axles[0], torque, speeds[0], speeds[1])
	}
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right, torque := 2*axle, 2*axle+1, t.outputLoad[axle].torqueAt(speeds[axle])
		t.innerSpeeds[left], t.innerSpeeds[right] = l.differentials[axle].outputSpeeds(&t.modes[axle],
			t.innerEnds[left], t.innerEnds[right], torque, speeds[axle])
		more := l.correctMode(t, axle, t.innerEnds[left], torque, t.innerSpeeds[left], t.innerSpeeds[right])
		again = again || more
	}
	return again
}

// correctMode corrects the mode of differential i, and reports whether it was wrong.
func (l *System) correctMode(t *train, i int, first demand, torque, one, two float64) (again bool) {
	return l.differentials[i].correctMode(&t.modes[i], t.friction[i], t.carrierSpeed[i], first, torque, one,
		two)
}

// setShafts sets the speeds of the half shafts' inner ends, out to the torques on the wheels, and
// s.Flow.Differentials to the power that the differentials lose.
func (l *System) setShafts(s *State, t *train, spins *[4]float64, out *[4]Shaft) {
	power := s.Flow.Differentials // what enters them
	for axle := range l.driven {
		left, right := 2*axle, 2*axle+1
		if l.driven[axle] {
			before, after := t.carrierSpeed[axle], (t.innerSpeeds[left]+t.innerSpeeds[right])/2
			power -= l.carrierPerDt * (after - before) * (after + before) / 2
			power -= l.halfShaft.setSpeed(&s.Shafts[left], &out[left], t.innerSpeeds[left], spins[left]) +
				l.halfShaft.setSpeed(&s.Shafts[right], &out[right], t.innerSpeeds[right], spins[right])
		} else {
			out[left].Torque, out[right].Torque = 0, 0
		}
		for _, i := range [...]int{left, right} {
			out[i].Torque -= l.bearingDamping[i] * spins[i]
			out[i].Slope = l.bearingDamping[i]
		}
	}
	s.Flow.Differentials = power
}
