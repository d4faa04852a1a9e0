package rig

import (
	"log/slog"
	"math"
	"strings"
	"testing"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
)

// onPlatform is a demo with a platform of a kind.
func onPlatform(t *testing.T, kind string) *Rig {
	t.Helper()
	cfg := config.Default()
	cfg.Geometry.Kind = kind
	r := withPage(t, demoOf(t, cfg))
	r.poseSolver = gaugeOf(t, cfg.Geometry)
	return r
}

func gaugeOf(t *testing.T, g cueing.Geometry) *poseSolver {
	t.Helper()
	cfg := config.Default()
	cfg.Geometry = g
	m, err := newPoseSolver(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTheFrameTellsOfThePlatform(t *testing.T) {
	r := onPlatform(t, "hexapod")
	var most float64
	for range 8000 {
		run(t, r, 1)
		most = math.Max(most, math.Abs(r.out.Frame.Pose[frame.Pitch]))
	}
	f := &r.out.Frame
	if f.Motion.LegCount != 6 || f.Motion.GuardShare != 1 || f.Motion.Scale != 1 || f.Motion.State != uint64(motion.Active) || f.Motion.Tuning[0] != 1 {
		t.Errorf("%+v", f.Motion)
	}
	if most < 0.002 || f.Motion.Force[2] < 5 {
		t.Errorf("pitch up to %g rad, %g m/s² at the head", most, f.Motion.Force[2])
	}
	if f.Legs != r.out.Platform.Legs || math.Abs(f.LegsFeedback[0]-r.out.Platform.Legs[0]) > 0.01 {
		t.Errorf("legs %v, feedback %v; asked are %v", f.Legs, f.LegsFeedback, r.out.Platform.Legs)
	}
	if !math.IsNaN(f.Motion.Measured[frame.Heave]) {
		t.Error("measured, though nobody measures")
	}
}

// A pose that the legs have is measured as what was asked for, by each kind of platform.
func TestTheGaugeMeasuresWhatWasAsked(t *testing.T) {
	for _, kind := range []string{"seat", "roll-pitch", "heave", "corners", "hexapod", "rotary"} {
		g := cueing.DefaultGeometry()
		g.Kind, g.TractionLossStroke = kind, 0.2
		form, err := cueing.NewPlatform(g, cueing.FullStroke())
		if err != nil {
			t.Fatal(err)
		}
		asked := cueing.Pose{Roll: 0.03, Pitch: -0.02, Slide: 0.04}
		legs, _ := form.Legs(asked)
		got := gaugeOf(t, g).measure(legs)
		for _, f := range []struct {
			freedom int
			want    float64
		}{{frame.Roll, 0.03}, {frame.Pitch, -0.02}, {frame.Slide, 0.04}} {
			if !(math.Abs(got[f.freedom]-f.want) < 1e-4) {
				t.Errorf("%s: freedom %d at %g, want %g", kind, f.freedom, got[f.freedom], f.want)
			}
		}
	}
}

func TestTheGaugeKnowsNothingWithoutFeedback(t *testing.T) {
	m := gaugeOf(t, cueing.DefaultGeometry())
	legs := wire.Legs{0.6, 0.4, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	if p := m.measure(legs); math.IsNaN(p[frame.Roll]) {
		t.Error("legs that are not used hide the pose")
	}
	legs[1] = math.NaN()
	if p := m.measure(legs); !math.IsNaN(p[frame.Roll]) {
		t.Errorf("roll %g of one leg", p[frame.Roll])
	}
	if p := m.latest(); !math.IsNaN(p[frame.Roll]) {
		t.Errorf("roll %g before anything was measured", p[frame.Roll])
	}
	m.pose.Put(&frame.Pose{frame.Roll: 0.1})
	if p := m.latest(); p[frame.Roll] != 0.1 {
		t.Errorf("roll %g, want what was put", p[frame.Roll])
	}
}

func TestMeasuringAllocatesNothing(t *testing.T) {
	g := cueing.DefaultGeometry()
	g.Kind = "hexapod"
	m := gaugeOf(t, g)
	legs := wire.Legs{0.6, 0.4, 0.5, 0.55, 0.45, 0.5}
	if n := testing.AllocsPerRun(100, func() {
		p := m.measure(legs)
		m.pose.Put(&p)
	}); n != 0 {
		t.Errorf("allocates %g times", n)
	}
}

func TestTickOfAHexapodAllocatesNothing(t *testing.T) {
	r := onPlatform(t, "hexapod")
	run(t, r, 3000)
	if n := testing.AllocsPerRun(1000, func() { r.Tick() }); n != 0 {
		t.Errorf("a tick allocates %g times", n)
	}
}

func TestNoticesOfBeltAndFaults(t *testing.T) {
	d := &deviceSet{log: slog.New(slog.DiscardHandler), demo: true}
	for _, tt := range []struct {
		name string
		f    frame.Frame
		want []string
	}{
		{"belt", frame.Frame{Flags: frame.ConfirmInterlock | frame.InterlockOpen}, []string{"BELT, DOOR: open", "no torque; close it"}},
		{"belt in a pause", frame.Frame{Flags: frame.ConfirmInterlock | frame.InterlockOpen | frame.Paused}, []string{"BELT, DOOR: open"}},
		{"closed again", frame.Frame{Flags: frame.ConfirmInterlock}, []string{"closed again; to go on confirm: rig confirm"}},
		{"too hot", frame.Frame{Motion: frame.Motion{Faults: uint64(wire.FaultTemperature)}}, []string{"PLATFORM: too hot; let it cool", "then confirm: rig confirm"}},
		{"spike filter", frame.Frame{Motion: frame.Motion{Faults: uint64(wire.FaultSpike)}}, []string{"PLATFORM: spike filter; lower motion.max_speed"}},
		{"two", frame.Frame{Motion: frame.Motion{Faults: uint64(wire.FaultFollow | wire.FaultStop)}}, []string{"release the platform's own emergency stop"}},
		{"tuned", frame.Frame{Flags: frame.TuningChanged | frame.EngineRunning, Motion: frame.Motion{TuningIndex: 1}}, []string{"motion 0 %, surge 0 %"}},
		{"off", frame.Frame{Flags: frame.TuningChanged | frame.MotionOff | frame.EngineRunning}, []string{"motion off: J"}},
	} {
		got := d.notice(&tt.f)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q lacks %q", tt.name, got, want)
			}
		}
	}
}

// What the driver has to do stands at the end of a notice, which has to fit the page whole.
func TestNoticesOfThePlatformFitThePage(t *testing.T) {
	d := &deviceSet{log: slog.New(slog.DiscardHandler)}
	p, err := framepage.New()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	frames := []frame.Frame{{Flags: frame.ConfirmInterlock | frame.InterlockOpen}, {Flags: frame.ConfirmInterlock}, {State: uint64(guard.Fault)}, {State: uint64(guard.Stopped)}}
	for bit := wire.Faults(1); bit.String() != "none" && bit != 0; bit <<= 1 {
		frames = append(frames, frame.Frame{Motion: frame.Motion{Faults: uint64(bit)}})
	}
	for i := range frames {
		want := d.notice(&frames[i])
		if p.SetNotice(want); p.Notice() != want || want == "" {
			t.Errorf("%q shows as %q", want, p.Notice())
		}
	}
}

func TestFaultsThatTheSummaryTells(t *testing.T) {
	both := wire.FaultOffline | wire.FaultTemperature
	if got := countedFaults(both, guard.Engaging); got != wire.FaultTemperature {
		t.Errorf("%v while it begins", got)
	}
	if got := countedFaults(both, guard.Driving); got != both {
		t.Errorf("%v while it drives", got)
	}
}

func TestTheSummaryTellsOfThePlatform(t *testing.T) {
	r := demo(t)
	r.extremes.faults = wire.FaultTemperature | wire.FaultFollow
	m := r.platformSummary()
	if m == nil || len(m.Faults) != 2 || m.Faults[0].Fault != "too hot" || m.Latency != nil {
		t.Fatalf("%+v", m)
	}
	m.Rate, m.LineShare, m.Restarts, m.Latency = 250, 0.4, 1, &LatencySummary{1.25, 2, 3.5}
	var b strings.Builder
	m.print(&b)
	for _, want := range []string{"250 targets per second on 40 %", "1.25 ms (p99 2.00, at most 3.50)", "platform fault: too hot; let it cool", "restarted 1 times"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	r.platform = nil
	if r.platformSummary() != nil {
		t.Error("a platform where there is none")
	}
}
