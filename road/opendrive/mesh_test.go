package opendrive

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

func build(t testing.TB, m *Map, o Options) *Mesh {
	t.Helper()
	mesh, err := m.Mesh(o)
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// corners returns a triangle's corners.
func (m *Mesh) corners(i int) (a, b, c r3.Vec) {
	return m.Positions[m.Indices[3*i]], m.Positions[m.Indices[3*i+1]], m.Positions[m.Indices[3*i+2]]
}

// above returns the height of the mesh at a place, and of which surface; NaN if
// there is none.
func (m *Mesh) above(x, y float64) (z float64, surface string) {
	for i := range m.Surface {
		a, b, c := m.corners(i)
		if x < min(a.X, b.X, c.X) || x > max(a.X, b.X, c.X) || y < min(a.Y, b.Y, c.Y) || y > max(a.Y, b.Y, c.Y) {
			continue
		}
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		inside := func(p, q r3.Vec) bool { return (q.X-p.X)*(y-p.Y)-(q.Y-p.Y)*(x-p.X) >= -1e-12 }
		if n.Z > 1e-12 && inside(a, b) && inside(b, c) && inside(c, a) {
			return a.Z - (n.X*(x-a.X)+n.Y*(y-a.Y))/n.Z, m.Surfaces[m.Surface[i]].Name
		}
	}
	return math.NaN(), ""
}

func TestStraightRoadIsFewTriangles(t *testing.T) {
	o := DefaultOptions()
	o.Step = 50
	mesh := build(t, parse(t, file(100, straight100, "", twoLanes)), o)
	if len(mesh.Surface) != 8 || len(mesh.Positions) != 9 {
		t.Errorf("%d triangles on %d vertices, want 8 on 9", len(mesh.Surface), len(mesh.Positions))
	}
	want := []Surface{{Name: "driving", Lane: "driving"}}
	if !slices.Equal(mesh.Surfaces, want) {
		t.Errorf("surfaces %+v", mesh.Surfaces)
	}
}

// A crown within a lane is an edge of triangles with a narrow strip on both sides, not many
// strips.
func TestCrownIsFewTriangles(t *testing.T) {
	o := DefaultOptions()
	o.Step = 50
	const crown = `<lateralProfile><shape s="0" t="-9" a="0" b="0.02"/><shape s="0" t="1" a="0.2" b="-0.02"/></lateralProfile>`
	mesh := build(t, parse(t, file(100, straight100, crown, twoLanes)), o)
	if len(mesh.Surface) != 20 {
		t.Errorf("%d triangles, want 20", len(mesh.Surface))
	}
	z, _ := mesh.above(33, 1)
	near.Value(t, "crown", z, 0.2, 1e-12)
}

// A chord of length l lies l²/(8r) beside a circle of radius r, here 53.5 m.
func TestStepFollowsTheChordError(t *testing.T) {
	m := parse(t, file(100, geometry(0, 0, 0, 0, 100, `<arc curvature="-0.02"/>`), "", twoLanes))
	for _, chord := range []float64{0.001, 0.002, 0.05} {
		o := DefaultOptions()
		o.Chord = chord
		mesh := build(t, m, o)
		steps := float64(len(mesh.Surface)) / 4
		length := 107 / steps
		if sag := length * length / (8 * 53.5); sag > chord || sag < chord/8 {
			t.Errorf("allowed %g m: chords of %.2f m lie %.4f m off", chord, length, sag)
		}
	}
}

// uneven are roads whose surface bends every way.
func uneven(t testing.TB) map[string]*Map {
	const rising = `<elevationProfile><elevation s="0" a="0" c="0.001" d="-0.000003"/></elevationProfile>`
	const drifting = `<laneOffset s="0" a="-4" b="0.08"/>` + twoLanes
	lateral := func(in string) string { return "<lateralProfile>" + in + "</lateralProfile>" }
	return map[string]*Map{
		"parts":               parts(t),
		"spiral on a hill":    parse(t, file(200, geometry(0, 0, 0, 0, 200, `<spiral curvStart="0" curvEnd="0.04"/>`), rising+lateral(`<superelevation s="0" a="0" b="0.002"/>`), twoLanes)),
		"lanes over a crown":  parse(t, file(100, geometry(0, 0, 0, 0, 100, `<arc curvature="0.03"/>`), lateral(`<crossfall s="0" side="both" a="0.03" b="0.001"/>`), drifting)),
		"shapes on a bank":    parse(t, file(100, straight100, lateral(`<superelevation s="0" a="0.2" b="-0.004"/><shape s="0" t="-4" a="0" c="0.02"/><shape s="0" t="1" a="0.5" c="-0.02"/><shape s="50" t="-3" a="0" b="0.1"/><shape s="50" t="0.3" a="0.33" b="-0.1"/><shape s="90" t="0" a="0"/>`), drifting)),
		"banking and bulging": parse(t, file(100, straight100, lateral(`<superelevation s="0" a="0" b="0.03" c="-0.0009" d="0.000006"/>`), `<laneSection s="0"><left><lane id="1" type="driving"><width sOffset="0" a="3" b="0.3" c="-0.006" d="0.00003"/></lane></left></laneSection>`)),
	}
}

func TestMeshLiesNearTheSurface(t *testing.T) {
	level.SkipIfQuick(t)
	for name, m := range uneven(t) {
		o := DefaultOptions()
		o.Roads = []string{"1"}
		mesh := build(t, m, o)
		road := m.Road("1")
		worst, at := 0.0, ""
		random := uint32(1)
		fraction := func() float64 { random = random*1664525 + 1013904223; return float64(random) / (1 << 32) }
		for range 3000 {
			s := fraction() * road.Length
			x := road.crossSection(road.section(s), s)
			lo, hi := x.edges(func(*Lane) bool { return true })
			side := (lo+hi)/2 + (fraction()-0.5)*(hi-lo-0.02)
			if kerbNear(&x, side) {
				continue
			}
			p := road.At(s, side)
			z, _ := mesh.above(p.Pos.X, p.Pos.Y)
			if off := math.Abs(z-p.Pos.Z) * p.Normal.Z; !(off <= worst) {
				worst, at = off, fmt.Sprintf("s %.3f t %.3f", s, side)
			}
		}
		t.Logf("%s: %d triangles, worst %.2f mm at %s", name, len(mesh.Surface), 1000*worst, at)
		if !(worst <= o.Chord) {
			t.Errorf("%s: %.4f m off at %s, want at most %g", name, worst, at, o.Chord)
		}
	}
}

// kerbNear reports whether t is beside a step between lanes, where the surface
// has two heights.
func kerbNear(x *crossSection, t float64) bool {
	for side := range x.sides {
		for _, sp := range x.sides[side] {
			if len(sp.lane.heights) > 0 && math.Abs(sp.inner-t) < 0.02 {
				return true
			}
		}
	}
	return false
}

// edges maps each directed edge of the mesh to how often it is used.
func edges(mesh *Mesh) map[[2]uint32]int {
	used := map[[2]uint32]int{}
	for i := 0; i < len(mesh.Indices); i += 3 {
		for k := range 3 {
			used[[2]uint32{mesh.Indices[i+k], mesh.Indices[i+(k+1)%3]}]++
		}
	}
	return used
}

// Every edge belongs to two triangles that run along it in opposite directions,
// but for one closed line round the road: there is no T-junction and no hole.
func TestMeshOfARoadHasOneOutline(t *testing.T) {
	const shaped = `<lateralProfile><shape s="0" t="-4" a="0" c="0.01"/><shape s="0" t="0.5" a="0.2" c="-0.01"/></lateralProfile>`
	const sections = `<laneOffset s="0" a="0" b="0.01"/><laneSection s="0">
		<left><lane id="1" type="driving"><width sOffset="0" a="3"/></lane></left>
		<right><lane id="-1" type="driving"><width sOffset="0" a="3"/></lane></right></laneSection>
		<laneSection s="31"><left>
		<lane id="1" type="driving"><width sOffset="0" a="1.7"/></lane>
		<lane id="2" type="driving"><width sOffset="0" a="1.3"/></lane>
		<lane id="3" type="shoulder"><width sOffset="0" a="0" b="0.1"/></lane></left>
		<right><lane id="-1" type="driving"><width sOffset="0" a="3.0004"/></lane></right></laneSection>
		<laneSection s="60.5"><left>
		<lane id="1" type="driving"><width sOffset="0" a="3"/></lane>
		<lane id="2" type="shoulder"><width sOffset="0" a="2.95"/></lane></left></laneSection>`
	one := func(s string) *Map { return parse(t, s) }
	for name, m := range map[string]*Map{
		"parts":         parts(t),
		"sections":      one(file(100, straight100, "", sections)),
		"shaped":        one(file(100, straight100, shaped, sections)),
		"tight arc":     one(file(100, geometry(0, 0, 0, 0, 100, `<arc curvature="0.03"/>`), shaped, sections)),
		"widening kerb": one(file(100, straight100, "", lanes(`<height sOffset="10" inner="0" outer="0"/><height sOffset="30" inner="0.2" outer="0.2"/>`, "false"))),
	} {
		o := DefaultOptions()
		o.Roads = []string{"1"}
		mesh := build(t, m, o)
		used := edges(mesh)
		next := map[uint32]uint32{}
		for e, n := range used {
			if n != 1 {
				t.Fatalf("%s: an edge is used %d times in one direction", name, n)
			}
			if used[[2]uint32{e[1], e[0]}] == 0 {
				if _, twice := next[e[0]]; twice {
					t.Fatalf("%s: the outline crosses itself at %v", name, mesh.Positions[e[0]])
				}
				next[e[0]] = e[1]
			}
		}
		from := uint32(math.MaxUint32)
		for at := range next {
			from = min(from, at)
		}
		length := 0
		for at := from; length == 0 || at != from; at = next[at] {
			length++
		}
		if length != len(next) {
			t.Errorf("%s: the outline has %d edges, %d are open", name, length, len(next))
		}
	}
}

func TestTrianglesLookUp(t *testing.T) {
	mesh := build(t, parts(t), DefaultOptions())
	kerbs := 0
	for i := range mesh.Surface {
		a, b, c := mesh.corners(i)
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		if mesh.Surfaces[mesh.Surface[i]].Name == "curb" {
			kerbs++
			// The sidewalk is left of the lane: its face looks to the right.
			if right := r3.Cross(r3.Vec{X: 1}, r3.Vec{Z: 1}); a.X < 100 && r3.Dot(n, right) <= 0 {
				t.Fatalf("face %d looks along %v", i, n)
			}
		} else if n.Z <= 0 {
			t.Fatalf("triangle %d of %s looks along %v", i, mesh.Surfaces[mesh.Surface[i]].Name, n)
		}
	}
	if kerbs == 0 {
		t.Error("no face between the lanes")
	}
}

func TestSurfacesOfTheMesh(t *testing.T) {
	m := parts(t)
	mesh := build(t, m, DefaultOptions())
	for _, tt := range []struct {
		s, t float64
		want string
	}{
		{10, 1, "driving/asphalt"}, {29.9, 1, "driving/asphalt"}, {30.1, 1, "driving/concrete"},
		{10, -1, "driving"}, {80, 5, "sidewalk"}, {200, -3, "entry"},
	} {
		p := m.Road("1").At(tt.s, tt.t).Pos
		if _, got := mesh.above(p.X, p.Y); got != tt.want {
			t.Errorf("at s %g t %g: %q, want %q", tt.s, tt.t, got, tt.want)
		}
	}
	p := m.Road("2").At(6, -4).Pos
	if z, name := mesh.above(p.X, p.Y); !math.IsNaN(z) {
		t.Errorf("a lane of type none is %q", name)
	}
	if i := slices.IndexFunc(mesh.Surfaces, func(s Surface) bool { return s.Name == "driving/concrete" }); i < 0 || mesh.Surfaces[i].Friction != 0.8 {
		t.Errorf("surfaces %+v", mesh.Surfaces)
	}
}

// A step in the road stays one: it is as short as the builder makes jumps.
func TestAJumpIsNotSmeared(t *testing.T) {
	m := parse(t, file(100, straight100, `<elevationProfile><elevation s="0" a="0"/><elevation s="42" a="0.05"/></elevationProfile>`, twoLanes))
	mesh := build(t, m, DefaultOptions())
	for x, want := range map[float64]float64{41.9: 0, 41.998: 0, 42.0001: 0.05, 43: 0.05} {
		z, _ := mesh.above(x, 1)
		near.Value(t, fmt.Sprintf("height at %g", x), z, want, 1e-9)
	}
}

func TestMeshFaults(t *testing.T) {
	m := parse(t, file(100, straight100, "", twoLanes))
	for _, tt := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Chord = math.NaN() }, "opendrive: chord error of NaN m: must be from 0.0001 to 1"},
		{func(o *Options) { o.Step = 0 }, "opendrive: step of 0 m: must be from 0.1 to 1000"},
		{func(o *Options) { o.MaxTriangles = 0 }, "opendrive: at most 0 triangles: must be from 1 to 1073741824"},
		{func(o *Options) { o.Roads = []string{"7"} }, "test.xodr: road 7: road not found: name one of the file"},
		{func(o *Options) { o.MaxTriangles = 20 }, "test.xodr: road 1: more than 20 triangles within 0.002 m of the road: raise chord_mm, or cut the network into parts, a file each"},
	} {
		o := DefaultOptions()
		tt.change(&o)
		if m, _ := m.Mesh(o); m != nil {
			t.Errorf("built without: %s", tt.want)
		}
		if _, err := m.Mesh(o); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}
