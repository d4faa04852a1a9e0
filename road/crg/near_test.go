package crg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func nearVec(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if !(r3.Norm(r3.Sub(got, want)) <= 1e-12) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// along returns the level unit vector of a heading [rad].
func along(heading float64) r3.Vec {
	sin, cos := math.Sincos(heading)
	return r3.Vec{X: cos, Y: sin}
}
