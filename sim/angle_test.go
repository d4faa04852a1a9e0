package sim

import (
	"math"
	"testing"
)

func TestSmallAnglesHaveTheirSineAndCosine(t *testing.T) {
	for angle := -0.6; angle < 0.6; angle += 0.0137 { // beyond 0.4 it is the library's
		sin, cos := sincos(angle)
		near(t, "sine", sin, math.Sin(angle), 2e-12)
		near(t, "cosine", cos, math.Cos(angle), 2e-12)
	}
	if sin, cos := sincos(math.NaN()); sin == sin || cos == cos {
		t.Errorf("no number has %g and %g", sin, cos)
	}
}
