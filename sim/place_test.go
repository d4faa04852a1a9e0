package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// Heading along y the front axle is ahead of the center of mass by CGToFront.
func TestPlaceIsThatOfTheFrontAxle(t *testing.T) {
	p := DefaultCar()
	c, err := New(p, road.Flat{Surface: tire.Dry()}, Dt)
	if err != nil {
		t.Fatal(err)
	}
	s := c.Rest(r3.Vec{X: 10, Y: 20}, math.Pi/2)
	at := s.Place()
	if math.Abs(at.Front.X-10) > 1e-9 || math.Abs(at.Front.Y-20-p.CGToFront) > 0.02 {
		t.Errorf("front axle at %v, want it %g m ahead of 10, 20", at.Front, p.CGToFront)
	}
	if at.Wheels[0].X >= at.Wheels[1].X || at.Wheels[2].Y >= at.Wheels[0].Y {
		t.Errorf("wheels at %v", at.Wheels)
	}
}
