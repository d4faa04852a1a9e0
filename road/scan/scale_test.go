package scan

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"rig.example/rig/test/level"
)

// terrain is a mesh of 2·n² triangles with hills.
func terrain(n int) *Scene {
	return sheet(n, n, func(x, y int) float64 { return 5*math.Sin(float64(x)/40) + 5*math.Cos(float64(y)/30) })
}

// A million triangles take a few seconds (80 000 before a change lands), and the same again
// gives the same.
func TestCheckScales(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	s := terrain(level.Pick(0, 200, 708))
	for i := 0; i < len(s.Materials); i += 1000 {
		s.turn(i)
	}
	start := time.Now()
	r := Check(s, DefaultLimits())
	t.Logf("%d triangles in %v", r.Triangles, time.Since(start))
	if r.Count(Flipped) != (len(s.Materials)+999)/1000 || len(r.Findings) != 1 {
		t.Errorf("findings %+v", r.Findings)
	}
	if again := Check(s, DefaultLimits()); !reflect.DeepEqual(r, again) {
		t.Errorf("report %+v, then %+v", r, again)
	}
}

// What lies in one place altogether does not take forever.
func TestCheckEndsOnAPile(t *testing.T) {
	s := &Scene{}
	n := level.Pick(2_000, 10_000, 20_000)
	for i := range n {
		h := float64(i) * 1e-6
		s.put(s.vertex(h, 0, h), s.vertex(1, h, h), s.vertex(0, 1, 2*h))
	}
	l := DefaultLimits()
	l.Weld = 0.001
	start := time.Now()
	r := Check(s, l)
	t.Logf("%d triangles in %v", n, time.Since(start))
	if r.Count(Overlap) == 0 {
		t.Errorf("findings %+v", r.Findings)
	}
}

func objText(s *Scene) []byte {
	var b bytes.Buffer
	for i := 0; i < len(s.Positions); i += 3 {
		fmt.Fprintf(&b, "v %.4f %.4f %.4f\n", s.Positions[i], s.Positions[i+1], s.Positions[i+2])
	}
	for i := 0; i < len(s.Indices); i += 3 {
		fmt.Fprintf(&b, "f %d/1/1 %d/1/1 %d/1/1\n", s.Indices[i]+1, s.Indices[i+1]+1, s.Indices[i+2]+1)
	}
	return b.Bytes()
}

func BenchmarkParseOBJ(b *testing.B) {
	text := objText(terrain(200))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseOBJ(text, "a.obj", zUp()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	s := terrain(200)
	for b.Loop() {
		Check(s, DefaultLimits())
	}
}
