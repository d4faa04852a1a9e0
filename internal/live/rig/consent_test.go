package rig

import (
	"math"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
)

// Without consent a strong wheel is mild, which is told; a key changes that.
func TestAStrongWheelAsksForConsent(t *testing.T) {
	cfg := config.Default()
	cfg.Guard.MaxTorque, cfg.FFB.MaxTorque = 20, 20
	r := withPage(t, demoOf(t, cfg))
	r.wheel = &ratedRim{r.wheel, 12}
	var f frame.Frame
	flagsOf := func(keys uint64, ticks int) uint64 {
		hold(t, r, keys, ticks)
		r.page.Read(&f)
		return f.Flags
	}
	set := deviceSet{demo: true}
	flags := flagsOf(0, 10)
	if flags&frame.TorqueLimited == 0 || flags&frame.HighTorque != 0 || f.RatedTorque != 8 {
		t.Errorf("flags %b and %g N·m before the consent", flags, f.RatedTorque)
	}
	fading := &frame.Frame{Flags: flags | frame.EngineRunning, State: uint64(guard.Engaging)}
	if n := set.notice(fading); !strings.HasPrefix(n, "limited to 8 N·m: ") {
		t.Errorf("the driver is told %q", n)
	}
	if flags := flagsOf(frame.KeyHighTorque, 1100); flags&frame.HighTorque == 0 || flags&frame.TorqueLimited != 0 || f.RatedTorque != 12 {
		t.Errorf("flags %b and %g N·m after the key for consent", flags, f.RatedTorque)
	}
	flagsOf(0, 10)
	if flags := flagsOf(frame.KeyHighTorque, 10); flags&frame.HighTorque != 0 {
		t.Errorf("flags %b after the key again", flags)
	}
}

func TestADeadMansSwitchIsToldOf(t *testing.T) {
	r := withPage(t, demo(t))
	r.drive.Setup.Guard.DeadMan = true
	r.drive.State.Guard = *guard.New(r.drive.Setup.Guard, r.drive.Setup.Dt)
	hold(t, r, 0, 3000)
	var f frame.Frame
	r.page.Read(&f)
	set := deviceSet{demo: true}
	if r.out.Torque != 0 || f.Flags&frame.DeadManReleased == 0 || !strings.Contains(set.notice(&f), "hold B in the window, or the button for dead_man") {
		t.Errorf("%g N·m, flags %b, told %q while it is not held", r.out.Torque, f.Flags, set.notice(&f))
	}
	most := 0.0
	hold(t, r, frame.KeyDeadMan, 1)
	for range 4000 {
		hold(t, r, frame.KeyDeadMan, 1)
		most = max(most, math.Abs(r.out.Torque))
	}
	r.page.Read(&f)
	if most == 0 || f.Flags&frame.DeadManReleased != 0 {
		t.Errorf("%g N·m at most while it is held, flags %b", most, f.Flags)
	}
}
