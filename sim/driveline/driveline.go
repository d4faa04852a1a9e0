// Package driveline turns pedals and gear lever into torque on four wheels: an engine or a motor with its
// fuel or battery, clutch or torque converter, gearbox, differentials and half shafts.
//
// What goes in is an Input of plain values, the wheels' spins among them; what comes out is the Shaft of
// each wheel and a State with everything that turns, and with the Flow of power. It never turns a wheel
// itself (the caller does so between Step and Twist), knows no tire, body or road, reads no clock and
// allocates nothing after New.
//
// Gears are -1 for reverse, 0 for neutral, and 1 and up. Torques and speeds are positive forward.
//
// All that turns from the crank to the half shafts is solved implicitly and at once (train.go): from the wheels up, each
// part says which torque it asks for by its speed (demand), the clutch (clutch.go) sticks or slips by what is left
// on both sides, and down again each part gets its speed. That differentials slip or stick is tried and corrected, so
// nothing chatters. To add a gearbox: a kind in gearbox_params.go, and a step beside those in gearbox_manual.go and
// gearbox_automatic.go that leaves State.Gear and the friction between input shaft and gear.
package driveline

import (
	"fmt"
)

// State is all that turns between the engine and the wheels, and what feeds it.
type State struct {
	Engine  float64       // speed of the crank [rad/s]
	Power   EngineState   // engine or motor
	Gear    int8          // engaged; 0 in neutral, and while gears change
	Box     GearboxState  // with the clutch
	Shafts  [4]ShaftState // half shafts; all 0 where none drives the wheel
	Fuel    float64       // in the tank [L]; 0 with a motor
	Battery float64       // energy that is left in it [J]; with an engine, which takes none, as at the start

	Flow Flow // of power; found by the last tick
}

// Shaft is what the driveline does to one wheel in a tick.
type Shaft struct {
	Torque float64 // [N·m], positive forward
	Slope  float64 // how much of it is lost for each rad/s that the wheel gains
	mean   float64 // speed of its inner end in this tick [rad/s]
	wheel  float64 // the wheel's at the tick's start [rad/s]
}

// Input is what a driveline reacts to in a tick. Every value must be in its range.
type Input struct {
	Throttle   float64    // 0..1
	Cut        float64    // share of the engine's torque that is taken away, 0..1
	Clutch     float64    // pedal, 1 opens it
	AutoClutch bool       // the car works it in place of the driver
	AutoShift  bool       // the car chooses the forward gear
	Gear       int8       // wanted, one that the car has; with AutoShift only its sign counts
	Start      bool       // the starter turns the engine
	Off        bool       // the ignition is off
	Speed      float64    // of the car along itself [m/s]
	Lateral    float64    // specific force to the car's left [m/s²]
	Braking    float64    // sum of the brakes' torques [N·m]
	Spins      [4]float64 // of the wheels as the tick begins [rad/s], positive forward
}

// orders are what the input becomes in the hands of the gearbox.
type orders struct {
	Input
	rub rubbing // what synchronizes gears
}

// Wheel is what the driveline must know of each wheel of an axle.
type Wheel struct {
	Inertia float64 // [kg·m²]
	Damping float64 // of its bearing [N·m·s/rad]
	Radius  float64 // effective rolling radius at rest [m]
}

// System is the constant part of what turns between engine and wheels. Inertias are
// over the time step.
type System struct {
	p         Params
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

// New returns the driveline of a car with such wheels in front and behind; dt is the time
// step [s]. What Validate reports of p and f must be nil. An error says what the time step
// or the wheels are too coarse or too light for.
func New(p Params, f Fuel, front, rear Wheel, dt float64) (System, error) {
	d := p.Clone()
	d.Torque = d.Curve()
	l := System{
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
	for i, wheel := range [...]Wheel{front, front, rear, rear} {
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
func (d Params) followable(dt float64) error {
	if d.Motor.Enabled {
		return nil
	}
	most := max(d.PeakTorque(), d.Friction, d.speeds().Starter)
	if least := most * dt / (d.Idle * PerRPM); d.Inertia < least {
		return fmt.Errorf("driveline.engine_inertia_kgm2 = %g: too light for %.0f N·m at steps of %g ms: raise it to %.2g",
			d.Inertia, most, dt*1e3, least)
	}
	return nil
}

// Rest returns the state of a driveline at idle, in neutral behind standing wheels, with
// so much fuel in its tank [L].
func (l *System) Rest(fuel float64) State {
	return State{
		Engine: l.engine.idle,
		Power:  EngineState{Running: true},
		Box:    GearboxState{Shaft: l.engine.idle},
		Fuel:   fuel, Battery: l.motor.charge,
	}
}

// Roll sets the speeds in s, a state of Rest, to those that wheels of given spins [rad/s]
// force on it, in the gear nearest to the one asked for.
func (l *System) Roll(s *State, spins *[4]float64, gear int8) {
	var axles [2]float64
	for i := range spins {
		if l.driven[i/2] {
			s.Shafts[i].Speed = spins[i]
			axles[i/2] = s.Shafts[i].Speed
		}
	}
	gear = l.NearestGear(gear)
	if ratio := l.Ratio(gear); ratio != 0 {
		s.Gear = gear
		s.Engine = ratio * l.Output(axles[0], axles[1])
		s.Box.Shaft = s.Engine
	}
}

// KeepFuel gives fresh, a state of Rest, the fuel and the charge that s has left. What is
// empty in s, or is no sound number, stays as full as it is in fresh.
func (l *System) KeepFuel(fresh, s *State) {
	if s.Fuel > 0 && s.Fuel <= fresh.Fuel {
		fresh.Fuel = s.Fuel
	}
	if s.Battery > flatBattery && s.Battery <= l.motor.capacity {
		fresh.Battery = s.Battery
	}
}

// Drives reports whether the driveline drives an axle, 0 in front and 1 behind.
func (l *System) Drives(axle int) bool { return l.driven[axle] }

// Idle returns the engine's idle speed [rad/s], 0 with a motor.
func (l *System) Idle() float64 { return l.engine.idle }

// Output returns the speed of the gearbox' output [rad/s] by those of the axles'
// differentials, all counted at the wheels, behind the final drive. The same mean holds for
// any other measure of speed.
func (l *System) Output(front, rear float64) float64 {
	switch {
	case !l.driven[0]:
		return rear
	case !l.driven[1]:
		return front
	}
	share := l.splits[centre].share
	return share*front + (1-share)*rear
}
