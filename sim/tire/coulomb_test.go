package tire

import (
	"testing"

	"rig.example/rig/test/near"
)

func coulombTire(t testing.TB) *Coulomb {
	t.Helper()
	m, err := NewCoulomb(CoulombParams{Friction: 0.8, FullSlip: 0.005, HalfLength: 0.1, RollingResistance: 0.01}, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCoulombForceOpposesSlidingAtFullFriction(t *testing.T) {
	tests := []struct {
		name       string
		kappa, tan float64
		on         Surface
		fx, fy     float64
	}{
		{"no slip", 0, 0, Dry(), 0, 0},
		{"half of the full slip", 0.0025, 0, Dry(), 400, 0},
		{"full slip, left", 0, 0.005, Dry(), 0, -800},
		{"locked", -1, 0, Dry(), -800, 0},
		{"locked and askew", -1, 0.75, Dry(), -640, -480},
		{"spinning", 1e6, 0, Dry(), 800, 0},
		{"a fifth of full, 3:4", 0.0006, -0.0008, Dry(), 96, 128},
		{"on ice", -1, 0, Surface{0.125, 1, 1}, -100, 0},
		{"half the stiffness", 0.005, 0, Surface{1, 0.5, 1}, 400, 0},
	}
	m := coulombTire(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := m.Forces(Contact{Kappa: tt.kappa, TanAlpha: tt.tan, Load: 1000, Surface: tt.on})
			near.Value(t, "Fx", f.Fx, tt.fx, 1e-9)
			near.Value(t, "Fy", f.Fy, tt.fy, 1e-9)
			near.Value(t, "Mz", f.Mz, 0, 0)
			near.Value(t, "My", f.My, -3, 1e-12)
		})
	}
}

func TestCoulombCapacity(t *testing.T) {
	capacity := coulombTire(t).Capacity(Contact{Load: 1000, Surface: Surface{0.5, 2, 3}})
	want := Capacity{StiffnessX: 160e3, StiffnessY: 160e3, ForceX: 400, ForceY: 400, Rolling: 9, HalfLength: 0.1}
	near.Value(t, "stiffness", capacity.StiffnessX, want.StiffnessX, 1e-6)
	near.Value(t, "rolling", capacity.Rolling, want.Rolling, 1e-9)
	capacity.StiffnessX, capacity.StiffnessY, capacity.Rolling = want.StiffnessX, want.StiffnessY, want.Rolling
	if capacity != want {
		t.Errorf("capacity %+v, want %+v", capacity, want)
	}
}

func TestCoulombHasNoSteps(t *testing.T) { walk(t, coulombTire(t), 1) }

func TestCoulombParamsNameEveryBadField(t *testing.T) {
	p := DefaultCoulomb()
	p.Friction, p.FullSlip = -1, 0
	_, err := NewCoulomb(p, 0.3)
	wantInError(t, err, "tire: coulomb: friction = -1: must be 0.01 to 3", "full_slip = 0: must be 0.0001 to 0.1")
}

func FuzzCoulomb(f *testing.F) {
	seedContacts(f)
	f.Fuzz(func(t *testing.T, kappa, tanAlpha, load, grip, stiffness, rolling float64) {
		c := Contact{Kappa: kappa, TanAlpha: tanAlpha, Load: load, Surface: Surface{grip, stiffness, rolling}}
		checkContact(t, coulombTire(t), c, inCircle)
	})
}

func TestCoulombAllocatesNothing(t *testing.T) { wantNoAllocation(t, coulombTire(t)) }

func BenchmarkCoulomb(b *testing.B) { benchmarkForces(b, coulombTire(b)) }
