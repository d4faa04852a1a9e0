package testground

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func nearVec(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= 1e-12) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Rising 3 m in 4 m: 5 m along the slope, whose normal is (-0.6, 0, 0.8) along x.
func TestPlane(t *testing.T) {
	tests := []struct {
		name    string
		heading float64
		p       r3.Vec
		point   r3.Vec
		normal  r3.Vec
		depth   float64
	}{
		{"along x, above", 0, r3.Vec{X: 4 - 0.6, Y: 7, Z: 3 + 0.8}, r3.Vec{X: 4, Y: 7, Z: 3}, r3.Vec{X: -0.6, Z: 0.8}, -1},
		{"along x, below", 0, r3.Vec{X: 4.6, Z: 2.2}, r3.Vec{X: 4, Z: 3}, r3.Vec{X: -0.6, Z: 0.8}, 1},
		{"to the left", math.Pi / 2, r3.Vec{Y: 4 - 0.6, Z: 3.8}, r3.Vec{Y: 4, Z: 3}, r3.Vec{Y: -0.6, Z: 0.8}, -1},
		{"backwards", math.Pi, r3.Vec{X: 4 + 0.6, Z: -3 + 0.8}, r3.Vec{X: 4, Z: -3}, r3.Vec{X: 0.6, Z: 0.8}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewPlane(math.Atan(0.75), tt.heading, tire.Dry()).Touch(tt.p)
			nearVec(t, "point", got.Point, tt.point)
			nearVec(t, "normal", got.Normal, tt.normal)
			near.Value(t, "depth", got.Depth, tt.depth, 1e-12)
		})
	}
}

func TestALevelPlaneIsFlat(t *testing.T) {
	p := r3.Vec{X: 3, Y: -4, Z: 0.5}
	if got, want := NewPlane(0, 1, tire.Dry()).Touch(p), road.Asphalt().Touch(p); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestKerb(t *testing.T) {
	up, back := r3.Vec{Z: 1}, r3.Vec{X: -1}
	tests := []struct {
		name   string
		p      r3.Vec
		point  r3.Vec
		normal r3.Vec
		depth  float64
	}{
		{"before it", r3.Vec{X: 1.9, Y: 5, Z: 0.3}, r3.Vec{X: 1.9, Y: 5}, up, -0.3},
		{"over it", r3.Vec{X: 2.1, Z: 0.3}, r3.Vec{X: 2.1, Z: 0.1}, up, -0.2},
		{"behind it", r3.Vec{X: 2.6, Z: 0.3}, r3.Vec{X: 2.6}, up, -0.3},
		{"in front of the face", r3.Vec{X: 1.98, Z: 0.05}, r3.Vec{X: 2, Z: 0.05}, back, -0.02},
		{"before the face, near the ground", r3.Vec{X: 1.9, Z: 0.05}, r3.Vec{X: 1.9}, up, -0.05},
		{"in it, behind the face", r3.Vec{X: 2.02, Z: 0.05}, r3.Vec{X: 2, Z: 0.05}, back, 0.02},
		{"in it, below the top", r3.Vec{X: 2.2, Z: 0.05}, r3.Vec{X: 2.2, Z: 0.1}, up, 0.05},
		{"in it, before the far face", r3.Vec{X: 2.48, Z: 0.05}, r3.Vec{X: 2.5, Z: 0.05}, r3.Vec{X: 1}, 0.02},
		{"past the far face", r3.Vec{X: 2.51, Z: 0.05}, r3.Vec{X: 2.5, Z: 0.05}, r3.Vec{X: 1}, -0.01},
		{"in the ground", r3.Vec{X: 1.99, Z: -0.05}, r3.Vec{X: 1.99}, up, 0.05},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewKerb(0, 2, 0.5, 0.1, tire.Dry()).Touch(tt.p)
			nearVec(t, "point", got.Point, tt.point)
			nearVec(t, "normal", got.Normal, tt.normal)
			near.Value(t, "depth", got.Depth, tt.depth, 1e-12)
		})
	}
	step := NewKerb(math.Pi/2, 1, math.Inf(1), 0.1, tire.Dry())
	near.Value(t, "far up a step", step.Touch(r3.Vec{Y: 1e6, Z: 0.3}).Depth, -0.2, 1e-12)
	near.Value(t, "below a step", step.Touch(r3.Vec{Y: 0.9, Z: 0.3}).Depth, -0.3, 1e-12)
}

// A crest of 0.2 m, 2 m long: 0.1 m high half way down, and π/10 steep there.
func TestBump(t *testing.T) {
	flank := math.Sqrt(1 + math.Pi*math.Pi/100)
	tests := []struct {
		name   string
		p      r3.Vec
		height float64
		normal r3.Vec
	}{
		{"crest", r3.Vec{X: 5, Y: 9, Z: 1}, 0.2, r3.Vec{Z: 1}},
		{"half way up", r3.Vec{X: 4.5, Z: 1}, 0.1, r3.Vec{X: -math.Pi / 10 / flank, Z: 1 / flank}},
		{"half way down", r3.Vec{X: 5.5, Z: 1}, 0.1, r3.Vec{X: math.Pi / 10 / flank, Z: 1 / flank}},
		{"foot", r3.Vec{X: 6, Z: 1}, 0, r3.Vec{Z: 1}},
		{"far off", r3.Vec{X: -40, Z: 1}, 0, r3.Vec{Z: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewBump(0, 5, 2, 0.2, tire.Dry()).Touch(tt.p)
			nearVec(t, "point", got.Point, r3.Vec{X: tt.p.X, Y: tt.p.Y, Z: tt.height})
			nearVec(t, "normal", got.Normal, tt.normal)
			near.Value(t, "depth", got.Depth, (tt.height-1)*tt.normal.Z, 1e-12)
		})
	}
	side := NewBump(math.Pi/2, 5, 2, -0.2, tire.Dry())
	near.Value(t, "a dip to the left", side.Touch(r3.Vec{Y: 5}).Depth, -0.2, 1e-12)
}

func TestShapesAllocateNothing(t *testing.T) {
	grounds := []road.Ground{NewPlane(0.1, 1, tire.Dry()), NewKerb(0, 1, 2, 0.1, tire.Dry()), NewBump(0, 0, 1, 0.1, tire.Dry())}
	if n := testing.AllocsPerRun(100, func() {
		for _, g := range grounds {
			g.Touch(r3.Vec{X: 1, Z: 0.05})
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
