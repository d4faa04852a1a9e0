package tire

import (
	"math"
	"testing"
)

func TestFastTrigonometryIsWithinItsStatedError(t *testing.T) {
	const stated, ofPieces = 2e-13, 1e-11
	check := func(name string, x, got, want, stated float64) {
		if !(math.Abs(got-want) <= stated) {
			t.Fatalf("%s(%.17g) = %.17g, want %.17g", name, x, got, want)
		}
	}
	for x := 1e-9; x < 1e12; x *= 1.00037 {
		check("atan", x, atan(x), math.Atan(x), ofPieces)
		check("atan", -x, atan(-x), math.Atan(-x), ofPieces)
	}
	for x := 1e-9; x < 1.57; x *= 1.00037 {
		check("tan", x, tan(x)/math.Tan(x), 1, 1e-10)
		check("tan", -x, tan(-x), -tan(x), 0)
	}
	for x := -12.0; x <= 12; x += 0.00037 {
		check("sin", x, sin(x), math.Sin(x), stated)
		check("cos", x, cos(x), math.Cos(x), stated)
	}
}

func TestSinesOfArcsAreWithinTheirStatedError(t *testing.T) {
	for _, c := range []float64{-3.27, -1.147, -0.006, 0, 0.97, 1.5, 1.9, 2.4, maxAtanFactor, 3.6, 30} {
		sine, cosine := sinOfAtan(c), cosOfAtan(c)
		for x := 1e-9; x < 1e9; x *= 1.00037 {
			arc := c * math.Atan(x)
			if d := sine.at(x) - math.Sin(arc); !(math.Abs(d) <= 1e-10) {
				t.Fatalf("the sine of %g times the arc of %g is off by %g", c, x, d)
			}
			if d := cosine.at(x) - math.Cos(arc); !(math.Abs(d) <= 1e-10) {
				t.Fatalf("the cosine of %g times the arc of %g is off by %g", c, x, d)
			}
			if sine.at(-x) != -sine.at(x) || cosine.at(-x) != cosine.at(x) {
				t.Fatalf("%g times the arc of %g is not symmetric", c, x)
			}
		}
	}
}

// Neighbouring pieces go through the same point of their function, and no further
// than rounding apart.
func TestPiecesMeet(t *testing.T) {
	functions := map[string]func(float64) float64{
		"atan":              atan,
		"sine of an arc":    sinOfAtan(1.5).at,
		"cosine of an arc":  cosOfAtan(1.1).at,
		"power":             tabulatedPower(0.85).at,
		"exponential":       tabulatedExp(0.86, 3).at,
		"sine of many arcs": sinOfAtan(maxAtanFactor).at,
	}
	for name, f := range functions {
		for x := math.Ldexp(1, -7); x < 1<<8; x *= 2 {
			for eighth := 8.0; eighth < 16; eighth++ {
				edge := x * eighth / 8
				below, at := f(math.Nextafter(edge, 0)), f(edge)
				if name == "exponential" && edge > 3 {
					continue // beyond what it was made for
				}
				if !(math.Abs(at-below) <= 1e-14*max(1, math.Abs(at))) {
					t.Errorf("%s jumps by %g at %g", name, at-below, edge)
				}
			}
		}
	}
}

func TestFastTrigonometryAtLimits(t *testing.T) {
	inf, smallest := math.Inf(1), math.SmallestNonzeroFloat64
	sine, cosine := sinOfAtan(1.5), cosOfAtan(1.5)
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"atan 0", atan(0), 0},
		{"atan of the tiniest", atan(smallest), smallest},
		{"atan inf", atan(inf), math.Pi / 2},
		{"atan -inf", atan(-inf), -math.Pi / 2},
		{"atan of the largest", atan(math.MaxFloat64), math.Pi / 2},
		{"sin 0", sin(0), 0},
		{"sine of the arc of 0", sine.at(0), 0},
		{"sine of a small arc", sine.at(1e-200), 1.5e-200},
		{"sine of the arc of inf", sine.at(inf), math.Sin(0.75 * math.Pi)},
		{"cosine of the arc of -inf", cosine.at(-inf), math.Cos(0.75 * math.Pi)},
		{"sin of a thousand turns", sin(2000*math.Pi + 0.5), math.Sin(2000*math.Pi + 0.5)},
	} {
		if math.Abs(tt.got-tt.want) > 1e-11*math.Abs(tt.want) {
			t.Errorf("%s = %g, want %g", tt.name, tt.got, tt.want)
		}
	}
	for _, v := range []float64{atan(math.NaN()), sine.at(math.NaN()), cosine.at(math.NaN()), sin(math.NaN()), cos(math.NaN()), sin(inf), cos(inf)} {
		if v-v == 0 {
			t.Errorf("%g of NaN", v)
		}
	}
}

func TestFastTrigonometryIsOdd(t *testing.T) {
	for x := 1e-6; x < 1e6; x *= 1.037 {
		if atan(-x) != -atan(x) || sin(-x) != -sin(x) || cos(-x) != cos(x) {
			t.Fatalf("not symmetric at %g", x)
		}
	}
}

func BenchmarkAtan(b *testing.B) {
	x := 0.1
	for b.Loop() {
		x = 3 - atan(x)
	}
}
