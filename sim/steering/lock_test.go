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

// Beyond the lock the wheels stay, and the driver holds the stop's spring: stiffness times overrun times the rack's
// travel for each radian. The assist carries its share of the tires' load and none of the stop's.
func TestTheEndStopPushesBackAndIsNotAssisted(t *testing.T) {
	const stiffness, over, kingpins = 4e6, 0.1, 500.0 // [N/m], [rad at the steering wheel], [N·m, both]
	for _, assisted := range []bool{false, true} {
		g := built(t, func(s *Params) { s.RackStop, s.Assist.Enabled = stiffness, assisted })
		torque := func(wheel float64) (float64, State) {
			var a Angles
			g.WheelAngles(&a, wheel, 0)
			if a.Angle[0] > 40*degree {
				t.Errorf("the left wheel turns to %.1f°", a.Angle[0]/degree)
			}
			var r State
			return g.Step(&r, -kingpins/2, -kingpins/2, &a, 0, true), r
		}
		at, _ := torque(g.Lock())
		beyond, r := torque(g.Lock() + over)
		gain := Default().RackPerRev / (2 * math.Pi)
		want := -stiffness * over * gain * gain
		if math.Abs(beyond-at-want) > 1e-9 || math.Abs(r.Stop-want) > 1e-9 {
			t.Errorf("assisted %v: %.3f N·m beyond the lock, %.3f N·m of them by the stop, want %.3f", assisted, beyond-at, r.Stop, want)
		}
	}
}
