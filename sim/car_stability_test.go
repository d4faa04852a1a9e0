package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/chassis"
)

// On snow with too much steering the nose is pulled in, and the car slowed.
func TestStabilityControlTurnsAPloughingCar(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.3)
	end := func(level uint8) State {
		s := rolling(c, 18, 3)
		for i := range 3000 {
			c.Step(&s, Input{Gear: 3, Throttle: 0.2, Steer: min(float64(i)*0.005, 2.5), Assists: assist.Switches{Stability: level}})
		}
		return s
	}
	without, with := end(0), end(5)
	t.Logf("heading %.2f rad at %.1f m/s, without %.2f rad at %.1f m/s", with.Yaw(), with.Speed, without.Yaw(), without.Speed)
	if with.Yaw() < 1.1*without.Yaw() || with.Speed > without.Speed-0.5 {
		t.Errorf("heading %.2f rad at %.1f m/s, without %.2f rad at %.1f m/s", with.Yaw(), with.Speed, without.Yaw(), without.Speed)
	}
}

// Thrown round in a bend the car is caught, and torque that was taken comes back.
func TestStabilityControlCatchesATail(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.6)
	slide := func(level uint8) (most float64, end State) {
		s := rolling(c, 22, 3)
		for i := range 4000 {
			in := Input{Gear: 3, Throttle: 0.2, Assists: assist.Switches{Stability: level}}
			if i < 500 {
				in.Steer = 1
			}
			if i >= 300 && i < 450 {
				in.Handbrake = 1
			}
			c.Step(&s, in)
			b := chassis.AxesOf(s.Att)
			most = max(most, math.Abs(math.Atan2(r3.Dot(s.Vel, b.Y), r3.Dot(s.Vel, b.X))))
		}
		return most, s
	}
	without, _ := slide(0)
	with, s := slide(5)
	t.Logf("sideslip %.0f°, without %.0f°", with/degree, without/degree)
	if with > 0.5*without || s.Assist.Stability.IsActive() {
		t.Errorf("sideslip %.0f°, without %.0f°; at the end %+v", with/degree, without/degree, s.Assist.Stability)
	}
}

func TestStabilityControlSleepsWhileParking(t *testing.T) {
	c := slippery(t, DefaultCar(), 0.1)
	s := rolling(c, 3, 1)
	for range 3000 {
		c.Step(&s, Input{Gear: 1, Steer: 6, Handbrake: 1, Assists: assist.Switches{Stability: 10}})
		if s.Assist.Stability.IsActive() {
			t.Fatalf("works at %.1f m/s", s.Speed)
		}
	}
}
