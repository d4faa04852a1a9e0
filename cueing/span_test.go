package cueing

import (
	"math"
	"math/rand"
	"testing"
)

// narrowed is a span in which no two ends are alike.
func narrowed() Span {
	s := FullStroke()
	for i := range s.Low {
		s.Low[i], s.High[i] = 0.1+0.01*float64(i), 0.9-0.02*float64(i)
	}
	return s
}

func machines(t *testing.T) []Geometry {
	t.Helper()
	var list []Geometry
	for _, kind := range []string{kindSeat, kindRollPitch, kindHeave, kindCorners, kindHexapod, kindRotary, KindPose} {
		g := DefaultGeometry()
		g.Kind, g.TractionLossStroke = kind, 0.2
		g.HasBelt = kind != KindPose
		list = append(list, g)
	}
	return list
}

// No pose brings a leg beyond the span of motion.min_share and motion.max_share: the pose is
// made smaller as a whole there, as it is at the ends of the stroke.
func TestNoPoseLeavesTheSpan(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	wide := func(most float64) float64 { return most * (2*random.Float64() - 1) }
	for _, g := range machines(t) {
		s := narrowed()
		p := newFollower(t, g, s)
		for range 2000 {
			legs := p.Legs(Pose{wide(0.3), wide(0.3), wide(0.2), wide(0.5), wide(0.5), wide(0.5), wide(0.3), wide(2)})
			for i := range p.Axes() {
				if !(legs[i] >= s.Low[i] && legs[i] <= s.High[i]) {
					t.Fatalf("%s: leg %d at %g of %g..%g", g.Kind, i, legs[i], s.Low[i], s.High[i])
				}
			}
		}
	}
}

// What a platform says it reaches alone it follows exactly within its span, and a little more
// it does not.
func TestReachIsThatOfTheSpan(t *testing.T) {
	for _, g := range machines(t) {
		p := newFollower(t, g, narrowed())
		whole := newFollower(t, g, FullStroke())
		reach, most := Pose(p.Workspace()), Pose(whole.Workspace())
		for i, r := range reach.components() {
			if *r == 0 {
				continue
			}
			if ratio := *r / *most.components()[i]; ratio < 0.6 || ratio > 0.85 {
				t.Errorf("%s: freedom %d reaches %.3f of what it does on the whole stroke", g.Kind, i, ratio)
			}
			for _, side := range []float64{-1, 1} {
				if p.Legs(poseWithOnly(i, side**r*0.9999)); p.Scale() != 1 {
					t.Errorf("%s: freedom %d is scaled by %g within its reach", g.Kind, i, p.Scale())
				}
			}
			p.Legs(poseWithOnly(i, *r*1.02))
			up := p.Scale()
			p.Legs(poseWithOnly(i, *r*-1.02))
			if up == 1 && p.Scale() == 1 {
				t.Errorf("%s: freedom %d is not scaled beyond its reach", g.Kind, i)
			}
		}
		slide := p.Legs(Pose{Slide: reach.Slide})[p.mechanismLegs]
		if want := neutral + (narrowed().High[p.mechanismLegs]-neutral)*(1-g.SoftEdge); math.Abs(slide-want) > 1e-12 {
			t.Errorf("%s: slides to %g at its reach, want %g", g.Kind, slide, want)
		}
	}
}

// A span of nothing holds its legs at the middle, and is no division by zero.
func TestASpanOfNothing(t *testing.T) {
	s := Span{Low: neutralLegs, High: neutralLegs}
	for _, g := range machines(t) {
		p := newFollower(t, g, s)
		if legs := p.Legs(Pose{Surge: 0.1, Heave: 0.1, Roll: 0.1, Pitch: -0.1, Slide: 0.1, Belt: 1}); legs != neutralLegs {
			t.Errorf("%s: legs at %v", g.Kind, legs)
		}
	}
}

// An actuator that may hardly move keeps its place, and takes nothing from the others.
func TestAFixedLegHoldsNoOtherBack(t *testing.T) {
	for _, kind := range []string{kindSeat, kindCorners} {
		g := DefaultGeometry()
		g.Kind = kind
		fixed, free := FullStroke(), FullStroke()
		fixed.Low[0], fixed.High[0] = 0.5, 0.5
		some := Pose{Roll: 0.05, Pitch: 0.02}
		p := newFollower(t, g, fixed)
		q := newFollower(t, g, free)
		got, want := p.Legs(some), q.Legs(some)
		if want[0] = 0.5; got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		if p.Workspace().Roll < 0.9*q.Workspace().Roll {
			t.Errorf("%s: reaches a roll of %g of %g", kind, p.Workspace().Roll, q.Workspace().Roll)
		}
	}
}
