package cueing

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// upright returns a platform with a stroke of 0.2 m and hand-friendly sizes.
func upright(kind string) Geometry {
	g := ofKind(kind)
	g.ActuatorSpacing, g.ActuatorArm, g.Track, g.Wheelbase, g.Stroke = 0.5, 0.6, 0.5, 1, 0.2
	return g
}

func TestLegsOfUprightActuators(t *testing.T) {
	roll := math.Atan(0.08) // 0.02 m at 0.25 m: a tenth of the stroke
	pitch := math.Atan(0.05)
	tests := []struct {
		name, kind string
		p          Pose
		want       []float64
	}{
		{"seat: neutral", kindSeat, Pose{}, []float64{0.5, 0.5}},
		{"seat: right side down", kindSeat, Pose{Roll: 0.08}, []float64{0.6, 0.4}},
		{"seat: left side down", kindSeat, Pose{Roll: -0.08}, []float64{0.4, 0.6}},
		{"seat: nose down lifts the rear", kindSeat, Pose{Pitch: 0.05}, []float64{0.65, 0.65}},
		{"seat: heave", kindSeat, Pose{Heave: 0.02}, []float64{0.6, 0.6}},
		{"seat: both", kindSeat, Pose{Roll: 0.08, Pitch: 0.05}, []float64{0.75, 0.55}},
		{"seat: to the ends", kindSeat, Pose{Roll: 0.4}, []float64{1, 0}},
		{"seat: beyond, its direction kept", kindSeat, Pose{Roll: 0.4, Pitch: 1.0 / 6}, []float64{1, 0.5}},
		{"seat: far beyond", kindSeat, Pose{Roll: 1e300}, []float64{1, 0}},
		{"seat: what it cannot do", kindSeat, Pose{Surge: 3, Sway: 1e300, Yaw: -1}, []float64{0.5, 0.5}},
		{"roll-pitch: right side down", kindRollPitch, Pose{Roll: roll}, []float64{0.6, 0.4}},
		{"roll-pitch: nose down", kindRollPitch, Pose{Pitch: pitch}, []float64{0.65, 0.65}},
		{"roll-pitch: no heave", kindRollPitch, Pose{Heave: 0.02}, []float64{0.5, 0.5}},
		{"heave: up", kindHeave, Pose{Heave: 0.04}, []float64{0.7, 0.7, 0.7}},
		{"heave: right side down", kindHeave, Pose{Roll: roll}, []float64{0.6, 0.4, 0.5}},
		{"heave: nose down", kindHeave, Pose{Pitch: pitch}, []float64{0.375, 0.375, 0.625}},
		{"corners: up", kindCorners, Pose{Heave: 0.04}, []float64{0.7, 0.7, 0.7, 0.7}},
		{"corners: right side down", kindCorners, Pose{Roll: roll}, []float64{0.6, 0.4, 0.6, 0.4}},
		{"corners: nose down", kindCorners, Pose{Pitch: pitch}, []float64{0.375, 0.375, 0.625, 0.625}},
		// Tilted by 0.1 rad, actuators are longer by 1/cos, and half a metre ahead by 0.5·tan.
		{"corners: up and tilted", kindCorners, Pose{Heave: 0.04, Pitch: 0.1},
			[]float64{0.5 + 0.2*1.0050209184 - 2.5*0.1003346721, 0.5 + 0.2*1.0050209184 - 2.5*0.1003346721, 0.5 + 0.2*1.0050209184 + 2.5*0.1003346721, 0.5 + 0.2*1.0050209184 + 2.5*0.1003346721}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := platform(t, upright(tt.kind)).Legs(tt.p)
			for i, leg := range got {
				want := 0.5
				if i < len(tt.want) {
					want = tt.want[i]
				}
				if math.Abs(leg-want) > 1e-10 {
					t.Errorf("leg %d at %.9f, want %.9f", i, leg, want)
				}
			}
		})
	}
}

func TestSingleActuatorMayBeInFront(t *testing.T) {
	g := upright(kindHeave)
	g.SingleActuatorEnd = "front"
	p := platform(t, g)
	legs := p.Legs(Pose{Pitch: math.Atan(0.05)}) // nose down
	if p.Names()[2] != "front" || math.Abs(legs[0]-0.625) > 1e-12 || math.Abs(legs[2]-0.375) > 1e-12 {
		t.Errorf("%v at %v", p.Names(), legs)
	}
}

// published is the example of K. Challa, "Hexapod Forward Kinematics MATLAB"
// (github.com/kodandachalla): radii 65 and 62.5 mm, half angles of 20°, and legs
// for a platform 190 mm high, at -15 and 10 mm, turned by MATLAB's "XYZ" angles
// 10°, -15°, 17.5°; here in metres and as yaw, pitch, roll.
func published() (g Geometry, p Pose, lengths [6]float64) {
	g = ofKind(kindHexapod)
	g.BaseRadius, g.PlatformRadius, g.BaseHalfAngle, g.PlatformHalfAngle = 0.065, 0.0625, 20, 20
	g.ActuatorLength, g.Stroke = 0.165, 0.05 // 190 mm when half out
	sa, ca := math.Sincos(10 * degree)
	sb, cb := math.Sincos(-15 * degree)
	sc, cc := math.Sincos(17.5 * degree)
	// elements of Rx(a)·Ry(b)·Rz(c)
	xx, yx, zx, zy, zz := cb*cc, ca*sc+sa*sb*cc, sa*sc-ca*sb*cc, sa*cc+ca*sb*sc, ca*cb
	at := 0.19 - math.Sqrt(0.19*0.19-(0.065*0.065+0.0625*0.0625-2*0.065*0.0625*math.Cos(20*degree)))
	p = Pose{
		Surge: -0.015, Sway: 0.010, Heave: at,
		Roll: math.Atan2(zy, zz), Pitch: math.Asin(-zx), Yaw: math.Atan2(yx, xx),
	}
	return g, p, [6]float64{0.209955064628481, 0.199763022854702, 0.180235381105315, 0.173779164091752, 0.182687665985851, 0.210639995724864}
}

func TestHexapodHasThePublishedLengths(t *testing.T) {
	g, pose, want := published()
	p := platform(t, g)
	var given Legs
	for i, leg := range p.Legs(pose) {
		if i >= 6 {
			break
		}
		if length := 0.165 + leg*0.05; math.Abs(length-want[i]) > 1e-14 {
			t.Errorf("leg %d is %.15f m, want %.15f m", i+1, length, want[i])
		}
		given[i] = (want[i] - 0.165) / 0.05
	}
	if got, ok := p.Pose(given); !ok || apart(got, pose) > 1e-12 {
		t.Errorf("lengths give %+v, %t, want %+v", got, ok, pose)
	}
}

// TestHexapodAlongOneFreedom holds legs against the cosine rule: feet and joints
// lie on circles of 0.7 and 0.55 m, 20° from each other, and legs of 0.625 m
// between them when half out.
func TestHexapodAlongOneFreedom(t *testing.T) {
	const b, p, l0 = 0.7, 0.55, 0.625
	cos := func(d float64) float64 { return math.Cos(d * degree) }
	flat := b*b + p*p - 2*b*p*cos(20) // of a leg's square seen from above
	high := math.Sqrt(l0*l0 - flat)
	foot, top := b*cos(40), p*cos(20) // of the front legs, ahead
	tests := []struct {
		name   string
		pose   Pose
		square []float64 // of the length of the left legs, front to rear
	}{
		{"heave", Pose{Heave: 0.05}, []float64{flat + (high+0.05)*(high+0.05), flat + (high+0.05)*(high+0.05), flat + (high+0.05)*(high+0.05)}},
		{"surge", Pose{Surge: 0.04}, []float64{l0*l0 + 0.0016 + 0.08*(top-foot), l0*l0 + 0.0016 + 0.08*(p*cos(100)-b*cos(80)), l0*l0 + 0.0016 + 0.08*(p*cos(140)-b*cos(160))}},
		// each pair of legs crosses from a pair of feet to the sides: one nears, one parts
		{"yaw", Pose{Yaw: 10 * degree}, []float64{l0*l0 + 2*b*p*(cos(20)-cos(10)), l0*l0 + 2*b*p*(cos(20)-cos(30)), l0*l0 + 2*b*p*(cos(20)-cos(10))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			legs := platform(t, ofKind(kindHexapod)).Legs(tt.pose)
			for i, square := range tt.square {
				if want := (math.Sqrt(square) - 0.55) / 0.15; math.Abs(legs[i]-want) > 1e-12 {
					t.Errorf("leg %d at %.12f, want %.12f", i, legs[i], want)
				}
			}
		})
	}
}

func TestCrankRaisesThePlatform(t *testing.T) {
	// Rods of 0.5 m stand upright on level cranks of 0.1 m. At 30° a tip is 0.05 m
	// higher and 0.0133975 m aside, so the rod's other end is lower by
	// 0.5 - √(0.25 - 0.0133975²) = 0.000179524 m.
	g := ofKind(kindRotary)
	g.CrankLength, g.RodLength, g.CrankRange = 0.1, 0.5, 90
	for i := range 6 {
		at, out := float64(60*i)+30, float64(60*i)+30+90
		if i%2 == 1 {
			out += 180
		}
		foot := r3.Vec{X: 0.5 * math.Cos(at*degree), Y: 0.5 * math.Sin(at*degree)}
		g.BaseJoints = append(g.BaseJoints, []float64{foot.X, foot.Y, 0})
		g.PlatformJoints = append(g.PlatformJoints, []float64{foot.X + 0.1*math.Cos(out*degree), foot.Y + 0.1*math.Sin(out*degree), 0})
		g.CrankDirections = append(g.CrankDirections, out-360*math.Round(out/360))
	}
	m, err := newRotary(g)
	if m == nil {
		t.Fatal(err)
	}
	l, _ := m.legs(Pose{Heave: 0.05 - 0.000179524})
	for i := range 6 {
		if math.Abs(l[i]-(0.5+30.0/90)) > 1e-6 {
			t.Errorf("crank %d at %.7f, want %.7f", i, l[i], 0.5+30.0/90)
		}
	}
}

func TestRodsKeepTheirLength(t *testing.T) {
	g := ofKind(kindRotary)
	p, at, dice := platform(t, g), g.circularJoints(), rand.New(rand.NewPCG(1, 2))
	tip := func(i int, angle float64) r3.Vec {
		return r3.Add(at.base[i], r3.Add(r3.Scale(g.CrankLength*math.Cos(angle), at.crank[i]), r3.Vec{Z: g.CrankLength * math.Sin(angle)}))
	}
	side := horizontalDistance(tip(0, 0), at.platform[0])
	high := math.Sqrt(g.RodLength*g.RodLength - side*side)
	for range 1000 {
		pose := anywhere(dice, p.Workspace(), 0.4)
		legs := p.Legs(pose)
		roll, pitch, yaw := r3.NewRotation(pose.Roll, r3.Vec{X: 1}), r3.NewRotation(pose.Pitch, r3.Vec{Y: 1}), r3.NewRotation(pose.Yaw, r3.Vec{Z: 1})
		for i := range 6 {
			joint := r3.Add(yaw.Rotate(pitch.Rotate(roll.Rotate(at.platform[i]))), r3.Vec{X: pose.Surge, Y: pose.Sway, Z: pose.Heave + high})
			if rod := r3.Norm(r3.Sub(joint, tip(i, (legs[i]-0.5)*90*degree))); p.Scale() == 1 && math.Abs(rod-g.RodLength) > 1e-12 {
				t.Fatalf("rod %d is %.12f m at %+v", i, rod, pose)
			}
		}
	}
}

func TestPoseTurnsAboutTheChosenCenter(t *testing.T) {
	g := ofKind(kindHexapod)
	plain := platform(t, g)
	g.RotationCenter = [3]float64{-0.2, 0, 0.9}
	head := platform(t, g)
	// Pitch about a point 0.2 m behind and 0.9 m above carries the middle of the
	// joints, at (0.2, -0.9) from it, to (0.2·cos - 0.9·sin, -0.2·sin - 0.9·cos).
	sin, cos := math.Sincos(0.05)
	a := head.Legs(Pose{Pitch: 0.05})
	b := plain.Legs(Pose{Pitch: 0.05, Surge: 0.2*cos - 0.9*sin - 0.2, Heave: -0.2*sin - 0.9*cos + 0.9})
	for i := range 6 {
		if math.Abs(a[i]-b[i]) > 1e-12 {
			t.Errorf("leg %d at %g, want %g", i, a[i], b[i])
		}
	}
}

// anywhere is a random pose within a share of the reach of each freedom.
func anywhere(dice *rand.Rand, r Workspace, share float64) Pose {
	some := func(most float64) float64 { return (2*dice.Float64() - 1) * most * share }
	return Pose{
		Surge: some(r.Surge), Sway: some(r.Sway), Heave: some(r.Heave), Roll: some(r.Roll), Pitch: some(r.Pitch), Yaw: some(r.Yaw),
		Slide: some(r.Slide), Belt: some(r.Belt),
	}
}

// apart is the largest difference of two poses [m, rad].
func apart(a, b Pose) float64 {
	return max(math.Abs(a.Surge-b.Surge), math.Abs(a.Sway-b.Sway), math.Abs(a.Heave-b.Heave), math.Abs(a.Roll-b.Roll),
		math.Abs(a.Pitch-b.Pitch), math.Abs(a.Yaw-b.Yaw), math.Abs(a.Slide-b.Slide), math.Abs(a.Belt-b.Belt))
}

func TestPoseUndoesLegs(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			g, dice := ofKind(kind), rand.New(rand.NewPCG(3, 4))
			g.TractionLossStroke, g.HasBelt = 0.3, true
			p, exact := platform(t, g), 0
			for range 2000 {
				pose := anywhere(dice, p.Workspace(), 0.6)
				if kind == kindSeat {
					pose.Heave = 0 // its two legs cannot tell it from pitch
				}
				legs := p.Legs(pose)
				if p.Scale() < 1 {
					continue
				}
				exact++
				if got, ok := p.Pose(legs); !ok || apart(got, pose) > 1e-9 {
					t.Fatalf("%+v came back as %+v, %t", pose, got, ok)
				}
			}
			if exact < 500 {
				t.Errorf("only %d poses within reach", exact)
			}
		})
	}
}

func TestWarpOfFourCornersIsNoPose(t *testing.T) {
	p := platform(t, ofKind(kindCorners))
	want := Pose{Heave: 0.01, Roll: 0.03, Pitch: -0.02}
	legs := p.Legs(want)
	for i, warp := range []float64{0.05, -0.05, -0.05, 0.05} {
		legs[i] += warp
	}
	if got, ok := p.Pose(legs); !ok || apart(got, want) > 1e-12 {
		t.Errorf("%+v, %t, want %+v", got, ok, want)
	}
}

func TestPoseThatCannotBe(t *testing.T) {
	short := ofKind(kindHexapod)
	short.ActuatorLength = 0.3 // and lengths down to 0.225 m are asked for
	tests := []struct {
		name string
		g    Geometry
		legs Legs
	}{
		{"legs of 0.225 m that span 0.26 m", short, Legs{-0.5, -0.5, -0.5, -0.5, -0.5, -0.5}},
		{"far beyond its ends", ofKind(kindRotary), Legs{9, -9, 9, -9, 9, -9}},
		{"NaN", ofKind(kindHexapod), Legs{math.NaN()}},
		{"infinite", ofKind(kindCorners), Legs{0, 0, math.Inf(1)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := platform(t, tt.g)
			if got, ok := p.Pose(tt.legs); ok || got != (Pose{}) {
				t.Errorf("%+v, %t", got, ok)
			}
			if got, ok := p.Pose(neutralLegs); !ok || apart(got, Pose{}) > 1e-12 {
				t.Errorf("afterwards neutral is %+v, %t", got, ok)
			}
		})
	}
}

func BenchmarkPose(b *testing.B) {
	for _, kind := range kinds {
		b.Run(kind, func(b *testing.B) {
			p := platform(b, ofKind(kind))
			one, other := p.Legs(Pose{Roll: 0.05, Heave: 0.01}), p.Legs(Pose{Roll: 0.051, Heave: 0.0102})
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i&1 == 0 {
					p.Pose(one)
				} else {
					p.Pose(other)
				}
			}
		})
	}
}
