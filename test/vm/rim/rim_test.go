package rim

import (
	"math"
	"testing"
	"time"
)

var resting = State{Lock: 450 * math.Pi / 180}

// small is the rim of a small wheel, with hands off.
func small() Rim { return Rim{Inertia: 0.02, Friction: 0.15, Motor: Motor{Peak: 2}} }

func TestMotorCurve(t *testing.T) {
	tests := []struct {
		name  string
		m     Motor
		level float64
		want  float64 // [N·m]
	}{
		{"straight", Motor{Peak: 2}, 0.5, 1},
		{"to the right", Motor{Peak: 2}, -0.5, -1},
		{"in the dead zone", Motor{Peak: 2, DeadBand: 0.2}, -0.2, 0},
		{"half way out of it", Motor{Peak: 2, DeadBand: 0.2}, 0.6, 1},
		{"bent at a half", Motor{Peak: 2, Saturation: 1}, 0.5, 4.0 / 3},
		{"bent at its end", Motor{Peak: 2, DeadBand: 0.1, Saturation: 1}, 1, 2},
	}
	for _, c := range tests {
		if got := c.m.Torque(c.level); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g N·m, want %g", c.name, got, c.want)
		}
	}
}

func TestRimTurnsInTheDirectionOfTheTorque(t *testing.T) {
	r := small()
	left := r.Advance(resting, 100*time.Millisecond, 0.5)
	right := r.Advance(resting, 100*time.Millisecond, -0.5)
	if left.Angle <= 0 || left.Steer() >= 0x8000 || right.Angle != -left.Angle {
		t.Errorf("left %.6f rad, axis %#x, right %.6f rad; want them mirrored and the axis below 0x8000", left.Angle, left.Steer(), right.Angle)
	}
}

func TestRimAcceleratesByTorqueOverInertia(t *testing.T) {
	r := Rim{Inertia: 0.02, Motor: Motor{Peak: 2}} // no friction
	got := r.Advance(resting, 100*time.Millisecond, 0.5).Speed
	if want := 1.0 / 0.02 * 0.1; math.Abs(got-want) > 1e-9 { // torque/inertia*time
		t.Errorf("speed %.6f rad/s, want %.6f rad/s", got, want)
	}
}

func TestFrictionHoldsTheRimAndStopsIt(t *testing.T) {
	r := small()
	if s := r.Advance(resting, time.Second, 0.07); s.Angle != 0 { // 0.14 N·m
		t.Errorf("turned by %.6f rad against friction that is larger", s.Angle)
	}
	moving := resting
	moving.Speed = 3
	stopped := r.Advance(moving, time.Second, 0) // stops after 0.4 s
	if want := 3.0 * 3.0 / 2 / (0.15 / 0.02); stopped.Speed != 0 || math.Abs(stopped.Angle-want) > 0.01 {
		t.Errorf("coasted %.3f rad, still at %.3f rad/s; want %.3f rad at rest", stopped.Angle, stopped.Speed, want)
	}
}

func TestStopsHoldTheRim(t *testing.T) {
	r := small()
	s := r.Advance(resting, 2*time.Second, 1)
	if s.Angle != resting.Lock || s.Speed != 0 || s.Steer() != 0 {
		t.Errorf("at %.3f rad, %.3f rad/s, axis %d; want at rest at the left stop, 0", s.Angle, s.Speed, s.Steer())
	}
	if s = r.Advance(resting, 2*time.Second, -1); s.Steer() != 0xffff {
		t.Errorf("axis %#x, want 0xffff at the right stop", s.Steer())
	}
}

func TestWithSteerSetsTheAngle(t *testing.T) {
	for _, raw := range []uint16{0, 1, 0x7fff, 0x8000, 0xc000, 0xffff} {
		if got := resting.WithSteer(raw).Steer(); got != raw {
			t.Errorf("set to %#x, is at %#x", raw, got)
		}
	}
}

func TestHandsActLikeASpring(t *testing.T) {
	r := Rim{Inertia: 0.02, Motor: Motor{Peak: 2}, Hands: Hands{Stiffness: 20, Damping: 1}}
	if got := r.Advance(resting, 2*time.Second, 0.5).Angle; math.Abs(got-1.0/20) > 1e-6 {
		t.Errorf("turned by %.6f rad, want 0.05: 1 N·m on 20 N·m/rad", got)
	}
}

func TestTorqueLagsBehindTheLevel(t *testing.T) {
	r := Rim{Inertia: 1, Motor: Motor{Peak: 2, Lag: 4 * time.Millisecond}}
	if got, want := r.Advance(resting, 4*time.Millisecond, 1).Torque, 2*(1-math.Exp(-1)); math.Abs(got-want) > 1e-9 {
		t.Errorf("%.4f N·m after a time constant, want %.4f", got, want)
	}
}

func TestCoggingTorqueRepeatsInATurn(t *testing.T) {
	r := Rim{Inertia: 1e9, Ripple: 0.1, CogsPerTurn: 12}
	s := resting
	s.Angle = math.Pi / 24 // a quarter of a cog
	if got := r.Advance(s, time.Millisecond, 0).Torque; math.Abs(got-0.1) > 1e-6 {
		t.Errorf("%.4f N·m a quarter of a cog from the middle, want 0.1", got)
	}
}
