package wheel

import (
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// tired is a motor that feels nothing below 10 %, and gives little more above 60 %.
func tired() calib.WheelProfile {
	return calib.WheelProfile{Force: 1, MinLevel: 0.1,
		Motor: []calib.MotorPoint{{Level: 0.2, Torque: 0.4}, {Level: 0.6, Torque: 1.8}, {Level: 0.9, Torque: 2}}}
}

func TestLimitsOfAMeasuredMotor(t *testing.T) {
	p := tired()
	info := evdev.Info{Vendor: 0x1209, Product: 1, FFEffects: []string{"FF_CONSTANT"}}
	tests := []struct {
		name  string
		cfg   Config
		rated float64
	}{
		{"what it gives", Config{MaxTorque: 50}, 2},
		{"capped by the configuration", Config{MaxTorque: 1.5}, 1.5},
		{"known to give less", Config{MaxTorque: 50, FullNm: 1.2}, 1.2},
		{"thought to give more", Config{MaxTorque: 50, FullNm: 20}, 2},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			l := limitsFor(c.cfg, info, driverTable["hid-generic"], &p)
			if l.rated != c.rated || math.Abs(l.full-3) > 1e-12 || len(l.notes) != 0 { // 1.8 N·m at 60 %: full force for it is 3 N·m
				t.Errorf("got %+v, want full 3, rated %g and no notes", l, c.rated)
			}
		})
	}
	p.Force = 0
	if l := limitsFor(Config{MaxTorque: 50}, info, driverTable["hid-generic"], &p); l.rated != unsignedRatedNm || len(l.notes) != 1 {
		t.Errorf("of no sign: got %+v, want %g N·m and a note", l, unsignedRatedNm)
	}
}

func TestPacerFollowsTheCurve(t *testing.T) {
	p := tired()
	tests := []struct {
		asked float64 // [N·m]
		sign  int
		rated float64
		want  float64 // level, of full force
	}{
		{0, 1, 2, 0}, {0.4, 1, 2, 0.2}, {1.8, 1, 2, 0.6}, {-1.8, 1, 2, -0.6}, {1.8, -1, 2, -0.6},
		{2, 1, 2, 0.9}, {50, 1, 2, 0.9}, {50, 1, 0.4, 0.2}, {math.Inf(-1), 1, 2, -0.9}, {math.NaN(), 1, 2, 0},
	}
	for _, c := range tests {
		lim := limits{full: 3, rated: c.rated, slew: 1e6, sign: c.sign, motor: calib.NewMotor(&p, 0)}
		pace := newPacer(driverTable["hid-generic"], lim, 0, 0)
		if got := float64(pace.decide(0, 1, c.asked).level) / fullLevel; math.Abs(got-c.want) > 1.0/fullLevel {
			t.Errorf("%g N·m of %g, sign %d: level %.4f, want %.4f", c.asked, c.rated, c.sign, got, c.want)
		}
	}
}

// Of a coarse wheel the mean level is that of the curve.
func TestDitherIsOnTopOfTheCurve(t *testing.T) {
	profile := tired()
	lim := limits{full: 3, rated: 2, slew: 1e6, sign: 1, dither: true, motor: calib.NewMotor(&profile, 0)}
	for _, asked := range []float64{0.3, 1.234, -1.9} {
		p := newPacer(driverTable["logitech"], lim, 0, 0)
		sum, level := 0.0, int16(0)
		const ticks = 3000
		for i := range ticks {
			if o := p.decide(time.Duration(i)*ms, uint64(i+1), asked); o.upload {
				level = o.level
			}
			sum += float64(level) / fullLevel / ticks
		}
		if want := lim.motor.Level(asked); math.Abs(sum-want) > 0.02*256/fullLevel {
			t.Errorf("%g N·m: level %.5f on the mean, want %.5f", asked, sum, want)
		}
	}
}

func TestMotorOfAnotherGainIsForgotten(t *testing.T) {
	for _, c := range []struct {
		gain, measured float64
		same           bool
	}{{1, 0, true}, {0.6, 0.6, true}, {1, 0.6, false}, {0.6, 0, false}} {
		p := tired()
		p.Gain = c.measured
		note := dropStaleMotor(&p, c.gain)
		if c.same != (len(p.Motor) == 3 && note == "") || !c.same && !strings.Contains(note, "rig calibrate ffb") {
			t.Errorf("gain %g, measured at %g: %d points are left, note %q", c.gain, c.measured, len(p.Motor), note)
		}
	}
}

func TestDelayCountsDriverDeviceAndMotor(t *testing.T) {
	g29 := evdev.Info{Vendor: 0x046d, Product: 0xc24f}
	if got := deviceDelay(Config{DelayMs: 4.5}, g29); got != 4500*time.Microsecond {
		t.Errorf("configured 4.5 ms, got %v", got)
	}
	for name, c := range map[string]struct {
		info evdev.Info
		want time.Duration
	}{
		"geared":       {g29, 12 * ms},
		"belt":         {evdev.Info{Vendor: 0x044f, Product: 0xb66e}, 8 * ms},
		"direct drive": {evdev.Info{Vendor: 0x16d0, Product: 0x0d60}, 3 * ms},
		"unknown":      {evdev.Info{Vendor: 1, Product: 2}, 12 * ms},
	} {
		if got := deviceDelay(Config{}, c.info); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	w := New(DefaultConfig(), calib.Store{}, slog.New(slog.DiscardHandler))
	defer w.Close()
	if w.Delay() != 0 || w.UpdateRate() != 0 {
		t.Errorf("absent: delay %g s, rate %g/s, want 0", w.Delay(), w.UpdateRate())
	}
	s := &session{driver: driverTable["logitech"], reportPeriod: 2 * ms, deviceDelay: 12 * ms}
	w.current.Store(s)
	defer w.current.Store(nil)
	if got := w.Delay(); math.Abs(got-0.017) > 1e-9 {
		t.Errorf("delay %g s, want 17 ms: 3 of the driver, 2 of the endpoint, 12 of the motor", got)
	}
	for range 200 {
		s.uploads.add(20 * ms)
	}
	if got := w.UpdateRate(); math.Abs(got-1/0.021) > 1e-6 { // 7 periods of 3 ms
		t.Errorf("%g a second when an update takes 20 ms, want 47.6", got)
	}
}

// A driver that hands on each force at once goes at the pace of its device, but no
// faster than the loop.
func TestDirectDriversKeepTheDevicesPace(t *testing.T) {
	for _, c := range []struct {
		driver       string
		report, want time.Duration
	}{
		{"hid-pidff", 0, 2 * ms}, {"hid-pidff", ms, ms}, {"hid-pidff", ms / 8, ms}, {"hid-pidff", 20 * ms, 2 * ms},
		{"logitech", ms, 3 * ms}, {"fanatec", ms, 2 * ms},
	} {
		if got := driverTable[c.driver].withReportPeriod(c.report).updatePeriod; got != c.want {
			t.Errorf("%s with a report each %v: %v, want %v", c.driver, c.report, got, c.want)
		}
	}
}
