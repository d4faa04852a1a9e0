package crg

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// The course of an arc is the circle through it, with the file's bank and slope.
func TestCourseOfAnArc(t *testing.T) {
	g := arc("LRFI", 0.005, 150, 0.5, 0.04, 0.02).parse(t)
	l, err := g.Line()
	if err != nil {
		t.Fatal(err)
	}
	near.Value(t, "length", l.Length(), 75, 0.01)
	for s := 15.0; s < 60; s += 5 {
		p := l.At(s)
		near.Value(t, "curvature", p.Curvature, 0.01, 5e-4)
		near.Value(t, "slope", p.Slope, 0.02, 1e-4)
		near.Value(t, "bank", p.Bank, math.Atan(0.04), 1e-4)
		near.Value(t, "left", p.Left, 1.5, 1e-6)
		near.Value(t, "right", p.Right, 1.5, 1e-6)
	}
	if l.Closed() {
		t.Error("it is closed")
	}
}
