package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"rig.example/rig/display/displaytest"
	"rig.example/rig/internal/core/frame"
)

// faces returns the corners of all triangles of a piece of road.
func (r *roadBuilder) faces(d RoadSpans) (corners []mgl32.Vec3) {
	for _, of := range [5]Span{d.Road, d.Wet, d.Marks, d.Kerbs, d.Side} {
		for _, i := range r.Indices[of.First : of.First+of.Count] {
			corners = append(corners, r.Vertices[i].pos)
		}
	}
	for _, i := range r.verges.Indices[d.Verges.First : d.Verges.First+d.Verges.Count] {
		corners = append(corners, r.verges.Vertices[i].pos)
	}
	return corners
}

// levels returns a chunk near the eye and from afar.
func (c roadChunk) levels() map[string]RoadSpans {
	return map[string]RoadSpans{"fine": c.fine, "coarse": c.coarse}
}

func TestRoadWindsUpward(t *testing.T) {
	for name, s := range map[string]*frame.Scene{"oval": displaytest.Oval(), "hill": displaytest.Hill()} {
		r := newRoadBuilder(s)
		for _, c := range r.chunks {
			for level, d := range c.levels() {
				p := r.faces(d)
				for i := 0; i < len(p); i += 3 {
					if up := p[i+1].Sub(p[i]).Cross(p[i+2].Sub(p[i])); up[2] < 0 {
						t.Fatalf("%s, %s: triangle %v does not face up", name, level, p[i:i+3])
					}
				}
			}
		}
	}
}

// The oval runs counter-clockwise, so its left edge is the inner one: 75 m
// from the lower turn's center, and the right one is 85 m.
func TestLeftEdgeIsOnTheLeft(t *testing.T) {
	for i, v := range newRoadBuilder(displaytest.Oval()).Vertices {
		if k := i % rowVertices; k == 0 || k == rowVertices-1 || v.pos[0] < 155 {
			continue
		}
		want := 80 - v.lateral
		if d := math.Hypot(float64(v.pos[0])-150, float64(v.pos[1])); math.Abs(d-float64(want)) > 0.05 {
			t.Fatalf("a stop %+g m left of the line is %.2f m from the turn's center, want %.2f m", v.lateral, d, want)
		}
	}
}

// Every place across the road, near and from afar, is covered once: the areas of all
// faces but the skirts add up to that of the road, its kerbs and its verges.
func TestRoadAndVergesAreCoveredOnce(t *testing.T) {
	mixed := displaytest.Oval()
	for i := range 100 {
		mixed.Points[i].Materials[7] = displaytest.Tarmac
	}
	for name, s := range map[string]*frame.Scene{"plain verges": displaytest.Oval(), "partly paved verges": mixed} {
		r := newRoadBuilder(s)
		area := map[string]float64{}
		for _, c := range r.chunks {
			for level, d := range c.levels() {
				p := r.faces(d)
				for i := 0; i < len(p); i += 3 {
					if min(p[i][2], p[i+1][2], p[i+2][2]) > -1 { // no skirt
						area[level] += float64(p[i+1].Sub(p[i]).Cross(p[i+2].Sub(p[i]))[2]) / 2
					}
				}
			}
		}
		for level, got := range area {
			if want := 30 * 2 * (displaytest.OvalStraight + math.Pi*displaytest.OvalRadius); math.Abs(got-want) > 0.006*want {
				t.Errorf("%s, %s: %.0f m², want %.0f m²", name, level, got, want)
			}
		}
	}
}

// The quick shader has neither materials across the road nor lines.
func TestOnlyPlainRoadIsDrawnPlain(t *testing.T) {
	s := displaytest.Oval()
	s.Start, s.Sectors = 100, []float64{500}
	s.Points[200].Materials[30] = displaytest.Wet
	r := newRoadBuilder(s)
	for i := range r.rows {
		at := r.rows[i].station
		if want := math.Abs(at-100) < 6 || math.Abs(at-500) < 6 || i == 200; r.hasMarks[i] != want {
			t.Errorf("row %d at %.1f m: marked is %v, want %v", i, at, r.hasMarks[i], want)
		}
	}
	for i, v := range r.Vertices {
		if v.tint.code != patternAsphalt || v.tint.r == 0 {
			t.Fatalf("row %d: the road's tint is %v", i/rowVertices, v.tint)
		}
	}
}

func TestVergesOfOneMaterialAreTerrain(t *testing.T) {
	s := displaytest.Oval()
	s.Points[20].Materials[frame.MaterialsAcross-3] = displaytest.Tarmac
	r := newRoadBuilder(s)
	for i := 10; i < 30; i++ {
		if left, right := r.isVergeUniform(i, i+1, 0), r.isVergeUniform(i, i+1, 1); !left || right != (i < 19 || i > 20) {
			t.Errorf("from row %d: plain on the left %v, on the right %v", i, left, right)
		}
	}
	for _, v := range r.verges.Vertices {
		if v.tint.code != patternGrass {
			t.Fatalf("a verge at %v is not green", v.pos)
		}
	}
}

func TestKerbsAreWhereTheyAreAskedFor(t *testing.T) {
	s := displaytest.Oval()
	for i := range s.Points {
		s.Points[i].KerbLeft, s.Points[i].KerbRight = 0, 0
	}
	s.Points[7].KerbLeft, s.Points[9].KerbRight = 1, 2
	s.Points[7].Heights[3] = 0.05
	r := newRoadBuilder(s)
	at := func(row, k int) RoadVertex { return r.Vertices[rowVertices*row+1+k] }
	for _, c := range []struct {
		name    string
		v       RoadVertex
		lateral float32
		kerb, z float32
	}{
		{"left, outer side", at(7, 2), 6, 1, 0}, {"left, back", at(7, 3), 5.5, 1, 0.05}, {"left, edge", at(7, 4), 5, 1, 0},
		{"no kerb on the right", at(7, 8), -5, 0, 0},
		{"right, outer side", at(9, 8), -7, 2, 0}, {"right, back", at(9, 7), -6, 2, 0}, {"right, edge", at(9, 6), -5, 2, 0},
	} {
		if c.v.lateral != c.lateral || c.v.kerb != c.kerb || c.v.pos[2] != c.z {
			t.Errorf("%s: at %g m with a kerb of %g m, %g m high, want %g, %g and %g", c.name, c.v.lateral, c.v.kerb, c.v.pos[2], c.lateral, c.kerb, c.z)
		}
	}
	if side := r.chunks[0].fine.Kerbs.Count; side != 4*2*6 {
		t.Errorf("kerbs take %d indices, want two quads for each of the 4 lengths beside them", side)
	}
}

// The sun stands ahead and to the left of the x axis: ground that rises towards it is darker.
func TestBanksAreInTheirOwnLight(t *testing.T) {
	for _, tt := range []struct {
		name     string
		n        mgl64.Vec3
		from, to float32
	}{
		{"level", mgl64.Vec3{0, 0, 3}, 1, 1}, {"faces the sun", mgl64.Vec3{0.2, 0.2, 1}, 1.05, 1.3},
		{"faces away", mgl64.Vec3{-0.2, -0.2, 1}, 0.5, 0.9}, {"nothing", mgl64.Vec3{}, 1, 1}, {"NaN", mgl64.Vec3{math.NaN()}, 1, 1},
	} {
		if got := sunlight(tt.n); !(got >= tt.from-1e-6 && got <= tt.to+1e-6) {
			t.Errorf("%s: light %g, want %g to %g", tt.name, got, tt.from, tt.to)
		}
	}
}

func TestRoadClosesAfterALap(t *testing.T) {
	r := newRoadBuilder(displaytest.Oval())
	first, last := r.rows[0], r.rows[len(r.rows)-1]
	if want := float32(1); last.row-first.row != want {
		t.Errorf("the table of materials runs from %g to %g, want a whole round", first.row, last.row)
	}
	if first.X != last.X || first.Y != last.Y {
		t.Errorf("the lap ends at %g, %g, want %g, %g", last.X, last.Y, first.X, first.Y)
	}
	want := 2 * (300 + math.Pi*80) // chords are a little shorter than arcs
	if last.station > want || last.station < want-1 {
		t.Errorf("a lap of %.2f m, want just below %.2f m", last.station, want)
	}
	s := displaytest.Oval()
	s.LapLength = 500
	if r := newRoadBuilder(s); math.Abs(r.rows[len(r.rows)-1].station-500) > 1e-9 || math.Abs(r.rows[150].station-250) > 1 {
		t.Errorf("the middle is at %g m of a line of 500 m", r.rows[150].station)
	}
}

func TestAnOpenRoadEndsWhereItEnds(t *testing.T) {
	s := displaytest.Oval()
	s.Closed = false
	s.Points = s.Points[:50]
	r := newRoadBuilder(s)
	last := &r.rows[len(r.rows)-1]
	if len(r.rows) != 50 || last.X != s.Points[49].X || last.left.Len() < 0.999 {
		t.Errorf("%d rows to %g, %g", len(r.rows), last.X, last.Y)
	}
	for _, v := range r.Vertices {
		if math.Abs(float64(v.light)-1) > 0.071 && v.kerb == 0 { // its tone differs that much
			t.Fatalf("level ground at %v has light %g", v.pos, v.light)
		}
	}
}

func TestLinesThatAreNoRoad(t *testing.T) {
	p := frame.Point{X: 1, Y: 2, Left: 5, Right: 5}
	q := frame.Point{X: 9, Y: 2, Left: 5, Right: 5}
	for name, points := range map[string][]frame.Point{
		"nothing": nil, "one point": {p}, "a line": {p, q}, "one place": {p, p, p, p}, "there and back": {p, q, p},
	} {
		if r := newRoadBuilder(&frame.Scene{Points: points, Closed: true}); len(r.chunks) != 0 || len(r.Indices) != 0 {
			t.Errorf("%s: %d chunks", name, len(r.chunks))
		}
	}
}

func TestChunksHoldTheirRoad(t *testing.T) {
	r := newRoadBuilder(displaytest.Oval())
	addScenery(displaytest.Oval(), r, newHeightField(displaytest.Oval(), r))
	covered := 0
	for i, c := range r.chunks {
		for level, d := range c.levels() {
			for _, at := range r.faces(d) {
				if vec64(at).Sub(c.center).Len() > c.radius {
					t.Fatalf("chunk %d, %s: a corner is outside of its ball", i, level)
				}
			}
		}
		covered += (c.fine.Road.Count + c.fine.Marks.Count) / 12 // two quads across
	}
	if covered != displaytest.OvalPoints {
		t.Errorf("chunks cover %d lengths of road, want %d", covered, displaytest.OvalPoints)
	}
}

// A narrow hairpin: what stands beside one leg must not stand on the other.
func TestNoTreeStandsOnTheRoad(t *testing.T) {
	points := make([]frame.Point, 0, 82)
	for i := range 41 {
		points = append(points, frame.Point{X: 10 * float64(i), Left: 5, Right: 5})
	}
	for i := range 41 {
		points = append(points, frame.Point{X: 10 * float64(40-i), Y: 40, Left: 5, Right: 5})
	}
	s := &frame.Scene{Points: points, Closed: true}
	r := newRoadBuilder(s)
	trunks := 0
	for _, v := range addScenery(s, r, newHeightField(s, r)).Vertices {
		if v.paint != bark || v.pos[2] > 0 {
			continue
		}
		trunks++
		for _, c := range r.rows {
			if d := math.Hypot(float64(v.pos[0])-c.X, float64(v.pos[1])-c.Y); d < 5+8 {
				t.Fatalf("a trunk at %v is %.1f m from the center line", v.pos, d)
			}
		}
	}
	if trunks == 0 {
		t.Error("no tree stands anywhere")
	}
}
