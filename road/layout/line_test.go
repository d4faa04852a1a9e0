package layout

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/near"
)

func straight(length float64) Piece { return Piece{Length: length} }

func free(length float64) Piece { return Piece{Length: length, Free: true} }

// left is a bend to the left by degrees; a negative angle bends to the right.
func left(degrees, radius, ramp float64) Piece {
	return Piece{Turn: degrees, Radius: radius, Ramp: ramp}
}

// laid returns the road that pieces make.
func laid(t testing.TB, l Plan, pieces ...Piece) *Ribbon {
	t.Helper()
	l.Pieces = pieces
	r, _, err := NewRibbon(l, road.SurfaceNamed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// oval has bends of 180° at 50 m with ramps of 50 m.
func oval(t testing.TB) *Ribbon {
	t.Helper()
	return laid(t, Default(), free(300), left(90, 50, 50), free(100), left(90, 50, 50),
		straight(300), left(90, 50, 50), straight(100), left(90, 50, 50))
}

// ring is a circle of 100 m radius to the left.
func ring(t testing.TB, l Plan) *Ribbon { return laid(t, l, left(360, 100, 0)) }

// hilly has everything that changes a road's height.
func hilly(t testing.TB) *Ribbon {
	t.Helper()
	l := Default()
	at := func(p Piece, height float64) Piece { p.Height = &height; return p }
	banked := left(90, 50, 50)
	banked.Bank, banked.Width, banked.Name, banked.Kerb = 12, 13, "banked", "both"
	l.Features = []Feature{
		{Stretch{"", 20, 50, 0, 0}, "bump", 60, 0, 0},
		{Stretch{"banked", 30, 60, -3, 1}, "waves", -20, 2.5, 0},
		{Stretch{"", 120, 180, -4, 2}, "ramp", 2000, 0, 20},
	}
	l.Parts = []Part{{Stretch{"banked", -20, 30, 0, 0}, "wet", "rain"}, {Stretch{"", 60, 90, -5, 0}, "ice", ""}}
	return laid(t, l, at(free(300), 4), banked, free(100), at(left(90, 50, 50), -3),
		at(straight(300), 2), left(90, 50, 50), straight(100), at(left(90, 50, 50), 0))
}

func TestOvalClosesWithEqualSides(t *testing.T) {
	c := oval(t).Line()
	// Each bend is pi/2·50 + 50 m long.
	near.Value(t, "length", c.Length(), 2*(300+100)+4*(math.Pi/2*50+50), 1e-6)
	start, end := c.At(0), c.At(c.Length()-1e-9)
	near.Value(t, "gap", r3.Norm(r3.Sub(start.Pos, end.Pos)), 0, 1e-5)
	near.Value(t, "turning", end.Heading, 2*math.Pi, 1e-9)
	near.Value(t, "curvature in the middle of a bend", c.At(300+64).Curvature, 0.02, 1e-12)
	near.Value(t, "curvature half up the ramp", c.At(325).Curvature, 0.01, 1e-4)
}

func TestCircleIsRound(t *testing.T) {
	c := ring(t, Default()).Line()
	near.Value(t, "length", c.Length(), 200*math.Pi, 1e-9)
	for s := 0.0; s < c.Length(); s += 3.3 {
		near.Value(t, "distance from the middle", r3.Norm(r3.Sub(c.At(s).Pos, r3.Vec{Y: 100})), 100, 1e-6)
	}
}

func TestNearestFindsThePlace(t *testing.T) {
	c := hilly(t).Line()
	for s := 1.0; s < c.Length(); s += 7.3 {
		for _, beside := range []float64{-4, 0, 4} {
			p := c.At(s)
			for _, hint := range []float64{s - 3, s + 3, math.NaN()} {
				got, lateral := c.Nearest(p.Offset(beside), hint)
				near.Value(t, "station", got, s, 1e-3)
				near.Value(t, "lateral", lateral, beside, 1e-3)
			}
		}
	}
}

// Whatever is nearest to a place, a search of all points finds it as well.
func TestNearestIsNearest(t *testing.T) {
	c := hilly(t).Line()
	for x := -150.0; x < 500; x += 31 {
		for y := -150.0; y < 400; y += 29 {
			pos := r3.Vec{X: x, Y: y}
			s, lateral := c.Nearest(pos, math.NaN())
			minimum := math.Inf(1)
			for i := range c.Points() {
				minimum = min(minimum, math.Hypot(c.Points()[i].Pos.X-x, c.Points()[i].Pos.Y-y))
			}
			const half = 0.26 // between points [m]
			if off := math.Abs(lateral); minimum < 40 && (off > minimum+1e-9 || off < math.Sqrt(max(minimum*minimum-half*half, 0))-0.01) {
				t.Errorf("(%g, %g): %.3f m beside %.1f m, want %.3f m", x, y, lateral, s, minimum)
			}
		}
	}
}

func TestStationsRunOnRoundTheLap(t *testing.T) {
	c := oval(t).Line()
	for _, s := range []float64{0, 10, 555.5} {
		for _, laps := range []float64{-2, -1, 1, 3} {
			gap := r3.Norm(r3.Sub(c.At(s).Pos, c.At(s+laps*c.Length()).Pos))
			near.Value(t, "gap a lap later", gap, 0, 1e-5)
		}
	}
	if got, _ := c.Nearest(r3.Vec{X: -1}, c.Length()-3); got < c.Length()-1.1 {
		t.Errorf("a metre before the line: station %.3f m", got)
	}
	if got, _ := c.Nearest(r3.Vec{X: 1}, c.Length()-3); math.Abs(got-1) > 1e-6 {
		t.Errorf("a metre after the line: station %.3f m", got)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add(10.0, 3.0, 8.0)
	f.Add(math.NaN(), math.Inf(1), math.NaN())
	f.Add(1e300, -1e300, -1e18)
	r := hilly(f)
	f.Fuzz(func(t *testing.T, x, y, hint float64) {
		s, _ := r.Line().Nearest(r3.Vec{X: x, Y: y}, hint)
		if !(s >= 0 && s < r.Line().Length()) {
			t.Fatalf("station %g of (%g, %g) from %g", s, x, y, hint)
		}
		c := r.Touch(r3.Vec{X: x, Y: y})
		if !(math.Abs(r3.Norm(c.Normal)-1) < 1e-9) || !(math.Abs(c.Depth) < 1e3) {
			t.Fatalf("at (%g, %g): %+v", x, y, c)
		}
	})
}
