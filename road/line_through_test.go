package road

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

// helix is a climbing circle of a radius of 80 m, place by place; its table of places is
// uneven on purpose.
func helix(n int, rise float64) []Waypoint {
	list := make([]Waypoint, n)
	for i := range list {
		a := 2 * math.Pi * (float64(i) + 0.2*math.Sin(float64(i))) / float64(n)
		sin, cos := math.Sincos(a)
		list[i] = Waypoint{Pos: r3.Vec{X: 80 * cos, Y: 80 * sin, Z: rise * a}, Left: 4, Right: 5, Bank: -0.1}
	}
	return list
}

func TestThroughIsTheCurve(t *testing.T) {
	for _, tt := range []struct {
		name   string
		closed bool
		rise   float64
	}{{"closed", true, 0}, {"open", false, 3}} {
		t.Run(tt.name, func(t *testing.T) {
			places := helix(90, tt.rise)
			l, err := LineThrough(places, tt.closed)
			if err != nil {
				t.Fatal(err)
			}
			whole := 2 * math.Pi * 80.0
			if !tt.closed {
				last := places[89].Pos
				whole = 80 * (2*math.Pi + math.Atan2(last.Y, last.X))
			}
			near.Value(t, "length", l.Length(), whole, 5e-3) // the ends of an open spline are straight
			for s := 30.0; s < l.Length()-30; s += 3.3 {
				p := l.At(s)
				near.Value(t, "radius", math.Hypot(p.Pos.X, p.Pos.Y), 80, 1e-3)
				near.Value(t, "curvature", p.Curvature, 1.0/80, 2e-5)
				near.Value(t, "slope", p.Slope, tt.rise/80, 1e-4)
				near.Value(t, "bank", p.Bank, -0.1, 1e-9)
				near.Value(t, "left", p.Left, 4, 1e-9)
			}
		})
	}
}

func TestThroughRefuses(t *testing.T) {
	twice := helix(20, 0)
	twice[7] = twice[6]
	bad := helix(20, 0)
	bad[3].Pos.Y = math.NaN()
	long := []Waypoint{{}, {Pos: r3.Vec{X: 9e5}}, {Pos: r3.Vec{X: -9e5}}}
	for _, tt := range []struct {
		name   string
		places []Waypoint
		closed bool
		want   string
	}{
		{"none", nil, false, "0 waypoints"},
		{"a triangle", helix(3, 0), true, "at least 4"},
		{"standing", twice, true, "waypoint 8 is at the same position"},
		{"NaN", bad, true, "waypoint 4: NaN"},
		{"too long", long, false, "longer than 1000 km"},
		{"too short", []Waypoint{{}, {Pos: r3.Vec{X: 0.01}}}, false, "must be 0.02 m"},
	} {
		if _, err := LineThrough(tt.places, tt.closed); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func FuzzThrough(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true)
	f.Add([]byte{0, 0, 255, 255, 0, 3, 128, 1}, false)
	f.Fuzz(func(t *testing.T, data []byte, closed bool) {
		var list []Waypoint
		for i := 0; i+1 < len(data) && i < 200; i += 2 {
			list = append(list, Waypoint{Pos: r3.Vec{X: float64(int8(data[i])), Y: float64(int8(data[i+1])), Z: float64(i)}, Left: 3, Right: 3})
		}
		l, err := LineThrough(list, closed)
		if err != nil {
			return
		}
		for s := -5.0; s < l.Length()+5; s += l.Length() / 50 {
			if p := l.At(s); !(math.Abs(p.Pos.X)+math.Abs(p.Pos.Y)+math.Abs(p.Heading) < 1e6) {
				t.Fatalf("%+v at %g m", p, s)
			}
		}
	})
}
