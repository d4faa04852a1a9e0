package sim

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// The engine of a car that floats revs up in neutral: the body turns the other way, by the ratio of the inertias. A
// crank along the car turns clockwise seen from the front, so that the right side goes down; one across the car
// turns as the wheels do, so that the nose goes up.
func TestARevvingEngineTurnsTheBody(t *testing.T) {
	for axis, want := range map[string]func(p *Params, gained float64) r3.Vec{
		"longitudinal": func(p *Params, gained float64) r3.Vec { return r3.Vec{X: gained / p.InertiaXX} },
		"transverse":   func(p *Params, gained float64) r3.Vec { return r3.Vec{Y: -gained / p.InertiaYY} },
	} {
		p := square()
		p.Gravity, p.DragArea, p.Driveline.CrankAxis = 0, 0, axis
		for _, a := range []*float64{&p.Front.UnsprungMass, &p.Rear.UnsprungMass} {
			*a = 0 // its wheels stay where they are in the body
		}
		c := newCar(t, p, Dt)
		s := c.Rest(r3.Vec{}, 0)
		s.Pos.Z = 100
		before := c.driveline.Momentum(&s.Driveline)
		run(c, &s, 0.5, Input{Throttle: 1})
		gained := r3.Norm(c.driveline.Momentum(&s.Driveline)) - r3.Norm(before)
		if gained < 10 {
			t.Fatalf("%s: the engine gains %.2f N·m·s", axis, gained)
		}
		turned := want(&p, gained)
		near.Value(t, axis+": roll rate", s.Rate.X, turned.X, 1e-3*r3.Norm(turned))
		near.Value(t, axis+": pitch rate", s.Rate.Y, turned.Y, 1e-3*r3.Norm(turned))
		near.Value(t, axis+": yaw rate", s.Rate.Z, 0, 1e-3*r3.Norm(turned))
	}
}
