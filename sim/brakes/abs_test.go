package brakes

import (
	"testing"

	"rig.example/rig/sim/tire"
)

// stopOn brakes four wheels, with 70 % of 1500 kg in front, from 30 m/s at the whole pedal. Their
// friction over slip is that of a tire: mu at a slip of 0.12, and less on both sides. It returns
// the way to 2 m/s [m] and the longest time that a wheel stood [s].
func stopOn(k *System, level uint8, mu float64) (way, stood float64) {
	const mass, g, radius, inertia, best = 1500, 9.80665, 0.304, 1.1, 0.12
	s := cold()
	v, in := 30.0, Input{ABS: level}
	for i := range in.Spin {
		in.Spin[i] = v / radius
	}
	var still [4]float64
	for i := 0; v > 2; i++ {
		if i == 500 { // it has seen the car roll
			in.Pedal = 1
		}
		k.Step(&s, &in)
		sum := 0.0
		for i := range in.Spin {
			slip := 1 - in.Spin[i]*radius/v
			load := [2]float64{0.7, 0.3}[i/2] / 2 * mass * g
			force := load * mu * 2 * slip * best / (slip*slip + best*best)
			in.Spin[i] = max(in.Spin[i]+tick/inertia*(force*radius-s.Wheels[i].Torque), 0)
			sum += force
			if still[i] += tick; in.Spin[i] > 0 {
				still[i] = 0
			}
			stood = max(stood, still[i])
		}
		in.AccelX = -sum / mass
		v += tick * in.AccelX
		if in.Pedal == 1 {
			way += tick * v
		}
	}
	return way, stood
}

func TestAnAntilockBrakesAboutAsWellAsTheTiresCan(t *testing.T) {
	k := built(func(*Params) {})
	for _, mu := range []float64{1, 0.5, 0.2} {
		ideal := (30*30 - 2*2) / (2 * mu * 9.80665)
		with, turned := stopOn(k, 5, mu)
		without, stood := stopOn(k, 0, mu)
		if over := with / ideal; over < 1 || over > 1.12 || turned > 0.15 {
			t.Errorf("grip %g: %.3f of the ideal way, a wheel stood for %.3f s", mu, over, turned)
		}
		if without < 2*ideal || stood < 1 {
			t.Errorf("grip %g without ABS: %.3f of the ideal way, a wheel stood for %.3f s", mu, without/ideal, stood)
		}
	}
}

// Switched off in the middle of a stop it lets go of every wheel at once, and has forgotten all.
func TestAnAntilockThatIsOffRemembersNothing(t *testing.T) {
	k, s := built(func(*Params) {}), cold()
	in := Input{Pedal: 1, ABS: 5, Spin: [4]float64{100, 100, 100, 100}}
	for range 100 {
		k.Step(&s, &in)
		in.Spin[tire.FL] *= 0.98
	}
	if !s.Wheels[tire.FL].ABS.Releases() || s.Wheels[tire.FR].ABS.Releases() || s.Pulse == 0 {
		t.Fatalf("of four wheels the front left one locks: %+v", s)
	}
	in.ABS = 0
	k.Step(&s, &in)
	for i := range s.Wheels {
		if s.Wheels[i].ABS != (ABSWheel{}) || s.ABS != (ABSState{}) || s.Pulse != 0 {
			t.Errorf("remembers %+v of wheel %d, %+v, pulse %g", s.Wheels[i].ABS, i, s.ABS, s.Pulse)
		}
	}
}
