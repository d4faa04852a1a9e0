package rig

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/simulated/simulatedtest"
)

// pressable is a stop switch with a relay.
type pressable struct{ pressed, powered, wasPowered atomic.Bool }

func (p *pressable) State() (bool, estop.Cause) {
	if p.pressed.Load() {
		return true, estop.Opened
	}
	return false, estop.None
}

func (p *pressable) Enable(on bool) {
	p.powered.Store(on)
	if on {
		p.wasPowered.Store(true)
	}
}

func (p *pressable) Relay() (bool, estop.Cause) { return p.powered.Load(), estop.None }

// demoStand is a simulated platform, deaf for some seconds at first, with a stop switch. Its
// time is that of the bubble of testing/synctest that it must be in.
func demoStand(t *testing.T, say io.Writer, deaf float64) (*stand, *pressable) {
	t.Helper()
	return standOn(t, say, deaf, &simulatedtest.Line{})
}

// standOn is demoStand with a line that a test breaks.
func standOn(t *testing.T, say io.Writer, deaf float64, line *simulatedtest.Line) (*stand, *pressable) {
	t.Helper()
	cfg := config.Default()
	dial := line.Dial(t, &cfg.Motion, 2)
	cfg.Motion.BootWait = deaf
	for i := range cfg.Motion.Park {
		cfg.Motion.Park[i] = 0.1
	}
	s, err := newStand(cfg, MotionOptions{Say: say})
	if err != nil {
		t.Fatal(err)
	}
	s.platform.Dial(dial)
	p := &pressable{}
	s.estop, s.demo = p, line.Serve
	return s, p
}

// The stop switch stops the platform where it is: it neither parks nor keeps its power.
func TestStopSwitchHaltsAMovement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := demoStand(t, io.Discard, 0.2)
		far := s.centre()
		far[0] = 0.8
		err := s.move(context.Background(), func(ctx context.Context) error {
			return s.follow(ctx, func(at float64) (cueing.Legs, bool) {
				if s.platform.Status().Demand[0] > 0.55 {
					p.pressed.Store(true)
				}
				return far, false
			}, nil, "")
		})
		if !errors.Is(err, errStopped) || !strings.Contains(err.Error(), "NOT parked but halted (left ") {
			t.Errorf("%v", err)
		}
		if p.powered.Load() || !p.wasPowered.Load() {
			t.Errorf("power now %t, before %t", p.powered.Load(), p.wasPowered.Load())
		}
	})
}

func TestAPressedStopSwitchLetsNothingMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := demoStand(t, io.Discard, 0.2)
		p.pressed.Store(true)
		err := s.move(context.Background(), func(context.Context) error {
			t.Error("it moved")
			return nil
		})
		if !errors.Is(err, errStopped) || s.platform.Status().Sent != 0 {
			t.Errorf("%v, %d writes", err, s.platform.Status().Sent)
		}
	})
}

func TestInterruptionParks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		s, p := demoStand(t, &said, 0.2)
		ctx, interrupt := context.WithCancel(context.Background())
		err := s.move(ctx, func(ctx context.Context) error {
			interrupt()
			return s.stay(ctx, time.Minute.Seconds())
		})
		if !errors.Is(err, operator.ErrInterrupted) || !strings.HasSuffix(err.Error(), "; the platform is parked") || !strings.Contains(said.String(), "interrupted: parking") {
			t.Errorf("%v, said %q", err, said.String())
		}
		if p.powered.Load() {
			t.Error("the relay holds the power at the end")
		}
	})
}
