package road

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim/tire"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.9g, want %.9g within %.2g", what, got, want, tolerance)
	}
}

func TestFlat(t *testing.T) {
	got := Asphalt().Touch(r3.Vec{X: 3, Y: -4, Z: 0.5})
	want := Contact{Point: r3.Vec{X: 3, Y: -4}, Normal: r3.Vec{Z: 1}, Depth: -0.5, Surface: tire.Dry()}
	if got != want {
		t.Errorf("above: %+v, want %+v", got, want)
	}
	near(t, "depth below", Asphalt().Touch(r3.Vec{Z: -0.1}).Depth, 0.1, 0)
}

// oval has bends of 180° at 50 m with ramps of 50 m.
func oval(t testing.TB) *Circuit {
	t.Helper()
	c, err := New([]Piece{
		free(300), left(90, 50, 50), free(100), left(90, 50, 50),
		straight(300), left(90, 50, 50), straight(100), left(90, 50, 50),
	}, 8, tire.Dry())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOvalClosesWithEqualSides(t *testing.T) {
	c := oval(t)
	// Each bend is pi/2·50 + 50 m long.
	near(t, "length", c.Length(), 2*(300+100)+4*(math.Pi/2*50+50), 1e-6)
	start, end := c.At(0), c.At(c.Length()-1e-9)
	near(t, "gap", r3.Norm(r3.Sub(start.Pos, end.Pos)), 0, 1e-5)
	near(t, "turning", end.Heading, 2*math.Pi, 1e-9)
	near(t, "curvature in the middle of a bend", c.At(300+64).Curvature, 0.02, 1e-12)
	near(t, "curvature half up the ramp", c.At(325).Curvature, 0.01, 1e-4)
}

func TestClubIsOnePieceOfRoad(t *testing.T) {
	c := Club()
	if c.Length() < 2000 || c.Length() > 3000 {
		t.Errorf("length %.1f m", c.Length())
	}
	near(t, "gap at the line", r3.Norm(r3.Sub(c.At(0).Pos, c.At(c.Length()-1e-9).Pos)), 0, 1e-5)
	tightest := 0.0
	for s := 0.0; s < c.Length(); s += 0.37 {
		a, b := c.At(s), c.At(s+0.01)
		if step := r3.Norm(r3.Sub(b.Pos, a.Pos)); math.Abs(step-0.01) > 1e-4 {
			t.Fatalf("at %.2f m the line jumps by %g m", s, step)
		}
		if math.Abs(b.Curvature-a.Curvature) > 0.01*0.004 {
			t.Fatalf("at %.2f m the curvature jumps from %g to %g", s, a.Curvature, b.Curvature)
		}
		tightest = max(tightest, math.Abs(a.Curvature))
	}
	near(t, "radius of the hairpin", 1/tightest, 20, 1e-9)
}

func TestClubKeepsClearOfItself(t *testing.T) {
	c := Club()
	for a := 0.0; a < c.Length(); a += 5 {
		for b := a + 100; b < min(c.Length(), a+c.Length()-100); b += 5 {
			if gap := r3.Norm(r3.Sub(c.At(a).Pos, c.At(b).Pos)); gap < 2*2*c.At(0).Left {
				t.Fatalf("%.0f m and %.0f m are only %.1f m apart", a, b, gap)
			}
		}
	}
}

func TestNearestFindsThePlace(t *testing.T) {
	c := Club()
	for s := 1.0; s < c.Length(); s += 7.3 {
		for _, beside := range []float64{-4, 0, 4} {
			p := c.At(s)
			sin, cos := math.Sincos(p.Heading)
			pos := r3.Add(p.Pos, r3.Vec{X: -beside * sin, Y: beside * cos})
			for _, hint := range []float64{s - 3, s + 3, math.NaN()} {
				got, lateral := c.Nearest(pos, hint)
				near(t, "station", got, s, 1e-3)
				near(t, "lateral", lateral, beside, 1e-3)
			}
		}
	}
}

func TestStationsRunOnRoundTheLap(t *testing.T) {
	c := oval(t)
	for _, s := range []float64{0, 10, 555.5} {
		for _, laps := range []float64{-2, -1, 1, 3} {
			gap := r3.Norm(r3.Sub(c.At(s).Pos, c.At(s+laps*c.Length()).Pos))
			near(t, "gap a lap later", gap, 0, 1e-5)
		}
	}
	if got, _ := c.Nearest(r3.Vec{X: -1}, c.Length()-3); got < c.Length()-1.1 {
		t.Errorf("a metre before the line: station %.3f m", got)
	}
	if got, _ := c.Nearest(r3.Vec{X: 1}, c.Length()-3); math.Abs(got-1) > 1e-6 {
		t.Errorf("a metre after the line: station %.3f m", got)
	}
}

func TestKerbsAreInside(t *testing.T) {
	c := Club()
	for s := 0.0; s < c.Length(); s++ {
		left, right := c.Kerbs(s)
		k := c.At(s).Curvature
		if left != (k > 1.0/150) || right != (k < -1.0/150) {
			t.Fatalf("at %g m, curvature %g: kerbs %t, %t", s, k, left, right)
		}
	}
}

func TestBadLayoutsSayWhy(t *testing.T) {
	tests := []struct {
		name   string
		pieces []Piece
		want   string
	}{
		{"nothing", nil, "0 free straights"},
		{"not round", []Piece{free(1), left(90, 20, 10), free(1)}, "90.000° of turning"},
		{"parallel", []Piece{free(100), left(180, 50, 20), free(100), left(180, 50, 20)}, "nearly parallel"},
		{"no room", []Piece{free(9), left(90, 20, 10), free(9), left(90, 90, 10), straight(9), left(180, 20, 10)}, "move a bend"},
		{"ramp too long", []Piece{free(9), left(10, 20, 10), free(9)}, "piece 1: bend"},
		{"backward", []Piece{straight(-1)}, "piece 0: straight of -1 m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.pieces, 8, tire.Dry())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestTheLoopsFunctionsAllocateNothing(t *testing.T) {
	c := Club()
	if n := testing.AllocsPerRun(100, func() {
		s, _ := c.Nearest(r3.Vec{X: 50, Y: 3}, 48)
		_ = c.At(s + 10)
		_ = c.Touch(r3.Vec{})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzNearest(f *testing.F) {
	f.Add(10.0, 3.0, 8.0)
	f.Add(math.NaN(), math.Inf(1), math.NaN())
	f.Add(1e300, -1e300, -1e18)
	c := Club()
	f.Fuzz(func(t *testing.T, x, y, hint float64) {
		s, _ := c.Nearest(r3.Vec{X: x, Y: y}, hint)
		if !(s >= 0 && s < c.Length()) {
			t.Fatalf("station %g of (%g, %g) from %g", s, x, y, hint)
		}
	})
}
