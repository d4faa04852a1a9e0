package tire

import (
	"math"
	"testing"
)

func TestElementaryFunctionsAgreeWithTheLibrary(t *testing.T) {
	for x := -60.0; x < 60; x += 0.0137 {
		if got, want := exp(x), math.Exp(x); math.Abs(got/want-1) > 1e-15 {
			t.Fatalf("exp(%g) = %.17g, want %.17g", x, got, want)
		}
	}
	for x := 1e-6; x < 1e6; x *= 1.0137 {
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 4e-16*math.Abs(want)+1e-16 {
			t.Fatalf("ln(%g) = %.17g, want %.17g", x, got, want)
		}
		for _, y := range []float64{-0.4, 0.85, 1, 0, 2.5} {
			if got, want := power(x, y), math.Pow(x, y); math.Abs(got/want-1) > 2e-14 {
				t.Fatalf("power(%g, %g) = %.17g, want %.17g", x, y, got, want)
			}
		}
	}
}

func TestPowersAndExponentialsInPiecesAreWithinTheirStatedError(t *testing.T) {
	for _, y := range []float64{-3, -1, -0.4, 0, 0.85, 1, 2.5, 3, 3.1} {
		f := tabulatedPower(y)
		for x := 1e-6; x < 1e6; x *= 1.0037 {
			if got, want := f.at(x), math.Pow(x, y); !(math.Abs(got/want-1) <= 1e-10) {
				t.Fatalf("%g to the power of %g = %.17g, want %.17g", x, y, got, want)
			}
		}
		if got := f.at(0) + f.at(-0.5) + f.at(-2); got != 0 {
			t.Errorf("what is not above 0 to the power of %g = %g, want 0", y, got)
		}
	}
	for _, a := range []float64{-1, -0.4, 0, 0.86, 1, 1.1, 9} {
		f := tabulatedExp(a, 3)
		for x := 1e-6; x <= 3; x += 0.0037 {
			if got, want := f.at(x), math.Exp(a*(x-1)); !(math.Abs(got/want-1) <= 1e-10) {
				t.Fatalf("growth by %g at %g = %.17g, want %.17g", a, x, got, want)
			}
		}
	}
}

func TestElementaryFunctionsAtLimits(t *testing.T) {
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"exp of much", exp(1e9), math.Exp(700)},
		{"exp of little", exp(-1e9), 0},
		{"exp of NaN", exp(math.NaN()), 0},
		{"power of 0", power(0, 2), 0},
		{"power of less", power(-1, 2), 0},
	} {
		if math.Abs(tt.got-tt.want) > 1e-14*tt.want {
			t.Errorf("%s: %g, want %g", tt.name, tt.got, tt.want)
		}
	}
}
