package tire

import (
	"math"
	"os"
	"testing"

	"rig.example/rig/test/near"
)

// with returns a tire of testdata with lines of coefficients added.
func with(t *testing.T, name, lines string) *Tire {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".tir")
	if err != nil {
		t.Fatal(err)
	}
	tr, err := Parse(name+".tir", append(data, []byte("\n[MORE]\n"+lines+"\n")...))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestAligningMomentFadesAtVeryLowSpeed(t *testing.T) {
	w := newWheel(t)
	s := WheelState{Spin: 0.5 / 0.3}
	f := steps(w, &s, 8000, WheelInput{Vx: 0.5, Vy: 0.025, Load: 4000, Surface: Dry()})
	rolled := s.Spin * 0.3
	m := road205(t).Forces(Contact{Kappa: rolled/0.5 - 1, TanAlpha: 0.05, Load: 4000, Surface: Dry()})
	near.Value(t, "Mz", f.Mz, rolled*m.Mz, 0.01)
}

func TestRollingResistanceOpposesTheSpin(t *testing.T) {
	for _, distance := range []float64{1, -1} {
		s := WheelState{Spin: distance * 20 / 0.3}
		f := steps(newWheel(t), &s, 100, WheelInput{Vx: distance * 20, Load: 4000, Surface: Dry()})
		near.Value(t, "My", f.My, -distance*0.012*0.3*4000, 1e-9)
	}
}

// In steady state all of force times sliding speed is lost.
func TestRollingWheelLosesForceTimesSlip(t *testing.T) {
	for _, braking := range []float64{0, 500} {
		w := newWheel(t)
		s := WheelState{Spin: 20 / 0.3}
		d := WheelInput{Vx: 20, Vy: 0.6, Load: 4000, Surface: Dry(), BrakeTorque: braking}
		steps(w, &s, 3000, d)
		before := s.SlipEnergy
		f := steps(w, &s, 1000, d)
		want := -f.Fx*(20-s.Spin*0.3) - f.Fy*0.6
		near.Value(t, "power", s.SlipEnergy-before, want, 0.02*want)
	}
}

func TestBelowFZMINRollingResistanceFallsFaster(t *testing.T) {
	m := parsed(t, "mf52").Model
	smallest := m.(*MagicFormula).c.FZMIN
	at := func(load float64) float64 { return m.Capacity(Contact{Load: load, Surface: Dry()}).Rolling }
	near.Value(t, "at half of FZMIN", at(smallest/2)/at(smallest), 0.25, 1e-12)
}

func TestLMUVTakesFrictionFromFastSliding(t *testing.T) {
	c := Contact{Kappa: -1, Load: 4000, Surface: Dry(), Speed: 16.7}
	plain, less := with(t, "mf61_tvd3", ""), with(t, "mf61_tvd3", "LMUV = 0.5")
	near.Value(t, "locked", less.Model.Forces(c).Fx/plain.Model.Forces(c).Fx, 1/1.5, 0.05)
}

func TestPressureWithoutAUnitIsForceOverArea(t *testing.T) {
	tr, err := Parse("a.tir", completed("[UNITS]\nLENGTH='mm'\nFORCE='newton'\n[MODEL]\nFITTYP=61\nNOMPRES=0.2\nINFLPRES=0.25\nUNLOADED_RADIUS=300\nVERTICAL_STIFFNESS=200\n"))
	if err != nil {
		t.Fatal(err)
	}
	near.Value(t, "inflation", tr.Pressure, 250e3, 1e-6)
}

func TestMF52DoesNotDependOnPressure(t *testing.T) {
	if p := parsed(t, "mf52").Pressure; p != 0 {
		t.Errorf("%g Pa", p)
	}
}

func TestCapacityIsThatOfAnUprightWheel(t *testing.T) {
	m := parsed(t, "mf61").Model
	upright := m.Capacity(Contact{Load: 5000, Surface: Dry()})
	if lean := m.Capacity(Contact{Load: 5000, Surface: Dry(), Gamma: 0.1, Kappa: 0.2, TanAlpha: 0.1}); lean != upright {
		t.Errorf("%+v, upright %+v", lean, upright)
	}
}

func TestOnlyOneBuiltinTireIsAsymmetric(t *testing.T) {
	for _, name := range Names() {
		want := Symmetric
		if name == "reference" {
			want = Left // its shifts come with a camber, see its file
		}
		if tr := builtin(t, name); tr.Side != want {
			t.Errorf("%s belongs on side %d, want %d", name, tr.Side, want)
		}
	}
}

func TestAContactIsNoWiderThanTwiceItsLength(t *testing.T) {
	capacity := Capacity{ForceX: 4000, ForceY: 4000, HalfLength: 0.085}
	flat := math.Sqrt(parkingMoment2(&capacity, &WheelInput{Load: 4000, Pressure: 1e3}))
	near.Value(t, "moment", flat, 4000*0.085*math.Hypot(3.0/8, 1), 1e-9)
}
