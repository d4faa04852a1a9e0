package tirerig

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/sim/tire"
)

// brush is the built-in brush on dry asphalt: mu 1, C = 53 kN and a = 85 mm at
// 4 kN.
func brush(t testing.TB) *Bench {
	t.Helper()
	found, err := Open("brush")
	if err != nil {
		t.Fatal(err)
	}
	return &Bench{Tire: found, Surface: tire.Dry(), SurfaceName: "dry"}
}

// echo is a tire that answers with what it was asked.
type echo struct{}

func (echo) Forces(c tire.Contact) tire.Forces {
	return tire.Forces{Fx: c.Pressure, Fy: c.Speed, Mx: c.Surface.Grip, My: c.Gamma, Mz: c.Load}
}

func (echo) Capacity(tire.Contact) tire.Capacity { return tire.Capacity{StiffnessX: 1, StiffnessY: 1} }

func echoing() *Bench {
	return &Bench{Tire: &tire.Tire{Name: "echo", Model: echo{}, NominalLoad: 4000}, Surface: tire.Dry(), SurfaceName: "dry"}
}

// refused checks for one line that exits with wrong usage, and its parts.
func refused(t *testing.T, err error, parts ...string) {
	t.Helper()
	var p *config.Problem
	if !errors.As(err, &p) {
		t.Fatalf("error %v, want a problem", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than a line: %q", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %q", err, part)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.TIR")
	if err := os.WriteFile(bad, []byte("\n[MODEL\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, open string
		want       []string
	}{
		{"no such tire", "spaceship", []string{`tire: "spaceship" not found`, "brush", ".tir"}},
		{"no such file", "none.tir", []string{"none.tir: cannot be read: no such file or directory"}},
		{"a slash makes it a file", "./none", []string{"./none: cannot be read"}},
		{"a folder", "./", []string{"./: cannot be read: is a directory"}},
		{"a broken file", bad, []string{bad + ":2:1: the section \"[MODEL\" has no closing bracket"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(tt.open)
			refused(t, err, tt.want...)
		})
	}
}

func TestConditionsReachTheTire(t *testing.T) {
	b := echoing()
	if err := errors.Join(b.SetPressure(240), b.SetSpeed(30), b.SetSurface("wet")); err != nil {
		t.Fatal(err)
	}
	wet, err := tire.SurfaceNamed("wet")
	if err != nil {
		t.Fatal(err)
	}
	want := tire.Forces{Fx: 240e3, Fy: 30, Mx: wet.Grip, My: 0.1, Mz: 5000}
	if got := b.Forces(Point{Gamma: 0.1, Load: 5000}); got != want {
		t.Errorf("the bench's own: %+v, want %+v", got, want)
	}
	want.Fx, want.Fy = 180e3, 10
	if got := b.Forces(Point{Gamma: 0.1, Load: 5000, Pressure: 180e3, Speed: 10}); got != want {
		t.Errorf("the point's: %+v, want %+v", got, want)
	}
}

func TestConditionsOutOfRange(t *testing.T) {
	b := echoing()
	refused(t, b.SetPressure(2.2), "--pressure: 2.2 kPa", "1 bar is 100 kPa")
	refused(t, b.SetPressure(math.NaN()), "NaN")
	refused(t, b.SetSpeed(0), "--speed: 0 m/s", "must be above 0")
	refused(t, b.SetSpeed(math.Inf(1)), "+Inf")
	refused(t, b.SetSurface("moon"), "--surface: ", `"moon"`, "wet")
}

func TestZeroForceHasNoSign(t *testing.T) {
	for _, v := range []float64{0, math.Copysign(0, -1)} {
		f := brush(t).Forces(Point{Kappa: v, Alpha: v, Load: 4000})
		if math.Signbit(f.Fx) || math.Signbit(f.Fy) || math.Signbit(f.Mz) || f.Fx != 0 || f.Fy != 0 || f.Mz != 0 {
			t.Errorf("%+v", f)
		}
	}
}
