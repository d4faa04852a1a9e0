package rig

import (
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// looking steps a rig whose display shows a picture every 16 ms, with these keys down.
func looking(t *testing.T, r *Rig, keys uint64, ticks int) {
	t.Helper()
	for i := range ticks {
		if i%16 == 0 {
			r.page.SetKeys(keys)
		}
		run(t, r, 1)
	}
}

// The window's process gets the settings of the window.
func TestTheWindowGetsItsSettings(t *testing.T) {
	r := withPage(t, demo(t))
	d := config.Default().Display
	d.Quality, d.Camera, d.Width = "low", "cockpit", 1920
	command, err := windowCommand(r.page, d, 7200, true)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(command().Args[1:], " "), "display --inherited --width 1920 --height 720 --camera cockpit --quality low --max-rpm 7200 --motion"; got != want {
		t.Errorf("rig %s, want rig %s", got, want)
	}
}

// Who has seen nothing for 2 s does not know where the car goes: torque and motion fade out, the
// platform gets no targets any more and parks. It goes on when the window is back and the
// operator says so.
func TestADriveThatLosesItsWindowEnds(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Fatalf("%v with a window", r.drive.State.Guard.State())
	}
	ticks := 0
	for ; r.drive.State.Guard.State() == guard.Driving && ticks < 3000; ticks++ {
		run(t, r, 1)
	}
	if r.drive.State.Guard.State() != guard.Releasing || r.drive.State.Guard.LastTransition().Cause != guard.WindowLost || ticks < 1980 || ticks > 2005 {
		t.Fatalf("%v for %v after %d ticks without a picture, want a release for the lost window after 2000", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition().Cause, ticks)
	}
	run(t, r, 1000)
	targets := platform.pushed
	run(t, r, 1000)
	if r.drive.State.Guard.State() != guard.Ready || r.out.Torque != 0 || platform.pushed != targets || r.out.Frame.Flags&frame.ConfirmWindowLost == 0 {
		t.Errorf("%v, %g N·m, %d targets more, flags %b", r.drive.State.Guard.State(), r.out.Torque, platform.pushed-targets, r.out.Frame.Flags)
	}
	r.orders.clear.Store(true) // too early
	run(t, r, 100)
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Ready {
		t.Errorf("went on to %v though nobody confirmed that the window is back", r.drive.State.Guard.State())
	}
	looking(t, r, frame.KeyClear, 20)
	looking(t, r, 0, 3000)
	if r.drive.State.Guard.State() != guard.Driving || r.out.Frame.Flags&frame.ConfirmWindowLost != 0 {
		t.Errorf("%v after the operator's word", r.drive.State.Guard.State())
	}
}

// Without a window from the beginning nothing is lost.
func TestAHeadlessDriveIsNotBlind(t *testing.T) {
	r := withPage(t, demo(t))
	run(t, r, 6000)
	if r.drive.State.Guard.State() != guard.Driving {
		t.Errorf("%v, %v", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition())
	}
}

// A driver who closes the window ends the drive, and loses nothing.
func TestAClosedWindowEndsTheDriveAsEver(t *testing.T) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.platform = platform
	looking(t, r, 0, 3000)
	r.page.SetKeys(frame.KeyClose) // its last word
	run(t, r, 1)
	if r.drive.State.Guard.State() != guard.Releasing || r.drive.State.Guard.LastTransition().Cause != guard.ReleaseRequested {
		t.Fatalf("%v, %v", r.drive.State.Guard.State(), r.drive.State.Guard.LastTransition())
	}
	run(t, r, 3000) // until the platform has parked
	if r.drive.State.Guard.LatchedCause() != guard.None || r.out.Frame.Flags&frame.ConfirmWindowLost != 0 {
		t.Errorf("it waits for %v", r.drive.State.Guard.LatchedCause())
	}
}
