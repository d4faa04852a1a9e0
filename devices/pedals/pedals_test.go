package pedals

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

// axes makes axes over 0..255.
func axes(codes ...uint16) []evdev.Axis {
	var list []evdev.Axis
	for _, c := range codes {
		list = append(list, evdev.Axis{Name: evdev.AbsName(c), Code: c, Max: 255})
	}
	return list
}

func TestLayouts(t *testing.T) {
	wheel := axes(evdev.AbsX, evdev.AbsY, evdev.AbsZ, evdev.AbsRZ)
	usual := [axis.Count]uint16{evdev.AbsZ, evdev.AbsRZ, evdev.AbsY, noAxis}
	xbox := [axis.Count]uint16{evdev.AbsY, evdev.AbsZ, evdev.AbsRZ, noAxis}
	tests := []struct {
		name string
		info evdev.Info
		want [axis.Count]uint16
	}{
		{"G29", evdev.Info{Vendor: 0x046d, Product: 0xc24f, Kind: evdev.KindWheel, Axes: wheel}, usual},
		{"G920", evdev.Info{Vendor: 0x046d, Product: 0xc262, Kind: evdev.KindWheel, Axes: wheel}, xbox},
		{"G923 for Xbox", evdev.Info{Vendor: 0x046d, Product: 0xc26e, Kind: evdev.KindWheel, Axes: wheel}, xbox},
		{"gas and brake", evdev.Info{Kind: evdev.KindWheel, Axes: axes(evdev.AbsX, evdev.AbsGas, evdev.AbsBrake)}, [axis.Count]uint16{evdev.AbsGas, evdev.AbsBrake, noAxis, noAxis}},
		{"steering alone", evdev.Info{Kind: evdev.KindWheel, Axes: axes(evdev.AbsX, evdev.AbsY)}, [axis.Count]uint16{noAxis, noAxis, noAxis, noAxis}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := guessAxes(c.info, calib.PedalsProfile{}); got != c.want {
				t.Errorf("got axes %d, want %d", got, c.want)
			}
		})
	}
}

func TestChooseFindsWhatWasCalibrated(t *testing.T) {
	store := calib.Store{Dir: t.TempDir()}
	box := evdev.Info{Path: "/dev/input/event1", Name: "Pedal box", Kind: evdev.KindPedals, Axes: axes(evdev.AbsX, evdev.AbsY)}
	odd := evdev.Info{Path: "/dev/input/event3", Name: "Home-made", Vendor: 0x1209, Product: 7, Kind: evdev.KindGamepad, Axes: axes(evdev.AbsRY)}
	twin := evdev.Info{Path: "/dev/input/event2", Name: "Home-made keys", Vendor: 0x1209, Product: 7, Kind: evdev.KindOther}
	list := []evdev.Info{box, twin, odd}
	if got, err := Choose(list, "", store); err != nil || got.Path != box.Path {
		t.Errorf("nothing is calibrated: got %q, %v; want the pedal box", got.Path, err)
	}
	_, err := store.SavePedals(calib.PedalsProfile{Version: calib.ProfileVersion, Device: calib.IdentityOf(odd), Brake: &calib.Axis{Code: "ABS_RY", Rest: 0, Press: 200}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Choose(list, "", store); err != nil || got.Path != odd.Path {
		t.Errorf("got %q, %v; want the device with a profile", got.Path, err)
	}
	if got, err := Choose(list, "box", store); err != nil || got.Path != box.Path {
		t.Errorf("got %q, %v; want the one named", got.Path, err)
	}
}

func TestAbsentPedalsBrakeGently(t *testing.T) {
	p := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	s := Sample{Throttle: 1, Clutch: 1, Present: true}
	p.Poll(&s)
	if s != (Sample{Brake: 0.2}) {
		t.Errorf("got %+v, want brake 0.2 and nothing else", s)
	}
	if n := testing.AllocsPerRun(100, func() { p.Poll(&s) }); n != 0 {
		t.Errorf("%v allocations a poll, want 0", n)
	}
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Error(err)
	}
}

func TestValidateNamesEveryBadAxis(t *testing.T) {
	if err := DefaultConfig().Validate(); err != nil {
		t.Error(err)
	}
	err := Config{Throttle: "ABS_NO", Brake: "BTN_TOP", Clutch: "ABS_Y", Handbrake: "x"}.Validate()
	for _, key := range []string{"throttle_axis", "brake_axis", "handbrake_axis"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%v does not name %s", err, key)
		}
	}
	if strings.Contains(err.Error(), "clutch_axis") {
		t.Errorf("%v blames the good clutch_axis", err)
	}
}

func TestChoose(t *testing.T) {
	denied := evdev.Info{Path: "/dev/input/event1", Err: fs.ErrPermission}
	pad := evdev.Info{Path: "/dev/input/event2", Name: "Pad", Kind: evdev.KindGamepad}
	box := evdev.Info{Path: "/dev/input/event3", Name: "Pedal box", Kind: evdev.KindPedals}
	wheel := evdev.Info{Path: "/dev/input/event4", Kind: evdev.KindWheel, Axes: axes(evdev.AbsX, evdev.AbsGas, evdev.AbsBrake)}
	tests := []struct {
		name     string
		list     []evdev.Info
		selector string
		want     string // path, empty for an error
		says     string
	}{
		{"pedals", []evdev.Info{denied, pad, box}, "", box.Path, ""},
		{"the one named", []evdev.Info{pad, box}, "pad", pad.Path, ""},
		{"on a wheel of any layout", []evdev.Info{pad, wheel}, "", wheel.Path, ""},
		{"pedals before those on a wheel", []evdev.Info{wheel, box}, "", box.Path, ""},
		{"nothing", nil, "", "", "plug it in"},
		{"named one absent", []evdev.Info{box}, "moza", "", `"moza"`},
		{"not readable", []evdev.Info{denied, pad}, "", "", "not every device could be read"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got, err := Choose(c.list, c.selector, calib.Store{})
			if got.Path != c.want || (err == nil) != (c.want != "") {
				t.Fatalf("got %q, %v; want %q", got.Path, err, c.want)
			}
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	p := New(Config{Device: "no such pedals"}, calib.Store{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	for p.Status().Problem == "" {
		lifecycle.Sleep(t.Context(), time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	p.Close()
}

// Whatever an axis declares and counts, the pedal is 0..1, and released at rest.
func FuzzDeclaredAxis(f *testing.F) {
	f.Add(int32(0), int32(0), int32(0), false)
	f.Add(int32(math.MinInt32), int32(math.MaxInt32), int32(-1), true)
	f.Add(int32(255), int32(0), int32(128), false)
	f.Add(int32(math.MaxInt32-1), int32(math.MaxInt32), int32(math.MinInt32), true)
	f.Fuzz(func(t *testing.T, low, high, raw int32, invert bool) {
		info := evdev.Info{Name: "odd", Axes: []evdev.Axis{{Name: "ABS_Z", Min: low, Max: high, Code: evdev.AbsZ}}}
		p, err := newPedal(info, evdev.AbsZ, nil, axis.Config{Invert: invert})
		if (err == nil) != (low < high) {
			t.Fatalf("%d..%d: %v", low, high, err)
		}
		if err != nil {
			return
		}
		if v := p.value(raw, true); v != 0 {
			t.Fatalf("%d of %d..%d: %g before it was at rest", raw, low, high, v)
		}
		p.seen = true
		if v := p.value(raw, true); !(v >= 0 && v <= 1) {
			t.Fatalf("%d of %d..%d: %g", raw, low, high, v)
		}
		if p.value(p.axis.Ends.Rest, true) != 0 {
			t.Fatalf("%d..%d: pressed at rest", low, high)
		}
	})
}
