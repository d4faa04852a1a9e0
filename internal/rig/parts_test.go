package rig

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

func TestTransitionsArriveInOrder(t *testing.T) {
	var ring transitions
	if _, _, ok := ring.take(); ok {
		t.Error("a transition before the first")
	}
	want := guard.Transition{From: guard.Driving, To: guard.Fault, Cause: guard.BadTorque}
	ring.put(guard.Transition{From: guard.Ready, To: guard.Engaging, Cause: guard.WheelReady}, estop.None)
	ring.put(want, estop.Opened)
	ring.take()
	if got, why, ok := ring.take(); !ok || got != want || why != estop.Opened {
		t.Errorf("took %v, %v %v, want %v", got, why, ok, want)
	}
	for range 1000 {
		ring.put(want, estop.None)
	}
	n := 0
	for _, _, ok := ring.take(); ok; _, _, ok = ring.take() {
		n++
	}
	if n != len(ring.ring) {
		t.Errorf("%d of 1000 unread transitions kept, want the newest %d", n, len(ring.ring))
	}
}

func TestTorqueBarGrowsToTheSideOfTheTorque(t *testing.T) {
	for _, tt := range []struct {
		torque float64
		want   string
	}{
		{0, "[      |      ]"},
		{2, "[██████|      ]"},
		{-1, "[      |███   ]"},
		{9, "[██████|      ]"},
	} {
		if got := torqueBar(tt.torque, 2); got != tt.want {
			t.Errorf("%g N·m of 2: %s, want %s", tt.torque, got, tt.want)
		}
	}
}

func TestStatusLineTellsWhatMatters(t *testing.T) {
	f := &frame.Frame{Tick: 12_345, State: uint64(guard.Driving), Speed: 25, Gear: 3, RimTorque: -1.5, RatedTorque: 2, Flags: frame.Clipping,
		ABS: 5, Stability: 3, Fuel: 38.44, Charge: 0.7}
	f.Flags |= frame.EngineRuns | frame.StabilityWorks | frame.PitOn
	f.Pose[3] = 0.05
	line := StatusLine(f)
	for _, want := range []string{"driving", "12.3 s", "90.0 km/h", "gear 3", "38.4 L  ABS 5  ESC 3!  PIT  rim", "-1.50 N·m CLIP", "roll  +2.9°"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q lacks %q", line, want)
		}
	}
	electric := &frame.Frame{Fuel: math.NaN(), Charge: 0.456}
	if line := StatusLine(electric); !strings.Contains(line, "ENGINE OFF  46 %  rim") {
		t.Errorf("%q does not tell of engine and battery", line)
	}
}
