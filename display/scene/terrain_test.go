package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

func oneScenery(s *frame.Scene) *Mesh {
	r := newRoadBuilder(s)
	return addScenery(s, r, newHeightField(s, r))
}

func oneGuide(s *frame.Scene) *Mesh {
	m, _ := buildGuide(s.Guides)
	return m
}

// The terrain is the field itself where it is not below the road, at every level.
func TestTerrainLiesWhereTheFieldSays(t *testing.T) {
	s := displaytest.Hill()
	ground := newTerrain(s, newRoadBuilder(s))
	for _, v := range ground.Vertices {
		x, y, z := float64(v.pos[0]), float64(v.pos[1]), float64(v.pos[2])
		if math.Abs(x) > 400 || math.Abs(y) > 250 {
			continue // the apron
		}
		if z > displaytest.HillHeight(y)+1e-4 {
			t.Fatalf("at %v, above the ground", v.pos)
		}
		far := math.Abs(math.Hypot(max(math.Abs(x)-150, 0), y) - displaytest.OvalRadius)
		if far > 60 && math.Abs(z-displaytest.HillHeight(y)) > 1e-4 {
			t.Fatalf("at %v, want it %.2f m high", v.pos, displaytest.HillHeight(y))
		}
	}
}

// Wherever there is road or verge, every level of the terrain is below it: its triangles
// are sampled at their corners and within.
func TestTerrainIsBelowTheRoad(t *testing.T) {
	s := displaytest.Hill()
	r := newRoadBuilder(s)
	ground := newTerrain(s, r)
	onRoad := func(x, y float64) (float64, bool) {
		for i := range len(r.rows) - 1 {
			if z, on := heightBetween(&r.rows[i], &r.rows[i+1], x, y); on {
				return z, true
			}
		}
		return 0, false
	}
	checked := 0
	for k := 0; k < len(ground.patches); k += 3 {
		for level, cells := range ground.patches[k].levels {
			for i := cells.First; i < cells.First+cells.Count; i += 3 << max(0, 4-2*level) {
				var sum mgl64.Vec3
				for c := range 3 {
					sum = sum.Add(vec64(ground.Vertices[ground.Indices[i+c]].pos))
				}
				sum = sum.Mul(1.0 / 3)
				if z, on := onRoad(sum[0], sum[1]); on {
					if checked++; sum[2] > z+1e-3 {
						t.Fatalf("level %d: at %.1f, %.1f the terrain is %.3f m above the road", level, sum[0], sum[1], sum[2]-z)
					}
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d triangles were below the road", checked)
	}
}

func TestTerrainFacesUp(t *testing.T) {
	s := displaytest.Hill()
	ground := newTerrain(s, newRoadBuilder(s))
	for i := 0; i < len(ground.Indices); i += 3 {
		a, b, c := ground.Vertices[ground.Indices[i]].pos, ground.Vertices[ground.Indices[i+1]].pos, ground.Vertices[ground.Indices[i+2]].pos
		if up := b.Sub(a).Cross(c.Sub(a))[2]; !(up > 0) {
			t.Fatalf("triangle %d (%v %v %v) does not face up", i/3, a, b, c)
		}
	}
}

// Every level covers the field once, and the apron goes on to the horizon.
func TestEveryLevelCoversTheField(t *testing.T) {
	s := displaytest.Hill()
	s.Points = nil // what lies below the road is left out
	ground := newTerrain(s, newRoadBuilder(s))
	area := func(of Span) (sum float64) {
		for i := of.First; i < of.First+of.Count; i += 3 {
			a, b, c := vec64(ground.Vertices[ground.Indices[i]].pos), vec64(ground.Vertices[ground.Indices[i+1]].pos), vec64(ground.Vertices[ground.Indices[i+2]].pos)
			sum += b.Sub(a).Cross(c.Sub(a))[2] / 2
		}
		return sum
	}
	for level := range levelCount {
		sum := 0.0
		for _, p := range ground.patches {
			sum += area(p.levels[level])
			for i := p.levels[level].First; i < p.levels[level].First+p.levels[level].Count; i++ {
				if at := ground.Vertices[ground.Indices[i]].pos; vec64(at).Sub(p.center).Len() > p.radius+2.5 {
					t.Fatalf("level %d: a corner at %v is outside of its patch's ball", level, at)
				}
			}
		}
		if want := 700.0 * 400; math.Abs(sum-want) > 1 {
			t.Errorf("level %d covers %.0f m², want %.0f m²", level, sum, want)
		}
	}
	if got := area(ground.apron); got < 4e7 {
		t.Errorf("the apron covers %.0f m²", got)
	}
}

func TestHolesStayOpen(t *testing.T) {
	s := displaytest.Hill()
	s.Points = nil
	for k := range s.Field.Heights {
		if k%s.Field.NX < 40 {
			s.Field.Heights[k] = float32(math.NaN())
		}
	}
	ground := newTerrain(s, newRoadBuilder(s))
	for _, i := range ground.Indices {
		if v := ground.Vertices[i]; v.pos[2] != v.pos[2] || v.light != v.light || v.pos[0] > -350 && v.pos[0] < -350+40*4 && math.Abs(float64(v.pos[1])) <= 200 {
			t.Fatalf("a corner at %v in the hole", v.pos)
		}
	}
	if len(ground.Indices) == 0 {
		t.Error("there is no ground beside the hole")
	}
	if _, ok := ground.field.height(-340, 0); ok {
		t.Error("there is a height in a hole")
	}
}

func TestGroundsThatAreNone(t *testing.T) {
	for name, f := range map[string]frame.Field{
		"nothing": {}, "one cell": {NX: 1, NY: 1, CellSize: 1, Heights: []float32{1}, Materials: []uint8{0}},
		"a row": {NX: 2, NY: 1, CellSize: 1, Heights: []float32{1, 2}, Materials: []uint8{0, 9}},
	} {
		s := &frame.Scene{Field: f}
		ground := newTerrain(s, newRoadBuilder(s))
		if len(ground.Indices) != 0 {
			t.Errorf("%s: %d indices", name, len(ground.Indices))
		}
	}
}

func TestNearPatchesAreFiner(t *testing.T) {
	for distance, want := range map[float64]int{-5: 0, 39: 0, 41: 1, 200: 2, 349: 2, 351: 3, 1e6: 3} {
		if got := levelAt(distance / FullDetail.Terrain); got != want {
			t.Errorf("%g m away: level %d, want %d", distance, got, want)
		}
	}
}

func TestTreesAndPostsStandOnTheGround(t *testing.T) {
	s := displaytest.Hill()
	feet := 0
	m := oneScenery(s)
	for _, v := range m.Vertices {
		if v.paint != bark || v.normal[2] == 1 {
			continue
		}
		feet++
		if z := float64(v.pos[2]) + 0.1 - displaytest.HillHeight(float64(v.pos[1])); math.Abs(z) > 0.1 {
			t.Fatalf("a trunk at %v is %.2f m above the ground", v.pos, z)
		}
	}
	if feet == 0 {
		t.Error("no tree stands anywhere")
	}
}

// Nothing grows where the field is paved.
func TestNoTreeStandsOnTarmac(t *testing.T) {
	s := displaytest.Hill()
	for k := range s.Field.Materials {
		s.Field.Materials[k] = displaytest.Tarmac
	}
	if slices.ContainsFunc(oneScenery(s).Vertices, func(v Vertex) bool { return v.paint == bark }) {
		t.Error("a tree stands on tarmac")
	}
}

func TestTheEyeStaysAboveTheGround(t *testing.T) {
	s := displaytest.Hill()
	l := newHeightField(s, newRoadBuilder(s))
	for _, tt := range []struct {
		name    string
		at      mgl64.Vec3
		highest float64
	}{
		{"high up", mgl64.Vec3{0, 100, 30}, 30}, {"in the hill", mgl64.Vec3{0, 100, 3}, 10.6},
		{"far away", mgl64.Vec3{0, 1e5, -3}, -3}, {"nowhere", mgl64.Vec3{math.NaN(), 0, 2}, 2},
	} {
		if got := (Eye{Pos: tt.at}).raisedAbove(l).Pos[2]; math.Abs(got-tt.highest) > 1e-4 {
			t.Errorf("%s: the eye is at %g m, want %g m", tt.name, got, tt.highest)
		}
	}
}

func TestGuideIsDashedInTheColoursOfItsPace(t *testing.T) {
	m, parts := buildGuide(displaytest.Hill().Guides)
	if len(m.Indices) != 30*6 || len(parts) != 1 {
		t.Fatalf("%d dashes in %d parts, want 30 in 1", len(m.Indices)/6, len(parts))
	}
	for _, v := range m.Vertices {
		want := guidePaints[int(v.pos[0])/40]
		if v.paint != want || math.Abs(float64(v.pos[2])-displaytest.HillHeight(-displaytest.OvalRadius)-guideHeight) > 1e-4 {
			t.Errorf("a dash at %v is painted %v, want %v", v.pos, v.paint, want)
		}
		if vec64(v.pos).Sub(parts[0].center).Len() > parts[0].radius+guideHalfWidth {
			t.Errorf("a dash at %v is outside of its ball", v.pos)
		}
	}
	for _, few := range [][]frame.Guide{nil, {{}}, {{X: 1}, {X: 1}}} {
		if m, _ := buildGuide(few); len(m.Indices) != 0 {
			t.Errorf("%v makes %d corners", few, len(m.Indices))
		}
	}
}

// A car on a slope of a tenth to the left: the axes on the ground lean with it.
func TestTheShadowLiesOnTheSlope(t *testing.T) {
	s := displaytest.Oval()
	f := &frame.Frame{Att: [4]float64{1, 0, 0, 0}, Pos: [3]float64{5, 6, 1}}
	for i := range f.Wheels {
		x, y := 6.25-2.6*float64(i/2), 6.8-1.6*float64(i%2)
		f.Wheels[i].Pos = [3]float64{x, y, 0.1 * (y - 6)}
	}
	m := GroundAxes(f, CarPose(f, 0), s)
	up := m.Col(2).Vec3()
	if want := (mgl64.Vec3{0, -0.1, 1}).Normalize(); up.Sub(want).Len() > 1e-9 {
		t.Errorf("up is %v, want %v", up, want)
	}
	if at := m.Col(3).Vec3(); math.Abs(at.Sub(mgl64.Vec3{4.95, 6, 0}).Dot(up)+0.33) > 1e-9 {
		t.Errorf("the ground is at %v, want it a wheel's radius below the hubs", at)
	}
	if m := GroundAxes(&frame.Frame{}, CarPose(&frame.Frame{}, 0), s); m.Col(2)[2] != 1 || m.Col(3)[2] != -0.46 {
		t.Errorf("without wheels: %v", m)
	}
}

// Only squares that the road and its verges cover as a whole are left out.
func TestGroundBelowTheRoadIsLeftOut(t *testing.T) {
	s := displaytest.Hill()
	with := newTerrain(s, newRoadBuilder(s))
	s.Points = nil
	without := newTerrain(s, newRoadBuilder(s))
	if share := float64(len(with.Indices)) / float64(len(without.Indices)); share > 0.95 || share < 0.7 {
		t.Errorf("%.2f of the triangles are left", share)
	}
	l := with.field
	for k, covered := range l.covered {
		if i, j := k%l.NX, k/l.NX; !covered && (l.isHidden(i, j, 1) || i > 0 && j > 0 && l.isHidden(i-1, j-1, 2)) {
			t.Fatalf("a square at cell %d, %d is left out, which nothing covers", i, j)
		}
	}
}
