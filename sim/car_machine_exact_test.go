//go:build amd64 && !amd64.v3

package sim

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/level"
)

// Whatever machine drives it and whatever helps, a mirrored car drives the same bits.
func TestEveryMachineMirrors(t *testing.T) {
	t.Parallel()
	for seed := range uint64(level.Pick(2, 8, 20)) {
		l := lot{rand.New(rand.NewPCG(seed, 6))}
		p := DefaultCar()
		l.machine(&p)
		d := &p.Driveline
		d.FrontShare = pick(l, 0, 0.4, 1)
		d.FrontDifferential, d.RearDifferential, d.CenterDifferential = l.differential(), l.differential(), l.differential()
		c, err := New(p, road.Asphalt(), Dt)
		if err != nil {
			t.Fatal(err)
		}
		left := c.Underway(r3.Vec{X: 1, Y: 2}, 0.3, 15, 1)
		right := mirrored(left)
		var in Input
		for tick := range 6000 {
			if tick%400 == 0 {
				in = wild(l.Rand)
				l.electronics(&in)
			}
			c.Step(&left, in)
			image := in
			image.Steer = -in.Steer
			c.Step(&right, image)
			now := mirrored(left)
			now.Assist = mirroredHelp(left.Assist)
			if right != now { // -0 equals 0
				t.Fatalf("car %d, after %d ms: %s\n%+v\n%+v", seed, tick, d.Gearbox.Kind, right, now)
			}
		}
	}
}
