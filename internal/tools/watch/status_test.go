package watch

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// A speed that is not driven is shown as that: in a pause, a stop and after the end.
func TestAFrozenSpeedIsCalledFrozen(t *testing.T) {
	for s := guard.Parked; s <= guard.Stopped; s++ {
		f := &frame.Frame{State: uint64(s), Speed: 113 / 3.6}
		want := s != guard.Engaging && s != guard.Driving
		for _, line := range []string{StatusLine(f), new(Force).Line(f), new(Motion).Line(f), new(Force).Lines(f, 80)[0], new(Motion).Lines(f)[0]} {
			if strings.Contains(line, "113") && strings.Contains(line, "km/h (frozen)") != want {
				t.Errorf("%s: %q", s, line)
			}
		}
		for _, b := range []json.RawMessage{Status(f, nil), new(Force).Describe(f), new(Motion).Describe(f)} {
			if strings.Contains(string(b), `"frozen":true`) != want {
				t.Errorf("%s: %s", s, b)
			}
		}
	}
	if line := StatusLine(&frame.Frame{}); strings.Contains(line, "frozen") {
		t.Errorf("before the drive: %q", line)
	}
}

func TestFiguresOfTheWindow(t *testing.T) {
	f := &frame.Frame{}
	if line := StatusLine(f); strings.Contains(line, "pictures") || !strings.Contains(string(Status(f, nil)), `"pictures":null,"sound":null`) {
		t.Errorf("%q without a window", line)
	}
	f.Display = frame.Display{Refresh: 60, P50: 0.016, P99: 0.017, RunP50: 0.018, RunP99: 0.019, Dropped: 3, Age: 0.02}
	if line := StatusLine(f); !strings.HasSuffix(line, "  pictures 16.0 ms (p99 17.0) dropped 3 age 20 ms") {
		t.Errorf("%q", line)
	}
	const want = `"pictures":{"refresh_hz":60,"frame_ms_p50":16,"frame_ms_p99":17,"run_frame_ms_p50":18,"run_frame_ms_p99":19,"dropped":3,"state_age_ms":20},`
	if got := string(Status(f, nil)); !strings.Contains(got, want) {
		t.Error(got)
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
	f.Flags |= frame.EngineRunning | frame.StabilityActive | frame.PitLimiterOn
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
