package chassis

import (
	"testing"

	"rig.example/rig/test/near"
)

// loaded is the coupe made of parts, its driver on the left.
func loaded() Params {
	p := coupe().Params
	p.Parts = []Part{
		{Name: "body", Mass: 1000, X: -1.3, Z: 0.55, Length: 4, Width: 1.6, Height: 0.6},
		{Name: "engine", Mass: 250, X: 0.1, Z: 0.5, Length: 0.6, Width: 0.6, Height: 0.6},
		{Name: "driver", Mass: 80, X: -1.5, Y: 0.37, Z: 0.55, Length: 0.5, Width: 0.4, Height: 0.9},
		{Name: "ballast", Mass: 170, X: -2.4, Z: 0.4},
	}
	return p
}

// skewed is the coupe with its mass askew in every way.
func skewed() Params {
	p := coupe().Params
	p.InertiaXY, p.InertiaYZ, p.InertiaXZ = 150, -40, 60
	return p
}

func wantInertia(t *testing.T, p Params, xx, yy, zz, xy, yz, xz float64) {
	t.Helper()
	near.Value(t, "xx", p.InertiaXX, xx, 1e-9)
	near.Value(t, "yy", p.InertiaYY, yy, 1e-9)
	near.Value(t, "zz", p.InertiaZZ, zz, 1e-9)
	near.Value(t, "xy", p.InertiaXY, xy, 1e-9)
	near.Value(t, "yz", p.InertiaYZ, yz, 1e-9)
	near.Value(t, "xz", p.InertiaXZ, xz, 1e-9)
}

func TestTwoPartsAreADumbbell(t *testing.T) {
	// 360 kg of reduced mass, (-2, 0.5, 0.1) m apart.
	p := Params{Parts: []Part{{Mass: 600, X: 0.2, Y: -0.1, Z: 0.4}, {Mass: 900, X: -1.8, Y: 0.4, Z: 0.5}}}.Resolved()
	near.Value(t, "mass", p.Mass, 1500, 1e-12)
	near.Value(t, "behind the front axle", p.CGToFront, 1, 1e-12)
	near.Value(t, "to the left", p.CGLeft, 0.2, 1e-12)
	near.Value(t, "height", p.CGHeight, 0.46, 1e-12)
	wantInertia(t, p, 360*0.26, 360*4.01, 360*4.25, -360, 360*0.05, -360*0.2)
}

func TestInertiaOfPartsByTheParallelAxis(t *testing.T) {
	box := Part{Mass: 600, X: -1, Z: 0.5, Length: 2, Width: 1, Height: 0.4}
	left, right := box, box
	left.Y, right.Y = 0.6, -0.6
	alone := Params{Parts: []Part{box}}.Resolved()
	wantInertia(t, alone, 600*1.16/12, 600*4.16/12, 600*5.0/12, 0, 0, 0)
	both := Params{Parts: []Part{left, right}}.Resolved()
	wantInertia(t, both, 2*(58+216), 2*208, 2*(250+216), 0, 0, 0)
}

func TestPartsAlikeOnBothSidesHaveNoSkew(t *testing.T) {
	p := loaded()
	p.Parts[2].Y = 0
	p.Parts = append(p.Parts,
		Part{Mass: 20, X: -0.3, Y: 0.7, Z: 0.31}, Part{Mass: 20, X: -0.3, Y: -0.7, Z: 0.31})
	p = p.Resolved()
	if p.InertiaXY != 0 || p.InertiaYZ != 0 || p.CGLeft != 0 || newTensor(p).asymmetric {
		t.Errorf("xy %g, yz %g, %g m to the left, want 0", p.InertiaXY, p.InertiaYZ, p.CGLeft)
	}
	if p.InertiaXZ == 0 {
		t.Error("xz = 0: front and rear differ")
	}
}
