package cueing

import (
	"math"
	"strings"
	"testing"
)

func TestLegs(t *testing.T) {
	g := Geometry{Spacing: 0.5, Arm: 0.6, Stroke: 0.2}
	tests := []struct {
		name        string
		p           Pose
		left, right float64
	}{
		{"neutral", Pose{}, 0.5, 0.5},
		{"right side down", Pose{Roll: 0.08}, 0.6, 0.4},
		{"left side down", Pose{Roll: -0.08}, 0.4, 0.6},
		{"nose down lifts the rear", Pose{Pitch: 0.05}, 0.65, 0.65},
		{"heave", Pose{Heave: 0.02}, 0.6, 0.6},
		{"both", Pose{Roll: 0.08, Pitch: 0.05}, 0.75, 0.55},
		{"to the ends", Pose{Roll: 0.4}, 1, 0},
		{"beyond: scaled, its direction kept", Pose{Roll: 0.4, Pitch: 1.0 / 6}, 1, 0.5},
		{"far beyond", Pose{Roll: 1e300}, 1, 0},
		{"not a number", Pose{Roll: math.NaN()}, 0.5, 0.5},
		{"infinite", Pose{Heave: math.Inf(-1)}, 0.5, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := g.Legs(tt.p)
			if math.Abs(got[0]-tt.left) > 1e-12 || math.Abs(got[1]-tt.right) > 1e-12 {
				t.Errorf("left %g, right %g, want %g, %g", got[0], got[1], tt.left, tt.right)
			}
			for i := 2; i < 6; i++ {
				if got[i] != 0.5 {
					t.Errorf("leg %d at %g", i, got[i])
				}
			}
		})
	}
}

func FuzzLegs(f *testing.F) {
	f.Add(0.1, 0.2, 0.3)
	f.Add(math.NaN(), math.Inf(1), 1e308)
	f.Fuzz(func(t *testing.T, heave, roll, pitch float64) {
		for i, leg := range DefaultGeometry().Legs(Pose{Heave: heave, Roll: roll, Pitch: pitch}) {
			if !(leg >= 0 && leg <= 1) {
				t.Fatalf("leg %d at %g", i, leg)
			}
		}
	})
}

func TestGeometryNamesEveryBadField(t *testing.T) {
	err := Geometry{Spacing: 0.5, Arm: 0, Stroke: math.Inf(1)}.Validate()
	if err == nil || !strings.Contains(err.Error(), "actuator_arm_m = 0: allowed is 0.1 to 3") ||
		!strings.Contains(err.Error(), "stroke_m = +Inf") {
		t.Errorf("error %v", err)
	}
}
