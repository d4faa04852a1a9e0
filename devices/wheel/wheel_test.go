package wheel

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestDefaultConfigIsValid(t *testing.T) {
	if err := DefaultConfig().Validate(); err != nil {
		t.Error(err)
	}
	if err := DefaultSimConfig().Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateReportsEveryField(t *testing.T) {
	err := Config{RangeDeg: 5, FullNm: -1, MaxTorque: math.NaN(), MaxSlew: 0, Spring: -1, Damper: 2, Friction: math.NaN()}.Validate()
	for _, key := range []string{"range_deg", "full_torque_nm", "max_torque_nm", "max_slew_nm_per_ms", "spring", "damper", "friction"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%v does not name %s", err, key)
		}
	}
	if err := (SimConfig{Inertia: -1}).Validate(); err == nil {
		t.Error("a simulated rim of negative inertia was accepted")
	}
}

func TestLimits(t *testing.T) {
	constant := []string{"FF_CONSTANT"}
	g29 := evdev.Info{Vendor: 0x046d, Product: 0xc24f, FFEffects: constant}
	other := evdev.Info{Vendor: 0x1209, Product: 1, FFEffects: constant}
	deaf := evdev.Info{Vendor: 0x046d, Product: 0xc24f}
	strong := Config{MaxTorque: 50, MaxSlew: 1, FullNm: 12}
	tests := []struct {
		name        string
		cfg         Config
		info        evdev.Info
		driver      string
		measured    int
		full, rated float64
		sign, notes int
	}{
		{"G29 on its driver", DefaultConfig(), g29, "logitech", 0, 2.2, 2.2, 1, 0},
		{"G29 with a measured sign", DefaultConfig(), g29, "logitech", -1, 2.2, 2.2, -1, 0},
		{"G29 on an unknown driver", DefaultConfig(), g29, "new", 0, 2.2, 1, 1, 1},
		{"unknown wheel on a known driver", DefaultConfig(), other, "logitech", 0, 20, 1, 1, 2},
		{"unknown wheel, sign measured", DefaultConfig(), other, "hid-generic", 1, 20, 2, 1, 1},
		{"torque from the configuration", strong, other, "hid-generic", 1, 12, 12, 1, 0},
		{"capped by the configuration", Config{MaxTorque: 0.5, MaxSlew: 1}, g29, "logitech", 0, 2.2, 0.5, 1, 0},
		{"no force at all", DefaultConfig(), deaf, "logitech", 0, 2.2, 0, 1, 1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			drv, ok := driverTable[c.driver]
			if !ok {
				drv = unknownDriverTraits
			}
			l := limitsFor(c.cfg, c.info, drv, &calib.WheelProfile{Force: c.measured})
			if l.full != c.full || l.rated != c.rated || l.sign != c.sign || len(l.notes) != c.notes {
				t.Errorf("got %+v, want full %g, rated %g, sign %d, %d notes", l, c.full, c.rated, c.sign, c.notes)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	denied := evdev.Info{Path: "/dev/input/event1", Err: fs.ErrPermission}
	pad := evdev.Info{Path: "/dev/input/event2", Name: "Pad", Kind: evdev.KindGamepad}
	dumb := evdev.Info{Path: "/dev/input/event3", Name: "Old wheel", Kind: evdev.KindWheel}
	g29 := evdev.Info{Path: "/dev/input/event4", Name: "Logitech G29", Kind: evdev.KindWheel, FFEffects: []string{"FF_CONSTANT"}}
	early := evdev.Info{Path: "/dev/input/event5", Name: "Logitech G29", Kind: evdev.KindGamepad, Vendor: 0x046d, Product: 0xc24f}
	tests := []struct {
		name     string
		list     []evdev.Info
		selector string
		want     string // path, empty for an error
		says     string
	}{
		{"a wheel with force before one without", []evdev.Info{denied, pad, dumb, g29}, "", g29.Path, ""},
		{"the only wheel", []evdev.Info{pad, dumb}, "", dumb.Path, ""},
		{"the one named", []evdev.Info{pad, dumb, g29}, "old", dumb.Path, ""},
		{"a gamepad if named", []evdev.Info{pad, g29}, "pad", pad.Path, ""},
		{"a known wheel whose driver has not added its force yet", []evdev.Info{pad, early}, "", early.Path, ""},
		{"nothing", nil, "", "", "plug it in"},
		{"no wheel", []evdev.Info{pad}, "", "", "plug it in"},
		{"named one absent", []evdev.Info{g29}, "moza", "", `"moza"`},
		{"not readable", []evdev.Info{denied, pad}, "", "", "not every device could be read"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got, err := Choose(c.list, c.selector)
			if got.Path != c.want || (err == nil) != (c.want != "") {
				t.Fatalf("got %q, %v; want %q", got.Path, err, c.want)
			}
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func TestAbsentWheel(t *testing.T) {
	w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())
	s := Sample{Angle: 0.5, Present: true}
	w.Poll(&s)
	if s != (Sample{Angle: 0.5}) {
		t.Errorf("got %+v, want absent, and the angle kept", s)
	}
	if w.Rated() != 0 {
		t.Errorf("rated %g N·m, want 0", w.Rated())
	}
	if n := testing.AllocsPerRun(100, func() { w.Poll(&s); w.Push(1) }); n != 0 {
		t.Errorf("%v allocations a tick, want 0", n)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	w.Push(1) // must do nothing after Close
}

func TestNaNLatchesAFault(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())
		w.Push(bad)
		w.Push(1)
		if got := torqueOf(w); got != 0 || w.Status().Fault == "" {
			t.Errorf("after %g the torque is %g, fault %q; want 0 and a fault", bad, got, w.Status().Fault)
		}
		w.ClearFault()
		w.Push(1)
		if got := torqueOf(w); got != 1 || w.Status().Fault != "" {
			t.Errorf("after ClearFault the torque is %g, want 1", got)
		}
		w.Close()
	}
}

func TestAWriterThatHangsIsLeftBehind(t *testing.T) {
	s := &session{ended: make(chan struct{})}
	if err := s.waitForWriter(5 * ms); !errors.Is(err, errStuck) {
		t.Errorf("waited for a writer that never ends: %v", err)
	}
	close(s.ended)
	if err := s.waitForWriter(5 * ms); err != nil {
		t.Errorf("a writer that has ended: %v", err)
	}
}

// Straight ahead is an angle of the rim: at half the range it lies twice as
// many counts from the middle.
func TestCenterFollowsTheRange(t *testing.T) {
	axes := []evdev.Axis{{Name: "ABS_X", Code: evdev.AbsX, Min: 0, Max: 65535}}
	tests := []struct {
		name            string
		measured, now   float64
		center, stretch int32
	}{
		{"same range", 900, 900, 33768, 33768},
		{"half the range", 900, 450, 33768, 34768},
		{"half the range, center on the left", 900, 450, 31768, 30768},
		{"twice the range", 450, 900, 34768, 33768},
		{"cut to the axis", 900, 45, 60000, 65535},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			s := session{info: evdev.Info{Axes: axes}, profile: calib.WheelProfile{Axis: "ABS_X", Left: 0, Right: 65535, Center: c.center, RangeDeg: c.now}}
			s.recenter(c.measured)
			if d := s.profile.Center - c.stretch; d < -1 || d > 1 {
				t.Errorf("center at %d, want %d", s.profile.Center, c.stretch)
			}
		})
	}
}

func TestRunEndsByCloseAndByContext(t *testing.T) {
	for _, byClose := range []bool{true, false} {
		w := New(Config{Device: "no such wheel"}, calib.Store{Dir: t.TempDir()}, quiet())
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		for w.Status().Problem == "" {
			lifecycle.Sleep(t.Context(), ms)
		}
		if byClose {
			w.Close()
		} else {
			cancel()
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		cancel()
		w.Close()
	}
}

// torqueOf returns the newest torque that the writer gets [N·m].
func torqueOf(w *Wheel) (torque float64) {
	w.torque.Get(&torque)
	return torque
}
