//go:build amd64 && !amd64.v3

package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
)

func TestBrakesAndABSMirror(t *testing.T) {
	p := DefaultCar()
	p.Brakes.HandbrakeAxle = "both"
	c := newCar(t, p, Dt)
	left := c.Rest(r3.Vec{X: 1, Y: 2}, 0.3)
	right := mirrored(left)
	worked := false
	for tick := range 16_000 {
		in := Input{Throttle: 1, Gear: 2, Steer: 0.8 * math.Sin(float64(tick)/300), Assists: assist.Switches{ABS: uint8(tick / 4000 * 3), AutoClutch: true}}
		if tick%4000 > 2500 {
			in.Throttle, in.Brake, in.Clutch, in.Handbrake = 0, 1, 1, 0.2*float64(tick/500%2)
		}
		c.Step(&left, in)
		in.Steer = -in.Steer
		c.Step(&right, in)
		if right != mirrored(left) {
			t.Fatalf("after %d ms:\n%+v\n%+v", tick, right, mirrored(left))
		}
		worked = worked || left.Brakes.Wheels[tire.FL].ABS.IsActive() && left.Rate.Z != 0
	}
	if !worked {
		t.Error("the ABS never worked in a bend")
	}
}
