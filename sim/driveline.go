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

// drivelineInput is what a driveline reacts to in a tick. Every value must be in its range.
type drivelineInput struct {
	Throttle   float64    // 0..1
	Cut        float64    // share of the engine's torque that is taken away, 0..1
	Clutch     float64    // pedal, 1 opens it
	AutoClutch bool       // the car works it
	AutoShift  bool       // the car chooses the forward gear
	Gear       int8       // wanted; one that the car has
	Start      bool       // the starter turns the engine
	Off        bool       // the ignition is off
	Speed      float64    // of the car along itself [m/s]
	Lateral    float64    // specific force to the car's left [m/s²]
	Braking    float64    // sum of the brakes' torques [N·m]
	Spins      [4]float64 // of the wheels as the tick begins [rad/s], positive forward
}

// torqueOrders are what the input becomes in the hands of the gearbox.
type torqueOrders struct {
	drivelineInput
	rub rubbing // what synchronizes gears
}

// axleWheel is what the driveline must know of each wheel of an axle.
type axleWheel struct {
	Inertia float64 // [kg·m²]
	Damping float64 // of its bearing [N·m·s/rad]
	Radius  float64 // effective rolling radius at rest [m]
}

// driveline is the constant part of what turns between engine and wheels. Inertias are
// over the time step.
type driveline struct {
	p         Driveline
	dt, perDt float64
	engine    engine
	fuel      fuelMap
	motor     motor
	box       gearbox

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

// newDriveline returns the driveline of a car with wheels of its own in front and behind;
// dt is the time step [s]. Both p and f must be valid.
func newDriveline(p Driveline, f Fuel, front, rear axleWheel, dt float64) (driveline, error) {
	d := p.clone()
	d.Torque = d.Curve()
	l := driveline{
		p: d, dt: dt, perDt: 1 / dt,
		engine:  newEngine(d, dt),
		motor:   newMotor(d.Motor, d.Inertia, dt),
		box:     newGearbox(d, d.FrontShare*front.Radius+(1-d.FrontShare)*rear.Radius),
		driven:  [2]bool{d.FrontShare > 0, d.FrontShare < 1},
		half:    newHalfShaft(d.Shafts, dt),
		carrier: d.Shafts.Carrier / dt,
		input:   d.Shafts.Input / dt,
		crank:   d.Inertia / dt,
		oil:     d.SpinLoss,
		lost:    1 - d.Efficiency,
	}
	l.fuel = newFuelMap(f, &l.engine)
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
	for i, wheel := range [...]axleWheel{front, front, rear, rear} {
		l.bearing[i] = wheel.Damping
		if !l.driven[i/2] {
			continue
		}
		if still := d.Shafts.Carrier + 2*d.Shafts.Inner; d.SpinLoss*dt > still {
			return l, fmt.Errorf("driveline.spin_loss_nm = %g: too much for what turns there, %g kg·m², at steps of %g ms: lower it to %.0f or raise shafts.carrier_inertia_kgm2",
				d.SpinLoss, still, dt*1e3, still/dt)
		}
		if err := d.Shafts.turnable(wheel.Inertia, dt); err != nil {
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
	most := max(d.peakTorque(), d.Friction, d.speeds().Starter)
	if least := most * dt / (d.Idle * perRPM); d.Inertia < least {
		return fmt.Errorf("driveline.engine_inertia_kgm2 = %g: too light for %.0f N·m at steps of %g ms: raise it to %.2g",
			d.Inertia, most, dt*1e3, least)
	}
	return nil
}

// rest returns the state of a driveline at idle, in neutral behind standing wheels, with
// so much fuel in its tank [L].
func (l *driveline) rest(fuel float64) DrivelineState {
	return DrivelineState{
		Engine: l.engine.idle,
		Power:  EngineState{Running: true},
		Box:    GearboxState{Shaft: l.engine.idle},
		Fuel:   fuel, Battery: l.motor.charge,
	}
}

// roll has what turns in s turn with wheels of some spins [rad/s], as in a gear, or the
// nearest that there is.
func (l *driveline) roll(s *DrivelineState, spins *[4]float64, gear int8) {
	var axles [2]float64
	for i := range spins {
		if l.driven[i/2] {
			s.Shafts[i].Speed = spins[i]
			axles[i/2] = s.Shafts[i].Speed
		}
	}
	gear = l.nearestGear(gear)
	if ratio := l.ratio(gear); ratio != 0 {
		s.Gear = gear
		s.Engine = ratio * l.output(axles[0], axles[1])
		s.Box.Shaft = s.Engine
	}
}

// keepFuel leaves in fresh the fuel and the charge that s has; what is empty in s stays as
// full as fresh is.
func (l *driveline) keepFuel(fresh, s *DrivelineState) {
	if s.Fuel > 0 && s.Fuel <= fresh.Fuel {
		fresh.Fuel = s.Fuel
	}
	if s.Battery > flatBattery && s.Battery <= l.motor.capacity {
		fresh.Battery = s.Battery
	}
}

// drives reports whether the driveline drives an axle, 0 in front and 1 behind.
func (l *driveline) drives(axle int) bool { return l.driven[axle] }

// idle returns the engine's idle speed [rad/s], 0 with a motor.
func (l *driveline) idle() float64 { return l.engine.idle }

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

// step advances everything that turns from the engine to the half shafts, all
// implicitly and at once, and finds in out what reaches each wheel.
//
// From the wheels up, each part asks for a torque that grows with its speed; the clutch
// sticks, or slips at what it holds; and down again each part gets its speed. That the
// differentials slip, or stick, is tried and corrected.
func (l *driveline) step(s *DrivelineState, in *drivelineInput, out *[4]shaft) {
	o := torqueOrders{drivelineInput: *in}
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
func (l *driveline) begin(t *train, s *DrivelineState, o *torqueOrders) {
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
	t.carrierSpeed[centre] = l.output(t.carrierSpeed[0], t.carrierSpeed[1])
	if l.driven[0] && l.driven[1] {
		l.guess(t, centre, t.carrierSpeed[0]-t.carrierSpeed[1], o.Throttle, torque[0]+torque[1])
	}
}

func (l *driveline) guess(t *train, i int, rel, throttle, torque float64) {
	d := &l.splits[i]
	t.press[i] = d.press(rel, throttle)
	d.guess(&t.modes[i], rel, t.press[i], torque, t.carrierSpeed[i])
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
func (l *driveline) drag(s *DrivelineState, speed float64) float64 {
	torque := (s.Shafts[tire.FL].Torque + s.Shafts[tire.FR].Torque) + (s.Shafts[tire.RL].Torque + s.Shafts[tire.RR].Torque)
	return (l.oil + l.lost*math.Abs(torque)) * min(max(speed, -1), 1)
}

// reduce sums up what is asked for, from the half shafts to the gearbox' output.
func (l *driveline) reduce(t *train) {
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

// backSubstitute finds the speeds from the gearbox' output to the half shafts, and tells whether
// a differential moves in another way than was thought.
func (l *driveline) backSubstitute(t *train, output float64) (again bool) {
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

func (l *driveline) check(t *train, i int, first demand, torque, one, two float64) (again bool) {
	return l.splits[i].check(&t.modes[i], t.press[i], t.carrierSpeed[i], first, torque, one, two)
}

// turn moves the half shafts' inner ends and finds what reaches the wheels.
func (l *driveline) turn(s *DrivelineState, t *train, spins *[4]float64, out *[4]shaft) {
	given := s.Flow.Differentials // what enters them
	for axle := range l.driven {
		left, right := 2*axle, 2*axle+1
		if l.driven[axle] {
			was, now := t.carrierSpeed[axle], (t.inner[left]+t.inner[right])/2
			given -= l.carrier * (now - was) * (now + was) / 2
			given -= l.half.turn(&s.Shafts[left], &out[left], t.inner[left], spins[left]) +
				l.half.turn(&s.Shafts[right], &out[right], t.inner[right], spins[right])
		}
		for _, i := range [...]int{left, right} {
			out[i].torque -= l.bearing[i] * spins[i]
			out[i].slope = l.bearing[i]
		}
	}
	s.Flow.Differentials = given
}
