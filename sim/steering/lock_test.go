package steering

import (
	"math"
	"testing"
)

func TestLockIsWhereTheWheelsTurnNoFurther(t *testing.T) {
	tests := []struct {
		name  string
		table []RatioPoint
		want  float64 // [deg]
	}{
		{"constant ratio", nil, 36 * 14.5},
		// The inverse grows from 1/20 to 1/10 over 200°, which gives 15°, and then 10° a degree.
		{"quick outside", []RatioPoint{{SteeringWheelAngle: 200, Ratio: 10}}, 200 + 10*(36-15)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := built(t, func(s *Params) {
				if s.RatioTable = tt.table; tt.table != nil {
					s.Ratio = 20
				}
			})
			if got := g.Lock() / degree; math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("lock at %.6f°, want %.6f°", got, tt.want)
			}
		})
	}
}
