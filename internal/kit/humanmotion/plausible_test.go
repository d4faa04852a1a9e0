package humanmotion

import (
	"math"
	"testing"
)

const dt = 0.001

// rim is a steering wheel as devices/wheel judges it.
var rim = Limits{MaxRate: 50, MaxJump: 1, JumpHold: 0.2, MaxJumps: 2, JumpDecay: 0.2}

// play reports and steps, a millisecond for each place, and returns the largest change in one
// step and whether there was a fault.
func play(a *Axis, places ...float64) (most float64, fault bool) {
	for _, v := range places {
		before, started := a.value, a.started
		a.AddReport(v)
		got := a.Step(v, dt)
		if started {
			most = max(most, math.Abs(got-before))
		}
		fault = fault || a.Fault()
	}
	return most, fault
}

// places is the same position for a number of milliseconds.
func places(n int, v float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = v
	}
	return list
}

func TestAJumpIsBoundedAndOneThatStaysIsAFault(t *testing.T) {
	for _, to := range []float64{math.Pi / 2, -math.Pi / 2, 15.7} { // 90 degrees, and from lock to lock
		a := Axis{Limits: rim}
		play(&a, places(10, 0)...)
		if most, fault := play(&a, places(199, to)...); most != 0 || fault || !a.Jumped() {
			t.Errorf("to %g rad: moved by %g in a tick, fault %v, reported %v; want it to be held and reported", to, most, fault, a.Jumped())
		}
		if most, fault := play(&a, places(500, to)...); most > 0.05+1e-9 || !fault {
			t.Errorf("to %g rad: moved by %g in a tick, fault %v after 0.2 s", to, most, fault)
		}
		if a.value != to {
			t.Errorf("at %g rad in the end, want %g", a.value, to)
		}
		if _, fault := play(&a, places(5100, to)...); !fault || a.Fault() {
			t.Errorf("to %g rad: fault %v, still %v after 5 s of rest", to, fault, a.Fault())
		}
	}
}

func TestABadValueIsPassedOver(t *testing.T) {
	a := Axis{Limits: rim}
	play(&a, places(10, 0.3)...)
	most, fault := play(&a, append(places(8, -3), places(100, 0.31)...)...)
	if most > 0.011 || fault || !a.Jumped() {
		t.Errorf("moved by %g, fault %v, reported %v", most, fault, a.Jumped())
	}
	if _, fault := play(&a, append(places(8, -3), places(100, 0.31)...)...); !fault {
		t.Error("a second one within a second is no fault")
	}
}

// The fastest hands and motors stay below the limit: a rim at 20 rad/s, with a report each 8 ms.
func TestAFastRimIsBelieved(t *testing.T) {
	a := Axis{Limits: rim}
	var list []float64
	for i := range 400 {
		list = append(list, 0.16*float64(i/8))
	}
	_, fault := play(&a, list...)
	if fault || a.Jumped() || math.Abs(a.value-list[399]) > 0.05 {
		t.Errorf("at %g rad of %g, fault %v, jumped %v", a.value, list[399], fault, a.Jumped())
	}
}

// What was missed is no jump: the axis goes there at the highest rate, and nothing is reported.
func TestAResyncIsNoJump(t *testing.T) {
	a := Axis{Limits: rim}
	play(&a, places(10, 0)...)
	a.Resync()
	if most, fault := play(&a, places(200, 3)...); most > 0.05+1e-9 || fault || a.Jumped() || a.value != 3 {
		t.Errorf("moved by %g in a tick to %g, fault %v, jumped %v", most, a.value, fault, a.Jumped())
	}
	a.Resync()
	a.AddReport(-3)
	if got := a.Step(-3, 0.3); got != -3 || a.Jumped() {
		t.Errorf("at %g rad after a gap of 0.3 s, jumped %v", got, a.Jumped())
	}
}

// A pedal that is a switch jumps with each press; one whose contact fails does so far more often.
func TestAPedalMayBeASwitch(t *testing.T) {
	foot := Limits{MaxRate: 100, MaxJump: 0.5, MaxJumps: 10, JumpDecay: 10}
	for _, c := range []struct {
		halfPeriod int // [ms]
		fault      bool
	}{{150, false}, {60, true}, {5, true}} {
		a := Axis{Limits: foot}
		fault := false
		for i := range 20_000 / c.halfPeriod {
			most, f := play(&a, places(c.halfPeriod, float64(i%2))...)
			if fault = fault || f; most > 0.1+1e-9 {
				t.Fatalf("moved by %g in a tick", most)
			}
		}
		if fault != c.fault {
			t.Errorf("a press each %d ms: fault %v, want %v", 2*c.halfPeriod, fault, c.fault)
		}
	}
}

func TestSensorsThatDisagree(t *testing.T) {
	p := Pair{Tolerance: 0.1, MaxTime: 0.1}
	for i := range 300 {
		b := 0.5
		if i%90 < 80 { // never for 0.1 s on end
			b = 0.65
		}
		if p.Step(0.5, b, dt) {
			t.Fatalf("a fault after %d ms of short differences", i)
		}
	}
	for range 5 {
		p.Step(0.5, 0.59, dt)
	}
	first := -1
	for i := range 200 {
		if p.Step(0.2, 0.35, dt) && first < 0 {
			first = i + 1
		}
	}
	if first < 100 || first > 102 || p.Step(0.3, 0.3, dt) {
		t.Errorf("a fault after %d ms, want 100, and none when they agree again", first)
	}
}

func TestARimThatStandsStillThoughItMustMove(t *testing.T) {
	for _, c := range []struct {
		name   string
		torque func(i int) float64
		moved  func(i int) bool
		want   bool
	}{
		{"held against a steady torque", func(int) float64 { return 4 }, func(i int) bool { return i == 0 }, false},
		{"stuck under a torque that changes", func(i int) float64 { return 2 + math.Sin(float64(i)/100) }, func(int) bool { return false }, true},
		{"held, and giving way", func(i int) float64 { return 2 + math.Sin(float64(i)/100) }, func(i int) bool { return i%50 == 0 }, false},
		{"no torque", func(int) float64 { return 0 }, func(int) bool { return false }, false},
	} {
		s := StuckDetector{MinTorqueChange: 1.5, Duration: 1}
		got := false
		for i := range 3000 {
			got = s.Step(c.torque(i), c.moved(i), dt) || got
		}
		if got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
