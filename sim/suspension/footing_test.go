package suspension

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
	"rig.example/rig/test/testground"
)

const (
	wheelRadius = 0.3  // radius of the tests' wheel [m]
	kerbside    = 0.05 // height of their kerb [m]
)

// touch finds the ground as Corner.Touch does.
func (f *footing) touch(g road.Ground, hub, axle r3.Vec, radius float64) road.Contact {
	below := g.Touch(hub)
	if !f.usesManyRays() {
		return below
	}
	return f.supportPlane(g, below, hub, axle, radius)
}

func footingOf(t testing.TB, kind string) *footing {
	t.Helper()
	p := DefaultFooting()
	p.Contact = kind
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	f := newFooting(p)
	return &f
}

// sightedKerb is a kerb along y at x = 0 that can be seen from above only.
type sightedKerb struct{}

func (sightedKerb) Touch(p r3.Vec) road.Contact {
	c := road.Asphalt().Touch(p)
	if p.X > 0 {
		c.Point.Z, c.Depth = kerbside, c.Depth+kerbside
	}
	return c
}

// kerbAcross is a step at x = 0, up along x.
func kerbAcross() road.Ground {
	return testground.NewKerb(0, 0, math.Inf(1), kerbside, tire.Dry())
}

// axleAt returns the axle of a wheel that is turned and leans to the right [rad].
func axleAt(steer, lean float64) r3.Vec {
	ss, cs := math.Sincos(steer)
	sl, cl := math.Sincos(lean)
	return r3.Vec{X: -ss * cl, Y: cs * cl, Z: sl}
}

var levelAxle = r3.Vec{Y: 1}

// squeezed returns how far the ground pushes into a disc [m] and along what.
func squeezed(c road.Contact, axle r3.Vec) (float64, r3.Vec) {
	forward := r3.Cross(axle, c.Normal)
	return wheelRadius + c.Depth/r3.Norm(forward), c.Normal
}

func TestFootingsAgreeOnPlanes(t *testing.T) {
	for _, slope := range []float64{0, 0.1, -0.6} {
		for _, axle := range []r3.Vec{levelAxle, axleAt(0.5, 0), axleAt(-0.3, 0.1), axleAt(2, -0.8)} {
			g := testground.NewPlane(slope, 0.7, tire.Dry())
			hub := r3.Vec{X: 120, Y: -30, Z: 90}
			hub = r3.Add(hub, r3.Scale(g.Touch(hub).Depth+0.28, g.Touch(hub).Normal))
			want := g.Touch(hub)
			for _, kind := range []string{"ray", "rays", "sweep"} {
				if got := footingOf(t, kind).touch(g, hub, axle, wheelRadius); got != want {
					t.Errorf("%s, slope %g, axle %v: %+v, want %+v", kind, slope, axle, got, want)
				}
			}
		}
	}
}

// resting returns the height at which a wheel with its hub at x rests [m].
func resting(f *footing, g road.Ground, x float64) float64 {
	low, high := 0.1, 0.5
	for range 50 {
		z := (low + high) / 2
		if q, _ := squeezed(f.touch(g, r3.Vec{X: x, Z: z}, levelAxle, wheelRadius), levelAxle); q > 0 {
			low = z
		} else {
			high = z
		}
	}
	return low
}

// A rigid cylinder over an edge: z = h + √(r² - x²).
func cylinder(x float64) float64 {
	if x > 0 {
		return wheelRadius + kerbside
	}
	if -x >= wheelRadius {
		return wheelRadius
	}
	return max(wheelRadius, kerbside+math.Sqrt(wheelRadius*wheelRadius-x*x))
}

func TestASweptWheelRollsOverAnEdgeAsACylinder(t *testing.T) {
	tests := []struct {
		name      string
		ground    road.Ground
		tolerance float64 // [m]
	}{
		{"faces can be seen", kerbAcross(), 1e-9},
		{"seen from above", sightedKerb{}, 7e-5}, // a third of the radius over 2¹⁰, on a slope of 0.66
	}
	f := footingOf(t, "sweep")
	for _, tt := range tests {
		for x := -0.4; x < 0.1; x += 0.0037 {
			if got, want := resting(f, tt.ground, x), cylinder(x); math.Abs(got-want) > tt.tolerance {
				t.Errorf("%s: at %.4f m the hub rests at %.6f m, want %.6f m", tt.name, x, got, want)
			}
		}
	}
}

// The rigid wheel is steepest where it meets the edge: dz/dx = x/(r - h) with
// x = √(2rh - h²), 0.1658/0.25 = 0.6633.
func TestAKerbMakesARayJumpAndNoSweep(t *testing.T) {
	const stride = 1e-3
	tests := []struct {
		kind      string
		low, high float64 // largest change of the resting height for a stride [m]
	}{
		{"ray", kerbside - 1e-6, kerbside + 1e-6},
		{"rays", 0.032, 0.034},
		{"sweep", 0.655e-3, 0.6634e-3},
	}
	for _, tt := range tests {
		f := footingOf(t, tt.kind)
		largest, last := 0.0, resting(f, kerbAcross(), -0.4)
		for x := -0.4 + stride; x < 0.1; x += stride {
			z := resting(f, kerbAcross(), x)
			largest = max(largest, math.Abs(z-last))
			last = z
		}
		if !(largest > tt.low && largest < tt.high) {
			t.Errorf("%s: changes by %.6f m in a millimetre, want %.6f to %.6f m", tt.kind, largest, tt.low, tt.high)
		}
	}
}

func TestAnEdgePushesFromItselfToTheHub(t *testing.T) {
	f := footingOf(t, "sweep")
	for _, hub := range []r3.Vec{{X: -0.1, Z: 0.29}, {X: -0.02, Z: 0.31}, {X: -0.14, Y: 3, Z: 0.28}} {
		got := f.touch(kerbAcross(), hub, levelAxle, wheelRadius)
		edge := r3.Vec{Y: hub.Y, Z: kerbside}
		way := r3.Sub(hub, edge)
		near.Value(t, "distance", -got.Depth, r3.Norm(way), 1e-9)
		near.Value(t, "off the way", r3.Norm(r3.Sub(got.Normal, r3.Unit(way))), 0, 1e-9)
		near.Value(t, "off the edge", r3.Norm(r3.Sub(got.Point, edge)), 0, 1e-9)
	}
}

// A hub held 2 cm too low: the push turns by degrees where the wheel leaves the
// ground for the edge, so that the force has no jump in size or direction.
func TestASweptForceIsContinuous(t *testing.T) {
	f := footingOf(t, "sweep")
	const stride = 1e-4
	var last r3.Vec
	for x := -0.4; x < 0.1; x += stride {
		q, n := squeezed(f.touch(kerbAcross(), r3.Vec{X: x, Z: wheelRadius - 0.02}, levelAxle, wheelRadius), levelAxle)
		push := r3.Scale(max(q, 0), n)
		if x > -0.4 {
			if jump := r3.Norm(r3.Sub(push, last)); jump > 2*stride {
				t.Errorf("at %.4f m the push jumps by %.6f m", x, jump)
			}
		}
		last = push
	}
}

// work returns what a spring of 1 N/m does in a tire on a closed way, and what
// it does on the parts of the way that it helps [J].
func work(f *footing, g road.Ground, axle r3.Vec, way []r3.Vec) (sum, given float64) {
	for i, from := range way {
		to := way[(i+1)%len(way)]
		const parts = 2000
		step := r3.Scale(1.0/parts, r3.Sub(to, from))
		for j := range parts {
			c := f.touch(g, r3.Add(from, r3.Scale(float64(j)+0.5, step)), axle, wheelRadius)
			q, n := squeezed(c, axle)
			lean := r3.Norm(r3.Cross(axle, n))
			w := max(q, 0) / lean * r3.Dot(n, step)
			sum += w
			given += max(w, 0)
		}
	}
	return sum, given
}

func TestASweptWheelGainsNothingOnItsWay(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	square := []r3.Vec{{X: -0.3, Z: 0.33}, {X: -0.3, Z: 0.27}, {X: 0.1, Z: 0.31}, {X: 0.1, Z: 0.36}}
	aside := []r3.Vec{{X: -0.13, Y: 0.2, Z: 0.3}, {X: -0.05, Y: 0.2, Z: 0.3}, {X: -0.07, Y: -0.3, Z: 0.31}, {X: -0.11, Y: -0.2, Z: 0.29}}
	banked := []r3.Vec{{X: 0.1, Y: -0.12, Z: 0.27}, {X: 0.2, Y: -0.01, Z: 0.29}, {X: 0.3, Y: -0.05, Z: 0.33}}
	bump := testground.NewBump(0, 0, 0.6, 0.08, tire.Dry())
	dip := testground.NewBump(0, 0, 1, -0.1, tire.Dry())
	tests := []struct {
		name   string
		ground road.Ground
		axle   r3.Vec
		way    []r3.Vec
		part   float64 // of the work done that may be left over
	}{
		{"over an edge", kerbAcross(), levelAxle, square, 1e-4},
		{"over an edge, seen from above", sightedKerb{}, levelAxle, square, 1e-3},
		{"along an edge at an angle", kerbAcross(), axleAt(0.35, 0), aside, 1e-3},
		{"along an edge, leaning", kerbAcross(), axleAt(0.35, 0.1), aside, 1e-3},
		{"over a bump", bump, levelAxle, square, 2e-3},
		{"over a bump at an angle", bump, axleAt(0.35, 0), aside, 1e-2},
		{"through a dip", dip, levelAxle, square, 1e-3},
		{"beside a kerb", testground.NewKerb(math.Pi/2, 0, 9, 0.05, tire.Dry()), levelAxle, banked, 1e-3},
	}
	f := footingOf(t, "sweep")
	for _, tt := range tests {
		sum, given := work(f, tt.ground, tt.axle, tt.way)
		t.Logf("%s: %.2e of %.2e J", tt.name, sum, given)
		if !(given > 1e-6) || math.Abs(sum) > tt.part*given {
			t.Errorf("%s: %.3g J are left of %.3g J, want less than %g of it", tt.name, sum, given, tt.part)
		}
	}
}

// A kerb under s of the tread's width carries 3s² - 2s³ of its height: the
// integral of the parabola.
func TestAnEdgeAlongTheWheelLiftsItByDegrees(t *testing.T) {
	f := footingOf(t, "sweep")
	beside := testground.NewKerb(math.Pi/2, 0, math.Inf(1), kerbside, tire.Dry())
	tests := []struct{ y, lift, slope float64 }{
		{-0.11, 0, 0},
		{-0.06, 0.05 * 0.104, 0.05 * 6 * (0.25 - 0.09) / 0.2},
		{-0.02, 0.05 * 0.352, 0.05 * 6 * (0.25 - 0.01) / 0.2},
		{0.01, 0.05, 0}, // the hub is over the kerb, and stays on its edge
	}
	for _, tt := range tests {
		got := f.touch(beside, r3.Vec{Y: tt.y, Z: 0.3}, levelAxle, wheelRadius)
		q, n := squeezed(got, levelAxle)
		near.Value(t, "lift", q, tt.lift, 5e-5)
		near.Value(t, "slope", -n.Y/n.Z, tt.slope, 1e-3)
	}
}

// counted counts how often the ground is asked.
type counted struct {
	road.Ground
	n *int
}

func (c counted) Touch(p r3.Vec) road.Contact { *c.n++; return c.Ground.Touch(p) }

func TestFootingsAskTheGroundSeldom(t *testing.T) {
	tests := []struct {
		name, kind string
		ground     road.Ground
		most       int
	}{
		{"ray", "ray", kerbAcross(), 1},
		{"even", "sweep", road.Asphalt(), 9},
		{"rays over an edge", "rays", kerbAcross(), 9},
		{"edge", "sweep", kerbAcross(), 17},
		{"edge, seen from above", "sweep", sightedKerb{}, 19},
		{"bump", "sweep", testground.NewBump(0, 0, 0.6, 0.08, tire.Dry()), 19},
	}
	for _, tt := range tests {
		f := footingOf(t, tt.kind)
		most := 0
		for x := -0.4; x < 0.4; x += 0.0013 {
			n := 0
			f.touch(counted{tt.ground, &n}, r3.Vec{X: x, Z: 0.3}, levelAxle, wheelRadius)
			most = max(most, n)
		}
		t.Logf("%s: %d", tt.name, most)
		if most > tt.most {
			t.Errorf("%s: %d touches, want at most %d", tt.name, most, tt.most)
		}
	}
}

func TestFootingsAreFiniteAndFree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	grounds := []road.Ground{road.Asphalt(), kerbAcross(), sightedKerb{}, testground.NewBump(1, 0, 0.3, 0.2, tire.Dry()),
		testground.NewPlane(1.2, 0.4, tire.Dry()), testground.NewKerb(2, 0, 0.1, 0.4, tire.Dry())}
	odd := []float64{0, 1e-9, math.Inf(1), math.NaN(), 1e300, -0.3}
	for _, kind := range []string{"ray", "rays", "sweep"} {
		f := footingOf(t, kind)
		for i := range 50_000 {
			g := grounds[i%len(grounds)]
			hub := r3.Vec{X: r.NormFloat64() / 3, Y: r.NormFloat64() / 3, Z: 0.3 * r.Float64()}
			axle := axleAt(7*r.Float64(), 3*r.NormFloat64())
			c := f.touch(g, hub, axle, wheelRadius)
			if d := c.Depth + r3.Norm(c.Normal) + r3.Norm(c.Point); math.IsNaN(d) || math.IsInf(d, 0) || math.Abs(r3.Norm(c.Normal)-1) > 1e-9 {
				t.Fatalf("%s: hub %v, axle %v on %T: %+v", kind, hub, axle, g, c)
			}
		}
		for _, v := range odd { // must return
			f.touch(kerbAcross(), r3.Vec{X: v, Z: 0.3}, levelAxle, wheelRadius)
			f.touch(kerbAcross(), r3.Vec{Z: v}, levelAxle, wheelRadius)
			f.touch(kerbAcross(), r3.Vec{Z: 0.3}, r3.Vec{X: v}, wheelRadius)
			f.touch(kerbAcross(), r3.Vec{Z: 0.3}, levelAxle, v)
		}
		g := kerbAcross()
		if n := testing.AllocsPerRun(100, func() { f.touch(g, r3.Vec{X: -0.1, Z: 0.3}, levelAxle, wheelRadius) }); n != 0 {
			t.Errorf("%s: %g allocations", kind, n)
		}
	}
}

func TestFootingsSayWhatIsWrong(t *testing.T) {
	err := Footing{Contact: "foot", Rays: 4, TreadWidth: 2}.Validate()
	for _, want := range []string{`ground_contact = "foot": must be ray, rays, sweep, sphere or cylinder`, "ground_rays = 4", "tire_width_m = 2: must be 0.05 to 0.6"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func BenchmarkFooting(b *testing.B) {
	grounds := []struct {
		name   string
		ground road.Ground
	}{{"", road.Asphalt()}, {"-kerb", kerbAcross()}, {"-bump", testground.NewBump(0, 0, 0.6, 0.08, tire.Dry())}}
	for _, g := range grounds {
		for _, kind := range []string{"ray", "rays", "sweep"} {
			b.Run(kind+g.name, func(b *testing.B) {
				f := footingOf(b, kind)
				b.ReportAllocs()
				for b.Loop() {
					f.touch(g.ground, r3.Vec{X: -0.1, Z: 0.29}, levelAxle, wheelRadius)
				}
			})
		}
	}
}
