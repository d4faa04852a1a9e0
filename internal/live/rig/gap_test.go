package rig

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/watch"
)

// stalling is a clock that nobody gets to look at for a while, once: before wake-up at.
type stalling struct {
	now, stall time.Duration
	woken, at  int
}

func (c *stalling) Now() time.Duration { return c.now }

func (c *stalling) SleepUntil(t time.Duration) {
	c.now = max(c.now, t)
	if c.woken++; c.woken == c.at {
		c.now += c.stall
	}
}

// steps lets the loop call n ticks on a clock and returns what was pushed in each.
func (c *stalling) steps(t *testing.T, r *Rig, n int) (torque []float64) {
	t.Helper()
	err := loop.Run(c, period, loop.DefaultConfig(), r.stats, func() error {
		if err := r.Tick(); err != nil {
			return err
		}
		if torque = append(torque, r.out.Torque); len(torque) == n {
			return loop.ErrDone
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return torque
}

// seatedDemo drives the demo's car with a person's rules about gaps.
func seatedDemo(t *testing.T) (*Rig, *following, *supervisor, *bytes.Buffer) {
	r := withPage(t, demo(t))
	platform := &following{state: motion.Active}
	r.demo, r.platform = false, platform
	said := &bytes.Buffer{}
	return r, platform, &supervisor{rig: r, devices: &deviceSet{}, log: slog.New(slog.NewTextHandler(said, nil))}, said
}

// What was felt before the program stood still does not come back in one step.
func TestAStalledRigBeginsAtNothing(t *testing.T) {
	for _, stall := range []time.Duration{60 * time.Millisecond, 300 * time.Millisecond, 990 * time.Millisecond} {
		r, _, s, said := seatedDemo(t)
		const before = 4000
		torque := (&stalling{stall: stall, at: before + 1}).steps(t, r, before+400)
		if torque[before-1] == 0 || r.drive.State.Guard.State() != guard.Engaging {
			t.Fatalf("%v: %g N·m before it, %v after it", stall, torque[before-1], r.drive.State.Guard.State())
		}
		if torque[before] != 0 {
			t.Errorf("%v: %g N·m in the first tick", stall, torque[before])
		}
		for i, now := range torque[before+1:] {
			if share := float64(i+2) * r.drive.Setup.Dt / r.drive.Setup.Guard.Engage; now > 25*3*share*share || now < -25*3*share*share {
				t.Fatalf("%v: %g N·m %d ms later", stall, now, i+1)
			}
		}
		s.logTransitions(context.Background())
		s.logGap()
		if got := said.String(); !strings.Contains(got, "the rig stood still") || !strings.Contains(got, fmt.Sprintf("stopped_s=%g", stall.Seconds())) || !strings.Contains(got, "fade in") {
			t.Errorf("%v: %s", stall, got)
		}
	}
}

// In a stop nothing fades in after a gap, and nothing is said to.
func TestAGapInAStopPromisesNoForce(t *testing.T) {
	r, _, s, said := seatedDemo(t)
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	(&stalling{stall: 300 * time.Millisecond, at: 2001}).steps(t, r, 2100)
	if s.logGap(); !strings.Contains(said.String(), "the rig stood still; no drive is running") {
		t.Errorf("%v: %s", r.drive.State.Guard.State(), said)
	}
}

// What a tick found out before it was held up in its middle reaches nobody.
func TestATickThatWasHeldUpPushesNothing(t *testing.T) {
	r, _, _, _ := seatedDemo(t)
	w := &shaken{room: 2}
	r.ownEffects = w
	shaking(r)
	run(t, r, 4000)
	if r.out.Torque == 0 || w.allowed == 0 {
		t.Fatalf("%g N·m, %g for own effects while it drives", r.out.Torque, w.allowed)
	}
	now, looks := time.Duration(0), 0
	r.gap.Now = func() time.Duration {
		if looks++; looks == 2 { // within the first tick
			now += 300 * time.Millisecond
		}
		return now
	}
	if run(t, r, 1); r.out.Torque != 0 || w.allowed != 0 || w.peak != 0 {
		t.Errorf("%g N·m, %g for own effects, %g for the sine after 0.3 s in the middle of a tick", r.out.Torque, w.allowed, w.peak)
	}
	if run(t, r, 1); r.out.Torque == 0 {
		t.Error("a tick that was not held up pushes nothing")
	}
}

func TestAShortHiccupChangesNothing(t *testing.T) {
	r, _, s, said := seatedDemo(t)
	(&stalling{stall: 40 * time.Millisecond, at: 4001}).steps(t, r, 4100)
	if s.logGap(); r.drive.State.Guard.State() != guard.Driving || said.Len() > 0 {
		t.Errorf("%v; %s", r.drive.State.Guard.State(), said)
	}
}

// After a second, or a suspend, somebody must see that all are seated: nothing moves before.
func TestALongStallEndsTheDrive(t *testing.T) {
	for _, tt := range []struct {
		name         string
		stall, sleep time.Duration
		want         guard.Cause
	}{
		{"stopped", 1100 * time.Millisecond, 0, guard.LoopStalled},
		{"suspended", 20 * time.Millisecond, 3 * time.Second, guard.Suspended},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, platform, s, said := seatedDemo(t)
			c := &stalling{stall: tt.stall, at: 4001}
			r.gap.Suspended = func() (low, high time.Duration) {
				if c.woken >= c.at {
					return time.Hour + tt.sleep, time.Hour + tt.sleep
				}
				return time.Hour, time.Hour
			}
			torque := c.steps(t, r, 4020)
			for i, now := range torque[4000:] {
				if now != 0 {
					t.Fatalf("%g N·m after %d ms", now, i)
				}
			}
			if r.drive.State.Guard.State() != guard.Ready || r.drive.State.Guard.LatchedCause() != tt.want || !strings.Contains(string(watch.Status(&r.out.Frame, nil)), `"waits_for":"confirmation after a gap"`) {
				t.Errorf("%v, waits for %v", r.drive.State.Guard.State(), r.drive.State.Guard.LatchedCause())
			}
			pushed := platform.pushed
			if run(t, r, 5000); platform.pushed != pushed || r.drive.State.Guard.State() != guard.Ready {
				t.Errorf("%d targets while it waits, %v", platform.pushed-pushed, r.drive.State.Guard.State())
			}
			if s.logGap(); !strings.Contains(said.String(), "the drive ends until the operator confirms") {
				t.Error(said)
			}
			r.orders.Give(operator.ClearFault, guard.ByCommand)
			if run(t, r, 2500); r.drive.State.Guard.State() != guard.Driving {
				t.Errorf("%v after the operator's word", r.drive.State.Guard.State())
			}
		})
	}
}

// A thread that is held up while it reads the clocks does not know how long the machine was suspended: neither
// the reference nor a later reading makes that a suspension.
func TestAStallBetweenTheClocksIsNoSuspension(t *testing.T) {
	r, _, s, said := seatedDemo(t)
	c := &stalling{stall: 40 * time.Millisecond, at: 4001}
	r.gap.Suspended = func() (low, high time.Duration) {
		if c.woken >= c.at {
			return time.Hour, time.Hour
		}
		return time.Hour - 24*time.Millisecond, time.Hour
	}
	c.steps(t, r, 4100)
	if s.logGap(); r.drive.State.Guard.State() != guard.Driving || said.Len() > 0 {
		t.Errorf("%v; %s", r.drive.State.Guard.State(), said)
	}
}

// Nobody sits in a demo: a gap changes nothing, so that equal drives leave equal bits.
func TestADemoGoesOnAfterALongStall(t *testing.T) {
	drive := func(stall time.Duration) *Rig {
		r := withPage(t, demo(t))
		(&stalling{stall: stall, at: 4001}).steps(t, r, 5000)
		return r
	}
	r, even := drive(990*time.Microsecond), drive(0)
	stalled := drive(time.Minute)
	if stalled.drive.State.Guard.State() != guard.Driving || stalled.drive.State.Car.Hash() != even.drive.State.Car.Hash() || r.drive.State.Car.Hash() != even.drive.State.Car.Hash() {
		t.Errorf("%v, %x after a minute, %x without", stalled.drive.State.Guard.State(), stalled.drive.State.Car.Hash(), even.drive.State.Car.Hash())
	}
}

// A confirmation by signal that has no effect says why.
func TestNoConfirmationIsSwallowed(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before func(r *Rig)
		keys   uint64
		want   string
	}{
		{"drives", func(*Rig) {}, 0, "nothing waits for a confirmation"},
		{"key held", func(*Rig) {}, frame.KeyClear, "Enter is held"},
		{"stop still pressed", func(r *Rig) { r.orders.Give(operator.EmergencyStop, guard.ByCommand) }, 0, "not ended"},
		{"as it should be", func(*Rig) {}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _, s, said := seatedDemo(t)
			run(t, r, 3000)
			if tt.name != "drives" {
				r.page.SetKeys(tt.keys)
				r.orders.Give(operator.EmergencyStop, guard.ByCommand)
				run(t, r, 10)
			}
			tt.before(r)
			r.page.SetKeys(tt.keys)
			r.orders.Give(operator.ClearFault, guard.ByCommand)
			run(t, r, 1)
			if s.logConfirmation(); !strings.Contains(said.String(), tt.want) || tt.want == "" && said.Len() > 0 {
				t.Errorf("%q, want %q", said, tt.want)
			}
		})
	}
}
