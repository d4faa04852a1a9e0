package curve

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

func TestSmallAnglesHaveTheirSineAndCosine(t *testing.T) {
	for angle := -0.6; angle < 0.6; angle += 0.0137 { // beyond 0.4 it is the library's
		sin, cos := SinCos(angle)
		near.Value(t, "sine", sin, math.Sin(angle), 2e-12)
		near.Value(t, "cosine", cos, math.Cos(angle), 2e-12)
	}
	if sin, cos := SinCos(math.NaN()); sin == sin || cos == cos {
		t.Errorf("NaN has %g and %g", sin, cos)
	}
}
