package road

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestFlat(t *testing.T) {
	got := Asphalt().Touch(r3.Vec{X: 3, Y: -4, Z: 0.5})
	want := Contact{Point: r3.Vec{X: 3, Y: -4}, Normal: r3.Vec{Z: 1}, Depth: -0.5, Surface: tire.Dry()}
	if got != want {
		t.Errorf("above: %+v, want %+v", got, want)
	}
	near.Value(t, "depth below", Asphalt().Touch(r3.Vec{Z: -0.1}).Depth, 0.1, 0)
}

func TestOpenLinesEnd(t *testing.T) {
	points := make([]Point, 11)
	for i := range points {
		points[i] = Point{Pos: r3.Vec{X: float64(i), Z: 0.1 * float64(i)}, Slope: 0.1}
	}
	l, err := NewLine(points, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	near.Value(t, "length", l.Length(), 10, 0)
	for _, tt := range []struct{ x, station, height float64 }{{-3, 0, -0.3}, {4.25, 4.25, 0.425}, {13, 10, 1.3}} {
		s, lateral := l.Nearest(r3.Vec{X: tt.x, Y: 2}, math.NaN())
		near.Value(t, "station", s, tt.station, 1e-12)
		near.Value(t, "lateral", lateral, 2, 1e-12)
		near.Value(t, "height", l.At(tt.x).Pos.Z, tt.height, 1e-12)
		near.Value(t, "place", l.At(tt.x).Pos.X, tt.x, 1e-12)
	}
}

func TestBadLinesSayWhy(t *testing.T) {
	step := func(x ...float64) (points []Point) {
		for _, at := range x {
			points = append(points, Point{Pos: r3.Vec{X: at}})
		}
		return points
	}
	for _, tt := range []struct {
		name   string
		points []Point
		step   float64
		closed bool
		want   string
	}{
		{"one point", step(0), 1, false, "line of 1 points"},
		{"no step", step(0, 1), 0, false, "points every 0 m"},
		{"gap", step(0, 1, 4), 1, false, "points 1 and 2 are 3 m apart"},
		{"NaN", step(0, math.NaN()), 1, false, "point 1: NaN"},
		{"open", step(0, 1, 2), 1, true, "the end is 2 m from the start"},
		{"upright", []Point{{Bank: 1.5}, {}}, 1, false, "bank must be"},
	} {
		if _, err := NewLine(tt.points, tt.step, tt.closed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}
