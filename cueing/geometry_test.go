package cueing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

var kinds = []string{kindSeat, kindRollPitch, kindHeave, kindCorners, kindHexapod, kindRotary, KindPose}

// ofKind is a default platform with hard ends, so that all of its way is exact.
func ofKind(kind string) Geometry {
	g := DefaultGeometry()
	g.Kind, g.SoftEdge = kind, 0
	return g
}

func platform(t testing.TB, g Geometry) *follower {
	t.Helper()
	return newFollower(t, g, FullStroke())
}

func ExamplePlatform_Legs() {
	seat, err := NewPlatform(DefaultGeometry(), FullStroke())
	if err != nil {
		return
	}
	legs, scale := seat.Legs(Pose{Roll: 0.05}) // right side down
	for i, name := range seat.Names() {
		fmt.Printf("%s %.2f\n", name, legs[i])
	}
	fmt.Printf("scaled by %g\n", scale)
	// Output:
	// left 0.58
	// right 0.42
	// scaled by 1
}

func TestLegsInUseHaveNames(t *testing.T) {
	tests := []struct {
		kind string
		want string
	}{
		{"seat", "left,right"},
		{"roll-pitch", "left,right"},
		{"heave", "front left,front right,rear"},
		{"corners", "front left,front right,rear left,rear right"},
		{"hexapod", "front left,middle left,rear left,rear right,middle right,front right"},
		{"rotary", "front left,middle left,rear left,rear right,middle right,front right"},
	}
	for _, tt := range tests {
		t.Run(tt.kind, func(t *testing.T) {
			g := ofKind(tt.kind)
			if p := platform(t, g); strings.Join(p.Names(), ",") != tt.want || p.Axes() != len(p.Names()) {
				t.Errorf("%d: %v", p.Axes(), p.Names())
			}
			g.TractionLossStroke, g.HasBelt = 0.3, true
			if p := platform(t, g); strings.Join(p.Names(), ",") != tt.want+",traction loss,belt" || p.Axes() != len(p.Names()) {
				t.Errorf("with both: %v", p.Names())
			}
		})
	}
}

func TestGeometryNamesEveryBadField(t *testing.T) {
	g := DefaultGeometry()
	g.Kind, g.ActuatorArm, g.Stroke, g.RotationCenter[2] = "sofa", 0, math.Inf(1), math.NaN()
	err := g.Validate()
	for _, want := range []string{
		`kind = "sofa": must be seat, roll-pitch, heave, corners, hexapod, rotary or pose`,
		"actuator_arm_m = 0: must be 0.1 to 3", "stroke_m = +Inf", "rotation_center_m[2] = NaN",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %q", err, want)
		}
	}
}

func TestImpossiblePlatformsAreRefused(t *testing.T) {
	six := func(v ...float64) [][]float64 { return slices.Repeat([][]float64{v}, 6) }
	tests := []struct {
		name, kind string
		change     func(*Geometry)
		want       string
	}{
		{"legs too short to meet", kindHexapod, func(g *Geometry) { g.ActuatorLength = 0.1 }, "use longer legs"},
		{"legs lie flat when drawn in", kindHexapod, func(g *Geometry) { g.ActuatorLength = 0.2627 }, "longer legs"},
		{"legs upright", kindHexapod, func(g *Geometry) { g.BaseRadius, g.BaseHalfAngle, g.PlatformHalfAngle = 0.55, 30, 30 }, "loose"},
		{"rods too short for cranks", kindRotary, func(g *Geometry) { g.RodLength = 0.15 }, "rod_length_m = 0.15: with the cranks level"},
		{"rods in line with cranks", kindRotary, func(g *Geometry) { g.BaseHalfAngle, g.PlatformHalfAngle, g.RodLength = 5, 5, 0.48 }, "nearly in line"},
		{"cranks as long as rods", kindRotary, func(g *Geometry) { g.CrankLength, g.RodLength, g.CrankRange = 0.4, 0.42, 170 }, "crank"},
		{"legs so long that it could turn over", kindHexapod, func(g *Geometry) { g.BaseRadius, g.PlatformRadius, g.Stroke = 0.3, 0.3, 0.5 }, "turn the platform over"},
		{"five joints", kindHexapod, func(g *Geometry) { g.BaseJoints = six(1, 0, 0)[:5]; g.PlatformJoints = six(1, 0, 0) }, "base_joints_m has 5 entries"},
		{"joint without height", kindHexapod, func(g *Geometry) { g.BaseJoints, g.PlatformJoints = six(1, 0), six(1, 0, 0) }, "base_joints_m[0] has 2 numbers"},
		{"joints of one end", kindHexapod, func(g *Geometry) { g.BaseJoints = six(1, 0, 0) }, "give both or none"},
		{"all joints in one place", kindHexapod, func(g *Geometry) { g.BaseJoints, g.PlatformJoints = six(1, 0, 0), six(1, 0, 0) }, "loose"},
		{"cranks without directions", kindRotary, func(g *Geometry) { g.BaseJoints, g.PlatformJoints = six(1, 0, 0), six(1, 0, 0) }, "give 6"},
		{"directions without joints", kindRotary, func(g *Geometry) { g.CrankDirections = []float64{1} }, "give 6"},
		{"a crooked list", kindHexapod, func(g *Geometry) {
			g.BaseJoints, g.PlatformJoints = listed(ofKind(kindHexapod))
			g.BaseJoints[4][2] += 0.02
		}, "leg 5 holds the platform"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := ofKind(tt.kind)
			tt.change(&g)
			_, err := NewPlatform(g, FullStroke())
			if err == nil || !strings.HasPrefix(err.Error(), "cueing: geometry: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// listed are the joints of circles, one by one.
func listed(g Geometry) (base, top [][]float64) {
	j := g.circularJoints()
	for i := range j.platform {
		base = append(base, []float64{j.base[i].X, j.base[i].Y, j.base[i].Z})
		top = append(top, []float64{j.platform[i].X, j.platform[i].Y, j.platform[i].Z})
	}
	return base, top
}

func TestListedJointsAreThoseOfTheCircles(t *testing.T) {
	for _, kind := range []string{kindHexapod, kindRotary} {
		g := ofKind(kind)
		round := platform(t, g)
		g.BaseJoints, g.PlatformJoints = listed(g)
		if kind == kindRotary {
			// away from the other of the pairs at 60°, 180° and 300°
			g.CrankDirections = []float64{-30, 150, 90, -90, -150, 30}
		}
		p := Pose{Surge: 0.01, Sway: 0.02, Heave: -0.01, Roll: 0.03, Pitch: 0.02, Yaw: -0.04}
		want, got := round.Legs(p), platform(t, g).Legs(p)
		for i := range want {
			if math.Abs(want[i]-got[i]) > 1e-12 {
				t.Errorf("%s: leg %d at %g, want %g", kind, i, got[i], want[i])
			}
		}
	}
}

func TestTurnedPlatformHasAPairBehind(t *testing.T) {
	g := ofKind(kindHexapod)
	ahead := platform(t, g)
	g.TurnedAround = true
	behind := platform(t, g)
	// what goes ahead on one goes to the rear on the other, front legs for rear ones
	a, b := ahead.Legs(Pose{Surge: 0.03, Pitch: 0.02}), behind.Legs(Pose{Surge: -0.03, Pitch: -0.02})
	for i, want := range []int{2, 1, 0, 5, 4, 3} {
		if math.Abs(a[i]-b[want]) > 1e-12 {
			t.Errorf("leg %d at %g, its mirror image at %g", i, a[i], b[want])
		}
	}
}
