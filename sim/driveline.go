package sim

import (
	"fmt"
	"math"

	"rig.example/rig/sim/tire"
)

// DrivelineState is all that turns between the engine and the wheels, and what feeds it.
type DrivelineState struct {
	Engine  float64       // speed of the crank [rad/s]
	Power   EngineState   // engine or motor
	Gear    int8          // engaged; 0 in neutral, and while gears change
	Box     GearboxState  // with the clutch
	Shafts  [4]ShaftState // half shafts; all 0 where none drives the wheel
	Fuel    float64       // in the tank [L]; 0 with a motor
	Battery float64       // energy that is left in it [J]; with an engine, which takes none, as at the start

	Flow Flow // of power; found by the last tick
}

// shaft is what the driveline does to one wheel.
type shaft struct {
	torque float64 // [N·m], positive forward
	slope  float64 // how much of it is lost for each rad/s that the wheel gains
	mean   float64 // speed of its inner end in this tick [rad/s]
	wheel  float64 // the wheel's at the tick's start [rad/s]
}

// driveline is the constant part of what turns between engine and wheels. Inertias are
// over the time step.
type driveline struct {
	splits  [3]split // front, rear, centre
	driven  [2]bool  // axles
	half    halfShaft
	carrier float64    // of an axle's differential
	input   float64    // of the gearbox' input shaft
	crank   float64    // of the engine
	bearing [4]float64 // damping of the wheels [N·m·s/rad]
	oil     float64    // drag of bearings and oil at the wheels [N·m]
	lost    float64    // share of the torque lost between teeth
}

const centre = 2 // the differential between the axles

func newDriveline(p Params, dt float64) (driveline, error) {
	d := p.Driveline
	l := driveline{
		driven:  [2]bool{d.FrontShare > 0, d.FrontShare < 1},
		half:    newHalfShaft(d.Shafts, dt),
		carrier: d.Shafts.Carrier / dt,
		input:   d.Shafts.Input / dt,
		crank:   d.Inertia / dt,
		oil:     d.SpinLoss,
		lost:    1 - d.Efficiency,
	}
	if err := d.followable(dt); err != nil {
		return l, err
	}
	if d.fluid() {
		l.input += d.Converter.Turbine / dt
	}
	l.splits[0], l.splits[1] = newSplit(d.FrontDifferential, 0.5, 1), newSplit(d.RearDifferential, 0.5, 1)
	l.splits[centre] = newSplit(d.CenterDifferential, d.FrontShare, d.Final)
	if d.CenterDifferential.Kind == "active" { // its clutch drives the other axle
		l.driven = [2]bool{true, true}
	}
	for i := range l.bearing {
		l.bearing[i] = p.axle(i).WheelDamping
		if !l.driven[i/2] {
			continue
		}
		if still := d.Shafts.Carrier + 2*d.Shafts.Inner; d.SpinLoss*dt > still {
			return l, fmt.Errorf("driveline.spin_loss_nm = %g: too much for what turns there, %g kg·m², at steps of %g ms: lower it to %.0f or raise shafts.carrier_inertia_kgm2",
				d.SpinLoss, still, dt*1e3, still/dt)
		}
		if err := d.Shafts.turnable(p.axle(i).Wheel.Inertia, dt); err != nil {
			return l, err
		}
	}
	return l, nil
}

// followable reports an engine so light that a time step [s] of its torque, or of what its
// starter or its friction have, changes its speed by more than idle.
func (d Driveline) followable(dt float64) error {
	if d.Motor.Enabled {
		return nil
	}
	most := highest(d.Curve(), max(d.Friction, d.speeds().Starter))
	if least := most * dt / (d.Idle * perRPM); d.Inertia < least {
		return fmt.Errorf("driveline.engine_inertia_kgm2 = %g: too light for %.0f N·m at steps of %g ms: raise it to %.2g",
			d.Inertia, most, dt*1e3, least)
	}
	return nil
}

// train is the driveline in a tick: what each part asks for, from the wheels to the
// clutch, and how fast each turns at its end, from the clutch to the wheels.
type train struct {
	ends  [4]demand  // inner ends of the half shafts
	seen  [2]demand  // both of an axle, at its differential
	axles [2]demand  // with the differential itself
	out   demand     // all, at the gearbox' output
	modes [3]mode    // of the differentials
	press [3]float64 // their friction at no torque [N·m]
	ways  [3]float64 // how fast their carriers turned at the tick's start [rad/s]
	inner [4]float64 // speed of the half shafts' inner ends
}

// driveline steps everything that turns from the engine to the half shafts, all
// implicitly and at once, and finds the torque on each wheel.
//
// From the wheels up, each part asks for a torque that grows with its speed; the clutch
// sticks, or slips at what it holds; and down again each part gets its speed. That the
// differentials slip, or stick, is tried and corrected.
func (c *Car) driveline(s *State, o *orders, out *[4]shaft) {
	c.shift(s, o)
	given, held := c.give(s, o)
	l := &c.line
	var t train
	l.begin(&t, s, o.throttle)
	start := t.ways[centre]
	k := clutching{given: given, held: held, drag: l.drag(s, start)}
	c.couple(&k.coupling, s, o)
	const rounds = 6
	for range rounds {
		l.fold(&t)
		c.clutch(&k, s, o, t.out)
		if !l.unfold(&t, k.output) {
			break
		}
	}
	c.account(s, &k, start, t.out.at(k.output))
	s.Driveline.Engine, s.Driveline.Box.Shaft = k.engine, k.input
	l.turn(s, &t, out)
}

// begin finds what the half shafts ask for, and how the differentials moved last.
func (l *driveline) begin(t *train, s *State, throttle float64) {
	var torque [2]float64
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		left, right := &s.Driveline.Shafts[2*axle], &s.Driveline.Shafts[2*axle+1]
		t.ends[2*axle] = l.half.asks(left, s.Wheels[2*axle].Roll.Spin)
		t.ends[2*axle+1] = l.half.asks(right, s.Wheels[2*axle+1].Roll.Spin)
		t.ways[axle], torque[axle] = (left.Speed+right.Speed)/2, left.Torque+right.Torque
		l.guess(t, axle, left.Speed-right.Speed, throttle, torque[axle])
	}
	t.ways[centre] = l.output(t.ways[0], t.ways[1])
	if l.driven[0] && l.driven[1] {
		l.guess(t, centre, t.ways[0]-t.ways[1], throttle, torque[0]+torque[1])
	}
}

func (l *driveline) guess(t *train, i int, rel, throttle, torque float64) {
	d := &l.splits[i]
	t.press[i] = d.press(rel, throttle)
	d.guess(&t.modes[i], rel, t.press[i], torque, t.ways[i])
}

// output returns the speed of the gearbox' output by those of the axles' differentials,
// all as fast as the wheels.
func (l *driveline) output(front, rear float64) float64 {
	switch {
	case !l.driven[0]:
		return rear
	case !l.driven[1]:
		return front
	}
	share := l.splits[centre].share
	return share*front + (1-share)*rear
}

// drag returns what teeth, bearings and oil take at the wheels [N·m]: by the torque of
// the last tick, fading out at walking speed.
func (l *driveline) drag(s *State, speed float64) float64 {
	torque := (s.Driveline.Shafts[tire.FL].Torque + s.Driveline.Shafts[tire.FR].Torque) + (s.Driveline.Shafts[tire.RL].Torque + s.Driveline.Shafts[tire.RR].Torque)
	return (l.oil + l.lost*math.Abs(torque)) * min(max(speed, -1), 1)
}

// fold sums up what is asked for, from the half shafts to the gearbox' output.
func (l *driveline) fold(t *train) {
	for axle := range l.driven {
		if !l.driven[axle] {
			continue
		}
		t.seen[axle] = l.splits[axle].seen(&t.modes[axle], t.ends[2*axle], t.ends[2*axle+1])
		t.axles[axle] = demand{t.seen[axle].need - l.carrier*t.ways[axle], t.seen[axle].slope + l.carrier}
	}
	switch {
	case !l.driven[0]:
		t.out = t.axles[1]
	case !l.driven[1]:
		t.out = t.axles[0]
	default:
		t.out = l.splits[centre].seen(&t.modes[centre], t.axles[0], t.axles[1])
	}
}

// unfold finds the speeds from the gearbox' output to the half shafts, and tells whether
// a differential moves in another way than was thought.
func (l *driveline) unfold(t *train, output float64) (again bool) {
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
		left, right, torque := 2*axle, 2*axle+1, t.seen[axle].at(speeds[axle])
		t.inner[left], t.inner[right] = l.splits[axle].turn(&t.modes[axle], t.ends[left], t.ends[right], torque, speeds[axle])
		more := l.check(t, axle, t.ends[left], torque, t.inner[left], t.inner[right])
		again = again || more
	}
	return again
}

func (l *driveline) check(t *train, i int, first demand, torque, one, two float64) (again bool) {
	return l.splits[i].check(&t.modes[i], t.press[i], t.ways[i], first, torque, one, two)
}

// turn moves the half shafts' inner ends and finds what reaches the wheels.
func (l *driveline) turn(s *State, t *train, out *[4]shaft) {
	given := s.Driveline.Flow.Differentials // what enters them
	for axle := range l.driven {
		left, right := 2*axle, 2*axle+1
		if l.driven[axle] {
			was, now := t.ways[axle], (t.inner[left]+t.inner[right])/2
			given -= l.carrier * (now - was) * (now + was) / 2
			given -= l.half.turn(&s.Driveline.Shafts[left], &out[left], t.inner[left], s.Wheels[left].Roll.Spin) +
				l.half.turn(&s.Driveline.Shafts[right], &out[right], t.inner[right], s.Wheels[right].Roll.Spin)
		}
		for _, i := range [...]int{left, right} {
			out[i].torque -= l.bearing[i] * s.Wheels[i].Roll.Spin
			out[i].slope = l.bearing[i]
		}
	}
	s.Driveline.Flow.Differentials = given
}
