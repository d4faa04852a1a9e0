package brakes

import (
	"testing"

	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

// stopOn brakes four wheels, with 70 % of 1500 kg in front, from 30 m/s at the whole pedal. Their
// friction over slip is that of a tire: mu at a slip of 0.12, and less on both sides. watch sees
// every tick from the pedal on. It returns the way to 2 m/s [m] and the longest time that a wheel
// stood [s].
func stopOn(k *System, level uint8, mu [4]float64, watch func(s *State, seconds float64)) (way, stood float64) {
	const mass, g, radius, inertia, best = 1500, 9.80665, 0.304, 1.1, 0.12
	s := cold()
	v, in := 30.0, Input{ABS: level}
	for i := range in.Spin {
		in.Spin[i] = v / radius
	}
	var still [4]float64
	for i := 0; v > 2 && i < 60_000; i++ {
		if i == 500 { // it has seen the car roll
			in.Pedal = 1
		}
		k.Step(&s, &in)
		sum := 0.0
		for i := range in.Spin {
			slip := 1 - in.Spin[i]*radius/v
			load := [2]float64{0.7, 0.3}[i/2] / 2 * mass * g
			force := load * mu[i] * 2 * slip * best / (slip*slip + best*best)
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
			watch(&s, float64(i-500)*tick)
		}
	}
	return way, stood
}

func TestAnAntilockBrakesAboutAsWellAsTheTiresCan(t *testing.T) {
	k := built(func(*Params) {})
	for _, mu := range []float64{1, 0.5, 0.2} {
		ideal := (30*30 - 2*2) / (2 * mu * 9.80665)
		grip, look := [4]float64{mu, mu, mu, mu}, func(*State, float64) {}
		with, turned := stopOn(k, 5, grip, look)
		without, stood := stopOn(k, 0, grip, look)
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
	if !s.Wheels[tire.FL].ABS.IsReleasing() || s.Wheels[tire.FR].ABS.IsReleasing() || s.PedalPulse == 0 {
		t.Fatalf("of four wheels the front left one locks: %+v", s)
	}
	in.ABS = 0
	k.Step(&s, &in)
	for i := range s.Wheels {
		if s.Wheels[i].ABS != (ABSWheel{}) || s.ABS != (ABSState{}) || s.PedalPulse != 0 {
			t.Errorf("remembers %+v of wheel %d, %+v, pulse %g", s.Wheels[i].ABS, i, s.ABS, s.PedalPulse)
		}
	}
}

// With the right wheels on ice the rear left one gets no more than the right one bears, far below
// the 130 bar that would lock it. From where the
// front right one locks, the pressure of the front left one may be higher by 0.08 of the full
// pressure at once, and by 50 bar more each second.
func TestAnAntilockSparesTheDriverAYawMoment(t *testing.T) {
	began, lock := -1.0, 0.0
	stopOn(built(func(*Params) {}), 5, [4]float64{1, 0.1, 1, 0.1}, func(s *State, now float64) {
		left, right := &s.Wheels[tire.FL], &s.Wheels[tire.FR]
		if began < 0 && right.ABS.IsActive() {
			began, lock = now, right.ABS.LockPressure
		}
		if began >= 0 && now > began+0.1 && now < began+0.4 {
			most := max(lock, right.ABS.LockPressure) + 0.08*144.67 + 50*(now-began) + 1
			if left.Pressure > most || left.Pressure < 0.5*most {
				t.Fatalf("%.3f s after the right wheel locked at %.1f bar: %.1f bar on the left, at most %.1f", now-began, lock, left.Pressure, most)
			}
		}
		if rear := s.Wheels[tire.RL].Pressure; began >= 0 && now > began+0.3 && rear > 40 {
			t.Fatalf("%.3f s: %.1f bar on the rear left wheel", now, rear)
		}
	})
	if began < 0 {
		t.Error("no wheel locked")
	}
}

// In a bend the wheels go faster outside and slower inside; the car goes as they do on average.
func TestTheReferenceOfABendIsTheCars(t *testing.T) {
	k, s := built(func(*Params) {}), cold()
	const v, yaw = 20.0, 0.5
	in := Input{ABS: 5, YawRate: yaw, AccelY: v * yaw}
	for i, side := range []float64{1, -1, 1, -1} {
		in.Spin[i] = (v - side*yaw*1.52/2) / 0.304
	}
	for range 100 {
		k.Step(&s, &in)
	}
	near.Value(t, "reference", s.ABS.Reference, v, 1e-12)
}
