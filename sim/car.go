// Package sim simulates a car: a rigid body with six degrees of freedom on four wheels with springs, dampers,
// anti-roll bars and tires of any model. One or both axles steer, and one or both are driven.
//
// Inputs are Params (once) and the driver's Input in each tick; the output is State. Axes, units and signs are
// those of ISO 8855 in SI: x forward, y left, z up. Equal inputs give equal bits on one build: nothing here
// reads a clock, keeps a global variable, allocates after New, or starts a goroutine.
//
// A tick (Step) goes through its parts in one direction: electronics (assist), steering, suspension
// with its ground contact, driveline, brakes, tires, and the body (chassis), which moves last. Each part is a
// package that can be stepped alone. This package connects them: it holds the wheels with their tires, hands
// each part the data of the others, and sums up the forces. State holds the states of all parts; a copy of it
// is a snapshot.
//
// Three effects are one tick late: the force of the suspension links and what their compliance gives way to, which
// follow from the tires' forces, and the mass of burned fuel, which acts as a force at the tank so that the mass
// matrices stay constant. The half shafts use the wheels' speeds at the start of the tick; New returns an error if the
// wheels are too light for that.
package sim

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// Dt is the time step of the rig [s].
const Dt = 1e-3

const gravity = 9.80665 // [m/s²], of the default car

// Car holds everything of a car that is constant after New; State holds what changes. Goroutines may share a
// Car.
type Car struct {
	p             Params
	ground        road.Ground
	materialGrip  materialGrip
	dt            float64
	perDt         float64 // 1/dt
	wheels        [4]wheel
	tank          tank
	driveline     driveline.System
	brakes        brakes.System
	chassis       chassis.Body
	effectiveMass float64 // mass that acts at all tire contacts together [kg]

	suspension suspension.System
	steering   steering.System
	assist     assist.Electronics
}

// New returns a car of the given parameters on a ground; dt is the time step [s].
func New(p Params, g road.Ground, dt float64) (*Car, error) {
	if err := errors.Join(p.Validate(), valid.InRange("dt", dt, 1e-5, 5e-3)); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	if g == nil {
		return nil, errors.New("sim: car: no ground: give road.Asphalt() or a circuit")
	}
	p = p.resolved()
	tires, err := suspension.FitTires(&p.Front, &p.Rear)
	if err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c := &Car{p: p.clone(), ground: g, dt: dt, perDt: 1 / dt, tank: newTank(p)}
	c.materialGrip = newMaterialGrip(p, tires, g)
	c.effectiveMass = p.EffectiveMass()
	stations, err := c.newWheels(&c.p, tires)
	if err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	mobilities := [2]float64{p.sprungMobility(p.TrackFront/2, p.CGToFront),
		p.sprungMobility(p.TrackRear/2, p.CGToFront-p.Wheelbase)}
	if c.suspension, err = suspension.New(&c.p.Front, &c.p.Rear, &stations, mobilities, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	mounts := c.mounts(tires)
	if c.driveline, err = driveline.New(p.Driveline, p.Fuel, c.axleWheel(tire.FL), c.axleWheel(tire.RL),
		dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c.brakes = brakes.New(c.p.Brakes, c.brakesVehicle(), dt)
	if c.steering, err = steering.New(c.p.Steering, steering.Geometry{
		Wheelbase: p.Wheelbase, Track: p.TrackFront,
		HubHeight: [2]float64{mounts[tire.FL].Hub.Z + p.CGHeight, mounts[tire.FR].Hub.Z + p.CGHeight},
	}, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	c.assist = newElectronics(c)
	spec := chassis.Spec{Params: p.Params, Hull: p.Hull, Air: p.Air, Aero: p.Aero, Tank: p.tankCenter(),
		Wheels: mounts}
	if c.chassis, err = chassis.New(spec, g, dt); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	if err = c.suspension.AttachAxles(&stations, &c.chassis); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	return c, nil
}

// Params returns a copy of the car's parameters, with the masses of its parts added up, its center of mass
// moved by com_offset_m, and its fuel limited to the tank.
func (c *Car) Params() Params { return c.p.clone() }

// clone returns a deep copy.
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

// Rest returns the state of the car at standstill, in neutral, on the ground at pos [m], with its springs in
// equilibrium. heading is its yaw angle [rad].
func (c *Car) Rest(pos r3.Vec, heading float64) State {
	ground := c.ground.Touch(pos)
	s := State{
		State: chassis.State{
			Pos: r3.Add(ground.Point, r3.Scale(c.p.CGHeight, ground.Normal)),
			Att: chassis.UprightAttitude(ground.Normal, heading),
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
		w.Hub = r3.Add(s.Pos, b.ToWorld(k.HubAt(w.Travel)))
		s.Brakes.Wheels[i].Temperature = c.p.Air.Temperature
	}
	s.SpecificForce = b.ToBody(r3.Vec{Z: c.p.Gravity})
	return s
}

// Underway returns the state of Rest, but with the car moving along its heading at a speed [m/s] in a gear.
// Wheels and driveline turn at the speeds that belong to it.
func (c *Car) Underway(pos r3.Vec, heading, speed float64, gear int8) State {
	s := c.Rest(pos, heading)
	s.Vel = r3.Scale(speed, chassis.AxesOf(s.Att).X)
	s.Speed = speed
	for i := range s.Wheels {
		s.Wheels[i].Roll.Spin = speed / c.wheels[i].radius()
	}
	var spins [4]float64
	s.setSpins(&spins)
	c.driveline.SetWheelSpeeds(&s.Driveline, &spins, gear)
	return s
}

// Step moves s by one tick. It reads no clock, keeps nothing between calls and allocates nothing.
func (c *Car) Step(s *State, in Input) {
	var ( // each is written by one stage
		orders   assist.Orders          // the driver's commands, changed by the electronics
		steer    steering.Angles        // steering angles of the wheels
		poses    [4]suspension.Pose     // position and orientation of the wheels
		contacts [4]suspension.Contact  // ground contact of the tires
		slides   [4]chassis.Wheel       // motion of the wheels along their travel
		bars     [2]suspension.Coupling // force of the anti-roll bars
		shafts   [4]driveline.Shaft     // torque of the driveline on each wheel
		grips    [4]tireForces          // force and moment of each tire
		sum      chassis.Wrench         // total force and moment on the body
		b        chassis.Axes           // axes of the body at the start of the tick
	)
	c.clampInput(&in)
	b.Set(s.Att)
	wheels := s.suspensionWheels(&poses, &contacts, &slides)
	c.stepAssist(s, &in, &orders)
	c.steering.WheelAngles(&steer, in.Steer, s.Speed)
	c.findContacts(s, &b, &steer, &poses, &contacts)
	c.applyMaterials(s, &in, &contacts)
	c.stepSuspension(s, &b, &wheels, &bars)
	momentumBefore := c.driveline.Momentum(&s.Driveline)
	c.stepDriveline(s, &orders, &shafts)
	momentum := c.driveline.Momentum(&s.Driveline)
	c.stepBrakes(s, &in, &orders)
	c.stepTires(s, &b, &wheels, &shafts, &grips, &sum)
	c.addDrivelineReaction(&sum, &b, momentumBefore, momentum)
	c.twistShafts(s, &shafts)
	c.brakes.HeatDiscs(&s.Brakes, s.Speed)
	c.suspension.AddBarForces(&sum, s.Pos, &b, &poses, &bars)
	c.chassis.AddContact(&sum, &s.State, &b, &slides, &in.Slick)
	airborne := sum.Force == (r3.Vec{}) // nothing touches the ground or a wall
	c.addArcadeAids(&sum, s, &b, &orders)
	c.chassis.AddAir(&sum, &s.State, &b, s.Tick, in.Slipstream)
	c.chassis.AddPush(&sum, &b, in.PushForce)
	c.chassis.AddBurnedFuel(&sum, &s.State, &b, c.tank.burned(s))
	c.integrate(s, &b, &sum, &wheels, &grips, &slides, momentum, airborne)
	c.reportSteering(s, &in, &steer, &poses, &contacts, &grips)
	c.reportBars(s, &bars)
	s.Tick++
}

// Understeer returns the understeer gradient that the tires' cornering stiffnesses and the suspension's compliance
// in toe give: the additional road wheel angle for each m/s² of lateral acceleration [rad·s²/m].
func (c *Car) Understeer() float64 {
	if c.p.Gravity == 0 {
		return 0 // tires without load have no lateral force
	}
	return (c.corneringCompliance(tire.FL) - c.corneringCompliance(tire.RL)) / c.p.Gravity
}

// corneringCompliance returns the angle at which the lateral force of wheel i would equal its load at rest if it
// grew linearly [rad]: the tire's slip angle, and what the suspension gives way.
func (c *Car) corneringCompliance(i int) float64 {
	w := &c.wheels[i]
	return w.corneringCompliance() + w.load*c.suspension.Corners[i].SteerByForce(w.trail())
}

// reportSteering moves the steering rack by one tick and sets the steering's results, which force feedback
// reads.
func (c *Car) reportSteering(s *State, in *Input, steer *steering.Angles, ps *[4]suspension.Pose,
	ts *[4]suspension.Contact, gs *[4]tireForces) {
	s.Steer = in.Steer
	momentLeft := gs[tire.FL].kingpinMoment(&ps[tire.FL], &ts[tire.FL])
	momentRight := gs[tire.FR].kingpinMoment(&ps[tire.FR], &ts[tire.FR])
	s.ColumnTorque = c.steering.Step(&s.Steering, momentLeft, momentRight, steer, s.Speed, s.Tick == 0)
}

// reportBars sets s.Bars to the travels and forces of springs and bars after the tick.
func (c *Car) reportBars(s *State, bars *[2]suspension.Coupling) {
	for i := range bars {
		c.suspension.SetBarState(&s.Bars[i], i, &bars[i], s.Wheels[2*i].Travel, s.Wheels[2*i+1].Travel)
	}
}

// RoadSteer returns the mean angle of the front wheels [rad] at a steering wheel angle [rad], both positive
// left, without toe and without bump steer.
func (c *Car) RoadSteer(wheel float64) float64 { return c.steering.RoadSteer(wheel) }

// Lock returns the largest steering wheel angle to either side, at which the front wheels reach their lock
// [rad].
func (c *Car) Lock() float64 { return c.steering.Lock() }
