package rig

import (
	"testing"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/test/level"
)

// However a drive comes to its end, the supervisor knows before the log tells of it: by that it parks
// the platform.
func TestTheSupervisorLearnsThatADriveEnds(t *testing.T) {
	for name, end := range map[string]func(r *Rig){
		"the duration is over": func(r *Rig) { r.drive.Setup.TickLimit = r.drive.State.Car.Tick + 10 },
		"the window is closed": func(r *Rig) { r.page.SetKeys(frame.KeyClose) },
		"it waited too long": func(r *Rig) {
			r.drive.Setup.WaitTimeout = 0.05
			r.wheel = wheelless{r.wheel}
			r.drive.State.Guard = *guard.New(r.drive.Setup.Guard, r.drive.Setup.Dt)
		},
	} {
		r := withPage(t, demo(t))
		run(t, r, 4000)
		end(r)
		for ticks := 0; !r.orders.IsReleased() && ticks < 1000; ticks++ {
			run(t, r, 1)
		}
		if !r.orders.IsReleased() {
			t.Errorf("%s: nobody is told", name)
		}
	}
}

// The release is told before a transition that may order the platform about.
func TestTheReleaseIsToldBeforeTheLog(t *testing.T) {
	level.SkipIfQuick(t)
	r := demo(t)
	cleared := guard.Transition{From: guard.Fault, To: guard.Ready, Cause: guard.Cleared}
	seen := make(chan bool)
	const times = 20_000
	go func() {
		before := false
		for n := 0; n < times; {
			if _, ok := r.transitions.take(); ok {
				before = before || !r.orders.IsReleased()
				r.orders = operator.Pending{}
				n++
				seen <- before
			}
		}
	}()
	for range times {
		r.notifySupervisor(&drive.Inputs{}, &drive.Outputs{Changed: true, Transition: cleared, Releasing: true})
		if <-seen {
			t.Fatal("a transition was told before the release that it comes of")
		}
	}
}
