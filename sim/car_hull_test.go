package sim

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/test/near"
	"rig.example/rig/test/solid"
)

func TestTheBoxIsThatOfTheBodysSize(t *testing.T) {
	c := coupe(t)
	i := 0
	for _, z := range []float64{0.81, -0.21} { // 1.33 m and the hubs' 0.31 m above the ground
		for _, x := range []float64{2.17, -2.23} {
			for _, y := range []float64{0.895, -0.895} {
				got := c.chassis.Corners()[i]
				near.Value(t, "corner", r3.Norm(r3.Sub(got, r3.Vec{X: x, Y: y, Z: z})), 0, 1e-12)
				i++
			}
		}
	}
}

func TestBadHullsSayWhy(t *testing.T) {
	tests := []struct {
		name   string
		change func(*chassis.Hull)
		want   string
	}{
		{"three points", func(h *chassis.Hull) { h.Points = h.Points[:3] }, "hull.points_m has 3 entries: must be 0 or 4 to 100000"},
		{"two coordinates", func(h *chassis.Hull) { h.Points[2] = []float64{1, 2} }, "hull.points_m[2] has 2 values: give three, [x, y, z]"},
		{"millimetres", func(h *chassis.Hull) { h.Points[1] = []float64{0, 900, 0} }, "hull.points_m[1][1] = 900: must be -3 to 3"},
		{"NaN", func(h *chassis.Hull) { h.Points[0][2] = math.NaN() }, "hull.points_m[0][2] = NaN"},
		{"flat", func(h *chassis.Hull) {
			for _, at := range h.Points {
				at[2] = 0.3*at[0] + 1
			}
		}, "hull.points_m lie in one plane"},
		{"in a line", func(h *chassis.Hull) { h.Points = [][]float64{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}} }, "hull.points_m lie in one plane"},
		{"one place", func(h *chassis.Hull) { h.Points = [][]float64{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}} }, "hull.points_m lie in one plane"},
		{"all margin", func(h *chassis.Hull) { h.Margin = 0.5 }, "hull.margin_m = 0.5 leaves nothing of the body"},
		{"too many vertices", func(h *chassis.Hull) { h.MaxVertices = 65 }, "hull.max_vertices = 65: must be 8 to 64"},
		{"rubber", func(h *chassis.Hull) { h.Restitution = 1.1 }, "hull.restitution = 1.1"},
		{"glue", func(h *chassis.Hull) { h.Friction = -1 }, "hull.friction = -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			p.Hull.Points = solid.Box(r3.Vec{X: -3, Y: -0.8, Z: 0.3}, r3.Vec{X: 1, Y: 0.8, Z: 1.2})
			tt.change(&p.Hull)
			if _, err := New(p, road.Asphalt(), Dt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
