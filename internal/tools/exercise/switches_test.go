package exercise

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// latch is a line of a belt or a door that a test opens while others look.
type latch struct{ open atomic.Bool }

func (l *latch) State() (bool, estop.Cause) {
	if l.open.Load() {
		return true, estop.Opened
	}
	return false, estop.None
}
func (l *latch) Enable(bool)                {}
func (l *latch) Relay() (bool, estop.Cause) { return false, estop.None }

func TestAnOpenDoorLetsNothingMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := demoStand(t, io.Discard, 0.2)
		door := &latch{}
		door.open.Store(true)
		s.switches.Interlock.Line = door
		err := s.run(context.Background(), func(context.Context) error {
			t.Error("it moved")
			return nil
		})
		if !errors.Is(err, errInterlock) || !strings.Contains(err.Error(), "--ignore-interlock") || s.platform.Status().Sent != 0 {
			t.Errorf("%v, %d writes", err, s.platform.Status().Sent)
		}
	})
}

func TestADoorThatOpensParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		s, _ := demoStand(t, &said, 0.2)
		door, far := &latch{}, s.center()
		s.switches.Interlock.Line, far[0] = door, 0.7
		err := s.run(context.Background(), func(ctx context.Context) error {
			return s.pushPath(ctx, func(float64) (cueing.Legs, bool) {
				if s.platform.Status().Target[0] > 0.55 {
					door.open.Store(true)
				}
				return far, false
			}, nil, "")
		})
		if !errors.Is(err, errInterlock) || s.finalStatus.State != motion.Parked || !strings.HasSuffix(err.Error(), "; the platform is parked") || !strings.Contains(said.String(), "opened") {
			t.Errorf("%v, left %v, said %q", err, s.finalStatus.State, said.String())
		}
	})
}

// Before the platform is homed its position is unknown: it stays.
func TestADoorThatOpensBeforeHomingMovesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := demoStand(t, io.Discard, 30)
		door := &latch{}
		s.switches.Interlock.Line = &opening{latch: door, looks: 300}
		err := s.run(context.Background(), func(context.Context) error {
			t.Error("it moved")
			return nil
		})
		if !errors.Is(err, errInterlock) || s.platform.Status().Sent != 0 {
			t.Errorf("%v, %d writes", err, s.platform.Status().Sent)
		}
	})
}

// opening is a latch that opens after a number of queries.
type opening struct {
	*latch
	looks int
}

func (o *opening) State() (bool, estop.Cause) {
	if o.looks--; o.looks == 0 {
		o.open.Store(true)
	}
	return o.latch.State()
}

// A button is heard as in a drive: without its device it is not held.
func TestAButtonOfADoorMustBeHeld(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel() // it waits most of its time
	cfg := config.Default()
	cfg.Motion.Protocol, cfg.Motion.Port, cfg.Buttons.Interlock = motion.ProtocolSMC3, "/dev/serial/by-id/nothing", "dead:beef:BTN_TOP"
	for _, ignored := range []bool{false, true} {
		s, err := newPlatformRun(cfg, MotionOptions{Output: io.Discard, Log: slog.New(slog.DiscardHandler), IgnoreInterlock: ignored})
		if err != nil {
			t.Fatal(err)
		}
		err = s.run(context.Background(), func(context.Context) error { return nil })
		if errors.Is(err, errInterlock) == ignored {
			t.Errorf("ignored %v: %v", ignored, err)
		}
	}
}
