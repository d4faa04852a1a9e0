package cueing

import (
	"math"
	"math/rand/v2"
	"testing"
)

// poseRange has a range for each freedom that tells it from the others.
func poseRange() PoseRange {
	return PoseRange{Surge: 0.1, Sway: 0.08, Heave: 0.05, Roll: 10, Pitch: 12, Yaw: 20}
}

func posed(t testing.TB, r PoseRange, edge float64) *follower {
	t.Helper()
	g := DefaultGeometry()
	g.Kind, g.Range, g.SoftEdge = KindPose, r, edge
	return platform(t, g)
}

func TestPosesAreSharesOfTheirRanges(t *testing.T) {
	const d = math.Pi / 180
	tests := []struct {
		name string
		pose Pose
		want Legs
	}{
		{"neutral", Pose{}, neutralLegs},
		{"ahead", Pose{Surge: 0.05}, Legs{0.75, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{"to the right", Pose{Sway: -0.08}, Legs{0.5, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{"up", Pose{Heave: 0.025}, Legs{0.5, 0.5, 0.75, 0.5, 0.5, 0.5, 0.5, 0.5}},
		{"right side down", Pose{Roll: 5 * d}, Legs{0.5, 0.5, 0.5, 0.75, 0.5, 0.5, 0.5, 0.5}},
		{"nose up", Pose{Pitch: -3 * d}, Legs{0.5, 0.5, 0.5, 0.5, 0.375, 0.5, 0.5, 0.5}},
		{"turned left", Pose{Yaw: 10 * d}, Legs{0.5, 0.5, 0.5, 0.5, 0.5, 0.75, 0.5, 0.5}},
		{"two at once", Pose{Surge: -0.1, Yaw: 20 * d}, Legs{0, 0.5, 0.5, 0.5, 0.5, 1, 0.5, 0.5}},
		{"beyond its end, drawn back as a whole", Pose{Surge: 0.2, Roll: 10 * d}, Legs{1, 0.5, 0.5, 0.75, 0.5, 0.5, 0.5, 0.5}},
		{"far beyond", Pose{Heave: -1e300}, Legs{0.5, 0.5, 0, 0.5, 0.5, 0.5, 0.5, 0.5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := posed(t, poseRange(), 0).Legs(tt.pose)
			for i, want := range tt.want {
				if math.Abs(got[i]-want) > 1e-9 {
					t.Fatalf("%.12f, want %.12f", got, tt.want)
				}
			}
		})
	}
}

func TestMirroredPoseHasMirroredShares(t *testing.T) {
	p, dice := posed(t, poseRange(), 0.05), rand.New(rand.NewPCG(5, 6))
	for i := range 2000 {
		in := anywhere(dice, p.Workspace(), math.Pow(2, float64(i%8)-3))
		m := in
		m.Sway, m.Roll, m.Yaw = -in.Sway, -in.Roll, -in.Yaw
		a, b := p.Legs(in), p.Legs(m)
		for k, side := range []bool{false, true, false, true, false, true} { // sway, roll and yaw have sides
			if !side && a[k] != b[k] || side && math.Abs(a[k]+b[k]-1) > 2e-16 {
				t.Fatalf("%+v gives %v, mirrored %v", in, a, b)
			}
		}
	}
}

func TestFreedomWithoutRangeStaysStill(t *testing.T) {
	p := posed(t, PoseRange{Roll: 10, Pitch: 10}, 0.05)
	if got := p.Legs(Pose{Surge: 5, Sway: -5, Heave: 1, Yaw: 2}); got != neutralLegs || p.Scale() != 1 {
		t.Errorf("%v, scale %g", got, p.Scale())
	}
	if r := p.Workspace(); r.Surge != 0 || r.Yaw != 0 || math.Abs(r.Roll-9.5*degree) > 1e-9 {
		t.Errorf("reach %+v, want 9.5° of roll and no surge", r)
	}
}

func TestPoseComesBackFromItsLegs(t *testing.T) {
	p, dice := posed(t, poseRange(), 0.05), rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		in := anywhere(dice, p.Workspace(), 1)
		in.Slide, in.Belt = 0, 0
		legs := p.Legs(in)
		if !within01(legs) || p.Scale() != 1 {
			t.Fatalf("%+v gives %v, scale %g", in, legs, p.Scale())
		}
		out, ok := p.Pose(legs)
		if far := math.Abs(out.Surge-in.Surge) + math.Abs(out.Sway-in.Sway) + math.Abs(out.Heave-in.Heave) +
			math.Abs(out.Roll-in.Roll) + math.Abs(out.Pitch-in.Pitch) + math.Abs(out.Yaw-in.Yaw); !ok || far > 1e-12 {
			t.Fatalf("%+v came back as %+v", in, out)
		}
	}
}

func TestPoseRangeIsChecked(t *testing.T) {
	for _, r := range []PoseRange{{}, {Surge: -0.1}, {Roll: 46}, {Yaw: math.NaN(), Roll: 1}} {
		if err := r.Validate(); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
	if err := DefaultPoseRange().Validate(); err != nil {
		t.Error(err)
	}
}

func FuzzPoseKind(f *testing.F) {
	f.Add(0.1, -0.2, 0.3, 0.1, math.NaN(), 2.0)
	f.Add(1e300, -1e300, 5e-324, math.Inf(1), 0.0, 0.0)
	p := posed(f, poseRange(), 0.05)
	f.Fuzz(func(t *testing.T, surge, sway, heave, roll, pitch, yaw float64) {
		l := p.Legs(Pose{Surge: surge, Sway: sway, Heave: heave, Roll: roll, Pitch: pitch, Yaw: yaw})
		if !within01(l) {
			t.Fatalf("%v", l)
		}
	})
}
