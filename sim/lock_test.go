package sim

import (
	"math"
	"testing"

	"rig.example/rig/sim/road"
)

func TestLockIsWhereTheWheelsTurnNoFurther(t *testing.T) {
	tests := []struct {
		name  string
		table []RatioPoint
		want  float64 // [deg]
	}{
		{"constant ratio", nil, 36 * 14.5},
		// The inverse grows from 1/20 to 1/10 over 200°, which gives 15°, and then 10° a degree.
		{"quick outside", []RatioPoint{{Wheel: 200, Ratio: 10}}, 200 + 10*(36-15)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := DefaultCar()
			p.Steering.RatioTable = tt.table
			if tt.table != nil {
				p.Steering.Ratio = 20
			}
			car, err := New(p, road.Asphalt(), Dt)
			if err != nil {
				t.Fatal(err)
			}
			if got := car.Lock() / degree; math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("lock at %.6f°, want %.6f°", got, tt.want)
			}
		})
	}
}
