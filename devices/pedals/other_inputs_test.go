package pedals

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/axis"
	"rig.example/rig/devices/levers"
)

// twoPots are all pedals that a car needs.
var twoPots = analog.ADCs{
	{Axis: "throttle", Channel: "0", Rest: 1000, Press: 21000},
	{Axis: "brake", Channel: "1", Rest: 20000, Press: 4000},
}

// What other devices own counts only while it is fresh, and without a brake nobody accelerates.
func TestMerge(t *testing.T) {
	const fresh, old = true, false
	type at map[string]bool
	found := Sample{Throttle: 0.7, Brake: 0.1, Clutch: 0.4, Handbrake: 0.3, Present: true}
	tests := []struct {
		name string
		at   at // others, at 0.5 while they are fresh
		base Sample
		want Sample
	}{
		{"throttle and brake", at{"throttle": fresh, "brake": fresh}, absent, Sample{Throttle: 0.5, Brake: 0.5, Present: true}},
		{"an old throttle", at{"throttle": old, "brake": fresh}, absent, Sample{Brake: 0.5}},
		{"an old brake", at{"throttle": fresh, "brake": old}, absent, Sample{Brake: 0.2}},
		{"both are lost", at{"throttle": old, "brake": old}, absent, Sample{Brake: 0.2}},
		{"a brake beside other pedals", at{"brake": fresh}, found, Sample{Throttle: 0.7, Brake: 0.5, Clutch: 0.4, Handbrake: 0.3, Present: true}},
		{"its old value", at{"brake": old}, found, Sample{Brake: 0.2, Clutch: 0.4, Handbrake: 0.3, Present: true}},
		{"the others are disconnected", at{"brake": fresh}, absent, Sample{Brake: 0.5}},
		{"a throttle whose brake is disconnected", at{"throttle": fresh}, absent, Sample{Brake: 0.2}},
		{"clutch and handbrake", at{"clutch": fresh, "handbrake": fresh}, found, Sample{Throttle: 0.7, Brake: 0.1, Clutch: 0.5, Handbrake: 0.5, Present: true}},
		{"both old", at{"clutch": old, "handbrake": old}, found, Sample{Throttle: 0.7, Brake: 0.1, Present: true}},
		{"nothing else", at{}, found, found},
		{"nothing at all", at{}, absent, absent},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var others axis.Readings
			for name, fresh := range c.at {
				v := 0.0
				if fresh {
					v = 0.5
				}
				others.Set(axis.Index(name), v, fresh)
			}
			got := c.base
			if merge(&others, &got); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// Converters that were never sampled are a throttle and a brake that are lost.
func TestMergeOfAbsentDevices(t *testing.T) {
	o, err := newOtherInputs(Config{ADC: twoPots}, calib.Store{}, tick, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s := Sample{Throttle: 1, Clutch: 0.5, Present: true}
	var l levers.Sample
	if o.overlay(&s, &l, o.analog.Now()); s != (Sample{Brake: 0.2, Clutch: 0.5}) || l != (levers.Sample{}) {
		t.Errorf("got %+v, %+v, want brake 0.2 and the clutch as it was", s, l)
	}
	if n := testing.AllocsPerRun(100, func() { o.overlay(&s, &l, o.analog.Now()) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkOverlay(b *testing.B) {
	o, err := newOtherInputs(Config{ADC: twoPots}, calib.Store{}, tick, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	var s Sample
	var l levers.Sample
	for b.Loop() {
		o.overlay(&s, &l, o.analog.Now())
	}
}

func TestOthersThatContradictEachOther(t *testing.T) {
	brake := levers.Config{Extra: levers.Extras{{Axis: "brake", Device: "x", Code: "ABS_X"}}}
	for _, c := range []struct {
		name string
		cfg  interface{ Validate() error }
		says string
	}{
		{"two pedals on one axis", Config{Throttle: "ABS_Z", Brake: "abs_z", Config: levers.Config{Shifter: levers.DefaultShifter()}}, "brake_axis: abs_z is throttle_axis already"},
		{"extra and converter", Config{Config: brake, ADC: analog.ADCs{{Axis: "brake"}}}, "converter"},
	} {
		if err := c.cfg.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
}

// The configuration as a user writes it.
func TestTheConfigIsRead(t *testing.T) {
	const text = `
[shape.brake]
invert = true
median_samples = 3
one_euro_hz = 2.0
one_euro_slope = 0.5
curve = "points"
points_in = [0.0, 0.5, 1.0]
points_out = [0.0, 0.2, 1.0]
full_braking_n = 500.0
newton_per_count = 0.001
[[adc]]
axis = "brake"
chip = "hx711"
clock_line = "gpiochip0:5"
data_line = "gpiochip0:6"
[[extra]]
axis = "handbrake"
device = "Handbrake"
code = "ABS_X"
[shifter]
kind = "h"
device = "046d:c29b"
gear_buttons = ["BTN_TRIGGER_HAPPY1", "BTN_TRIGGER_HAPPY2"]
`
	cfg := DefaultConfig()
	if err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&cfg); err != nil {
		t.Fatal(err)
	}
	if err := cfg.Validate(); err != nil {
		t.Error(err)
	}
	b := cfg.Shape.Brake
	if !b.Invert || b.Median != 3 || b.OneEuro != 2 || b.Shape != "points" || b.PointsOut[1] != 0.2 || b.FullPressForce != 500 || cfg.Shifter.Debounce != 0.02 {
		t.Errorf("got %+v", cfg)
	}
	if cfg.CoversThrottleAndBrake() {
		t.Error("a brake and a handbrake are taken for all pedals")
	}
	out, err := toml.Marshal(cfg)
	if err != nil || !strings.Contains(string(out), "one_euro_slope = 0.5") {
		t.Errorf("written back, %v:\n%s", err, out)
	}
}

// Levers and pedals on nodes of their own count with the pedals: one that is lost has the car brake gently.
func TestOverlayOfLeversThatAreAway(t *testing.T) {
	cfg := Config{Config: levers.Config{Extra: levers.Extras{{Axis: "throttle+brake", Device: "nobody", Code: "ABS_Y"}}}}
	o, err := newOtherInputs(cfg, calib.Store{}, tick, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.close() })
	s, l := Sample{Throttle: 1, Present: true}, levers.Sample{ShiftUp: true}
	if o.overlay(&s, &l, o.analog.Now()); s != absent || l != (levers.Sample{}) {
		t.Errorf("got %+v, %+v", s, l)
	}
}
