package suspension

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/road/mesh"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
	"rig.example/rig/test/testground"
)

func meshOf(t testing.TB, positions []float64, indices ...uint32) *mesh.Mesh {
	t.Helper()
	m, err := mesh.Build(mesh.Triangles{Positions: positions, Indices: indices}, mesh.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stepMesh is kerbAcross as a mesh, but for its height of 1/16 m.
func stepMesh(t testing.TB) *mesh.Mesh {
	const h, far = 1.0 / 16, 8
	return meshOf(t, []float64{
		-far, -far, 0, 0, -far, 0, 0, far, 0, -far, far, 0,
		0, -far, h, far, -far, h, far, far, h, 0, far, h,
	}, 0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 1, 4, 7, 1, 7, 2)
}

func slopeMesh(t testing.TB) *mesh.Mesh { // z = x/4
	return meshOf(t, []float64{-32, -32, -8, 32, -32, 8, 32, 32, 8, -32, 32, -8}, 0, 1, 2, 0, 2, 3)
}

var castKinds = []string{"sphere", "cylinder"}

func TestCastFootingsAgreeOnPlanes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, g := range []road.Ground{slopeMesh(t), testground.NewPlane(0.3, 0.7, tire.Dry()), road.Asphalt()} {
		for range 2000 {
			hub := r3.Vec{X: 10 * r.Float64(), Y: 10 * r.Float64()}
			hub.Z = g.Touch(hub).Point.Z + 0.15 + 0.3*r.Float64()
			axle := axleAt(r.NormFloat64(), r.NormFloat64()/5)
			want := g.Touch(hub)
			for _, kind := range castKinds {
				got := footingOf(t, kind).touch(g, hub, axle, wheelRadius)
				off := math.Abs(got.Depth-want.Depth) + r3.Norm(r3.Sub(got.Normal, want.Normal)) + r3.Norm(r3.Sub(got.Point, want.Point))
				if !(off < 1e-12) {
					t.Fatalf("%s on %T: %+v, want %+v", kind, g, got, want)
				}
			}
		}
	}
}

// A rigid cylinder, and a sphere, over an edge of height h: z = h + √(r² - x²).
func TestACastWheelRollsOverAnEdge(t *testing.T) {
	g := stepMesh(t)
	const h = 1.0 / 16
	for _, kind := range castKinds {
		f := footingOf(t, kind)
		for x := -0.4; x < 0.1; x += 0.0037 {
			want := wheelRadius
			if x > 0 {
				want = wheelRadius + h
			} else if -x < wheelRadius {
				want = max(want, h+math.Sqrt(wheelRadius*wheelRadius-x*x))
			}
			near.Value(t, kind, resting(f, g, x), want, 1e-9)
		}
	}
}

// A wheel along an edge: the cylinder stands on it as soon as its tread, 0.2 m
// wide, is over it; the sphere as on one across.
func TestACastWheelBesideAnEdge(t *testing.T) {
	g := stepMesh(t)
	for _, tt := range []struct {
		kind string
		x, z float64
	}{
		{"cylinder", -0.11, 0.3}, {"cylinder", -0.09, 0.3625},
		{"sphere", -0.11, 0.0625 + math.Sqrt(0.09-0.0121)}, {"sphere", -0.2, 0.3},
	} {
		c := footingOf(t, tt.kind).touch(g, r3.Vec{X: tt.x, Z: tt.z}, r3.Vec{X: 1}, wheelRadius)
		near.Value(t, tt.kind, -c.Depth, wheelRadius, 1e-9)
	}
}

// Where nothing can be cast, and where the wheel begins in a wall, it is a sweep.
func TestCastFootingsFallBackToTheSweep(t *testing.T) {
	wall := meshOf(t, []float64{-8, -8, 0, 8, -8, 0, 8, 8, 0, -8, 8, 0, 0.2, -8, 0, 0.2, 8, 0, 0.2, 0, 9}, 0, 1, 2, 0, 2, 3, 4, 5, 6)
	for _, tt := range []struct {
		name string
		g    road.Ground
		hub  r3.Vec
	}{
		{"kerb", kerbAcross(), r3.Vec{X: -0.1, Z: 0.29}},
		{"wall", wall, r3.Vec{X: 0.1, Z: 0.29}},
	} {
		want := footingOf(t, "sweep").touch(tt.g, tt.hub, levelAxle, wheelRadius)
		for _, kind := range castKinds {
			if got := footingOf(t, kind).touch(tt.g, tt.hub, levelAxle, wheelRadius); got != want {
				t.Errorf("%s, %s: %+v, want %+v", tt.name, kind, got, want)
			}
		}
	}
	high := r3.Vec{X: -3, Z: 2}
	if got := footingOf(t, "sphere").touch(wall, high, levelAxle, wheelRadius); got != wall.Touch(high) {
		t.Errorf("in the air: %+v", got)
	}
}

// A sphere and a cylinder rest on a plane at the foot of their hub, and find there
// what a ray finds that is laid on it.
func TestCastFootingsFeelThePavement(t *testing.T) {
	for _, s := range []road.Surface{
		{Name: "even", Tire: tire.Dry()},
		{Name: "rough", Tire: tire.Dry(), Roughness: road.Roughness{Class: 'C', HeightFactor: 1}},
	} {
		paved, err := road.Pave(slopeMesh(t), []road.Surface{s}, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(8, 8))
		for range 500 {
			hub := r3.Vec{X: 10 * r.Float64(), Y: 10 * r.Float64()}
			hub.Z = hub.X/4 + wheelRadius*math.Sqrt(17)/4 // it rests on the plane
			want := paved.Touch(hub)
			for _, kind := range castKinds {
				got := footingOf(t, kind).touch(paved, hub, levelAxle, wheelRadius)
				near.Value(t, kind+" on "+s.Name, got.Depth, want.Depth, 1e-9)
				if got.Surface != want.Surface || road.SweeperOf(paved) == nil {
					t.Fatalf("%s on %s: %+v, want %+v", kind, s.Name, got, want)
				}
			}
		}
	}
	if road.SweeperOf(road.Asphalt()) != nil {
		t.Error("level asphalt casts")
	}
}

// castPlane is a plane that casts.
type castPlane struct{ testground.Plane }

func (p castPlane) SweepSphere(from r3.Vec, radius float64, way r3.Vec) (road.Hit, bool) {
	c := p.Touch(from)
	at := -(-c.Depth - radius) / r3.Dot(way, c.Normal)
	return road.Hit{Fraction: at, Normal: c.Normal, Surface: c.Surface,
		Point: r3.Sub(r3.Add(from, r3.Scale(at, way)), r3.Scale(radius, c.Normal))}, at >= 0 && at <= 1
}

func (p castPlane) SweepCylinder(from, axle r3.Vec, radius, half float64, way r3.Vec) (road.Hit, bool) {
	along := r3.Dot(axle, p.Touch(from).Normal)
	return p.SweepSphere(from, radius*math.Sqrt(1-along*along)+half*math.Abs(along), way)
}

func TestCastFootingsMirror(t *testing.T) {
	left, right := castPlane{testground.NewPlane(0.2, 0.8, tire.Dry())}, castPlane{testground.NewPlane(0.2, -0.8, tire.Dry())}
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range castKinds {
		f := footingOf(t, kind)
		for range 10_000 {
			hub := r3.Vec{X: r.NormFloat64() / 5, Y: r.NormFloat64() / 5, Z: 0.2 + 0.2*r.Float64()}
			axle := axleAt(r.NormFloat64(), r.NormFloat64()/5)
			one := f.touch(left, hub, axle, wheelRadius)
			hub.Y = -hub.Y
			other := f.touch(right, hub, r3.Vec{X: -axle.X, Y: axle.Y, Z: -axle.Z}, wheelRadius)
			other.Point.Y, other.Normal.Y = -other.Point.Y, -other.Normal.Y
			if one != other {
				t.Fatalf("%s, hub %v, axle %v:\n%+v\n%+v", kind, hub, axle, one, other)
			}
		}
	}
}

func TestCastFootingsAreFiniteAndFree(t *testing.T) {
	level.SkipIfQuick(t)
	r := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, 1e-9, math.Inf(1), math.NaN(), 1e300, -0.3}
	for _, g := range []road.Ground{stepMesh(t), slopeMesh(t)} {
		for _, kind := range castKinds {
			f := footingOf(t, kind)
			for range 20_000 {
				hub := r3.Vec{X: r.NormFloat64() / 3, Y: r.NormFloat64() / 3, Z: 0.3 * r.Float64()}
				c := f.touch(g, hub, axleAt(7*r.Float64(), 3*r.NormFloat64()), wheelRadius)
				if d := c.Depth + r3.Norm(c.Point); math.IsNaN(d) || math.IsInf(d, 0) || math.Abs(r3.Norm(c.Normal)-1) > 1e-9 {
					t.Fatalf("%s: hub %v on %T: %+v", kind, hub, g, c)
				}
			}
			for _, v := range odd { // must return
				f.touch(g, r3.Vec{X: v, Z: 0.3}, levelAxle, wheelRadius)
				f.touch(g, r3.Vec{Z: v}, levelAxle, wheelRadius)
				f.touch(g, r3.Vec{Z: 0.3}, r3.Vec{X: v}, wheelRadius)
				f.touch(g, r3.Vec{Z: 0.3}, levelAxle, v)
			}
			if n := testing.AllocsPerRun(100, func() { f.touch(g, r3.Vec{X: -0.1, Z: 0.3}, levelAxle, wheelRadius) }); n != 0 {
				t.Errorf("%s: %g allocations", kind, n)
			}
		}
	}
}

func BenchmarkCastFooting(b *testing.B) {
	g := stepMesh(b)
	for _, kind := range append(castKinds, "ray", "sweep") {
		b.Run(kind, func(b *testing.B) {
			f := footingOf(b, kind)
			for b.Loop() {
				f.touch(g, r3.Vec{X: -0.1, Z: 0.29}, levelAxle, wheelRadius)
			}
		})
	}
}
