package watch

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

func forceFrame() *frame.Frame {
	return &frame.Frame{
		Tick: 1000, State: uint64(guard.Driving), Speed: 25, RimTorque: 3, AskedTorque: 4, RatedTorque: 8, Gain: 0.85,
		Force: frame.Force{Column: 10, Gained: 4.2, Felt: 4.4, Lead: -0.2, Damping: -0.3, Lock: -0.1, Limited: 4, Sent: 3, Scale: 0.4, Peak: 11, Clipped: 0.031,
			HandsOn: 0.9, Rate: 333, Delay: 0.0029, Effects: [frame.MaxEffects]float64{0.2}},
	}
}

func TestForceShowsEachStage(t *testing.T) {
	var w Force
	f := forceFrame()
	w.Add(f)
	text := strings.Join(w.Lines(f, 100), "\n")
	for _, want := range []string{
		"driving  90 km/h   wheel may give 8.0 N·m, takes 333 torque updates per second, 2.9 ms late",
		"column          +10.00 N·m  [", "gained           +4.20 N·m  [", "  lead           -0.20 N·m  [", "  damping        -0.30 N·m  [", "  soft lock      -0.10 N·m  [",
		"asked            +4.00 N·m  [", "at the rim       +3.00 N·m  [", EffectName(0) + " ",
		"clipped 3.1 % of 10 s", "! more than 2.5 % clipped", "gain 85 %   0.40 N·m for each at the column   learned peak 11.0 N·m   hands on 90 %",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	for _, l := range w.Lines(f, 100)[:12] {
		if n := utf8.RuneCountInString(l); n > 100 {
			t.Errorf("%d columns: %s", n, l)
		}
	}
	if n := len(w.Lines(&frame.Frame{}, 1)); n < 10 {
		t.Errorf("%d lines in a terminal of one column", n)
	}
}

func TestBarsGrowToTheSideOfTheTorque(t *testing.T) {
	for _, c := range []struct {
		torque, rated float64
		want          string
	}{
		{0, 8, "[    |    ]"}, {8, 8, "[████|    ]"}, {-4, 8, "[    |██  ]"}, {1, 8, "[   ▐|    ]"}, {-3, 8, "[    |█▌  ]"},
		{99, 8, "[████|    ]"}, {1, 0, "[    |    ]"}, {math.NaN(), 8, "[    |    ]"}, {math.Inf(-1), 8, "[    |    ]"},
	} {
		if got := WideBar(c.torque, c.rated, 4); got != c.want {
			t.Errorf("%g of %g N·m: %s, want %s", c.torque, c.rated, got, c.want)
		}
	}
}

// An effect that never does anything takes no line; one that did keeps it.
func TestEffectsThatAreOffAreNotShown(t *testing.T) {
	var w Force
	f := forceFrame()
	f.Force.Effects = [frame.MaxEffects]float64{}
	w.Add(f)
	without := len(w.Lines(f, 80))
	f.Tick, f.Force.Effects[0] = 1100, 0.3
	w.Add(f)
	f.Tick, f.Force.Effects[0] = 1200, 0
	w.Add(f)
	if with := len(w.Lines(f, 80)); with != without+1 {
		t.Errorf("%d lines, and %d after the effect came", without, with)
	}
}

func TestDeliveredIsAShareOfWhatIsAsked(t *testing.T) {
	var w Force
	if d := w.Delivered(); !math.IsNaN(d) {
		t.Errorf("%g of nothing", d)
	}
	f := forceFrame()
	for i := range 300 {
		f.Tick = 1000 + 100*uint64(i)
		f.AskedTorque, f.RimTorque = 4*math.Sin(float64(i)), 3*math.Sin(float64(i))
		w.Add(f)
	}
	if d := w.Delivered(); math.Abs(d-0.75) > 1e-9 {
		t.Errorf("%g, want 0.75", d)
	}
	f.Tick, f.AskedTorque, f.RimTorque = 99_000, math.NaN(), math.Inf(1)
	w.Add(f)
	if d := w.Delivered(); math.Abs(d-0.75) > 1e-9 {
		t.Errorf("%g after NaN", d)
	}
}

func TestForceForScripts(t *testing.T) {
	var w Force
	f := forceFrame()
	f.Flags = frame.TorqueLimited | frame.Clipping
	w.Add(f)
	text := w.Describe(f)
	for _, want := range []string{`"column_nm":10`, `"rim_torque_nm":3`, `"delivered_share":null`, `"needs_consent_above_nm":8`, `"clipping":true`, `"ffb_gain":0.85`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
}

func TestEffectsHaveNames(t *testing.T) {
	names := []string{}
	for i := range frame.MaxEffects {
		if n := EffectName(i); n != "" {
			names = append(names, n)
		}
	}
	if slices.Contains(names, "unknown") || len(names) == 0 || EffectName(-1) != "" || EffectName(frame.MaxEffects) != "" {
		t.Errorf("effects %q", names)
	}
}
