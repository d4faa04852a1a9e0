package tire

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// span is a published range; the files in data say where it comes from.
type span struct{ low, high float64 }

func (s span) check(t *testing.T, what string, got float64) {
	t.Helper()
	if !(got >= s.low && got <= s.high) {
		t.Errorf("%s = %.4g, published are %g to %g", what, got, s.low, s.high)
	}
}

// sets lists what is published for tires as the built-in ones, at their
// nominal load and inflation.
var sets = []struct {
	name, size     string
	load           float64
	cornering      span // stiffness over the load [1/deg]
	slip           span // longitudinal stiffness over the load
	muX, muY       span // peak friction
	ratio, angle   span // where it is, a slip ratio and degrees
	locked         span // friction of a locked wheel over the peak
	lateral, along span // relaxation lengths [m]
}{
	{
		name: "road", size: "205/55 R16", load: 4000, cornering: span{0.2, 0.3}, slip: span{12, 25}, muX: span{0.95, 1.1}, muY: span{0.95, 1.1},
		ratio: span{0.1, 0.15}, angle: span{7, 10}, locked: span{0.65, 0.85}, lateral: span{0.3, 0.7}, along: span{0.1, 0.3},
	},
	{
		name: "sport", size: "225/40 R18", load: 4500, cornering: span{0.25, 0.35}, slip: span{12, 25}, muX: span{1.1, 1.25}, muY: span{1.1, 1.25},
		ratio: span{0.1, 0.15}, angle: span{7, 9}, locked: span{0.65, 0.85}, lateral: span{0.3, 0.7}, along: span{0.1, 0.3},
	},
	{
		name: "slick", size: "245/37 R18", load: 4000, cornering: span{0.4, 0.7}, slip: span{20, 35}, muX: span{1.5, 1.8}, muY: span{1.5, 1.8},
		ratio: span{0.08, 0.13}, angle: span{5, 7}, locked: span{0.6, 0.8}, lateral: span{0.3, 0.7}, along: span{0.1, 0.3},
	},
	{
		name: "pickup", size: "265/70 R17", load: 6500, cornering: span{0.12, 0.2}, slip: span{10, 20}, muX: span{0.8, 0.95}, muY: span{0.8, 0.95},
		ratio: span{0.12, 0.2}, angle: span{10, 14}, locked: span{0.7, 0.9}, lateral: span{0.4, 0.8}, along: span{0.15, 0.4},
	},
	{
		name: "ice", size: "205/55 R16", load: 4000, cornering: span{0.1, 0.2}, slip: span{5, 15}, muX: span{0.1, 0.2}, muY: span{0.1, 0.2},
		ratio: span{0.03, 0.1}, angle: span{2, 5}, locked: span{0.5, 0.9}, lateral: span{0.25, 0.7}, along: span{0.1, 0.3},
	},
}

// eachSet runs a test on every built-in set; at returns its forces at a share
// of the nominal load, slip angle and inclination in degrees.
func eachSet(t *testing.T, do func(t *testing.T, tr *Tire, at func(share, kappa, angle, lean float64) Forces)) {
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			tr := builtin(t, s.name)
			do(t, tr, func(share, kappa, angle, lean float64) Forces {
				return tr.Model.Forces(Contact{
					Kappa: kappa, TanAlpha: math.Tan(angle * degree), Gamma: lean * degree, Load: share * tr.Load, Surface: Dry(),
				})
			})
		})
	}
}

func builtin(t testing.TB, name string) *Tire {
	t.Helper()
	tr, err := Builtin(name)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// greatest returns where f is greatest between 0 and to, and how great.
func greatest(to float64, f func(x float64) float64) (at, most float64) {
	const steps = 2000
	for i := range steps {
		x := to * float64(i+1) / steps
		if v := f(x); v > most {
			at, most = x, v
		}
	}
	return at, most
}

func TestSetsAreCompleteAndListed(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Errorf("%v is not sorted", Names())
	}
	for _, s := range sets {
		tr := builtin(t, s.name)
		if !slices.Contains(Names(), s.name) {
			t.Errorf("%s is not listed", s.name)
		}
		if tr.Name != s.name || tr.Kind != "MF 6.1" || tr.Size != s.size || tr.Load != s.load {
			t.Errorf("%s came as %s, %s, %s, %g N", s.name, tr.Name, tr.Kind, tr.Size, tr.Load)
		}
		if len(tr.Notices) > 0 || len(tr.Unused) > 0 {
			t.Errorf("%s: notices %q, unused %q", s.name, tr.Notices, tr.Unused)
		}
	}
}

func TestSetsAreWithinPublishedRanges(t *testing.T) {
	const little = 1e-4
	i := 0
	eachSet(t, func(t *testing.T, tr *Tire, at func(share, kappa, angle, lean float64) Forces) {
		want := sets[i]
		i++
		want.cornering.check(t, "cornering stiffness over load", -at(1, 0, little, 0).Fy/little/tr.Load)
		want.slip.check(t, "slip stiffness over load", at(1, little, 0, 0).Fx/little/tr.Load)
		ratio, fx := greatest(0.5, func(k float64) float64 { return at(1, k, 0, 0).Fx })
		want.muX.check(t, "peak friction lengthwise", fx/tr.Load)
		want.ratio.check(t, "its slip ratio", ratio)
		angle, fy := greatest(30, func(a float64) float64 { return -at(1, 0, a, 0).Fy })
		want.muY.check(t, "peak friction sideways", fy/tr.Load)
		want.angle.check(t, "its slip angle", angle)
		want.locked.check(t, "locked over peak", -at(1, -1, 0, 0).Fx/fx)
		span{0.7, 0.97}.check(t, "side force at 30 degrees over peak", -at(1, 0, 30, 0).Fy/fy)
		span{0.01, 0.03}.check(t, "camber force of a degree over load", -at(1, 0, 0, 1).Fy/tr.Load)
		span{0.008, 0.015}.check(t, "rolling resistance", -at(1, 0, 0, 0).My/tr.Load/tr.Radius)
		can := tr.Model.Capacity(Contact{Load: tr.Load, Surface: Dry()})
		want.lateral.check(t, "lateral relaxation length", can.RelaxationY)
		want.along.check(t, "longitudinal relaxation length", can.RelaxationX)
	})
}

func TestSetsSlideSoonerOverTheLoad(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, at func(share, kappa, angle, lean float64) Forces) {
		muX, muY, perLoad := math.Inf(1), math.Inf(1), math.Inf(1)
		for _, share := range []float64{0.25, 0.5, 1, 1.5, 2, 2.4} {
			load := share * tr.Load
			_, fx := greatest(0.5, func(k float64) float64 { return at(share, k, 0, 0).Fx })
			_, fy := greatest(30, func(a float64) float64 { return -at(share, 0, a, 0).Fy })
			c := -at(share, 0, 1e-4, 0).Fy / 1e-4 / load
			if fx/load >= muX || fy/load >= muY || c >= perLoad {
				t.Errorf("at %g of the load: friction %.3f and %.3f, stiffness over load %.3f, which did not fall", share, fx/load, fy/load, c)
			}
			muX, muY, perLoad = fx/load, fy/load, c
		}
		share, _ := greatest(2.5, func(share float64) float64 { return -at(share, 0, 1e-4, 0).Fy })
		span{1.5, 3}.check(t, "load of the greatest cornering stiffness over the nominal", share)
		soon, _ := greatest(30, func(a float64) float64 { return -at(0.5, 0, a, 0).Fy })
		late, _ := greatest(30, func(a float64) float64 { return -at(1.5, 0, a, 0).Fy })
		if soon >= late {
			t.Errorf("the peak is at %.2f degrees under half the load and at %.2f under one and a half", soon, late)
		}
	})
}

// P ch. 3: the trail is longest at no slip and gone when all of the contact
// slides, so the moment is greatest before the force is.
func TestSetsTrailVanishesWhereTheyslide(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, at func(share, kappa, angle, lean float64) Forces) {
		trail := func(share, angle float64) float64 {
			f := at(share, 0, angle, 0)
			return -f.Mz / f.Fy
		}
		span{0.020, 0.045}.check(t, "trail at no slip [m]", trail(1, 1e-4))
		if less, more := trail(0.5, 1e-4), trail(1.5, 1e-4); !(less < trail(1, 1e-4) && trail(1, 1e-4) < more) {
			t.Errorf("the trail does not grow with the load: %.4f m, then %.4f m", less, more)
		}
		for _, share := range []float64{0.5, 1, 1.5} {
			peak, _ := greatest(30, func(a float64) float64 { return -at(share, 0, a, 0).Fy })
			early, _ := greatest(30, func(a float64) float64 { return at(share, 0, a, 0).Mz })
			span{0.2, 0.6}.check(t, "slip angle of the greatest moment over that of the greatest force", early/peak)
			if near, far := trail(share, 0.9*peak), trail(share, 1.3*peak); !(near > 0 && far < 0) {
				t.Errorf("at %g of the load the trail is %.4f m before the peak and %.4f m after it", share, near, far)
			}
			for angle := 0.5; angle < 60; angle += 0.5 {
				span{-0.25, 1}.check(t, fmt.Sprintf("trail at %g degrees over its greatest", angle), trail(share, angle)/trail(share, 1e-4))
			}
		}
	})
}

func TestSetsShareGripOnAnEllipse(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, at func(share, kappa, angle, lean float64) Forces) {
		for _, share := range []float64{0.5, 1, 1.5} {
			ratio, mostX := greatest(0.5, func(k float64) float64 { return at(share, k, 0, 0).Fx })
			angle, mostY := greatest(30, func(a float64) float64 { return -at(share, 0, a, 0).Fy })
			for way := 0.0; way <= 180; way += 5 {
				x, y := math.Cos(way*degree)*ratio, math.Sin(way*degree)*math.Tan(angle*degree)
				_, most := greatest(8, func(s float64) float64 {
					f := at(share, max(-1, s*x), math.Atan(s*y)/degree, 0)
					return math.Hypot(f.Fx/mostX, f.Fy/mostY)
				})
				span{0.95, 1.05}.check(t, fmt.Sprintf("grip at %g of the load towards %g degrees over the ellipse", share, way), most)
			}
		}
	})
}

// A wheel that does not turn is a sledge: friction is against its way.
func TestSetsLockedAreDraggedBack(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at func(share, kappa, angle, lean float64) Forces) {
		for _, angle := range []float64{0, 5, 15, 30, 45} {
			f := at(1, -1, angle, 0)
			near(t, fmt.Sprintf("direction of friction at %g degrees", angle), math.Atan2(-f.Fy, -f.Fx)/degree, angle, 6)
		}
	})
}

// Without ply steer and conicity the left tire is the right one's mirror
// image, to the last bit, and a symmetric car runs straight.
func TestSetsAreTheirMirrorImage(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at func(share, kappa, angle, lean float64) Forces) {
		for _, share := range []float64{0.02, 0.5, 1, 2.3} {
			for _, kappa := range []float64{-1, -0.07, 0, 0.03, 0.4} {
				for _, angle := range []float64{0, 0.01, 2, 7, 25, 80} {
					for _, lean := range []float64{0, 0.3, -4, 9} {
						a, b := at(share, kappa, angle, lean), at(share, kappa, -angle, -lean)
						if (a != Forces{b.Fx, -b.Fy, -b.Mx, b.My, -b.Mz}) {
							t.Fatalf("%g, %g, %g, %g: %+v on one side, %+v on the other", share, kappa, angle, lean, a, b)
						}
					}
				}
				if f := at(share, kappa, 0, 0); f.Fy != 0 || f.Mx != 0 || f.Mz != 0 {
					t.Errorf("straight ahead at %g, %g: %+v", share, kappa, f)
				}
			}
		}
	})
}

func TestSetsLeanIntoTheTurn(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at func(share, kappa, angle, lean float64) Forces) {
		top := func(lean float64) float64 {
			_, most := greatest(30, func(a float64) float64 { return -at(1, 0, a, lean).Fy })
			return most
		}
		if in, out := top(3), top(-3); !(in > out) {
			t.Errorf("most side force %.0f N with the top leaning into the turn and %.0f N out of it", in, out)
		}
		span{0.9, 1.06}.check(t, "peak at 8 degrees of camber over upright", top(8)/top(0))
		// The contact moves to where the top leans, and to where the road pushes it.
		if f := at(1, 0, 0, 3); !(f.Mx < 0) {
			t.Errorf("overturning moment %.1f N·m of a wheel that leans to the right", f.Mx)
		}
		if f := at(1, 0, -3, 0); !(f.Mx > 0) {
			t.Errorf("overturning moment %.1f N·m of a wheel that is pushed to the left", f.Mx)
		}
		// So braking in a turn takes from the aligning moment, and driving adds.
		brake, drive := at(1, -0.03, 1, 0).Mz, at(1, 0.03, 1, 0).Mz
		if !(brake < drive) {
			t.Errorf("aligning moment %.1f N·m braking, %.1f N·m driving", brake, drive)
		}
	})
}
