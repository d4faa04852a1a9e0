// Package sim is the car: a rigid body in six degrees of freedom on four
// wheels with springs, dampers, anti-roll bars and tires of any model, steered in
// front or on both axles, and driven on either or both.
//
// Axes, units and signs are those of ISO 8855 in SI: x forward, y left, z up.
// The same inputs leave the same bits on one build: nothing here reads a
// clock, keeps a global, allocates after New, or starts a goroutine.
//
// A tick (Step) goes through its parts in one direction: electronics (assist), steering, suspension
// with its contact on the ground, driveline, brakes, tires, and the body (chassis), which moves at the
// end. Each part is a package of plain values that can be stepped alone; this one has what joins them: the
// wheels with their tires, what a part must know of another, and the sums. State is the parts' states,
// nested, and copying it is a snapshot.
//
// Two things lag a tick: what the links make of the tires' forces, and the weight of burned fuel, which acts
// as a force at the tank and leaves the mass matrices as they are. The half shafts work with the wheel's
// speed at the tick's start; wheels are heavy enough for that, or New refuses them.
package sim

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// Dt is the time step of the rig [s].
const Dt = 1e-3

const gravity = 9.80665 // [m/s²], where a car says nothing else

// Car is what never changes during a run. It may be shared by goroutines.
type Car struct {
	p         Params
	ground    road.Ground
	paving    paving
	dt        float64
	perDt     float64 // 1/dt
	wheels    [4]wheel
	tank      tank
	driveline driveline.System
	brakes    brakes.System
	body      chassis.Body
	stops     float64 // mass that the contacts have to stop between them [kg]

	suspension  suspension.System
	steering    steering.System
	electronics assist.Electronics
}

// New returns a car of the given parameters on a ground; dt is the time step [s].
func New(p Params, g road.Ground, dt float64) (*Car, error) {
	if err := errors.Join(p.Validate(), valid.InRange("dt", dt, 1e-5, 5e-3)); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	if g == nil {
		return nil, errors.New("sim: car: no ground: give road.Asphalt() or a circuit")
	}
	p = p.settled()
	tires, err := suspension.Fit(&p.Front, &p.Rear)
	if err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c := &Car{p: p.clone(), ground: g, dt: dt, perDt: 1 / dt, tank: newTank(p)}
	c.paving = newPaving(p, tires, g)
	c.stops = p.EffectiveMass()
	at, err := c.stand(&c.p, tires)
	if err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	yields := [2]float64{p.sprungResponse(p.TrackFront/2, p.CGToFront), p.sprungResponse(p.TrackRear/2, p.CGToFront-p.Wheelbase)}
	if c.suspension, err = suspension.New(&c.p.Front, &c.p.Rear, &at, yields, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	mounts := c.mounts(tires)
	if c.driveline, err = driveline.New(p.Driveline, p.Fuel, c.axleWheel(tire.FL), c.axleWheel(tire.RL), dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c.brakes = brakes.New(c.p.Brakes, c.braked(), dt)
	if c.steering, err = steering.New(c.p.Steering, steering.Geometry{
		Wheelbase: p.Wheelbase, Track: p.TrackFront,
		HubHeight: [2]float64{mounts[tire.FL].Hub.Z + p.CGHeight, mounts[tire.FR].Hub.Z + p.CGHeight},
	}, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c.electronics = newElectronics(c)
	spec := chassis.Spec{Params: p.Params, Hull: p.Hull, Air: p.Air, Aero: p.Aero, Tank: p.tankPlace(), Wheels: mounts}
	if c.body, err = chassis.New(spec, g, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	if err = c.suspension.Join(&at, &c.body); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	return c, nil
}

// Params returns what the car was built from, its parts summed up and its centre
// of mass where the offset moved it.
func (c *Car) Params() Params { return c.p.clone() }

// clone returns p with lists of its own.
func (p Params) clone() Params {
	p.Driveline = p.Driveline.Clone()
	p.Fuel = p.Fuel.Clone()
	p.Brakes = p.Brakes.Clone()
	p.Aero = chassis.CloneSurfaces(p.Aero)
	p.Hull = p.Hull.Clone()
	p.Steering = p.Steering.Clone()
	p.Front, p.Rear = p.Front.Clone(), p.Rear.Clone()
	return p
}

// Rest returns the car standing still, in neutral, over the ground at pos, its
// springs in balance; heading is its yaw [rad].
func (c *Car) Rest(pos r3.Vec, heading float64) State {
	ground := c.ground.Touch(pos)
	s := State{
		State: chassis.State{
			Pos: r3.Add(ground.Point, r3.Scale(c.p.CGHeight, ground.Normal)),
			Att: chassis.Facing(ground.Normal, heading),
		},
		Driveline: c.driveline.Rest(c.tank.level),
	}
	b := chassis.AxesOf(s.Att)
	for i := range s.Wheels {
		w := &s.Wheels[i]
		k := &c.suspension.Corners[i]
		w.Travel = k.RestTravel
		w.Load = c.wheels[i].load
		if t := c.wheels[i].thermal; t != nil {
			w.Heat = t.Start()
		}
		w.Hub = r3.Add(s.Pos, b.Out(k.Local(w.Travel)))
		s.Brakes.Wheels[i].Temperature = c.p.Air.Temperature
	}
	s.SpecificForce = b.Into(r3.Vec{Z: c.p.Gravity})
	return s
}

// Underway returns the car as Rest does, but moving along its heading at a speed [m/s]
// in a gear, with everything that turns turning along.
func (c *Car) Underway(pos r3.Vec, heading, speed float64, gear int8) State {
	s := c.Rest(pos, heading)
	s.Vel = r3.Scale(speed, chassis.AxesOf(s.Att).X)
	s.Speed = speed
	for i := range s.Wheels {
		s.Wheels[i].Roll.Spin = speed / c.wheels[i].radius()
	}
	spins := s.spins()
	c.driveline.Roll(&s.Driveline, &spins, gear)
	return s
}

// Step advances s by one tick.
//
// It reads no clock, keeps nothing between calls and allocates nothing.
func (c *Car) Step(s *State, in Input) {
	var ( // each written by one stage
		orders   assist.Orders          // what electronics make of the driver's wish
		steer    steering.Angles        // how the wheels are steered
		poses    [4]suspension.Pose     // how links and steering hold them
		contacts [4]suspension.Contact  // where and on what their tires stand
		slides   [4]chassis.Wheel       // how they move along their travel
		bars     [2]suspension.Coupling // what the bars do between them
		shafts   [4]driveline.Shaft     // what turns them
		grips    [4]grip                // what the ground does to them
		sum      chassis.Wrench         // all that acts on the body
	)
	c.sane(&in)
	b := chassis.AxesOf(s.Att)
	wheels := s.corners(&poses, &contacts, &slides)
	c.assist(s, &in, &orders)
	c.steering.Point(&steer, in.Steer, s.Speed)
	c.touch(s, &b, &steer, &poses, &contacts)
	c.grip(s, &in, &contacts)
	c.carry(s, &b, &wheels, &bars)
	c.drive(s, &orders, &shafts)
	c.brake(s, &in, &orders)
	c.tires(s, &wheels, &shafts, &grips, &sum)
	c.twist(s, &shafts)
	c.brakes.Warm(&s.Brakes, s.Speed)
	c.suspension.BesideSprings(&sum, s.Pos, &b, &poses, &bars)
	c.body.Contact(&sum, &s.State, &b, &slides, &in.Slick)
	aloft := sum.Force == (r3.Vec{}) // nothing holds the car
	c.helped(&sum, s, &b, &orders)
	c.body.Air(&sum, &s.State, &b, s.Tick, in.Shelter)
	c.body.PushAlong(&sum, &b, in.Push)
	c.body.Weigh(&sum, &s.State, &b, c.tank.gone(s))
	c.integrate(s, &b, &sum, &wheels, &grips, &slides, aloft)
	c.report(s, &in, &steer, &poses, &contacts, &grips)
	c.reportBars(s, &bars)
	s.Tick++
}

// Understeer returns what the tires alone make of the understeer gradient: the
// extra road wheel angle for each m/s² in a bend [rad·s²/m].
func (c *Car) Understeer() float64 {
	if c.p.Gravity == 0 {
		return 0 // tires without load lead nowhere
	}
	return (c.wheels[tire.FL].compliance() - c.wheels[tire.RL].compliance()) / c.p.Gravity
}

// report fills in what ffb and the display want to know of the finished tick.
func (c *Car) report(s *State, in *Input, steer *steering.Angles, ps *[4]suspension.Pose, ts *[4]suspension.Contact, gs *[4]grip) {
	s.Steer = in.Steer
	left := gs[tire.FL].steering(&ps[tire.FL], &ts[tire.FL])
	right := gs[tire.FR].steering(&ps[tire.FR], &ts[tire.FR])
	s.ColumnTorque = c.steering.Torque(&s.Steering, left, right, steer, s.Speed, s.Tick == 0)
}

// reportBars notes how the springs stand after the tick.
func (c *Car) reportBars(s *State, bars *[2]suspension.Coupling) {
	for i := range bars {
		s.Bars[i] = c.suspension.Springs(i, &bars[i], s.Wheels[2*i].Travel, s.Wheels[2*i+1].Travel)
	}
}

// RoadSteer returns the mean angle to which the steering turns the front wheels
// at a steering wheel angle [rad]; toe, and what the suspension adds, are left out.
func (c *Car) RoadSteer(wheel float64) float64 { return c.steering.RoadSteer(wheel) }

// Lock returns the steering wheel angle at which the front wheels reach their
// lock, to either side [rad].
func (c *Car) Lock() float64 { return c.steering.Lock() }
