package cueing

import (
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/test/level"
)

func everything(kind string) Geometry {
	g := DefaultGeometry()
	g.Kind, g.TractionLossStroke, g.HasBelt = kind, 0.3, true
	return g
}

func TestNeutralIsHalfOfEveryLeg(t *testing.T) {
	for _, kind := range kinds {
		p := platform(t, everything(kind))
		if got := p.Legs(Pose{}); got != neutralLegs || p.Scale() != 1 {
			t.Errorf("%s: %v, scale %g", kind, got, p.Scale())
		}
	}
}

func TestPoseThatIsNotFiniteGivesNeutral(t *testing.T) {
	for _, kind := range kinds {
		p := platform(t, everything(kind))
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, pose := range []Pose{{Surge: bad}, {Sway: bad}, {Heave: bad}, {Roll: bad}, {Pitch: bad}, {Yaw: bad}, {Slide: bad}, {Belt: bad}} {
				if got := p.Legs(pose); got != neutralLegs || p.Scale() != 0 {
					t.Errorf("%s: %+v gives %v, scale %g", kind, pose, got, p.Scale())
				}
			}
		}
	}
}

func TestSlideAndBeltHaveLegsOfTheirOwn(t *testing.T) {
	g := everything(kindSeat)
	g.SoftEdge = 0
	p := platform(t, g)
	tests := []struct {
		name        string
		pose        Pose
		slide, belt float64
	}{
		{"rear to the left", Pose{Slide: 0.06}, 0.7, 0.5},
		{"rear far to the right", Pose{Slide: -1e308}, 0, 0.5},
		{"belt tight", Pose{Belt: 1}, 0.5, 1},
		{"belt half slack", Pose{Belt: -0.5}, 0.5, 0.25},
		{"belt tighter than it can", Pose{Belt: 7}, 0.5, 1},
		{"with the platform far beyond its end", Pose{Slide: 0.06, Belt: 0.5, Roll: 3}, 0.7, 0.75},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := p.Legs(tt.pose); math.Abs(got[2]-tt.slide) > 1e-12 || math.Abs(got[3]-tt.belt) > 1e-12 {
				t.Errorf("slide %g, belt %g, want %g, %g", got[2], got[3], tt.slide, tt.belt)
			}
		})
	}
}

// images says for each kind which leg is a leg's mirror image.
var images = map[string][]int{
	kindSeat: {1, 0}, kindRollPitch: {1, 0}, kindHeave: {1, 0, 2}, kindCorners: {1, 0, 3, 2},
	kindHexapod: {5, 4, 3, 2, 1, 0}, kindRotary: {5, 4, 3, 2, 1, 0},
}

func TestMirroredPosesGiveMirroredBits(t *testing.T) {
	for kind, image := range images {
		g, dice := everything(kind), rand.New(rand.NewPCG(5, 6))
		g.RotationCenter = [3]float64{-0.1, 0, 0.7}
		a, b := platform(t, g), platform(t, g)
		for i := range 5000 {
			pose := anywhere(dice, a.Workspace(), math.Pow(2, float64(i%8)-3))
			legs := a.Legs(pose)
			mirror := b.Legs(Pose{Surge: pose.Surge, Sway: -pose.Sway, Heave: pose.Heave, Roll: -pose.Roll, Pitch: pose.Pitch, Yaw: -pose.Yaw, Slide: -pose.Slide, Belt: pose.Belt})
			for j, k := range image {
				if legs[j] != mirror[k] || a.Scale() != b.Scale() {
					t.Fatalf("%s: leg %d at %.17g, its image at %.17g", kind, j, legs[j], mirror[k])
				}
			}
			n := len(image)
			if math.Abs(legs[n]+mirror[n]-1) > 2e-16 || legs[n+1] != mirror[n+1] {
				t.Fatalf("%s: slides to %g and %g, belt at %g and %g", kind, legs[n], mirror[n], legs[n+1], mirror[n+1])
			}
		}
	}
}

func TestNoPoseLeavesTheWorkspace(t *testing.T) {
	for _, kind := range kinds {
		for _, edge := range []float64{0, 0.05, 0.5} {
			g, dice := everything(kind), rand.New(rand.NewPCG(7, 8))
			g.SoftEdge = edge
			p := platform(t, g)
			for i := range 20_000 {
				pose := anywhere(dice, Workspace{1, 1, 1, 1, 1, 1, 1, 1}, math.Pow(10, float64(i%16)-6))
				if legs := p.Legs(pose); !within01(legs) || !(p.Scale() > 0 && p.Scale() <= 1) {
					t.Fatalf("%s: %+v gives %v, scale %g", kind, pose, legs, p.Scale())
				}
			}
		}
	}
}

// TestAnyPlatformThatIsAllowedKeepsItsWorkspace draws sizes at random.
func TestAnyPlatformThatIsAllowedKeepsItsWorkspace(t *testing.T) {
	dice, built := rand.New(rand.NewPCG(13, 14)), 0
	between := func(low, high float64) float64 { return low + (high-low)*dice.Float64() }
	for i := range 600 {
		g := everything(kinds[i%len(kinds)])
		g.ActuatorSpacing, g.ActuatorArm, g.Track, g.Wheelbase, g.Stroke = between(0.1, 3), between(0.1, 3), between(0.1, 4), between(0.1, 5), between(0.01, 2)
		g.BaseRadius, g.PlatformRadius, g.BaseHalfAngle, g.PlatformHalfAngle = between(0.05, 1.5), between(0.05, 1.5), between(0, 59), between(0, 59)
		g.ActuatorLength, g.CrankLength, g.RodLength, g.CrankRange, g.TurnedAround = between(0.05, 2), between(0.01, 0.5), between(0.02, 2), between(10, 170), i%2 == 0
		g.RotationCenter = [3]float64{between(-1, 1), between(-1, 1), between(-1, 1)}
		form, err := NewPlatform(g, FullStroke())
		if err != nil {
			continue
		}
		p := &follower{Platform: form}
		built++
		for k := range 60 {
			pose := anywhere(dice, p.Workspace(), math.Pow(2, float64(k%6)-3))
			legs := p.Legs(pose)
			if !within01(legs) {
				t.Fatalf("%+v: %+v gives %v", g, pose, legs)
			}
			got, ok := p.Pose(legs)
			if !got.isFinite() || (p.Scale() == 1 && k%6 < 2 && (!ok || g.Kind != kindSeat && apart(got, pose) > 1e-9)) {
				t.Fatalf("%+v: %+v came back as %+v, %t", g, pose, got, ok)
			}
		}
	}
	if built < 250 {
		t.Errorf("only %d platforms are allowed", built)
	}
}

func within01(l Legs) bool {
	for _, leg := range l {
		if !(leg >= 0 && leg <= 1) {
			return false
		}
	}
	return true
}

// TestLegsNeverJump walks along random paths far beyond the workspace and back:
// no leg may move further than in proportion to the pose.
func TestLegsNeverJump(t *testing.T) {
	level.SkipIfQuick(t)
	const steps, steepest = 4000, 40 // [1/m, 1/rad]; a leg alone does 7 per metre
	for _, kind := range kinds {
		for _, edge := range []float64{0, 0.05} {
			g, dice := everything(kind), rand.New(rand.NewPCG(9, 10))
			g.SoftEdge, g.TractionLossStroke, g.HasBelt = edge, 0, false
			p, worst := platform(t, g), 0.0
			for range 15 {
				from, to := anywhere(dice, Workspace{2, 2, 2, 2, 2, 2, 0, 0}, 1), anywhere(dice, Workspace{2, 2, 2, 2, 2, 2, 0, 0}, 1)
				last, lastPose := p.Legs(from), from
				for i := range steps {
					s := float64(i+1) / steps
					pose := add6(from.scaled(1-s), to.scaled(s))
					legs, way := p.Legs(pose), apart(pose, lastPose)
					for j := range legs {
						worst = max(worst, math.Abs(legs[j]-last[j])/way)
					}
					last, lastPose = legs, pose
				}
			}
			if worst > steepest {
				t.Errorf("%s, edge %g: a leg moves %.1f of its stroke per metre or radian, want no more than %d", kind, edge, worst, steepest)
			}
		}
	}
}

func add6(a, b Pose) Pose {
	return Pose{Surge: a.Surge + b.Surge, Sway: a.Sway + b.Sway, Heave: a.Heave + b.Heave, Roll: a.Roll + b.Roll, Pitch: a.Pitch + b.Pitch, Yaw: a.Yaw + b.Yaw}
}

// TestPoseBeyondIsScaled asks for a few times the reach and looks where the
// platform is: along the same direction, by the scale that it tells, with a leg
// at its end. Cranks come to lie in line with their rods before that.
func TestPoseBeyondIsScaled(t *testing.T) {
	for _, tt := range []struct {
		kind       string
		off, first float64 // [m, rad]; share of the half stroke
	}{
		{kindSeat, 1e-12, 1 - 1e-12}, {kindRollPitch, 0.002, 1 - 1e-12}, {kindHeave, 0.002, 1 - 1e-12}, {kindCorners, 0.002, 1 - 1e-12},
		{kindHexapod, 0.015, 1 - 1e-12}, {kindRotary, 0.05, 0},
	} {
		p, dice := platform(t, ofKind(tt.kind)), rand.New(rand.NewPCG(11, 12))
		for range 2000 {
			pose := anywhere(dice, p.Workspace(), 3)
			if tt.kind == kindSeat {
				pose.Heave = 0
			}
			legs := p.Legs(pose)
			want := pose.scaled(p.Scale())
			if got, ok := p.Pose(legs); !ok || apart(got, want) > tt.off {
				t.Fatalf("%s: %+v is held at %+v, %t, scale %.3f: %+v", tt.kind, pose, got, ok, p.Scale(), want)
			}
			most := 0.0
			for _, leg := range legs {
				most = max(most, math.Abs(leg-0.5)*2)
			}
			if p.Scale() < 1 && most < tt.first {
				t.Fatalf("%s: scaled to %.3f, but the first leg is at %.6f of its way", tt.kind, p.Scale(), most)
			}
		}
	}
}

func TestSoftEdgeIsApproachedEverSlower(t *testing.T) {
	g := ofKind(kindSeat)
	g.SoftEdge = 0.1
	p := platform(t, g)
	// Legs of a seat move by spacing/2/stroke = 5/3 per radian of roll. Beyond 0.9
	// of the half stroke, x more gives 0.1·x/(0.1 + x).
	for _, tt := range []struct{ load, want float64 }{{0.5, 0.5}, {0.9, 0.9}, {1, 0.95}, {1.1, 0.9 + 0.1*0.2/0.3}, {2.4, 0.9 + 0.1*1.5/1.6}} {
		if got := p.Legs(Pose{Roll: tt.load * 0.3})[0]; math.Abs(got-(0.5+tt.want/2)) > 1e-12 {
			t.Errorf("%g of the half stroke: leg at %g, want %g", tt.load, got, 0.5+tt.want/2)
		}
	}
}

func TestReachIsWhereTheFirstLegEnds(t *testing.T) {
	g := ofKind(kindCorners)
	g.Track, g.Wheelbase, g.Stroke, g.TractionLossStroke = 0.5, 1, 0.2, 0.3
	want := Workspace{Heave: 0.1, Roll: math.Atan(0.1 / 0.25), Pitch: math.Atan(0.1 / 0.5), Slide: 0.15}
	if got := platform(t, g).Workspace(); apart(Pose(got), Pose(want)) > 1e-9 {
		t.Errorf("%+v, want %+v", got, want)
	}
	g.SoftEdge = 0.1 // followed exactly only so far
	if got := platform(t, g).Workspace(); math.Abs(got.Heave-0.09) > 1e-9 || math.Abs(got.Slide-0.135) > 1e-12 {
		t.Errorf("%+v with a soft edge", got)
	}
}

// Two legs behind a pivot answer heave with pitch: there is no heave to reach.
func TestReachIsOfFreedomsThatThereAre(t *testing.T) {
	for _, kind := range []string{kindSeat, kindRollPitch} {
		r := platform(t, everything(kind)).Workspace()
		if r.Surge != 0 || r.Sway != 0 || r.Heave != 0 || r.Yaw != 0 || r.Roll == 0 || r.Pitch == 0 {
			t.Errorf("%s: %+v, want roll and pitch alone", kind, r)
		}
	}
}

func TestReachOfSixLegs(t *testing.T) {
	for _, kind := range []string{kindHexapod, kindRotary} {
		p := platform(t, ofKind(kind))
		r := p.Workspace()
		for _, pose := range []Pose{{Surge: r.Surge}, {Sway: r.Sway}, {Heave: r.Heave}, {Roll: r.Roll}, {Pitch: r.Pitch}, {Yaw: r.Yaw}} {
			if pose == (Pose{}) {
				t.Errorf("%s: a freedom without reach in %+v", kind, r)
			}
			back := pose.scaled(-1)
			p.Legs(pose)
			up := p.Scale()
			p.Legs(back)
			if up < 1 || p.Scale() < 1 {
				t.Errorf("%s: %+v is scaled by %g, back by %g", kind, pose, up, p.Scale())
			}
			p.Legs(pose.scaled(1.001))
			up = p.Scale()
			p.Legs(pose.scaled(-1.001))
			if up == 1 && p.Scale() == 1 {
				t.Errorf("%s: more than %+v is not scaled", kind, pose)
			}
		}
	}
}

func TestPlatformAllocatesNothing(t *testing.T) {
	for _, kind := range kinds {
		p := platform(t, everything(kind))
		inside, beyond := Pose{Roll: 0.02, Heave: 0.01, Slide: 0.1}, Pose{Roll: 0.5, Heave: 0.1, Yaw: 1}
		if n := testing.AllocsPerRun(100, func() { p.Pose(p.Legs(inside)); p.Legs(beyond) }); n != 0 {
			t.Errorf("%s: %g allocations", kind, n)
		}
	}
}

func FuzzLegs(f *testing.F) {
	f.Add(uint8(0), 0.0, 0.0, 0.1, 0.2, 0.3, 0.0, 0.0, 0.0)
	f.Add(uint8(3), 1e308, -1e308, math.NaN(), math.Inf(1), 1e308, 1e308, -1e308, 1e308)
	f.Add(uint8(4), 0.1, 0.1, -0.2, 0.3, -0.3, 0.8, 0.1, -2.0)
	f.Add(uint8(5), -0.5, 0.5, -0.5, 0.8, -0.8, 0.8, 0.1, 1.0)
	var all []*follower
	for _, kind := range kinds {
		all = append(all, platform(f, everything(kind)))
	}
	f.Fuzz(func(t *testing.T, kind uint8, surge, sway, heave, roll, pitch, yaw, slide, belt float64) {
		p := all[int(kind)%len(all)]
		pose := Pose{surge, sway, heave, roll, pitch, yaw, slide, belt}
		legs := p.Legs(pose)
		if !within01(legs) || !(p.Scale() >= 0 && p.Scale() <= 1) {
			t.Fatalf("%+v gives %v, scale %g", pose, legs, p.Scale())
		}
		if back, _ := p.Pose(legs); !back.isFinite() {
			t.Fatalf("%v gives %+v", legs, back)
		}
		if near := p.Legs(pose.scaled(0.5)); !within01(near) {
			t.Fatalf("half of %+v gives %v", pose, near)
		}
	})
}

func BenchmarkLegs(b *testing.B) {
	for _, kind := range kinds {
		for _, tt := range []struct {
			name string
			pose Pose
		}{{"inside", Pose{Surge: 0.01, Sway: 0.01, Heave: 0.01, Roll: 0.02, Pitch: 0.02, Yaw: 0.02}}, {"beyond", Pose{Surge: 0.1, Sway: 0.1, Heave: 0.1, Roll: 0.2, Pitch: 0.2, Yaw: 0.2}}} {
			b.Run(kind+"/"+tt.name, func(b *testing.B) {
				p := platform(b, ofKind(kind))
				b.ReportAllocs()
				for b.Loop() {
					p.Legs(tt.pose)
				}
			})
		}
	}
}
