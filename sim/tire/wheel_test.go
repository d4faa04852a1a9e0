package tire

import (
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/test/near"
)

const dt = 1e-3

func params() WheelParams {
	return WheelParams{Radius: 0.3, Inertia: 1, RelaxationX: 0.15, RelaxationY: 0.3, Damping: 2000}
}

func newWheel(t testing.TB) *Wheel {
	t.Helper()
	return wheelOf(t, road205(t), params(), dt)
}

func wheelOf(t testing.TB, m Model, p WheelParams, dt float64) *Wheel {
	t.Helper()
	w, err := NewWheel(m, p, dt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func steps(w *Wheel, s *WheelState, n int, d WheelInput) (f Forces) {
	for range n {
		f = w.Step(s, d)
	}
	return f
}

func TestSettledWheelGivesTheModelsForces(t *testing.T) {
	for _, distance := range []float64{1, -1} {
		w := newWheel(t)
		s := WheelState{Spin: distance * 20 / 0.3}
		d := WheelInput{Vx: distance * 20, Vy: 1, Load: 4000, Surface: Dry()}
		f := steps(w, &s, 2000, d)
		rolled := math.Abs(s.Spin) * 0.3
		m := road205(t).Forces(Contact{
			Kappa: rolled/20 - 1, TanAlpha: 1.0 / 20, Load: 4000, Surface: Dry(),
		})
		near.Value(t, "Fx", f.Fx, distance*m.Fx, 1e-3)
		near.Value(t, "Fy", f.Fy, m.Fy, 1e-3)
		near.Value(t, "Mz", f.Mz, distance*m.Mz, 1e-3)
		near.Value(t, "rolling resistance", -f.Fx*distance*0.3, 0.012*0.30*4000, 1e-3)
	}
}

func TestSlipAngleBuildsUpOverTheRelaxationLength(t *testing.T) {
	w := newWheel(t)
	s := WheelState{Spin: 10 / 0.3}
	d := WheelInput{Vx: 10, Vy: 0.01, Load: 4000, Surface: Dry()}
	steps(w, &s, 30, d) // 0.3 m: one relaxation length
	near.Value(t, "share of the final deflection", s.DeflY/(0.3*0.001), 1-math.Exp(-1), 0.02)
}

func TestStandingWheelIsASpring(t *testing.T) {
	w := newWheel(t)
	var s WheelState
	d := WheelInput{Load: 4000, Surface: Dry(), BrakeTorque: 1000}
	d.Vy = 0.01
	steps(w, &s, 100, d) // 1 mm to the left
	d.Vy = 0
	before := w.Step(&s, d)
	after := steps(w, &s, 60_000, d)
	if before != after {
		t.Errorf("force crept from %+v to %+v", before, after)
	}
	near.Value(t, "stiffness", -after.Fy/1e-3, 53e3/0.3, 0.02*53e3/0.3)
}

func TestBrakeLocksExactlyAndNeverReverses(t *testing.T) {
	w := newWheel(t)
	s := WheelState{Spin: 20 / 0.3}
	d := WheelInput{Vx: 20, Load: 4000, Surface: Dry(), BrakeTorque: 3000}
	for i := range 3000 {
		f := w.Step(&s, d)
		if s.Spin < 0 {
			t.Fatalf("spins at %g rad/s after %d ms", s.Spin, i)
		}
		if f.Fx > 0 {
			t.Fatalf("drives with %g N after %d ms", f.Fx, i)
		}
	}
	near.Value(t, "spin", s.Spin, 0, 0)
	near.Value(t, "force of the locked wheel", w.Step(&s, d).Fx, -4000, 1e-6)
}

func TestLockedWheelPullsAgainstItsSliding(t *testing.T) {
	for _, speed := range []float64{5, 0.5, 0.05} {
		w := newWheel(t)
		var s WheelState
		d := WheelInput{Vx: 0.6 * speed, Vy: 0.8 * speed, Load: 4000, Surface: Dry(), BrakeTorque: 5000}
		f := steps(w, &s, 20_000, d)
		near.Value(t, "force ahead", f.Fx, -0.6*4000, 4)
		near.Value(t, "force aside", f.Fy, -0.8*4000, 4)
	}
}

// A locked wheel that came to rest at the limit is where 0/0 waits.
func TestLockedWheelThatHardlyMovesIsFinite(t *testing.T) {
	for i := range 500 {
		w := newWheel(t)
		var s WheelState
		d := WheelInput{Vx: 3, Vy: 0.01 * float64(i), Load: 4000 + float64(i), Surface: Dry(), BrakeTorque: 5000}
		steps(w, &s, 300, d)
		d.Vx, d.Vy = 1e-19, -1e-18
		if f := w.Step(&s, d); !(math.Abs(s.SlipX+s.SlipEnergy+f.Fx+f.Fy) < 1e9) {
			t.Fatalf("after %g m/s to the side: %+v, %+v", 0.01*float64(i), f, s)
		}
	}
}

// A load that falls makes a standing contact slide back; its force must not
// turn against the next best speed. Dugoff's stiffness does not fall with it.
func TestFallingLoadDoesNotTurnTheForce(t *testing.T) {
	w := wheelOf(t, dugoffTire(t, DefaultDugoff()), params(), dt)
	var s WheelState
	d := WheelInput{Vx: 1, Load: 4000, Surface: Dry(), BrakeTorque: 5000}
	steps(w, &s, 500, d)
	for i := range 100 {
		d.Load *= 0.995
		d.Vx, d.Vy = 0, 0.003*float64(1-2*(i%2))
		f := w.Step(&s, d)
		near.Value(t, "force aside over the force ahead", f.Fy/f.Fx, 0, 0.02)
	}
}

func TestDrivenWheelSpinsUpAndHoldsTheLimit(t *testing.T) {
	w := newWheel(t)
	var s WheelState
	f := steps(w, &s, 500, WheelInput{Load: 4000, Surface: Surface{0.5, 1, 1}, Torque: 1500})
	near.Value(t, "force", f.Fx, 2000, 1e-6)
	want := 0.5 * (1500 - 2000*0.3 - 0.012*0.3*4000) // angular momentum, less what the carcass took
	near.Value(t, "spin", s.Spin, want, 0.02*want)
}

func TestWheelInTheAir(t *testing.T) {
	w := newWheel(t)
	s := WheelState{Spin: 10, DeflX: 0.01, DeflY: 0.01, UndampedFx: 5, SlipX: 0.1, Twist: 0.1, SlipEnergy: 7}
	f := w.Step(&s, WheelInput{Vx: 5, Vy: 5, Torque: 100})
	if f != (Forces{}) {
		t.Errorf("forces %+v", f)
	}
	near.Value(t, "spin", s.Spin, 10.1, 1e-12)
	if s != (WheelState{Spin: s.Spin, SlipEnergy: 7}) {
		t.Errorf("keeps %+v", s)
	}
	w.Step(&s, WheelInput{BrakeTorque: 1e5})
	near.Value(t, "spin braked", s.Spin, 0, 0)
}

func TestStandsStableAtEverySpeed(t *testing.T) {
	for _, v := range []float64{0, 1e-6, 0.01, 0.3, 1, 3, 5, 30, 100} {
		w := newWheel(t)
		s := WheelState{Spin: v/0.3 + 1} // disturbed
		d := WheelInput{Vx: v, Load: 4000, Surface: Dry()}
		steps(w, &s, 500, d)
		last := s.Spin
		steps(w, &s, 1, d)
		if math.Abs(s.Spin-last) > 1e-3 || math.Abs(s.Spin*0.3-v) > 0.001*v+0.01 {
			t.Errorf("at %g m/s: spin %g, then %g rad/s", v, last, s.Spin)
		}
	}
}

func FuzzWheel(f *testing.F) {
	f.Add(20.0, 1.0, 4000.0, 1.0, 500.0, 0.0, 0.0, 0.1)
	f.Add(-0.01, 0.0, 100.0, 0.05, 0.0, 0.0, 5000.0, -20.0)
	f.Add(0.0, 30.0, 9000.0, 1.5, -3000.0, 50.0, 100.0, 0.0)
	f.Add(math.Inf(1), math.NaN(), math.Inf(1), math.Inf(1), math.Inf(-1), 1e308, math.NaN(), math.Inf(1))
	f.Fuzz(func(t *testing.T, vx, vy, load, grip, torque, slope, braking, yaw float64) {
		d := WheelInput{
			Vx: vx, Vy: vy, Load: load, Surface: Surface{grip, 1, 1}, Torque: torque, TorqueSlope: math.Abs(slope), BrakeTorque: math.Abs(braking), YawRate: yaw,
		}
		for name, m := range allModels(t) {
			w := wheelOf(t, m, params(), dt)
			s := WheelState{Spin: wrap(vx, 120) / 0.3}
			for range 30 {
				got := w.Step(&s, d)
				sum := got.Fx + got.Fy + got.Mx + got.My + got.Mz + s.Spin + s.DeflX + s.DeflY + s.UndampedFx + s.SlipX + s.Twist + s.SlipEnergy
				if sum-sum != 0 {
					t.Fatalf("%s, %+v: %+v, %+v", name, d, got, s)
				}
			}
		}
	})
}

func TestBrushWheelNeverHoldsMoreThanFriction(t *testing.T) {
	w := newWheel(t)
	rng := rand.New(rand.NewPCG(5, 6))
	sym := func(largest float64) float64 { return largest * (2*rng.Float64() - 1) }
	for range 300 {
		d := WheelInput{Vx: sym(10), Vy: sym(10), Load: 8000 * rng.Float64(), Surface: Dry(), Torque: sym(3000), BrakeTorque: sym(3000)}
		d.BrakeTorque = max(d.BrakeTorque, 0)
		s := WheelState{Spin: sym(50)}
		largest := w.model.Capacity(Contact{Load: d.Load, Surface: Dry()}).ForceX
		for range 50 {
			if f := w.Step(&s, d); math.Hypot(f.Fx, f.Fy) > largest*(1+1e-9) {
				t.Fatalf("%+v: %+v above %g N", d, f, largest)
			}
		}
	}
}

// wrap brings any number into ±most.
func wrap(v, largest float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return largest
	}
	return math.Mod(v, largest)
}

func TestWheelAllocatesNothing(t *testing.T) {
	w := newWheel(t)
	var s WheelState
	if n := testing.AllocsPerRun(100, func() {
		w.Step(&s, WheelInput{Vx: 1, Vy: 0.1, Load: 4000, Surface: Dry(), Torque: 10})
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkWheel(b *testing.B) {
	for name, m := range map[string]Model{"brush": road205(b), "curve": curved(b)} {
		b.Run(name, func(b *testing.B) {
			w := wheelOf(b, m, params(), dt)
			s := WheelState{Spin: 20 / 0.3}
			b.ReportAllocs()
			for b.Loop() {
				w.Step(&s, WheelInput{Vx: 20, Vy: 0.5, Load: 4000, Surface: Dry(), Torque: 100})
			}
		})
	}
}

// A brake and the rolling resistance hold a wheel together: each has its share of what they hold, and all of its own
// while the wheel turns.
func TestRollingMomentIsWhatHeldTheWheel(t *testing.T) {
	m, err := NewBrush(DefaultBrush(), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	w := wheelOf(t, m, WheelParams{Radius: 0.3, Inertia: 1, RelaxationX: 0.15, RelaxationY: 0.3, Damping: 2000}, dt)
	d := WheelInput{Load: 4000, Surface: Dry(), Torque: 10, BrakeTorque: 100}
	rolling := m.Capacity(Contact{Load: 4000, Surface: Dry()}).Rolling
	var s WheelState
	f := w.Step(&s, d)
	near.Value(t, "standing", f.My, -10*rolling/(100+rolling), 1e-9)
	s, d.Vx, d.Torque, d.BrakeTorque = WheelState{Spin: 20 / 0.3}, 20, 0, 0
	f = w.Step(&s, d)
	near.Value(t, "rolling", f.My, -rolling, 1e-9)
	s, d.Vx = WheelState{Spin: -20 / 0.3}, -20
	f = w.Step(&s, d)
	near.Value(t, "rolling back", f.My, rolling, 1e-9)
}
