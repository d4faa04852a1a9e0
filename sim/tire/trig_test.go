package tire

import (
	"math"
	"testing"
)

func TestFastTrigonometryIsWithinItsStatedError(t *testing.T) {
	const stated = 2e-13
	check := func(name string, x, got, want float64) {
		if !(math.Abs(got-want) <= stated) {
			t.Fatalf("%s(%.17g) = %.17g, want %.17g", name, x, got, want)
		}
	}
	for x := 1e-9; x < 1e12; x *= 1.00037 {
		check("atan", x, atan(x), math.Atan(x))
		check("atan", -x, atan(-x), math.Atan(-x))
	}
	for x := -12.0; x <= 12; x += 0.00037 {
		check("sin", x, sin(x), math.Sin(x))
		check("cos", x, cos(x), math.Cos(x))
	}
}

func TestFastTrigonometryAtItsEnds(t *testing.T) {
	inf, tiniest := math.Inf(1), math.SmallestNonzeroFloat64
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"atan 0", atan(0), 0},
		{"atan of the tiniest", atan(tiniest), tiniest},
		{"atan inf", atan(inf), math.Pi / 2},
		{"atan -inf", atan(-inf), -math.Pi / 2},
		{"atan of the largest", atan(math.MaxFloat64), math.Pi / 2},
		{"sin 0", sin(0), 0},
		{"sin of a thousand turns", sin(2000*math.Pi + 0.5), math.Sin(2000*math.Pi + 0.5)},
	} {
		if math.Abs(tt.got-tt.want) > 2e-13*math.Abs(tt.want) {
			t.Errorf("%s = %g, want %g", tt.name, tt.got, tt.want)
		}
	}
	for _, v := range []float64{atan(math.NaN()), sin(math.NaN()), cos(math.NaN()), sin(inf), cos(inf)} {
		if v-v == 0 {
			t.Errorf("%g of what is no number", v)
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
