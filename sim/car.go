// Package sim is the car: a rigid body in six degrees of freedom on four
// wheels with springs, dampers, anti-roll bars and brush tires, steered in
// front and driven at the rear.
//
// Axes, units and signs are those of ISO 8855 in SI: x forward, y left, z up.
// The same inputs leave the same bits on one build: nothing here reads a
// clock, keeps a global, allocates after New, or starts a goroutine.
package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim/road"
	"rig/sim/tire"
)

// Dt is the time step of the rig [s].
const Dt = 1e-3

const (
	gravity    = 9.80665 // [m/s²]
	airDensity = 1.225   // [kg/m³], sea level at 15 °C
)

// Car is what never changes during a run. It may be shared by goroutines.
type Car struct {
	p       Params
	ground  road.Ground
	dt      float64
	inertia tensor
	corners [4]corner
	engine  engine
	body    shell
}

// New returns a car of the given parameters on a ground; dt is the time step [s].
func New(p Params, g road.Ground, dt float64) (*Car, error) {
	if err := errors.Join(p.Validate(), inRange("dt", dt, 1e-5, 5e-3)); err != nil {
		return nil, fmt.Errorf("sim: car: %w", err)
	}
	if g == nil {
		return nil, errors.New("sim: car: no ground: give road.Asphalt() or a circuit")
	}
	c := &Car{p: p.clone(), ground: g, dt: dt, inertia: newTensor(p), engine: newEngine(p.Driveline), body: newShell(p, dt)}
	for i := range c.corners {
		var err error
		if c.corners[i], err = newCorner(p, i, dt); err != nil {
			return nil, fmt.Errorf("sim: car: %w", err)
		}
	}
	return c, nil
}

// Params returns what the car was built from.
func (c *Car) Params() Params { return c.p.clone() }

// clone returns p with lists of its own.
func (p Params) clone() Params {
	p.Driveline.Gears = slices.Clone(p.Driveline.Gears)
	p.Driveline.Torque = slices.Clone(p.Driveline.Torque)
	return p
}

// Rest returns the car standing still, in neutral, over the ground at pos, its
// springs in balance; heading is its yaw [rad].
func (c *Car) Rest(pos r3.Vec, heading float64) State {
	ground := c.ground.Touch(pos)
	s := State{
		Pos:    r3.Add(ground.Point, r3.Scale(c.p.CGHeight, ground.Normal)),
		Att:    facing(ground.Normal, heading),
		Engine: c.engine.idle,
	}
	b := axesOf(s.Att)
	for i := range s.Wheels {
		w := &s.Wheels[i]
		w.Travel = c.corners[i].restTravel
		w.Load = c.corners[i].restLoad
		w.Hub = c.corners[i].hub(s.Pos, b, w.Travel)
	}
	s.SpecificForce = b.into(r3.Vec{Z: gravity})
	return s
}

// Step advances s by one tick.
//
// It reads no clock, keeps nothing between calls and allocates nothing.
func (c *Car) Step(s *State, in Input) {
	in = c.sane(in)
	b := axesOf(s.Att)
	steer := c.steer(in.Steer)               // where the front wheels point
	patches := c.touch(s, b, steer)          // where the tires stand
	c.suspension(s, &patches)                // what carries the body
	drive := c.driveline(s, in)              // what turns the wheels
	sum := c.tires(s, in, &patches, drive)   // what the road gives back
	sum = c.scrape(sum, s, b)                // what a body that lies on it gets
	sum.force = r3.Add(sum.force, c.drag(s)) // what the air takes
	c.integrate(s, b, sum)                   // Newton and Euler
	c.report(s, in, steer)                   // what the driver feels
	s.Tick++
}

// corner is the constant part of one wheel and its suspension.
type corner struct {
	axle       Axle
	droop      r3.Vec // hub at full droop [m, body]
	restTravel float64
	restLoad   float64
	wheel      *tire.Wheel
}

// newCorner places the suspension so that the car stands level at its centre
// of mass height under its own weight.
func newCorner(p Params, i int, dt float64) (corner, error) {
	axle, track, x := p.Front, p.TrackFront, p.CGToFront
	share := (p.Wheelbase - p.CGToFront) / p.Wheelbase // lever rule
	if i >= RL {
		axle, track, x = p.Rear, p.TrackRear, p.CGToFront-p.Wheelbase
		share = p.CGToFront / p.Wheelbase
	}
	y := track / 2
	if i == FR || i == RR {
		y = -y
	}
	load := p.Mass * gravity * share / 2
	travel := load / axle.SpringRate
	if travel > axle.StopStart {
		return corner{}, fmt.Errorf("axle of wheel %d rests on its bump stops, %.3f m down of %.3f m: stiffen its springs or lift the stops",
			i, travel, axle.StopStart)
	}
	model, err := tire.NewBrush(axle.Tire, axle.Wheel.Radius)
	if err != nil {
		return corner{}, err
	}
	wheel, err := tire.NewWheel(model, axle.Wheel, dt)
	if err != nil {
		return corner{}, err
	}
	hubHeight := axle.Wheel.Radius - load/axle.VerticalRate
	droop := r3.Vec{X: x, Y: y, Z: hubHeight - p.CGHeight - travel}
	return corner{axle: axle, droop: droop, restTravel: travel, restLoad: load, wheel: wheel}, nil
}

// hub returns where the wheel's centre is at a travel [m, world].
func (k *corner) hub(pos r3.Vec, b axes, travel float64) r3.Vec {
	local := k.droop
	local.Z += travel
	return r3.Add(pos, b.out(local))
}

// drag returns the force of the air [N, world].
func (c *Car) drag(s *State) r3.Vec {
	speed := math.Sqrt(r3.Dot(s.Vel, s.Vel))
	return r3.Scale(-0.5*airDensity*c.p.DragArea*speed, s.Vel)
}

// report fills in what ffb and the display want to know of the finished tick.
func (c *Car) report(s *State, in Input, steer steerAngles) {
	s.Gear = in.Gear
	s.Steer = in.Steer
	s.Speed = r3.Dot(s.Vel, axesOf(s.Att).x)
	s.ColumnTorque = c.columnTorque(s, steer)
}
