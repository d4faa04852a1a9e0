package road

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// A shower over the whole road from 10 s on takes half of the grip within 20 s; area 1
// dries at once at 40 s, area 2 slowly from the middle of the shower on.
func TestForecast(t *testing.T) {
	shower := GripChange{At: 10, Over: 20, Grip: 0.5}
	for i := range shower.Areas {
		shower.Areas[i] = true
	}
	dry := GripChange{At: 40, Grip: 1, Areas: [AreaCount]bool{1: true}}
	slowly := GripChange{At: 20, Over: 10, Grip: 1, Areas: [AreaCount]bool{2: true}}
	f := NewForecast([]GripChange{dry, shower, slowly})
	for _, tt := range []struct {
		t    float64
		want [3]float64 // grip of the first areas
	}{
		{0, [3]float64{1, 1, 1}}, {10, [3]float64{1, 1, 1}}, {20, [3]float64{0.75, 0.75, 0.75}},
		{25, [3]float64{0.625, 0.625, 0.875}}, {30, [3]float64{0.5, 0.5, 1}}, {39.9, [3]float64{0.5, 0.5, 1}},
		{40, [3]float64{0.5, 1, 1}}, {1e9, [3]float64{0.5, 1, 1}}, {math.NaN(), [3]float64{1, 1, 1}},
	} {
		for area, want := range tt.want {
			near.Value(t, "grip", 1-f.GripLoss(tt.t, 0)[area], want, 1e-12)
			near.Value(t, "grip in the rain", 1-f.GripLoss(tt.t, 0.2)[area], 0.8*want, 1e-12)
		}
	}
	if n := testing.AllocsPerRun(100, func() { f.GripLoss(25, 0.1) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// ringLine is a circle of 100 m radius to the left, through the origin along x.
func ringLine(t testing.TB) *Line {
	t.Helper()
	const n, radius = 1200, 100.0
	points := make([]Point, n+1)
	for i := range points {
		turned := 2 * math.Pi * float64(i) / n
		sin, cos := math.Sincos(turned)
		points[i] = Point{Pos: r3.Vec{X: radius * sin, Y: radius * (1 - cos)}, Heading: turned, Curvature: 1 / radius, Left: 5, Right: 5}
	}
	l, err := NewLine(points, 2*math.Pi*radius/n, true)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRoadsideKnowsTheRoad(t *testing.T) {
	r := WithLine(Asphalt(), ringLine(t), []uint8{3})
	along, across := r.Locate(r3.Vec{X: 103, Y: 100})
	near.Value(t, "station", along, math.Pi/2*100, 1e-6)
	near.Value(t, "left", across, -3, 1e-6)
	if c := r.Touch(r3.Vec{Z: 1}); c.AreaNumber != 3 || c.Depth != -1 {
		t.Errorf("%+v", c)
	}
	if along, across = WithLine(Asphalt(), nil, nil).Locate(r3.Vec{X: 5, Y: 6}); along != 5 || across != 6 {
		t.Errorf("without a line %g, %g", along, across)
	}
}

func TestFenceOf(t *testing.T) {
	f, err := WithWalls(Asphalt(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if WallsOf(&Circuit{Ground: f}) != f || WallsOf(f) != f || WallsOf(Asphalt()) != nil {
		t.Error("the walls are not found")
	}
}
