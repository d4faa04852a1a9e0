//go:build amd64 && !amd64.v3

package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/level"
	"rig.example/rig/test/solid"
)

// A car of any shape in a yard, and its mirror image in the mirrored yard, which
// is the same one.
func TestACrashMirrors(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	for _, tt := range []struct {
		name   string
		points [][]float64
	}{
		{"box", nil},
		{"the left like the right", solid.Ellipsoid(level.Pick(0, 150, 500), true)},
		{"lopsided", solid.Ellipsoid(level.Pick(0, 150, 500), false)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := State{State: chassis.State{Pos: r3.Vec{X: 1, Y: 2, Z: 2}, Att: turn(0.3), Vel: r3.Vec{X: 30, Y: 15}, Rate: r3.Vec{X: -4, Y: 1, Z: 0.5}}}
			met, over := crash(t, tt.points, pen(t), start)
			if !met || !over {
				t.Errorf("hit a wall: %t, was on its roof: %t", met, over)
			}
		})
		t.Run(tt.name+" with its door", func(t *testing.T) {
			start := State{State: chassis.State{Pos: r3.Vec{X: 2, Y: 1.4, Z: 0.8}, Att: chassis.UprightAttitude(r3.Vec{Z: 1}, math.Pi/2), Vel: r3.Vec{X: 15}, Rate: r3.Vec{X: -2}}}
			if met, _ := crash(t, tt.points, pier(t), start); !met {
				t.Error("did not hit the pier")
			}
		})
	}
}

// crash runs a car of some outside, and its mirror image, from a place in the air,
// and reports whether it met a wall and was on its roof.
func crash(t *testing.T, points [][]float64, ground *road.GroundWithWalls, start State) (met, over bool) {
	t.Helper()
	p, q := DefaultCar(), DefaultCar()
	p.Hull.Points, p.CGLeft, q.CGLeft = points, 0.05, -0.05
	for _, at := range points {
		q.Hull.Points = append(q.Hull.Points, []float64{at[0], -at[1], at[2]})
	}
	c, image := carOn(t, p, ground), carOn(t, q, ground)
	left := c.Rest(r3.Vec{}, 0)
	left.Pos, left.Att, left.Vel, left.Rate = start.Pos, start.Att, start.Vel, start.Rate
	right := mirrored(left)
	for tick := range 4000 {
		c.Step(&left, Input{Steer: 3})
		image.Step(&right, Input{Steer: -3})
		if right != mirrored(left) { // -0 equals 0
			t.Fatalf("after %d ms:\n%+v\n%+v", tick, right, mirrored(left))
		}
		d := c.chassis.Penetration(&left.State)
		met = met || d.Edge > 0 || d.Wall > 0
		over = over || chassis.AxesOf(left.Att).Z.Z < 0
	}
	return met, over
}
