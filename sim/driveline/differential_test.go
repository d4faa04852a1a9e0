package driveline

import (
	"math"
	"math/rand/v2"
	"testing"

	"rig.example/rig/test/near"
)

// shared solves a differential whose outputs ask for torques, from a guess: it returns
// what each output gets and how fast it turns, for a torque on the carrier.
func shared(d *differential, way float64, first, second demand, torque float64, m mode) (t1, t2, w1, w2, speed float64) {
	for range 6 {
		load := d.outputLoad(&m, first, second)
		speed = (torque - load.base) / load.slope
		w1, w2 = d.outputSpeeds(&m, first, second, torque, speed)
		var again bool
		if again = d.correctMode(&m, d.preload, way, first, torque, w1, w2); !again {
			break
		}
	}
	return first.torqueAt(w1), second.torqueAt(w2), w1, w2, speed
}

func TestADifferentialKeepsItsLaw(t *testing.T) {
	kind := func(name string) Differential {
		d := DefaultDifferential()
		d.Kind, d.Preload, d.PowerRamp, d.CoastRamp, d.ViscousTorque, d.BiasRatio = name, 50, 0.3, 0.1, 20, 3
		return d
	}
	tests := []struct {
		name  string
		d     Differential
		share float64
		most  func(torque, way float64) float64 // friction between the outputs [N·m]
	}{
		{"open", kind("open"), 0.5, func(float64, float64) float64 { return 0 }},
		{"open between the axles", kind("open"), 0.4, func(float64, float64) float64 { return 0 }},
		{"limited slip", kind("limited_slip"), 0.5, func(torque, way float64) float64 {
			if torque*way < 0 {
				return 50 + 0.1*math.Abs(torque)
			}
			return 50 + 0.3*math.Abs(torque)
		}},
		{"torque sensing", kind("torque_sensing"), 0.5, func(torque, _ float64) float64 { return 50 + math.Abs(torque)/4 }}, // 3/4 against 1/4
		{"locked", kind("locked"), 0.5, func(float64, float64) float64 { return math.Inf(1) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDifferential(tt.d, tt.share, 1)
			dice := rand.New(rand.NewPCG(1, 2))
			stuck, slipped := 0, 0
			for range 10_000 {
				draw := func(size float64) float64 { return size * (2*dice.Float64() - 1) }
				first, second := demand{draw(2000), 20 + 200*dice.Float64()}, demand{draw(2000), 20 + 200*dice.Float64()}
				torque, rel, way := draw(3000), draw(1), draw(1)
				var m mode
				d.guessMode(&m, math.Round(rel), d.preload, torque, way)
				t1, t2, w1, w2, speed := shared(&d, way, first, second, torque, m)
				moved, most := tt.share*torque-t1, tt.most(torque, way)
				near.Value(t, "sum of the torques", t1+t2, torque, 1e-9*(1+math.Abs(torque)))
				near.Value(t, "the carrier's speed", tt.share*w1+(1-tt.share)*w2, speed, 1e-9*(1+math.Abs(speed)))
				switch {
				case w1 == w2:
					stuck++
					if math.Abs(moved) > most*(1+1e-9) {
						t.Fatalf("friction holds %.1f N·m, and may %.1f", moved, most)
					}
				default:
					slipped++
					near.Value(t, "friction against the slip", moved, math.Copysign(most, w1-w2), 1e-6*(1+most))
				}
			}
			if open, locked := tt.most(1, 1) == 0, math.IsInf(tt.most(1, 1), 1); (stuck > 0) == open || (slipped > 0) == locked {
				t.Errorf("%d cases stuck, %d slipped", stuck, slipped)
			}
		})
	}
}

func TestAViscousDifferentialMovesTorqueBySpeed(t *testing.T) {
	kind := DefaultDifferential()
	kind.Kind, kind.ViscousTorque = "viscous", 20
	d := newDifferential(kind, 0.5, 1)
	var m mode
	d.guessMode(&m, 1, 0, 100, 1)
	t1, t2, w1, w2, _ := shared(&d, 1, demand{100, 50}, demand{-80, 70}, 300, m)
	near.Value(t, "sum of the torques", t1+t2, 300, 1e-9)
	near.Value(t, "torque moved", (t2-t1)/2, 20*(w1-w2), 1e-9)
}
