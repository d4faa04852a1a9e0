package valid

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	for v, want := range map[float64]bool{0: true, -math.MaxFloat64: true, math.SmallestNonzeroFloat64: true, math.Inf(1): false, math.Inf(-1): false} {
		if Finite(v) != want {
			t.Errorf("Finite(%g) = %v, want %v", v, !want, want)
		}
	}
	if Finite(math.NaN()) {
		t.Error("Finite(NaN) = true, want false")
	}
}
