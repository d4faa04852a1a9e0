package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/steering"
	"rig.example/rig/test/near"
)

// The moments of both front wheels about their kingpins, straight ahead, for small
// angles: T. D. Gillespie, Fundamentals of Vehicle Dynamics, chapter 8, in ISO axes.
// With the scrub radius d, the inclination l, the caster n and the trail t on the ground,
//
//	side      -(Fyl + Fyr)·t
//	traction  (Fxr - Fxl)·d
//	aligning  (Mzl + Mzr)·cos(√(l² + n²))
//	load      (Fzr - Fzl)·(d·sin(n) + t·sin(l)), the second part of which he leaves out
//
// What the load does to wheels that are turned, the lift, has tests of its own.
func TestMomentsOfTheFrontWheelsAreGillespies(t *testing.T) {
	const scrub, inclination, caster = 0.03, 9.0, 4.0 // [m], degrees
	lean, back := inclination*degree, caster*degree
	trail := hubHeight * math.Tan(back)
	s := steering.Default()
	s.ScrubRadius, s.KingpinInclination, s.CasterAngle, s.CasterTrail = scrub, inclination, caster, trail
	g := pins(t, s)
	sum := func(force, moment [2]r3.Vec) (whole float64) {
		for i := range force {
			p := pressed(g.Kingpin(i), 0, below, force[i], moment[i])
			whole += p.steering()
		}
		return whole
	}
	none := [2]r3.Vec{}
	for _, tt := range []struct {
		name          string
		force, moment [2]r3.Vec
		want, within  float64
	}{
		{"side force on the trail", [2]r3.Vec{{Y: 1500}, {Y: 2500}}, none, -4000 * trail, 0.02},
		{"traction on the scrub radius", [2]r3.Vec{{X: 900}, {X: 400}}, none, -500 * scrub, 0.02},
		{"aligning", none, [2]r3.Vec{{Z: 40}, {Z: 60}}, 100 * math.Cos(math.Hypot(lean, back)), 1e-3},
		{"unequal loads on caster and trail", [2]r3.Vec{{Z: 3000}, {Z: 5000}}, none, 2000 * (scrub*math.Sin(back) + trail*math.Sin(lean)), 0.02},
	} {
		got := sum(tt.force, tt.moment)
		near.Value(t, tt.name, got, tt.want, tt.within*math.Abs(tt.want))
	}
}

// Rolling backward the tires' trail lies ahead: what brings the steering wheel back to the
// middle in forward driving takes it away from there, with less torque.
func TestReversingTurnsTheAligningTorqueRound(t *testing.T) {
	c := coupe(t)
	driven := func(speed, steer float64) float64 {
		s := c.Rest(r3.Vec{}, 0)
		for tick := range 8000 {
			share := min(float64(tick)/2000, 1)
			c.Step(&s, Input{Steer: steer * share, PushForce: 5 * c.p.Mass * (speed*share - s.Speed)})
		}
		return s.ColumnTorque
	}
	for _, speed := range []float64{2, 4, 6} {
		ahead, back := driven(speed, 3), driven(-speed, 3)
		if !(ahead < 0 && back > 0 && back < -ahead) {
			t.Errorf("at %g m/s %.2f N·m, backward %.2f N·m", speed, ahead, back)
		}
		near.Value(t, "mirrored", driven(-speed, -3), -back, 1e-9)
	}
}
