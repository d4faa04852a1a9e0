package tire

import (
	"math"
	"testing"

	"rig.example/rig/test/near"
)

// A wheel that rolls on steadily has the steady forces that its model gives when it
// is asked outright, on either side of the car and with the tire turned round.
func TestSettledWheelEqualsEveryModel(t *testing.T) {
	models := map[string]Model{}
	for _, name := range Names() {
		built, err := Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		models[name] = built.Model
	}
	delete(models, "coulomb")         // slides at any slip, and has a wheel of its own
	for _, name := range references { // not the same on both sides
		models[name] = parsed(t, name).Model
	}
	for name, m := range models {
		t.Run(name, func(t *testing.T) { settlesAt(t, m) })
		t.Run(name+" turned round", func(t *testing.T) { settlesAt(t, Mirrored{m}) })
	}
}

func settlesAt(t *testing.T, m Model) {
	w := wheelOf(t, m, WheelParams{Radius: 0.3, Inertia: 1, RelaxationX: 0.15, RelaxationY: 0.3}, dt)
	s := WheelState{Spin: 20 / 0.3}
	d := WheelInput{Vx: 20, Vy: 0.4, Gamma: 0.03, Load: 4000, Surface: Surface{Grip: 0.9, Stiffness: 0.8, Rolling: 1.2}, Pressure: 230e3, Torque: 60}
	f := steps(w, &s, 5000, d)
	want := m.Forces(Contact{
		Kappa: s.Spin*0.3/20 - 1, TanAlpha: 0.4 / 20, Gamma: 0.03, Load: 4000,
		Surface: d.Surface, Pressure: d.Pressure, Speed: 20,
	})
	near.Value(t, "Fx", f.Fx, want.Fx, 1e-3)
	near.Value(t, "Fy", f.Fy, want.Fy, 1e-3)
	near.Value(t, "Mx", f.Mx, want.Mx, 1e-3)
	near.Value(t, "My", f.My, want.My, 1e-3)
	near.Value(t, "Mz", f.Mz, want.Mz, 1e-3)
	if !(math.Abs(want.Fx) > 100) || !(math.Abs(want.Fy) > 100) {
		t.Errorf("hardly slips: %+v", want)
	}
}
