package wheel

import (
	"math"
	"testing"
)

func run(s *Sim, steps int) (out Sample) {
	for range steps {
		s.Step()
	}
	s.Poll(&out)
	return out
}

func TestSimPositiveTorqueTurnsLeft(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	s.Push(1)
	if a := run(s, 100).Angle; a <= 0 {
		t.Errorf("angle %g rad after 1 N·m to the left, want it positive", a)
	}
}

func TestSimAcceleratesAsNewtonSays(t *testing.T) {
	s := NewSim(SimConfig{Inertia: 0.04, RangeDeg: 900, RatedNm: 2})
	s.Push(1)
	// 1 N·m on 0.04 kg·m² for 0.1 s: 25 rad/s² · t²/2 = 0.125 rad
	if a := run(s, 100).Angle; math.Abs(a-0.125) > 0.002 {
		t.Errorf("angle %.4f rad, want 0.125 rad", a)
	}
}

func TestSimRestsBelowDryFriction(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	s.Push(0.14) // friction holds 0.15
	if a := run(s, 1000).Angle; a != 0 {
		t.Errorf("moved to %g rad, want 0", a)
	}
}

func TestSimHandsReachTheirTarget(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	s.Hands(-0.5, 20)
	s.Push(0)
	// dry friction may hold 0.15 N·m / 20 N·m/rad away
	if a := run(s, 2000).Angle; math.Abs(a+0.5) > 0.0076 {
		t.Errorf("angle %.4f rad, want -0.5 within the friction's 0.0075", a)
	}
}

func TestSimStaysStableWithTheStiffestHands(t *testing.T) {
	s := NewSim(SimConfig{Inertia: 0.005, RangeDeg: 900, RatedNm: 2.2})
	s.Hands(1, 1e9)
	run(s, 500)
	s.Push(2.2)
	for range 2000 {
		if a := run(s, 1).Angle; math.Abs(a-1) > 0.01 {
			t.Fatalf("angle %g rad, want 1", a)
		}
	}
}

func TestSimStopsAtTheLocks(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	s.Push(-100)
	if a, want := run(s, 5000).Angle, -450*math.Pi/180; math.Abs(a-want) > 1e-12 {
		t.Errorf("angle %g rad, want the right lock at %g", a, want)
	}
}

func TestSimIgnoresNaN(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	s.Push(math.NaN())
	s.Hands(math.NaN(), math.NaN())
	if a := run(s, 100).Angle; a != 0 {
		t.Errorf("angle %g rad, want 0", a)
	}
}

func TestSimAllocatesNothing(t *testing.T) {
	s := NewSim(DefaultSimConfig())
	var out Sample
	if n := testing.AllocsPerRun(100, func() { s.Hands(0.1, 10); s.Push(1); s.Step(); s.Poll(&out) }); n != 0 {
		t.Errorf("%v allocations a step, want 0", n)
	}
}
