package pedals

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/level"
)

// footwell is a set of pedals with a driver's feet, in virtual time. The kernel holds 0 of an axis until it has reported.
type footwell struct {
	fakeEvents
	t        *testing.T
	name     string
	s        *session
	at       time.Duration // since it was plugged in
	high     bool          // released pedals are at the high end
	reported map[uint16]bool
	foot     [3]float64 // how far the pedals are pressed in truth
	out      Sample
}

// footMax is the highest count of the footwell's axes.
const footMax = 1000

var footCodes = [3]uint16{evdev.AbsZ, evdev.AbsRZ, evdev.AbsY}

// plugged returns pedals of a model that have just been plugged in. counts is how far they are pressed at that moment, of which they
// have reported if told is true.
func plugged(t *testing.T, id [2]evdev.ID, profile calib.PedalsProfile, high, told bool, foot ...float64) *footwell {
	t.Helper()
	f := &footwell{fakeEvents: fakeEvents{abs: map[uint16]int32{}}, t: t, high: high, reported: map[uint16]bool{}}
	info := evdev.Info{Name: "pedals", Kind: evdev.KindPedals, Vendor: id[0], Product: id[1]}
	for i := range foot {
		info.Axes = append(info.Axes, evdev.Axis{Name: evdev.AbsName(footCodes[i]), Code: footCodes[i], Max: footMax})
	}
	names := [3]string{"ABS_Z", "ABS_RZ", "ABS_Y"}
	cfg := Config{Throttle: names[0]}
	if len(foot) > 1 {
		cfg.Brake = names[1]
	}
	if len(foot) > 2 {
		cfg.Clutch = names[2]
	}
	f.s = &session{info: info}
	var err error
	if f.s.pedals, err = layoutFor(cfg, info, profile); err != nil {
		t.Fatal(err)
	}
	if err := f.s.check.configure(nil, info); err != nil {
		t.Fatal(err)
	}
	for i := range f.s.shapes {
		f.s.shapes[i] = axis.NewShape(axis.Config{}, tick)
	}
	f.s.rest = newRestState(&f.s.pedals, 0)
	copy(f.foot[:], foot)
	if told {
		f.report()
	}
	return f
}

func (f *footwell) AxisReported(code uint16) bool { return f.reported[code] }

func (f *footwell) counts(i int) int32 {
	at := f.foot[i]
	if f.high {
		at = 1 - at
	}
	return int32(math.Round(footMax * at))
}

// report lets the device report the pedals whose counts have changed. As the kernel, it tells only of changes.
func (f *footwell) report() {
	for i := range f.s.info.Axes {
		code := footCodes[i]
		if n := f.counts(i); n != f.abs[code] {
			f.abs[code], f.reported[code] = n, true
			f.list = append(f.list, evdev.Event{Type: evdev.EvAbs, Code: code, Value: n})
		}
	}
}

// hold holds the pedals for some seconds. Whatever happens, no pedal counts as pressed further than it is.
func (f *footwell) hold(seconds float64) {
	f.t.Helper()
	for range int(math.Round(1000 * seconds)) {
		f.at += time.Millisecond
		f.s.sample(f, f.at, &f.out)
		brakeAtMost := max(f.foot[1], absentBrake)
		if f.out.Throttle > f.foot[0]+0.03 || f.out.Brake > brakeAtMost+0.03 || f.out.Clutch > f.foot[2]+0.03 {
			f.t.Fatalf("%s: after %v the feet press %.2f and %+v counts", f.name, f.at, f.foot, f.out)
		}
	}
}

// press moves one pedal there in 0.1 s, with a report each 5 ms, and holds it for 0.5 s.
func (f *footwell) press(i int, to float64) {
	f.t.Helper()
	const parts = 20
	from := f.foot[i]
	for part := range parts {
		f.foot[i] = from + (to-from)*float64(part+1)/parts
		f.report()
		f.hold(0.005)
	}
	f.hold(0.5)
}

// drives reports whether the pedals count as they are pressed now.
func (f *footwell) drives() bool {
	f.t.Helper()
	f.press(0, 0.5)
	ok := f.out.Present && math.Abs(f.out.Throttle-0.5) < 0.02
	f.press(0, 0)
	f.press(1, 0.5)
	ok = ok && f.out.Present && math.Abs(f.out.Brake-0.5) < 0.02
	f.press(1, 0)
	return ok && f.out.Throttle == 0 && f.out.Brake == 0
}

// told returns what is said of the pedals.
func (f *footwell) told() string { return strings.Join(f.s.notes(), "; ") }

var (
	modelG29       = [2]evdev.ID{logitech, 0xc24f}
	modelG27       = [2]evdev.ID{logitech, 0xc29b}
	modelG923      = [2]evdev.ID{logitech, 0xc266}
	modelG923X     = [2]evdev.ID{logitech, 0xc26e}
	modelGPro      = [2]evdev.ID{logitech, 0xc272}
	modelGProPS    = [2]evdev.ID{logitech, 0xc268}
	modelProPedals = [2]evdev.ID{logitech, 0xc26a}
	modelRS50      = [2]evdev.ID{logitech, 0xc276}
	modelUnknown   = [2]evdev.ID{0x1209, 7}
)

// calibrated is a profile of pedals that rested at one end.
func calibrated(rest, press int32) calib.PedalsProfile {
	of := func(code string) *calib.Axis { return &calib.Axis{Code: code, Rest: rest, Press: press} }
	return calib.PedalsProfile{Version: calib.ProfileVersion, Throttle: of("ABS_Z"), Brake: of("ABS_RZ"), Clutch: of("ABS_Y")}
}

// Models of one maker rest at either end, and one of them at either by its driver. Touched or not, floored, let go or plugged in while
// they are pressed, no pedal counts as pressed further than it is; see hold. Those that are let go at the start drive.
func TestPedalsOfEachModel(t *testing.T) {
	level.SkipIfQuick(t)
	for _, m := range []struct {
		name    string
		id      [2]evdev.ID
		profile calib.PedalsProfile
		high    bool
		drives  bool // once let go; if not, a calibration is asked for
	}{
		{"G29", modelG29, calib.PedalsProfile{}, true, true},
		{"G29 whose driver inverts", modelG29, calib.PedalsProfile{}, false, false},
		{"G27", modelG27, calib.PedalsProfile{}, true, true},
		{"G PRO", modelGPro, calib.PedalsProfile{}, false, true},
		{"G PRO for PlayStation", modelGProPS, calib.PedalsProfile{}, false, true},
		{"G PRO's pedals", modelProPedals, calib.PedalsProfile{}, false, true},
		{"RS50", modelRS50, calib.PedalsProfile{}, false, true},
		{"G923", modelG923, calib.PedalsProfile{}, true, true},
		{"G923 with a newer driver", modelG923, calib.PedalsProfile{}, false, true},
		{"G923, calibrated", modelG923, calibrated(footMax, 0), true, true},
		{"G923, calibrated before its driver was updated", modelG923, calibrated(footMax, 0), false, false},
		{"G923 for Xbox", modelG923X, calib.PedalsProfile{}, true, true},
		{"unknown, resting low", modelUnknown, calib.PedalsProfile{}, false, true},
		{"unknown, resting high", modelUnknown, calib.PedalsProfile{}, true, true},
		{"unknown, calibrated", modelUnknown, calibrated(20, 980), false, true},
		{"unknown, of another firmware than its calibration", modelUnknown, calibrated(20, 980), true, false},
	} {
		for _, told := range []bool{true, false} {
			for _, start := range [][3]float64{{}, {0.05}, {1}, {0.5}, {0, 1}, {0, 0, 1}, {0, 1, 1}, {0.6, 0, 1}} {
				name := fmt.Sprintf("%s, told %v, pressed %v", m.name, told, start)
				f := plugged(t, m.id, m.profile, m.high, told, start[:]...)
				f.name = name
				f.hold(1)
				for i := range f.foot { // the foot comes off, and each pedal is pressed once
					f.press(i, 0)
				}
				for i := range f.foot {
					f.press(i, 1)
					f.press(i, 0)
				}
				drives := f.drives()
				if drives != m.drives && start[0] == 0 && start[1] == 0 && start[2] == 0 {
					t.Errorf("%s: drives %v, %q", name, drives, f.told())
				}
				if !drives && !strings.Contains(f.told(), "rig calibrate pedals") {
					t.Errorf("%s: does not drive, and %q", name, f.told())
				}
				if drives && m.drives && f.told() != "" {
					t.Errorf("%s: drives, and %q", name, f.told())
				}
			}
		}
	}
}

// Touched by a foot before anything else, a pedal of each model of a maker whose others rest high stays released, and says what
// to do.
func TestTheFirstTouchIsNoFullThrottle(t *testing.T) {
	for name, id := range map[string][2]evdev.ID{"G PRO": modelGPro, "G PRO for PlayStation": modelGProPS, "its pedals": modelProPedals, "RS50": modelRS50, "G923": modelG923} {
		f := plugged(t, id, calib.PedalsProfile{}, false, false, 0, 0, 0)
		f.hold(0.1)
		f.press(0, 0.05)
		f.press(0, 0)
		f.press(0, 1)
		f.press(0, 0)
		if f.out.Throttle != 0 || f.out.Clutch != 0 {
			t.Errorf("%s: %+v", name, f.out)
		}
	}
}

// Pedals that are plugged in while the throttle is pressed are absent until no pedal is pressed, and then count. Meanwhile the
// notice says so.
func TestAPedalThatIsPressedWhenItIsPluggedIn(t *testing.T) {
	for i, name := range axis.Names[:3] {
		start := make([]float64, 3)
		start[i] = 0.7
		f := plugged(t, modelUnknown, calibrated(0, footMax), false, true, start...)
		f.hold(3)
		if want := (Sample{Brake: absentBrake}); f.out != want {
			t.Errorf("%s: %+v, want %+v", name, f.out, want)
		}
		if told := f.told(); !strings.Contains(told, name+": it counts once no pedal of its device is pressed") {
			t.Errorf("%s: %q", name, told)
		}
		f.press(i, 0)
		if told := f.told(); !f.out.Present || f.out.Brake != 0 || told != "" || !f.drives() {
			t.Errorf("%s: %+v, %q once it was let go", name, f.out, told)
		}
	}
}

// A throttle alone that was floored when it was plugged in looks as one whose ends are exchanged: it counts once it was let go for
// 10 s, and that is said.
func TestAThrottleAloneThatStartsAtItsPressedEnd(t *testing.T) {
	for _, high := range []bool{false, true} {
		profile := calibrated(0, footMax)
		profile.Brake, profile.Clutch = nil, nil
		f := plugged(t, modelUnknown, profile, high, true, map[bool]float64{false: 1, true: 0}[high])
		f.hold(3)
		for range 3 {
			f.press(0, 1)
			f.press(0, 0)
		}
		if told := f.told(); f.out.Throttle != 0 || f.out.Present || !strings.Contains(told, "throttle: it was pressed when it was connected, or its ends are exchanged") {
			t.Errorf("resting high %v: %+v, %q", high, f.out, told)
		}
		if f.hold(10); f.out.Present == high || f.out.Throttle != 0 {
			t.Errorf("resting high %v, let go for 10 s: %+v", high, f.out)
		}
	}
}

// Two unknown pedals at their high ends may be floored by two feet: they stay released, and a calibration is asked for.
func TestTwoUnknownPedalsAtTheirHighEnds(t *testing.T) {
	for _, high := range []bool{false, true} {
		pressed := map[bool]float64{false: 1, true: 0}[high]
		f := plugged(t, modelUnknown, calib.PedalsProfile{}, high, true, pressed, pressed)
		f.s.pedals[axis.Clutch].used = false
		f.s.rest = newRestState(&f.s.pedals, 0)
		f.hold(3)
		for i := range 2 {
			f.press(i, 1)
			f.press(i, 0)
		}
		if f.out != (Sample{Brake: absentBrake}) || !strings.Contains(f.told(), "rig calibrate pedals") {
			t.Errorf("resting high %v: %+v, %q", high, f.out, f.told())
		}
	}
}

// What is on other devices is not waited for, nor a clutch that never reports.
func TestOnlyWhatIsThereIsWaitedFor(t *testing.T) {
	f := plugged(t, modelUnknown, calib.PedalsProfile{}, false, false, 0, 0, 0)
	f.s.rest = newRestState(&f.s.pedals, 1<<axis.Brake)
	f.press(0, 1)
	f.press(0, 0)
	f.hold(3)
	if f.press(0, 0.5); !f.out.Present || math.Abs(f.out.Throttle-0.5) > 0.02 || f.told() != "" {
		t.Errorf("%+v, %q", f.out, f.told())
	}
}
