package steering

import (
	"math"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// By hand, kingpins 1.5 m and inner joints 0.7 m apart, arms of 0.15 m straight along
// the car with rack beside their ends: the rods are 0.4 m long. At 30° the arm's
// end has moved 0.15·sin 30° = 0.075 m sideways and 0.15·(1 - cos 30°) = 0.020096 m
// along the car, so the rod spans sqrt(0.4² - 0.020096²) = 0.3994949 m across.
func TestFourBarByHand(t *testing.T) {
	tests := []struct {
		name          string
		rack          float64
		travel, angle float64 // of the left wheel, degrees
	}{
		{"behind, outward", -0.15, 0.075 - 0.0005051, 30},
		{"behind, inward", -0.15, -0.075 - 0.0005051, -30},
		{"ahead, outward", 0.15, -0.075 + 0.0005051, -30},
		{"ahead, inward", 0.15, 0.075 + 0.0005051, 30},
	}
	for _, tt := range tests {
		s := Default()
		s.Linkage = Linkage{RackAhead: tt.rack, RackLength: 0.7, ArmLength: 0.15}
		l, err := newLinkage(s, 1.5)
		if err != nil {
			t.Fatal(err)
		}
		angle, _ := l.angle(tt.travel)
		near.Value(t, tt.name, angle/degree, tt.angle, 1e-4)
		near.Value(t, tt.name+": slope in the middle", l.gainAtCenter(), 1/0.15, 1e-9)
	}
}

// Whatever the rack does, the tie rod keeps its length.
func TestTieRodsKeepTheirLength(t *testing.T) {
	for _, at := range []Linkage{
		defaultLinkage(),
		{RackAhead: 0.12, RackLength: 0.6, ArmLength: 0.14, ArmAngle: -10},
		{RackAhead: -0.11, RackLength: 0.6, ArmLength: 0.15, ArmAngle: 15},
	} {
		s := Default()
		s.Linkage, s.ScrubRadius = at, 0.01
		l, err := newLinkage(s, 1.52)
		if err != nil {
			t.Fatalf("%+v: %v", at, err)
		}
		way := math.Copysign(1, at.RackAhead)
		rod := func(angle, travel float64) float64 {
			lean := way * (math.Pi/2 - at.ArmAngle*degree) // of the arm against straight to the right
			sin, cos := math.Sincos(lean + angle)
			x, y := at.ArmLength*sin, 0.75-at.ArmLength*cos
			return math.Hypot(x-at.RackAhead, y-at.RackLength/2-way*travel)
		}
		most := s.MaxSteer * degree / l.gainAtCenter()
		for travel := -most; travel <= most; travel += most / 47 {
			angle, slope := l.angle(travel)
			near.Value(t, "rod", rod(angle, travel), rod(0, 0), 1e-7)
			if slope <= 0 {
				t.Errorf("%+v: turns back at %.3f m", at, travel)
			}
		}
	}
}

func TestALinkageTurnsTheInnerWheelFurther(t *testing.T) {
	a := turnedTo(t, func(s *Params) { s.Geometry = "linkage" }, 5, 0)
	if inner, outer := a.Angle[tire.FL], a.Angle[tire.FR]; inner < outer+1*degree || inner > outer+10*degree {
		t.Errorf("inner wheel %.2f°, outer %.2f°", inner/degree, outer/degree)
	}
	near.Value(t, "ratio in the middle", 1/turnedTo(t, func(s *Params) { s.Geometry = "linkage" }, 0, 0).Gain[tire.FL], 14.5, 1e-9)
}
