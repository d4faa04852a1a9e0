package watch

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
)

// watched is a frame of two actuators, of which the second tells nothing.
func watched() *frame.Frame {
	nan := math.NaN()
	f := &frame.Frame{Tick: 1234, Speed: 20, Flags: frame.PlatformPresent}
	m := &f.Motion
	m.LegCount, m.State, m.Scale, m.GuardShare = 2, uint64(motion.Active), 1, 0.75
	m.Target = [8]float64{0.25, 0.5}
	f.LegsFeedback = [8]float64{0.3, nan}
	m.FollowError, m.Temperature = [8]float64{0.05, nan}, [8]float64{41, nan}
	m.Rate, m.LineShare, m.Latency, m.Warnings = 250, 0.4, 0.0021, 3
	f.Pose[frame.Roll], m.Measured[frame.Heave] = 0.1, nan
	return f
}

func TestMotionShows(t *testing.T) {
	w := Motion{Names: []string{"front left"}}
	text := strings.Join(w.Lines(watched()), "\n")
	for _, want := range []string{"platform active", "75 %", "front left", "25.0 %", "30.0 %", "5.0 %", "41 °C", "\n2 ", "roll +5.7°", "heave -", "40 % busy", "250 targets", "2.1 ms", "3 warnings"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if line := w.Line(watched()); strings.Contains(line, "\n") || !strings.Contains(line, "front left 25.0 % at 30.0 %  2 50.0 % at -") {
		t.Errorf("%q", line)
	}
}

func TestMotionWarns(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		change     func(f *frame.Frame)
	}{
		{"a fault", "(", func(f *frame.Frame) { f.Motion.Faults = uint64(wire.FaultTemperature) }},
		{"a pose that is too large", "reduced to 80 %", func(f *frame.Frame) { f.Motion.Scale = 0.8 }},
		{"a limit", "limit: surge", func(f *frame.Frame) { f.Motion.Limits = 1 }},
		{"no platform", "no platform", func(f *frame.Frame) { f.Flags = 0 }},
		{"nothing sent yet", "latency unknown", func(f *frame.Frame) { f.Motion.Latency = 0 }},
		{"no line", "line not used", func(f *frame.Frame) { f.Motion.Rate = 0 }},
	} {
		f := watched()
		tt.change(f)
		if text := strings.Join((&Motion{}).Lines(f), "\n"); !strings.Contains(text, tt.want) {
			t.Errorf("%s: lacks %q:\n%s", tt.name, tt.want, text)
		}
	}
}

func TestMotionDescribes(t *testing.T) {
	data := (&Motion{}).Describe(watched())
	const want = `"actuators":[{"name":"1","demand":0.25,"feedback":0.3,"follow_error":0.05,"temperature_c":41},{"name":"2","demand":0.5,"feedback":null,"follow_error":null,"temperature_c":null}]`
	if !strings.Contains(string(data), want) || !strings.Contains(string(data), `"pose_measured":null`) {
		t.Errorf("%s", data)
	}
}

func TestMotionKnowsNoLatencyBeforeATarget(t *testing.T) {
	f := watched()
	if now := string((&Motion{}).Describe(f)); !strings.Contains(now, `"latency_ms":2.1,`) {
		t.Errorf("%s, want 2.1 ms", now)
	}
	f.Motion.Latency = 0
	if now := string((&Motion{}).Describe(f)); !strings.Contains(now, `"latency_ms":null,`) {
		t.Errorf("%s before a target", now)
	}
}

func TestPlaceBar(t *testing.T) {
	for _, tt := range []struct {
		target, feedback float64
		want             string
	}{{0, 1, "[|···█]"}, {0.5, 0.5, "[··|··]"}, {math.NaN(), 0.25, "[·█···]"}, {7, -7, "[█···|]"}} {
		if got := positionBar(tt.target, tt.feedback, 5); got != tt.want {
			t.Errorf("%g, %g: %s, want %s", tt.target, tt.feedback, got, tt.want)
		}
	}
}
