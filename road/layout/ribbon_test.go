package layout

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// above returns the contact of a place half a metre above height 0.
func above(g road.Ground, p r3.Vec) road.Contact { return g.Touch(r3.Vec{X: p.X, Y: p.Y, Z: 0.5}) }

// tall returns the height of the ground at a place.
func tall(g road.Ground, p r3.Vec) float64 {
	c := above(g, p)
	return 0.5 + c.Depth/c.Normal.Z
}

// A bend that is banked everywhere is a cone: each metre outwards is as much higher.
func TestBankedRingIsACone(t *testing.T) {
	p := left(360, 100, 0)
	p.Bank = 10
	r := laid(t, Default(), p)
	tan := math.Tan(10 * math.Pi / 180)
	for s := 0.0; s < 600; s += 41 {
		at := r.Line().At(s)
		near.Value(t, "bank", at.Bank, -10*math.Pi/180, 1e-15)
		for _, left := range []float64{-5, -2, 0, 3} {
			c := above(r, at.Offset(left))
			near.Value(t, "height", tall(r, at.Offset(left)), -left*tan, 1e-6)
			out := r3.Unit(r3.Sub(c.Point, r3.Vec{Y: 100, Z: c.Point.Z}))
			near.Value(t, "slope of the normal", r3.Dot(c.Normal, out), -math.Sin(10*math.Pi/180), 1e-6)
		}
	}
}

// The normal is that of the surface, everywhere: what two heights beside each other say.
func TestNormalsAreTheSurfaces(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := hilly(t)
	const d = 1e-5
	worst := 0.0
	for s := 0.3; s < r.Line().Length(); s += 0.77 {
		for left := -28.0; left < 28; left += 1.7 {
			at := r.Line().At(s)
			p := at.Offset(left)
			n := above(r, p).Normal
			dx := (tall(r, r3.Add(p, r3.Vec{X: d})) - tall(r, r3.Sub(p, r3.Vec{X: d}))) / (2 * d)
			dy := (tall(r, r3.Add(p, r3.Vec{Y: d})) - tall(r, r3.Sub(p, r3.Vec{Y: d}))) / (2 * d)
			off := math.Hypot(-n.X/n.Z-dx, -n.Y/n.Z-dy)
			if off > 2e-3 {
				t.Fatalf("%.1f m, %.1f m to the left: slopes %.4f, %.4f, want %.4f, %.4f", s, left, -n.X/n.Z, -n.Y/n.Z, dx, dy)
			}
			worst = max(worst, off)
		}
	}
	t.Logf("worst slope is off by %.2g", worst)
}

// There is no step anywhere, neither where pieces meet nor where the terrain begins.
func TestTheGroundIsOnePiece(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	r := hilly(t)
	for _, left := range []float64{-20, -13, -7, -4.2, 0, 3, 5.1, 8, 17} {
		was := tall(r, beside0(r, left))
		for s := 0.0; s < r.Line().Length()+1; s += 0.02 {
			at := r.Line().At(s)
			z := tall(r, at.Offset(left))
			if math.Abs(z-was) > 0.02*1.5 {
				t.Fatalf("%.2f m, %g m to the left: a step from %.4f to %.4f m", s, left, was, z)
			}
			was = z
		}
	}
}

func beside0(r *Ribbon, left float64) r3.Vec {
	at := r.Line().At(0)
	return at.Offset(left)
}

func TestHeightsAreMet(t *testing.T) {
	r := hilly(t)
	s := 0.0
	for i, want := range []float64{4, math.NaN(), math.NaN(), -3, 2, math.NaN(), math.NaN(), 0} {
		s += []float64{300, math.Pi/2*50 + 50, 100, math.Pi/2*50 + 50, 300, math.Pi/2*50 + 50, 100, math.Pi/2*50 + 50}[i]
		if !math.IsNaN(want) {
			near.Value(t, "height at a piece's end", r.Line().At(s).Pos.Z, want, 1e-6)
		}
	}
}

func TestFeatures(t *testing.T) {
	r := hilly(t)
	base := func(s float64) float64 { return r.Line().At(s).Pos.Z }
	at := func(s, left float64) float64 { p := r.Line().At(s); return tall(r, p.Offset(left)) }
	near.Value(t, "top of the bump", at(35, 0)-base(35), 0.06, 1e-9)
	near.Value(t, "half up the bump", at(27.5, 0)-base(27.5), 0.03, 1e-9)
	near.Value(t, "before the bump", at(19.9, 0)-base(19.9), 0, 1e-12)
	near.Value(t, "top of the ramp", at(150, 0)-base(150), 2, 1e-9)
	near.Value(t, "half up the ramp", at(120+7, 0)-base(127), 1, 1e-9)
	near.Value(t, "grade of the ramp", at(127.5, 0)-base(127.5)-(at(126.5, 0)-base(126.5)), 0.2, 1e-9)
	near.Value(t, "beside the ramp", at(150, 3)-base(150), 0, 1e-12)
}

func TestGroundsAlongTheRoad(t *testing.T) {
	r := hilly(t)
	for _, tt := range []struct {
		name          string
		station, left float64
		want          string
		area          uint8
	}{
		{"road", 10, 3, "tarmac", 0}, {"verge", 10, 9, "grass", 0}, {"far off", 10, -100, "grass", 0},
		{"right half", 70, -2, "ice", 0}, {"left half", 70, 2, "tarmac", 0},
		{"wet part", 300, 2, "wet", 1}, {"beside the wet part", 290, 9, "grass", 0}, {"kerb", 364, -6.3, "kerb", 0},
	} {
		at := r.Line().At(tt.station)
		c := above(r, at.Offset(tt.left))
		if got := r.Surfaces()[c.Material]; got.Name != tt.want || c.AreaNumber != tt.area || c.Surface != got.Tire {
			t.Errorf("%s: %s in area %d, want %s in %d", tt.name, got.Name, c.AreaNumber, tt.want, tt.area)
		}
	}
}

func TestKerbsRise(t *testing.T) {
	r := hilly(t)
	p := r.Line().At(364)
	flat := func(left float64) float64 { return p.Pos.Z + left*math.Tan(p.Bank) }
	near.Value(t, "width of the road there", p.Left, 5.75, 0.01)
	near.Value(t, "edge", tall(r, p.Offset(p.Left))-flat(p.Left), 0, 1e-9)
	near.Value(t, "back", tall(r, p.Offset(p.Left+0.5))-flat(p.Left+0.5), 0.04, 1e-9)
	near.Value(t, "behind", tall(r, p.Offset(p.Left+1.25))-flat(p.Left+1.25), 0, 1e-9)
}

func TestALevelRingIsLevel(t *testing.T) {
	l := Default()
	l.KerbHeight = 0
	r := ring(t, l)
	if !road.IsPlane(r) || road.IsPlane(hilly(t)) {
		t.Error("a level road is not known, or a hilly one taken for level")
	}
	if c := r.Touch(r3.Vec{X: 3, Y: 4, Z: 0.25}); c.Normal != (r3.Vec{Z: 1}) || c.Depth != -0.25 {
		t.Errorf("%+v", c)
	}
}

func TestBadLayoutsSayWhy(t *testing.T) {
	circle := []Piece{left(360, 100, 0)}
	steep := 1e5
	tests := []struct {
		name string
		edit func(l *Plan)
		want string
	}{
		{"nothing", func(l *Plan) { l.Pieces = nil }, "piece has 0 entries: must be 1 to 1000"},
		{"one free straight", func(l *Plan) { l.Pieces = []Piece{free(1), left(360, 100, 0)} }, "piece[0].free: 1 straights are free"},
		{"three free straights", func(l *Plan) {
			l.Pieces = []Piece{free(1), left(90, 20, 10), free(1), left(270, 20, 10), free(1)}
		}, "piece[4].free: 3 straights are free"},
		{"not round", func(l *Plan) { l.Pieces = []Piece{free(1), left(90, 20, 10), free(1)} }, "turn by 90.000° in total"},
		{"parallel", func(l *Plan) {
			l.Pieces = []Piece{free(100), left(180, 50, 20), free(100), left(180, 50, 20)}
		}, "nearly parallel"},
		{"no room", func(l *Plan) {
			l.Pieces = []Piece{free(9), left(90, 20, 10), free(9), left(90, 90, 10), straight(9), left(180, 20, 10)}
		}, "change a bend"},
		{"does not close", func(l *Plan) { l.Pieces = []Piece{left(180, 50, 0), straight(10), left(180, 50, 0)} }, "the end is 10 m from"},
		{"ramp too long", func(l *Plan) { l.Pieces = []Piece{free(9), left(10, 20, 10), free(9)} }, "piece[1].ramp_m = 10"},
		{"bank without ramps", func(l *Plan) {
			l.Pieces = []Piece{left(180, 50, 0), left(180, 50, 0)}
			l.Pieces[1].Bank = 5
		}, "piece[1].bank_deg = 5: needs ramp_m"},
		{"backward", func(l *Plan) { l.Pieces = []Piece{straight(-1)} }, "piece[0].length_m = -1"},
		{"free bend", func(l *Plan) { l.Pieces = []Piece{{Turn: 360, Radius: 50, Free: true}} }, "only for a straight"},
		{"near itself", func(l *Plan) {
			l.Pieces = []Piece{straight(200), left(180, 8, 0), straight(200), left(180, 8, 0)}
		}, "of itself at"},
		{"too high", func(l *Plan) { l.Pieces[0].Height = &steep }, "height_m = 100000"},
		{"kerb", func(l *Plan) { l.Pieces[0].Kerb = "left" }, `kerb = "left": must be`},
		{"surface", func(l *Plan) { l.Road = "ise" }, `surface "ise" not found`},
		{"piece", func(l *Plan) { l.Parts = []Part{{Stretch{"x", 0, 1, 0, 0}, "ice", ""}} }, `part[0].on = "x" not found`},
		{"order", func(l *Plan) { l.Parts = []Part{{Stretch{"", 5, 5, 0, 0}, "ice", ""}} }, "must be less than to_m"},
		{"sides", func(l *Plan) { l.Parts = []Part{{Stretch{"", 0, 5, 2, 1}, "ice", ""}} }, "left_m must be greater"},
		{"kind", func(l *Plan) { l.Features = []Feature{{Stretch{"", 0, 5, 0, 0}, "hole", 1, 0, 0}} }, `kind = "hole": must be`},
		{"short ramp", func(l *Plan) {
			l.Features = []Feature{{Stretch{"", 0, 15, 0, 0}, "ramp", 2000, 0, 20}}
		}, "15 m long: must be at least"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Default()
			l.Pieces = append([]Piece(nil), circle...)
			tt.edit(&l)
			_, _, err := NewRibbon(l, road.SurfaceNamed)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// So far away all is verge.
func TestBeyondAllRoads(t *testing.T) {
	l := Default()
	l.Pieces = []Piece{left(360, 100, 0)}
	r, _, err := NewRibbon(l, road.SurfaceNamed)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{1e10, math.Inf(1), math.NaN()} {
		c := r.Touch(r3.Vec{X: x, Z: 1})
		if name := r.Surfaces()[c.Material].Name; name != "grass" || c.Surface != r.Surfaces()[c.Material].Tire || c.Depth != -1 {
			t.Errorf("at %g m: %s, %+v", x, name, c)
		}
	}
}

func TestAreasAreFew(t *testing.T) {
	l := Default()
	l.Pieces = []Piece{left(360, 100, 0)}
	for _, name := range []string{"a", "b", "a", "c", "d", "e", "f", "g"} {
		l.Parts = append(l.Parts, Part{Stretch{"", 0, 9, 0, 0}, "", name})
	}
	if _, areas, err := NewRibbon(l, road.SurfaceNamed); err != nil || strings.Join(areas, "") != "abcdefg" {
		t.Errorf("areas %v, error %v", areas, err)
	}
	l.Parts = append(l.Parts, Part{Stretch{"", 0, 9, 0, 0}, "", "h"})
	if _, _, err := NewRibbon(l, road.SurfaceNamed); err == nil || !strings.Contains(err.Error(), `area "h"`) {
		t.Errorf("error %v", err)
	}
}

func TestPitLane(t *testing.T) {
	pit := road.PitLane{From: 580, To: 30, Right: -14, Left: -9}
	for _, tt := range []struct {
		station, lateral float64
		want             bool
	}{{590, -10, true}, {10, -10, true}, {31, -10, false}, {579, -10, false}, {10, -3, false}} {
		if got := pit.Contains(tt.station, tt.lateral, 600); got != tt.want {
			t.Errorf("%g m, %g m to the left: %t", tt.station, tt.lateral, got)
		}
	}
}

func TestTheLoopsFunctionsAllocateNothing(t *testing.T) {
	r := hilly(t)
	if n := testing.AllocsPerRun(100, func() {
		s, _ := r.Line().Nearest(r3.Vec{X: 50, Y: 3}, 48)
		_ = r.Line().At(s + 10)
		_ = r.Touch(r3.Vec{X: 320, Y: 9})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkRibbonTouch(b *testing.B) {
	r := hilly(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Touch(r3.Vec{X: float64(i&511) * 0.6, Y: 2, Z: 0.3})
	}
}
