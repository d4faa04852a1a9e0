package brakes

import (
	"math"
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// A standing disc's half-life is ln 2 times heat capacity over cooling; at a speed both
// parts of the cooling count.
func TestDiscsCoolByHalfInTheirHalfLife(t *testing.T) {
	k := built(func(b *Params) {
		b.FrontDisc.HeatCapacity, b.FrontDisc.StillCooling, b.FrontDisc.AirflowCooling = 2000, 20, 1.5
	})
	for _, speed := range []float64{0, 40, -40} {
		s := cold()
		s.Wheels[tire.FL].Temperature = 415
		for range int(math.Round(math.Ln2 * 2000 / (20 + 1.5*math.Abs(speed)) / tick)) {
			k.HeatDiscs(&s, speed)
		}
		near.Value(t, "temperature", s.Wheels[tire.FL].Temperature, 15+200, 0.1)
		near.Value(t, "beside it", s.Wheels[tire.RL].Temperature, 15, 1e-12)
	}
}

// A wheel that is held at 100 rad/s brings torque times speed into its disc.
func TestBrakeWorkHeatsTheDisc(t *testing.T) {
	k := built(func(b *Params) {
		b.Lag, b.FrontDisc.HeatCapacity, b.FrontDisc.StillCooling, b.FrontDisc.AirflowCooling = 0, 3000, 1e-6, 1e-6
	})
	s := cold()
	for range 2000 {
		k.Step(&s, &Input{Pedal: 0.5})
		s.Wheels[tire.FL].Power = s.Wheels[tire.FL].Torque * 100
		k.HeatDiscs(&s, 0)
	}
	near.Value(t, "temperature", s.Wheels[tire.FL].Temperature, 15+1036*100*2/3000.0, 1e-3)
	near.Value(t, "heat", k.DiscEnergy(&s), 1036*100*2, 1)
}

func TestAFileWithoutDiscsGetsThemByTheBrakesTorque(t *testing.T) {
	c := built(func(*Params) {})
	near.Value(t, "front [J/K]", c.discs[0].capacity, 1.4*2072, 1e-9)
	near.Value(t, "rear [J/K]", c.discs[1].capacity, 1.4*728, 1e-9)
}

func TestHotBrakesFade(t *testing.T) {
	k := built(func(*Params) {})
	for _, tt := range []struct{ celsius, factor float64 }{{-20, 1}, {350, 1}, {425, 0.925}, {650, 0.6}, {1500, 0.45}} {
		s := cold()
		s.Wheels[tire.FL].Temperature = tt.celsius
		for range 500 {
			k.Step(&s, &Input{Pedal: 1})
		}
		near.Value(t, "factor", s.Wheels[tire.FL].Torque/2072, tt.factor, 1e-6)
	}
}
