package road

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// plain is a surface with a pattern and nothing else.
func plain(t testing.TB, p Profile) Surface {
	t.Helper()
	s := named(t, "tarmac")
	s.Roughness, s.Profile = Roughness{}, p
	return s
}

// halved is level, of material 0 on the right of the world's x and 1 on its left.
type halved struct{ Flat }

func (g halved) Touch(p r3.Vec) Contact {
	c := g.Flat.Touch(p)
	if p.Y > 0 {
		c.Material, c.AreaNumber = 1, 3
	}
	return c
}

// A wave of 10 mm every 0.4 m: half way up, 5 mm, it is π/40 steep.
func TestAPatternIsLaidOnTheLevel(t *testing.T) {
	g := paved(t, Flat{}, 0, plain(t, Profile{Kind: "rumble", Height: 0.01, Pitch: 0.4}))
	up := 1 / math.Sqrt(1+math.Pi*math.Pi/1600)
	got := g.Touch(r3.Vec{X: 0.5, Y: 7, Z: 0.3})
	nearVec(t, "point", got.Point, r3.Vec{X: 0.5, Y: 7, Z: 0.005})
	nearVec(t, "normal", got.Normal, r3.Vec{X: -math.Pi / 40 * up, Z: up})
	near.Value(t, "depth", got.Depth, -0.295*up, 1e-12)
	if got.Surface != tire.Dry() {
		t.Errorf("surface %+v", got.Surface)
	}
}

// On 3 in 4 along x, the foot of (0, y, 1) is 0.48 m back: patterns count by the world's x.
func TestAPatternIsLaidAlongTheNormal(t *testing.T) {
	slopes := Profile{Kind: "kerb", Height: 0.02, Pitch: 0.5, Length: 0.4} // 0.05 up over 0.4 m
	g := paved(t, incline{}, 0, plain(t, slopes))
	got := g.Touch(r3.Vec{X: 0.1 - 0.6, Z: 0.075 + 0.8}) // 1 m above the plane at x = 0.1
	nearVec(t, "point", got.Point, r3.Vec{X: 0.1 - 0.6*0.005, Z: 0.075 + 0.8*0.005})
	// 0.05 for each metre of x is 0.04 for each metre along the slope.
	up := 1 / math.Sqrt(1+0.04*0.04)
	nearVec(t, "normal", got.Normal, r3.Vec{X: up * (-0.6 - 0.04*0.8), Z: up * (0.8 - 0.04*0.6)})
	near.Value(t, "depth", got.Depth, -0.995*up, 1e-12)
}

func TestEachMaterialIsWhatItsSurfaceSays(t *testing.T) {
	ice := named(t, "ice")
	ice.Roughness = Roughness{}
	g := paved(t, halved{}, 0, plain(t, Profile{Kind: "bumps", Height: 0.05, Pitch: 10, Length: 2}), ice)
	right, left := g.Touch(r3.Vec{X: 1, Y: -1, Z: 0.3}), g.Touch(r3.Vec{X: 1, Y: 1, Z: 0.3})
	near.Value(t, "height on the right", right.Point.Z, 0.05, 1e-12)
	near.Value(t, "height on the left", left.Point.Z, 0, 0)
	if left.Surface != ice.Tire || left.Material != 1 || left.AreaNumber != 3 || right.Material != 0 {
		t.Errorf("%+v and %+v", right, left)
	}
	bare := paved(t, halved{}, 0, plain(t, defaultProfile("rumble"))).Touch(r3.Vec{X: 1, Y: 1, Z: 0.3})
	if want := (halved{}).Touch(r3.Vec{X: 1, Y: 1, Z: 0.3}); bare != want {
		t.Errorf("beyond the list %+v, want %+v", bare, want)
	}
}

// From class A to C the same ground is four times as high.
func TestRoughnessesAreOneGround(t *testing.T) {
	fine, coarse := named(t, "tarmac"), named(t, "tarmac")
	coarse.Roughness = Roughness{'C', 1}
	coarse.Name = "worn"
	g := paved(t, halved{}, 9, fine, coarse)
	for i := range 100 {
		x := 1.7 * float64(i)
		right, left := g.Touch(r3.Vec{X: x, Y: -1e-9}).Point.Z, g.Touch(r3.Vec{X: x, Y: 1e-9}).Point.Z
		near.Value(t, "height", left, 4*right, 1e-8)
	}
}

// carousel has its road round the origin, to the left, of radius 50 m.
type carousel struct{ Flat }

func (carousel) Locate(p r3.Vec) (along, across float64) {
	return 50 * math.Atan2(p.Y, p.X), 50 - math.Hypot(p.X, p.Y)
}

// The slope of what is laid along a bend is that of its heights, its start included.
func TestPatternsFollowTheRoad(t *testing.T) {
	for _, kind := range []string{"rumble", "blocks"} {
		g := paved(t, carousel{}, 0, plain(t, defaultProfile(kind)))
		const d = 1e-6
		for i := range 500 {
			at := 0.31 * float64(i)
			p := r3.Vec{X: (47 + 0.01*float64(i)) * math.Cos(at), Y: (47 + 0.01*float64(i)) * math.Sin(at)}
			n := g.Touch(p).Normal
			z := g.Touch(p).Point.Z
			east := g.Touch(r3.Vec{X: p.X + d, Y: p.Y}).Point.Z
			north := g.Touch(r3.Vec{X: p.X, Y: p.Y + d}).Point.Z
			near.Value(t, kind+" along x", -n.X/n.Z, (east-z)/d, 2e-3)
			near.Value(t, kind+" along y", -n.Y/n.Z, (north-z)/d, 2e-3)
		}
	}
	top := paved(t, carousel{}, 0, plain(t, Profile{Kind: "bumps", Height: 0.05, Pitch: 10, Length: 2}))
	near.Value(t, "a bump one metre on", top.Touch(r3.Vec{X: 50 * math.Cos(0.02), Y: 50 * math.Sin(0.02)}).Point.Z, 0.05, 1e-9)
}

func TestAtTheStartOfALapSlopesStayFinite(t *testing.T) {
	g := paved(t, carousel{}, 0, plain(t, defaultProfile("kerb")))
	for i := range 200 {
		n := g.Touch(r3.Vec{X: -50, Y: 1e-4 * float64(i-100)}).Normal
		if !(n.Z > 0.9) {
			t.Fatalf("normal %v", n)
		}
	}
}

func TestWallsGoAboutAPavement(t *testing.T) {
	g := paved(t, Flat{}, 0, named(t, "cobbles"))
	walls := []Wall{{To: r3.Vec{X: 10}, Height: 1, Thickness: 3}}
	f, err := WithWalls(g, walls)
	if err != nil {
		t.Fatal(err)
	}
	if list := SurfacesOf(f); len(list) != 1 || list[0].Name != "cobbles" {
		t.Errorf("through walls: %+v", list)
	}
	if _, err := Pave(f, nil, 0); err == nil || !strings.Contains(err.Error(), "pave it first") {
		t.Errorf("error %v", err)
	}
	if IsPlane(g) || !IsPlane(paved(t, Flat{}, 0, plain(t, Profile{}))) {
		t.Error("cobbles are level, or even ground is not")
	}
	if SurfacesOf(Flat{}) != nil {
		t.Error("a ground that tells nothing has surfaces")
	}
}

func TestPaveTakesWhatTheGroundTells(t *testing.T) {
	inner := paved(t, Flat{}, 0, named(t, "gravel"))
	outer, err := Pave(inner, nil, 0)
	if err != nil || outer.Surfaces()[0].Name != "gravel" || outer.Base() != Ground(inner) {
		t.Errorf("%+v, %v", outer, err)
	}
}

func TestSurfacesIsACopy(t *testing.T) {
	s := named(t, "tarmac")
	s.ModelGrip = map[string]float64{"brush": 0.9}
	g := paved(t, Flat{}, 0, s)
	s.ModelGrip["brush"] = 0.1
	g.Surfaces()[0].ModelGrip["brush"] = 0.2
	g.Surfaces()[0].Name = "lava"
	if got := g.Surfaces()[0]; got.ModelGrip["brush"] != 0.9 || got.Name != "tarmac" {
		t.Errorf("changed from outside: %+v", got)
	}
}

func TestWhatCannotBePavedSaysWhy(t *testing.T) {
	bad := named(t, "ice")
	bad.Tire.Grip = math.Inf(1)
	for _, tt := range []struct {
		name string
		list []Surface
		want string
	}{
		{"nothing", nil, "0 surfaces: must be 1 to 256"},
		{"too many", make([]Surface, 257), "257 surfaces"},
		{"bad one", []Surface{bad}, "road: surface.ice.grip = +Inf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Pave(Flat{}, tt.list, 0); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestPavementAllocatesNothing(t *testing.T) {
	list := []Pavement{*paved(t, Flat{}, 0, named(t, "cobbles")), *paved(t, carousel{}, 0, named(t, "kerb"))}
	if n := testing.AllocsPerRun(100, func() {
		for i := range list {
			list[i].Touch(r3.Vec{X: 3, Y: 4, Z: 0.3})
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkPavement(b *testing.B) {
	for _, tt := range []struct {
		name string
		g    Ground
	}{
		{"bare", Flat{}},
		{"tarmac", paved(b, Flat{}, 0, named(b, "tarmac"))},
		{"cobbles", paved(b, Flat{}, 0, named(b, "cobbles"))},
		{"a bare road", WithLine(Flat{}, ringLine(b), nil)},
		{"cobbles along a road", paved(b, WithLine(Flat{}, ringLine(b), nil), 0, named(b, "cobbles"))},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			p := r3.Vec{Z: 0.3}
			for b.Loop() {
				tt.g.Touch(p)
				p.X = math.Mod(p.X+0.05, 250)
			}
		})
	}
}

func FuzzPavement(f *testing.F) {
	g := paved(f, Flat{}, 1, named(f, "cobbles"))
	f.Add(1e300, -3.0, 0.3)
	f.Add(9.99e6, 2.0, -1e9)
	f.Fuzz(func(t *testing.T, x, y, z float64) {
		c := g.Touch(r3.Vec{X: x, Y: y, Z: z})
		if sane := math.Abs(x) < 1e300 && math.Abs(y) < 1e300 && math.Abs(z) < 1e300; sane && !(c.Normal.Z > 0.3 && math.Abs(c.Point.Z) < 0.2 && math.Abs(c.Depth) <= 2*math.Abs(z)+1) {
			t.Fatalf("%+v", c)
		}
	})
}

// incline rises 3 m in 4 m along x.
type incline struct{}

func (incline) Touch(p r3.Vec) Contact {
	n := r3.Vec{X: -0.6, Z: 0.8}
	depth := -r3.Dot(p, n)
	return Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth, Surface: tire.Dry()}
}

func (incline) IsPlane() bool { return true }

func nearVec(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= 1e-12) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}
