package tire

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rig.example/rig/test/level"
	"rig.example/rig/test/near"
)

// span is a range that a tire is held to; the files in data say where to
// compare it.
type span struct{ low, high float64 }

func (s span) check(t *testing.T, what string, got float64) {
	t.Helper()
	if !(got >= s.low && got <= s.high) {
		t.Errorf("%s = %.4g, plausible are %g to %g", what, got, s.low, s.high)
	}
}

// sets lists what is plausible for tires like the built-in ones, at their
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

// bench gives the forces of a tire at a share of its nominal load, a slip
// ratio, and a slip angle and an inclination in degrees.
type bench func(share, kappa, angle, lean float64) Forces

func benchOf(tr *Tire) bench {
	return func(share, kappa, angle, lean float64) Forces {
		return tr.Model.Forces(Contact{
			Kappa: kappa, TanAlpha: math.Tan(angle * degree), Gamma: lean * degree, Load: share * tr.NominalLoad, Surface: Dry(),
		})
	}
}

// peaks returns the greatest forces in pure slip and where they are [deg].
func (at bench) peaks(share float64) (ratio, fx, angle, fy float64) {
	ratio, fx = greatest(0.5, func(k float64) float64 { return at(share, k, 0, 0).Fx })
	angle, fy = greatest(30, func(a float64) float64 { return -at(share, 0, a, 0).Fy })
	return ratio, fx, angle, fy
}

// cornering returns the cornering stiffness [N/deg].
func (at bench) cornering(share float64) float64 {
	const little = 1e-4
	return -at(share, 0, little, 0).Fy / little
}

// trail returns the pneumatic trail [m].
func (at bench) trail(share, angle float64) float64 {
	f := at(share, 0, angle, 0)
	return -f.Mz / f.Fy
}

// eachSet runs a test on every built-in set.
func eachSet(t *testing.T, do func(t *testing.T, tr *Tire, at bench)) {
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) {
			tr := builtin(t, s.name)
			do(t, tr, benchOf(tr))
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
func greatest(to float64, f func(x float64) float64) (at, largest float64) {
	const steps = 2000
	for i := range steps {
		x := to * float64(i+1) / steps
		if v := f(x); v > largest {
			at, largest = x, v
		}
	}
	return at, largest
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
		if tr.Name != s.name || tr.Kind != "MF 6.1" || tr.Size != s.size || tr.NominalLoad != s.load {
			t.Errorf("%s came as %s, %s, %s, %g N", s.name, tr.Name, tr.Kind, tr.Size, tr.NominalLoad)
		}
		if len(tr.Notices) > 0 || len(tr.UnusedKeys) > 0 {
			t.Errorf("%s: notices %q, unused %q", s.name, tr.Notices, tr.UnusedKeys)
		}
	}
}

func TestSetsAreWithinTheirRanges(t *testing.T) {
	const little = 1e-4
	for _, want := range sets {
		t.Run(want.name, func(t *testing.T) {
			tr := builtin(t, want.name)
			at := benchOf(tr)
			ratio, fx, angle, fy := at.peaks(1)
			want.cornering.check(t, "cornering stiffness over load", at.cornering(1)/tr.NominalLoad)
			want.slip.check(t, "slip stiffness over load", at(1, little, 0, 0).Fx/little/tr.NominalLoad)
			want.muX.check(t, "peak longitudinal friction", fx/tr.NominalLoad)
			want.ratio.check(t, "its slip ratio", ratio)
			want.muY.check(t, "peak friction sideways", fy/tr.NominalLoad)
			want.angle.check(t, "its slip angle", angle)
			want.locked.check(t, "locked over peak", -at(1, -1, 0, 0).Fx/fx)
			span{0.7, 0.97}.check(t, "side force at 30 degrees over peak", -at(1, 0, 30, 0).Fy/fy)
			span{0.01, 0.03}.check(t, "camber force of a degree over load", -at(1, 0, 0, 1).Fy/tr.NominalLoad)
			span{0.020, 0.045}.check(t, "trail at no slip [m]", at.trail(1, little))
			span{0.008, 0.015}.check(t, "rolling resistance", -at(1, 0, 0, 0).My/tr.NominalLoad/tr.Radius)
			capacity := tr.Model.Capacity(Contact{Load: tr.NominalLoad, Surface: Dry()})
			want.lateral.check(t, "lateral relaxation length", capacity.RelaxationY)
			want.along.check(t, "longitudinal relaxation length", capacity.RelaxationX)
		})
	}
}

func TestSetsGripGrowsLessThanTheLoad(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, at bench) {
		muX, muY, stiff := math.Inf(1), math.Inf(1), math.Inf(1)
		for _, share := range []float64{0.25, 0.5, 1, 1.5, 2, 2.4} {
			load := share * tr.NominalLoad
			_, fx, _, fy := at.peaks(share)
			c := at.cornering(share)
			if fx/load >= muX || fy/load >= muY || c/load >= stiff {
				t.Errorf("at %g of the load: friction %.3f and %.3f, stiffness over load %.3f, which did not all fall", share, fx/load, fy/load, c/load)
			}
			muX, muY, stiff = fx/load, fy/load, c/load
		}
		share, _ := greatest(2.5, at.cornering)
		span{1.5, 3}.check(t, "load of the greatest cornering stiffness over the nominal", share)
		_, _, early, _ := at.peaks(0.5)
		_, _, late, _ := at.peaks(1.5)
		if early >= late {
			t.Errorf("the peak is at %.2f degrees under half the load and at %.2f under one and a half", early, late)
		}
	})
}

// P ch. 3: the trail is longest at no slip and gone when all of the contact
// slides, so the moment is greatest before the force is.
func TestSetsTrailVanishesWhereTheySlide(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at bench) {
		before := 0.0
		for _, share := range []float64{0.5, 1, 1.5} {
			longest := at.trail(share, 1e-4)
			if !(longest > before) {
				t.Errorf("the trail is %.4f m at %g of the load and %.4f m under less", longest, share, before)
			}
			before = longest
			_, _, peak, _ := at.peaks(share)
			early, _ := greatest(30, func(a float64) float64 { return at(share, 0, a, 0).Mz })
			span{0.2, 0.6}.check(t, "slip angle of the greatest moment over that of the greatest force", early/peak)
			if held, slid := at.trail(share, 0.9*peak), at.trail(share, 1.3*peak); !(held > 0 && slid < 0) {
				t.Errorf("at %g of the load the trail is %.4f m before the peak and %.4f m after it", share, held, slid)
			}
			for angle := 0.5; angle < 60; angle += 0.5 {
				span{-0.25, 1}.check(t, fmt.Sprintf("trail at %g degrees over its longest", angle), at.trail(share, angle)/longest)
			}
		}
	})
}

func TestSetsShareGripOnAnEllipse(t *testing.T) {
	level.SkipIfQuick(t)
	eachSet(t, func(t *testing.T, _ *Tire, at bench) {
		for _, share := range []float64{0.5, 1, 1.5} {
			ratio, largestX, angle, largestY := at.peaks(share)
			for distance := 0.0; distance <= 180; distance += 5 {
				x, y := math.Cos(distance*degree)*ratio, math.Sin(distance*degree)*math.Tan(angle*degree)
				_, largest := greatest(8, func(s float64) float64 {
					f := at(share, max(-1, s*x), math.Atan(s*y)/degree, 0)
					return math.Hypot(f.Fx/largestX, f.Fy/largestY)
				})
				span{0.95, 1.05}.check(t, fmt.Sprintf("grip at %g of the load towards %g degrees over the ellipse", share, distance), largest)
			}
		}
	})
}

// A wheel that does not turn is a sledge: friction is against its way.
func TestSetsForceOpposesALockedWheel(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at bench) {
		for _, angle := range []float64{0, 5, 15, 30, 45} {
			f := at(1, -1, angle, 0)
			near.Value(t, fmt.Sprintf("direction of friction at %g degrees", angle), math.Atan2(-f.Fy, -f.Fx)/degree, angle, 6)
		}
	})
}

// Without ply steer and conicity the left tire is the right one's mirror
// image, to the last bit, and a symmetric car runs straight.
func TestSetsAreTheirMirrorImage(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at bench) {
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

func TestSetsHaveCamberThrust(t *testing.T) {
	eachSet(t, func(t *testing.T, _ *Tire, at bench) {
		top := func(lean float64) float64 {
			_, largest := greatest(30, func(a float64) float64 { return -at(1, 0, a, lean).Fy })
			return largest
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

// everywhere calls do all over the stated range of load, inflation and
// inclination, and beyond the range of slip.
func everywhere(tr *Tire, do func(c Contact)) {
	for _, share := range []float64{0, 0.01, 0.05, 0.2, 0.5, 1} {
		for _, pressure := range []float64{0.7, 1, 1.4} {
			for _, lean := range []float64{-10, -3, 0, 6, 10} {
				for _, kappa := range []float64{-1, -0.2, -0.05, 0, 0.01, 0.1, 0.6, 20} {
					for _, tan := range []float64{-30, -0.6, -0.1, -0.02, 0, 0.05, 0.2, 3} {
						do(Contact{
							Kappa: kappa, TanAlpha: tan, Gamma: lean * degree, Surface: Dry(),
							Load: tr.LoadMin + share*(tr.LoadMax-tr.LoadMin), Pressure: pressure * tr.Pressure,
						})
					}
				}
			}
		}
	}
}

// No lever is longer than the contact, no force greater than friction and
// camber allow, and an upright tire takes power from its slip.
func TestSetsForcesStayWithinFriction(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, _ bench) {
		everywhere(tr, func(c Contact) {
			f, capacity := tr.Model.Forces(c), tr.Model.Capacity(c)
			reach := capacity.HalfLength + 0.1*tr.Radius
			switch {
			case !(math.Hypot(f.Fx/capacity.ForceX, f.Fy/capacity.ForceY) < 1.15):
				t.Fatalf("%+v: %.0f and %.0f N of %.0f and %.0f N", c, f.Fx, f.Fy, capacity.ForceX, capacity.ForceY)
			case !(math.Abs(f.Mz) <= reach*max(capacity.ForceX, capacity.ForceY)):
				t.Fatalf("%+v: %.1f N·m about the vertical with a reach of %.3f m", c, f.Mz, reach)
			case !(math.Abs(f.Mx) <= 0.25*tr.Radius*c.Load):
				t.Fatalf("%+v: overturning moment of %.1f N·m", c, f.Mx)
			case !(f.My <= 0 && f.My > -0.05*tr.Radius*c.Load):
				t.Fatalf("%+v: rolling resistance of %.2f N·m", c, f.My)
			case c.Gamma == 0 && f.Fy*c.TanAlpha-f.Fx*c.Kappa > 0:
				t.Fatalf("%+v: gives power: %+v", c, f)
			}
		})
	})
}

func TestSetsAreSteepestAtNoSlip(t *testing.T) {
	const step, slack = 0.002, 1 + 1e-6
	eachSet(t, func(t *testing.T, tr *Tire, _ bench) {
		for _, share := range []float64{0.01, 0.1, 0.3, 0.6, 1} {
			for _, pressure := range []float64{0.7, 1, 1.4} {
				c := Contact{Load: share * tr.LoadMax, Pressure: pressure * tr.Pressure, Surface: Dry()}
				capacity := tr.Model.Capacity(c)
				var lastX, lastY Forces
				for slip := step; slip < 1.2; slip += step {
					c.Kappa, c.TanAlpha = slip, 0
					x := tr.Model.Forces(c)
					c.Kappa, c.TanAlpha = 0, slip
					y := tr.Model.Forces(c)
					if math.Abs(x.Fx-lastX.Fx) > slack*capacity.StiffnessX*step || math.Abs(y.Fy-lastY.Fy) > slack*capacity.StiffnessY*step {
						t.Fatalf("%+v: %.1f and %.1f N of a step of %g", c, x.Fx-lastX.Fx, y.Fy-lastY.Fy, step)
					}
					lastX, lastY = x, y
				}
			}
		}
	})
}

// Besselink, Schmeitz and Pacejka (2010): a harder tire has a shorter contact,
// so less stiffness and trail; its stiffer carcass outweighs that under load.
func TestSetsFollowTheirInflation(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, _ bench) {
		at := func(share, pressure float64) (capacity Capacity, trail float64) {
			c := Contact{Load: share * tr.NominalLoad, Pressure: pressure * tr.Pressure, Surface: Dry(), TanAlpha: 1e-5}
			f := tr.Model.Forces(c)
			return tr.Model.Capacity(c), -f.Mz / f.Fy
		}
		soft, long := at(1, 0.8)
		hard, short := at(1, 1.2)
		for _, v := range []struct {
			name       string
			soft, hard float64
		}{
			{"slip stiffness", soft.StiffnessX, hard.StiffnessX},
			{"trail", long, short},
			{"length of the contact", soft.HalfLength, hard.HalfLength},
			{"longitudinal relaxation length", soft.RelaxationX, hard.RelaxationX},
			{"lateral relaxation length", soft.RelaxationY, hard.RelaxationY},
			{"rolling resistance", soft.Rolling, hard.Rolling},
		} {
			if !(v.hard < v.soft) {
				t.Errorf("%s: %.4g soft and %.4g hard", v.name, v.soft, v.hard)
			}
		}
		span{0.95, 1}.check(t, "friction hard over soft", hard.ForceY/soft.ForceY)
		softLight, _ := at(0.4, 0.8)
		hardLight, _ := at(0.4, 1.2)
		softHeavy, _ := at(1.8, 0.8)
		hardHeavy, _ := at(1.8, 1.2)
		span{0.8, 1}.check(t, "cornering stiffness hard over soft under little load", hardLight.StiffnessY/softLight.StiffnessY)
		span{1, 1.4}.check(t, "cornering stiffness hard over soft under much load", hardHeavy.StiffnessY/softHeavy.StiffnessY)
	})
}

// P §8.3: a radial tire rolls on a radius between the loaded and the free one,
// much nearer to the free one.
func TestSetsHaveAVerticalSpring(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, _ bench) {
		v, err := NewVertical(tr.Vertical)
		if err != nil {
			t.Fatal(err)
		}
		span{200e3, 300e3}.check(t, "vertical stiffness [N/m]", tr.Vertical.Stiffness)
		near.Value(t, "slope of the load over the deflection", v.Rate(v.Deflection(tr.NominalLoad), VerticalInput{}), tr.Vertical.Stiffness, 1e-3*tr.Vertical.Stiffness)
		span{0.3, 0.5}.check(t, "what the rolling radius loses of the deflection", (tr.Radius-v.EffectiveRadius(tr.NominalLoad, 0))/v.Deflection(tr.NominalLoad))
		last := tr.Radius
		for _, share := range []float64{0.25, 0.5, 1, 1.5, 2} {
			sunk, rolls := v.Deflection(share*tr.NominalLoad), v.EffectiveRadius(share*tr.NominalLoad, 0)
			if !(rolls < last) {
				t.Errorf("at %g of the load it rolls on %.4f m, and on %.4f m under less", share, rolls, last)
			}
			span{0.2, 1}.check(t, fmt.Sprintf("what the rolling radius loses of the deflection at %g of the load", share), (tr.Radius-rolls)/sunk)
			last = rolls
		}
	})
}

func TestSetsResistRollingMoreWhenFast(t *testing.T) {
	eachSet(t, func(t *testing.T, tr *Tire, _ bench) {
		rollingForce := func(speed float64) float64 {
			return tr.Model.Capacity(Contact{Load: tr.NominalLoad, Speed: speed, Surface: Dry()}).Rolling
		}
		span{1.01, 1.2}.check(t, "rolling resistance at 90 over that at 30 km/h", rollingForce(25)/rollingForce(8.33))
		span{1.2, 2.5}.check(t, "rolling resistance at 180 over that at 30 km/h", rollingForce(50)/rollingForce(8.33))
	})
}
