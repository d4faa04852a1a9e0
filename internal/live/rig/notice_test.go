package rig

import (
	"log/slog"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/devices/analog"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/watch"
)

// What a notice says of torque, platform and keys is what is so in that state.
func TestNoticesAreTrueInTheirState(t *testing.T) {
	in := func(s guard.State, flags uint64, p motion.State, pictures uint64) frame.Frame {
		return frame.Frame{State: uint64(s), Flags: flags, Motion: frame.Motion{State: uint64(p)}, Pictures: pictures, Speed: 113 / 3.6}
	}
	set := func(protocol string, button bool) *deviceSet {
		return &deviceSet{demo: true, motion: motion.Config{Protocol: protocol, StopAction: motion.StopHold}, pauseButton: button}
	}
	seat, none := set("smc3", false), set("", false)
	for _, c := range []struct {
		name string
		set  *deviceSet
		f    frame.Frame
		want string
	}{
		{"pause begins", seat, in(guard.Releasing, frame.Paused, motion.Active, 1), "PAUSED: torque and motion fade out; O resumes"},
		{"pause", seat, in(guard.Ready, frame.Paused, motion.Active, 1), "PAUSED: torque off, simulation frozen; O resumes"},
		{"pause by a button, no window", set("smc3", true), in(guard.Ready, frame.Paused, motion.Active, 0), "PAUSED: torque off, simulation frozen; the button for pause resumes"},
		{"pause by a command, no window", seat, in(guard.Ready, frame.Paused, motion.Active, 0), "PAUSED: torque off, simulation frozen; rig pause --off resumes"},
		{"both", set("smc3", true), in(guard.Ready, frame.Paused, motion.Active, 1), "PAUSED: torque off, simulation frozen; O or the button for pause resumes"},
		{"stop, braking", seat, in(guard.Stopped, 0, motion.Active, 1), "STOPPED: no torque, the platform brakes and holds; to go on confirm: Enter in the window, or rig confirm"},
		{"stop, at rest", seat, in(guard.Stopped, 0, motion.Halted, 0), "STOPPED: no torque, the platform holds; to go on confirm: rig confirm"},
		{"stop, parked before", seat, in(guard.Stopped, 0, motion.Parked, 0), "STOPPED: no torque, the platform is parked; to go on confirm: rig confirm"},
		{"stop without a platform", none, in(guard.Stopped, 0, motion.Absent, 0), "STOPPED: no torque; to go on confirm: rig confirm"},
		{"fault", seat, in(guard.Fault, 0, motion.Parking, 1), "FAULT: no torque, the platform parks; once the cause has ended confirm: Enter in the window, or rig confirm"},
		{"fault of the platform", seat, in(guard.Fault, 0, motion.Fault, 0), "FAULT: no torque, the platform is at fault; once the cause has ended confirm: rig confirm"},
		{"fault, no platform answers", seat, in(guard.Fault, 0, motion.Absent, 0), "FAULT: no torque, no platform answers; once the cause has ended confirm: rig confirm"},
		{"window lost", seat, in(guard.Releasing, frame.ConfirmWindowLost, motion.Active, 9), "WINDOW LOST: torque fades out, the platform parks; once the window is back confirm: Enter in the window, or rig confirm; without one, end the drive: Ctrl-C"},
		{"stood still", none, in(guard.Ready, frame.ConfirmAfterGap, motion.Absent, 0), "STOOD STILL: the program stalled or the computer was suspended; no torque; check that everybody is seated, then confirm: rig confirm"},
		{"belt", none, in(guard.Ready, frame.ConfirmInterlock|frame.InterlockOpen, motion.Absent, 0), "BELT, DOOR: open, or nobody holds the button for interlock; no torque; close it, then confirm: rig confirm"},
		{"the engine of a frozen car", seat, in(guard.Ready, 0, motion.Active, 1), ""},
	} {
		if got := c.set.notice(&c.f); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A pedal that does not count is named with its cause, where one that is unplugged would be.
func TestAPedalThatDoesNotCountIsNamed(t *testing.T) {
	cfg := config.Default().Pedals
	for _, name := range []string{"throttle", "brake"} {
		cfg.ADC = append(cfg.ADC, analog.ADC{Axis: name, Channel: map[string]string{"throttle": "0", "brake": "1"}[name], Press: 20000})
	}
	p := pedals.New(cfg, calib.Store{}, slog.New(slog.DiscardHandler))
	defer p.Close()
	d := &deviceSet{pedals: p}
	if got := d.notice(&frame.Frame{State: uint64(guard.Ready)}); got != "pedals: throttle: not sampled yet" {
		t.Errorf("absent: %q", got)
	}
	if got := d.notice(&frame.Frame{State: uint64(guard.Ready), Flags: frame.PedalsPresent}); got != "pedals: throttle: not sampled yet" {
		t.Errorf("at the end: %q", got)
	}
}

// A changed gain of the motion is shown with its keys, where there is a window that has them.
func TestAChangedGainNamesItsKeys(t *testing.T) {
	for _, c := range []struct {
		flags, pictures, index uint64
		want                   string
	}{
		{0, 1, 0, "motion 110 % (keys [ and ])"}, {0, 0, 0, "motion 110 %"},
		{0, 1, 4, "motion 110 % (keys [ and ]), roll 80 % (keys , and .; K for the next)"}, {0, 0, 4, "motion 110 %, roll 80 %"},
		{frame.MotionOff, 1, 4, "motion off: J or the button for motion_on switches it on"},
	} {
		f := &frame.Frame{Flags: c.flags, Pictures: c.pictures, Motion: frame.Motion{TuningIndex: c.index, Tuning: [frame.MaxTunings]float64{1.1, 1, 1, 1, 0.8}}}
		if got := motionGainText(f); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Who leaves is not told how a pause ends.
func TestAReleaseEndsAPause(t *testing.T) {
	r := withPage(t, demo(t))
	hold(t, r, 0, 3000)
	hold(t, r, frame.KeyPause, 1)
	hold(t, r, 0, 1000)
	if f := r.out.Frame; f.Flags&frame.Paused == 0 || f.State != uint64(guard.Ready) {
		t.Fatalf("no pause: %s", watch.StateName(f.State))
	}
	r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
	r.Tick()
	if r.out.Frame.Flags&frame.Paused != 0 {
		t.Error("a drive that ends still counts as paused")
	}
}

// The pause's button is known to the notices.
func TestTheButtonForPauseIsKnown(t *testing.T) {
	cfg := config.Default()
	cfg.Profiles, cfg.Buttons.Pause = t.TempDir(), "BTN_THUMB"
	d := &deviceSet{log: slog.New(slog.DiscardHandler)}
	if err := d.useReal(demoOf(t, cfg), cfg); err != nil || !d.pauseButton {
		t.Errorf("%v, known %t", err, d.pauseButton)
	}
}

func TestNoticesFitThePage(t *testing.T) {
	for _, text := range []string{guard.TorqueLimitText, torqueOffText(&frame.Frame{Flags: frame.DeadManReleased}), torqueOffText(&frame.Frame{})} {
		if len(text) > 128 {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}
