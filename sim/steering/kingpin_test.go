package steering

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/test/near"
)

const hub = 0.3 // height of the kingpins' hubs here [m]

// left returns the left kingpin of a steering.
func left(edit func(*Params)) Kingpin {
	s := Default()
	s.CasterTrail = 0
	edit(&s)
	return newKingpin(s, 1, hub)
}

func TestAnInclinedKingpinLiftsTheCar(t *testing.T) {
	k := left(func(s *Params) { s.KingpinInclination, s.ScrubRadius = 12, 0.01 })
	lean := 12 * math.Pi / 180
	// The hub circles the axis at this distance, in a plane inclined like it.
	offset := 0.01*math.Cos(lean) + hub*math.Sin(lean)
	for _, angle := range []float64{-0.6, -0.1, 0, 0.3, 0.7} {
		sin, cos := math.Sincos(angle)
		moved := k.HubShift(sin, cos)
		near.Value(t, "hub down", -moved.Z, offset*math.Sin(lean)*(1-math.Cos(angle)), 1e-15)
		near.Value(t, "hub ahead", moved.X, -offset*math.Sin(angle), 1e-15)
		// Its camber: half of 1-cos(angle), times the sine of twice the inclination.
		axle := k.Rotate(r3.Vec{Y: 1}, sin, cos)
		near.Value(t, "axle down", -axle.Z, math.Sin(2*lean)/2*(1-math.Cos(angle)), 1e-15)
		near.Value(t, "axle's length", r3.Norm(axle), 1, 1e-15)
	}
}

func TestCasterCambersTheOuterWheelInward(t *testing.T) {
	k := left(func(s *Params) { s.CasterAngle = 8 })
	for _, angle := range []float64{-0.5, 0.2, 0.6} {
		sin, cos := math.Sincos(angle)
		axle := k.Rotate(r3.Vec{Y: 1}, sin, cos)
		// Steered to the left the wheel's top leans left: into the bend for the outer one.
		near.Value(t, "axle down on the left", -axle.Z, math.Sin(8*math.Pi/180)*math.Sin(angle), 1e-15)
		// Without a trail on the ground the hub stands behind the axis, and moves sideways.
		near.Value(t, "hub to the left", k.HubShift(sin, cos).Y, hub*-math.Sin(8*math.Pi/180)*-math.Sin(angle), 1e-15)
	}
}

// The kingpin meets the ground ahead of the contact by the trail, and inside it by the scrub
// radius, on both sides of the car.
func TestTheKingpinsFootStandsByTrailAndScrub(t *testing.T) {
	g := built(t, func(s *Params) { s.CasterTrail, s.ScrubRadius, s.CasterAngle = 0.02, 0.015, 7 })
	for i, side := range []float64{1, -1} {
		if got, want := g.Kingpin(i).GroundToHub, (r3.Vec{X: -0.02, Y: side * 0.015, Z: 0.3}); got != want {
			t.Errorf("wheel %d: the hub is at %+v, want %+v", i, got, want)
		}
	}
}
