package display

import (
	"math"
	"testing"

	"rig/internal/frame"
)

func TestRoadWindsUpward(t *testing.T) {
	r := newRibbon(ovalScene().Points)
	for i := 0; i < len(r.indices); i += 3 {
		a, b, c := r.vertices[r.indices[i]].pos, r.vertices[r.indices[i+1]].pos, r.vertices[r.indices[i+2]].pos
		if up := b.Sub(a).Cross(c.Sub(a))[2]; !(up > 0) {
			t.Fatalf("triangle %d (%v %v %v) does not face up", i/3, a, b, c)
		}
	}
}

// The oval runs counter-clockwise, so its left edge is the inner one: 75 m
// from the lower turn's centre, and the right one is 85 m.
func TestLeftEdgeIsOnTheLeft(t *testing.T) {
	for _, v := range newRibbon(ovalScene().Points).vertices {
		if v.kerb != 0 || v.pos[0] < 155 {
			continue
		}
		want := 80 - v.lateral
		if d := math.Hypot(float64(v.pos[0])-150, float64(v.pos[1])); math.Abs(d-float64(want)) > 0.05 {
			t.Fatalf("edge %+g m left of the line is %.2f m from the turn's centre, want %.2f m", v.lateral, d, want)
		}
	}
}

func TestKerbsAreWhereTheyAreAskedFor(t *testing.T) {
	square := []frame.Point{{X: 0, Y: 0}, {X: 100, Y: 0}, {X: 100, Y: 100}, {X: 0, Y: 100}}
	for i := range square {
		square[i].Left, square[i].Right = 4, 6
	}
	tests := []struct {
		name     string
		kerb     uint64
		from, to float32 // lateral
		vertices int
	}{
		{"none", 0, 0, 0, 0},
		{"left", frame.KerbLeft, 4, 4.9, 6},
		{"right", frame.KerbRight, -6.9, -6, 6},
		{"both", frame.KerbLeft | frame.KerbRight, -6.9, 4.9, 12},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			points := append([]frame.Point(nil), square...)
			points[1].Kerb = c.kerb
			n, from, to := 0, float32(0), float32(0)
			for _, v := range newRibbon(points).vertices {
				if v.kerb == 0 {
					continue
				}
				if n == 0 {
					from, to = v.lateral, v.lateral
				}
				n++
				from, to = min(from, v.lateral), max(to, v.lateral)
				if v.station < 99 || v.station > 201 {
					t.Errorf("kerb at station %g m, want it from 100 to 200 m", v.station)
				}
			}
			if n != c.vertices || math.Abs(float64(from-c.from)) > 1e-4 || math.Abs(float64(to-c.to)) > 1e-4 {
				t.Errorf("%d corners from %g to %g m, want %d from %g to %g m", n, from, to, c.vertices, c.from, c.to)
			}
		})
	}
}

func TestRoadClosesAfterALap(t *testing.T) {
	r := newRibbon(ovalScene().Points)
	first, last := r.rows[0], r.rows[len(r.rows)-1]
	if first.X != last.X || first.Y != last.Y {
		t.Errorf("the lap ends at %g, %g, want %g, %g", last.X, last.Y, first.X, first.Y)
	}
	want := 2 * (300 + math.Pi*80) // chords are a little shorter than arcs
	if last.station > want || last.station < want-1 {
		t.Errorf("a lap of %.2f m, want just below %.2f m", last.station, want)
	}
}

func TestLinesThatAreNoRoad(t *testing.T) {
	p := frame.Point{X: 1, Y: 2, Left: 5, Right: 5}
	q := frame.Point{X: 9, Y: 2, Left: 5, Right: 5}
	for name, points := range map[string][]frame.Point{
		"nothing": nil, "one point": {p}, "a line": {p, q}, "one place": {p, p, p, p}, "there and back": {p, q, p},
	} {
		if r := newRibbon(points); len(r.chunks) != 0 || len(r.indices) != 0 {
			t.Errorf("%s: %d chunks", name, len(r.chunks))
		}
	}
}

func TestChunksHoldTheirRoad(t *testing.T) {
	r := newRibbon(ovalScene().Points)
	addScenery(r)
	covered := 0
	for i, c := range r.chunks {
		for _, v := range r.indices[c.fine.first : c.coarse.first+c.coarse.count] {
			if r.vertices[v].pos.Sub(c.centre).Len() > c.radius {
				t.Fatalf("chunk %d: a corner is outside of its ball", i)
			}
		}
		if c.kerbs.first != c.fine.first+c.fine.count || c.coarse.first != c.kerbs.first+c.kerbs.count {
			t.Fatalf("chunk %d: its spans do not follow each other: %+v", i, c)
		}
		covered += c.fine.count / 6
	}
	if covered != ovalPoints {
		t.Errorf("chunks cover %d lengths of road, want %d", covered, ovalPoints)
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
	r := newRibbon(points)
	trunks := 0
	for _, v := range addScenery(r).vertices {
		if v.paint != bark || v.pos[2] > 0 {
			continue
		}
		trunks++
		for _, c := range r.rows {
			if d := math.Hypot(float64(v.pos[0])-c.X, float64(v.pos[1])-c.Y); d < 5+8 {
				t.Fatalf("a trunk at %v is %.1f m from the centre line", v.pos, d)
			}
		}
	}
	if trunks == 0 {
		t.Error("no tree stands anywhere")
	}
}
