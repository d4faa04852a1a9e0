package tire

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rig.example/rig/test/near"
)

// peaked is a tire with all that a brush has not: a peak, a falling branch,
// stiffness and friction that differ by direction, forces at no slip, and
// relaxation lengths that grow with the load.
type peaked struct{ shift float64 }

func (m peaked) Forces(c Contact) Forces {
	if !c.hasContact() {
		return Forces{}
	}
	capacity := m.Capacity(c)
	sx, sy := c.Kappa/(1+math.Abs(c.Kappa)), c.TanAlpha
	qx, qy := sx*capacity.StiffnessX/capacity.ForceX, sy*capacity.StiffnessY/capacity.ForceY
	q := math.Hypot(qx, qy)
	share := 1.0
	if q > 0 {
		share = math.Sin(1.6*math.Atan(q/1.6)) / q // magic formula with C = 1.6, E = 0
	}
	return Forces{Fx: capacity.ForceX*share*qx + m.shift, Fy: -capacity.ForceY*share*qy + m.shift, My: -capacity.Rolling}
}

func (m peaked) Capacity(c Contact) Capacity {
	load := min(c.Load, maxLoad)
	grip, stiffness := min(c.Surface.Grip, maxFactor), min(c.Surface.Stiffness, maxFactor)
	return Capacity{
		StiffnessX: 30 * load * stiffness, StiffnessY: 18 * load * stiffness, ForceX: 1.2 * load * grip, ForceY: load * grip,
		Rolling: 0.003 * load, RelaxationX: 4e-5 * load, RelaxationY: 1e-4 * load, HalfLength: 0.08,
	}
}

func curved(t testing.TB) *Curve {
	p := DefaultCurve()
	p.Ellipse = true
	return curveTire(t, p)
}

func allModels(t testing.TB) map[string]Model {
	return map[string]Model{
		"brush": road205(t), "dugoff": dugoffTire(t, DefaultDugoff()), "curve": curveTire(t, DefaultCurve()),
		"curve with ellipse": curved(t), "coulomb": coulombTire(t), "peaked": peaked{}, "peaked, shifted": peaked{shift: 90},
	}
}

// Free rolling is settled by the spin, and so is a brake of 700 N·m.
func TestSettledWheelGivesTheModelsForcesPastThePeak(t *testing.T) {
	for name, m := range allModels(t) {
		if name == "curve" || name == "coulomb" {
			continue // a spin that never settles: no force turns it back
		}
		for _, speed := range []float64{5, 20} {
			for _, braking := range []float64{0, 700} {
				for _, tan := range []float64{0, 0.05, 0.2, 0.5, -1} {
					w := wheelOf(t, m, params(), dt)
					s := WheelState{Spin: speed / 0.3}
					d := WheelInput{Vx: speed, Vy: speed * tan, Load: 4000, Surface: Dry(), BrakeTorque: braking}
					f := steps(w, &s, 4000, d)
					if s.Spin == 0 {
						continue // locked: the slip over the rolled way has no end
					}
					want := m.Forces(Contact{Kappa: s.Spin*0.3/speed - 1, TanAlpha: tan, Load: 4000, Surface: Dry(), Speed: speed})
					what := fmt.Sprintf("%s at %g m/s, brake %g N·m, tan %g: ", name, speed, braking, tan)
					near.Value(t, what+"Fx", f.Fx, want.Fx, 0.5)
					near.Value(t, what+"Fy", f.Fy, want.Fy, 0.5)
				}
			}
		}
	}
}

func TestLockedWheelGivesTheModelsForceOfALockedWheel(t *testing.T) {
	for name, m := range allModels(t) {
		w := wheelOf(t, m, params(), dt)
		for _, distance := range []float64{1, -1} {
			var s WheelState
			f := steps(w, &s, 3000, WheelInput{Vx: distance * 30, Load: 4000, Surface: Dry(), BrakeTorque: 1e5})
			want := m.Forces(Contact{Kappa: -1, Load: 4000, Surface: Dry(), Speed: 30})
			near.Value(t, name, f.Fx, distance*want.Fx, 0.02*4000) // kappa is -0.983: a slip of 60 over a bounded rolled way
		}
	}
}

func TestRelaxationLengthsOfTheTireItself(t *testing.T) {
	p := params()
	p.RelaxationX, p.RelaxationY = 0, 0
	w := wheelOf(t, peaked{}, p, dt)
	for _, load := range []float64{2000, 5000} {
		s := WheelState{Spin: 10 / 0.3}
		ticks := int(math.Round(1e-4 * load / 10 / dt)) // one relaxation length
		steps(w, &s, ticks, WheelInput{Vx: 10, Vy: 0.01, Load: load, Surface: Dry()})
		near.Value(t, "share of the final deflection", s.DeflY/(1e-4*load*0.001), 1-math.Exp(-1), 0.02)
	}
}

func TestNewWheelRejectsBadArguments(t *testing.T) {
	none, short := params(), params()
	none.RelaxationY = 0
	short.RelaxationX = 0.001
	for _, tt := range []struct {
		name string
		p    WheelParams
		dt   float64
		want string
	}{
		{"nobody's relaxation length", none, dt, "relaxation_lat_m = 0, and the tire model has no relaxation length"},
		{"too short a one", short, dt, "relaxation_long_m = 0.001: must be 0 (the tire's own) or 0.02 to 2"},
		{"too long a step", params(), 0.1, "dt = 0.1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewWheel(road205(t), tt.p, tt.dt); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// No force jumps as a wheel goes from rolling forward to rolling backward,
// also where the model's force at no slip is not 0.
func TestWheelIsContinuousAtStandstill(t *testing.T) {
	w := wheelOf(t, peaked{shift: 90}, params(), dt)
	at := func(v float64) Forces {
		s := WheelState{Spin: v / 0.3}
		return w.Step(&s, WheelInput{Vx: v, Load: 4000, Surface: Dry()})
	}
	last := at(-0.3)
	for i := -2999; i <= 3000; i++ {
		now := at(float64(i) * 1e-4)
		if step := math.Hypot(now.Fx-last.Fx, now.Fy-last.Fy); step > 1 {
			t.Fatalf("force jumps by %g N at %g m/s", step, float64(i)*1e-4)
		}
		last = now
	}
	near.Value(t, "forward", at(0.3).Fx, 90, 10) // less what the rolling resistance takes
	near.Value(t, "backward", at(-0.3).Fx, -90, 10)
}

func TestEveryModelIsStableAtEverySpeed(t *testing.T) {
	for name, m := range allModels(t) {
		for _, v := range []float64{0, 1e-6, 0.01, 0.3, 1, 3, 5, 30, 100} {
			w := wheelOf(t, m, params(), dt)
			s := WheelState{Spin: v/0.3 + 1} // disturbed
			d := WheelInput{Vx: v, Load: 4000, Surface: Dry()}
			steps(w, &s, 2000, d)
			last := s.Spin
			steps(w, &s, 1, d)
			if math.Abs(s.Spin-last) > 1e-3 || math.Abs(s.Spin*0.3-v) > 0.005*v+0.02 {
				t.Errorf("%s at %g m/s: spin %g, then %g rad/s", name, v, last, s.Spin)
			}
		}
	}
}

// 400 kN of slip stiffness are three times those of the built-in slick.
func TestAVeryStiffTireIsStable(t *testing.T) {
	b, err := NewBrush(BrushParams{Friction: 1.8, NominalLoad: 4000, Stiffness: 400e3, HalfLength: 0.1, CarcassStiffness: 1e6}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	p := params()
	p.RelaxationX, p.RelaxationY, p.Inertia = minRelaxation, minRelaxation, 0.5
	w := wheelOf(t, b, p, dt)
	for _, v := range []float64{0, 0.1, 1, 10, 100} {
		for _, tan := range []float64{0, 0.02, 0.3} {
			s := WheelState{Spin: v/0.3 + 3}
			d := WheelInput{Vx: v, Vy: v * tan, Load: 4000, Surface: Dry()}
			steps(w, &s, 1000, d)
			last := s.Spin
			f := steps(w, &s, 1, d)
			if math.Abs(s.Spin-last) > 1e-3 || math.Abs(f.Fx) > 1 {
				t.Errorf("at %g m/s, %g: spin %g, then %g rad/s, %g N", v, tan, last, s.Spin, f.Fx)
			}
		}
	}
}

func TestHalfTheStepChangesLittleOfASlide(t *testing.T) {
	for name, m := range map[string]Model{"brush": road205(t), "peaked": peaked{}, "curve": curved(t)} {
		at := func(dt float64) (WheelState, Forces) {
			w := wheelOf(t, m, params(), dt)
			s := WheelState{Spin: 20 / 0.3}
			var f Forces
			for i := range int(math.Round(0.4 / dt)) {
				torque := 1500 * math.Sin(30*float64(i)*dt)
				f = w.Step(&s, WheelInput{Vx: 20, Vy: 3 * math.Sin(20*float64(i)*dt), Load: 4000, Surface: Dry(), Torque: torque})
			}
			return s, f
		}
		coarse, fc := at(1e-3)
		fine, ff := at(5e-4)
		near.Value(t, name+": spin", coarse.Spin, fine.Spin, 0.2)
		near.Value(t, name+": side force", fc.Fy, ff.Fy, 0.05*4000)
	}
}

// A quarter of a car on one wheel, braked to a stop: all its energy goes into
// slip and into the wheel.
func TestLockedStopLosesTheKineticEnergyInSlip(t *testing.T) {
	for name, m := range allModels(t) {
		const mass = 400.0
		w := wheelOf(t, m, params(), dt)
		v := 20.0
		s := WheelState{} // locked from the start
		for v > 0 {
			f := w.Step(&s, WheelInput{Vx: v, Load: 4000, Surface: Dry(), BrakeTorque: 1e5})
			v += dt * f.Fx / mass
		}
		near.Value(t, name, s.SlipEnergy, mass*20*20/2, 0.01*mass*20*20/2)
	}
}

// Whatever the hub does, the carcass gives back no more than it took: work on
// the contact, less what slip has lost, is never far below 0.
func TestCarcassCreatesNoEnergy(t *testing.T) {
	for _, m := range []Model{road205(t), dugoffTire(t, DefaultDugoff()), peaked{}} {
		w := wheelOf(t, m, params(), dt)
		for _, vx := range []float64{0, 0.5, 5, 30} {
			s := WheelState{Spin: vx / 0.3}
			work := 0.0
			for i := range 5000 {
				at := float64(i) * dt
				d := WheelInput{
					Vx: vx + 0.3*math.Sin(7*at), Vy: 2 * math.Sin(11*at) * math.Sin(0.7*at), Load: 4000, Surface: Dry(),
				}
				f := w.Step(&s, d)
				work -= dt * (f.Fx*(d.Vx-s.Spin*0.3) + f.Fy*d.Vy)
				if work < -5 {
					t.Fatalf("%T at %g m/s: %.1f J from nothing after %d ms", m, vx, -work, i)
				}
			}
		}
	}
}
