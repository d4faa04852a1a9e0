package exercise

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/live/switches"
)

// errInterlock is returned when a belt or a door is open.
var errInterlock = errors.New("belt or door")

// openSwitches opens the emergency stop and, unless the operator ignores them, the switches of belt
// and door.
func (s *platformRun) openSwitches() (err error) {
	if !s.opt.IgnoreInterlock && s.cfg.Buttons.Assigned(wheel.Interlock) {
		s.buttons = wheel.NewControls(s.cfg.Buttons, s.cfg.Wheel.Device, s.opt.Log)
	}
	s.switches, err = switches.Open(s.cfg.Estop, s.opt.IgnoreInterlock)
	return err
}

// interlockError returns errInterlock with its cause and what to do.
func (s *platformRun) interlockError() error {
	state := "open, or the button for interlock is not held"
	if s.switches.Interlock.Line != nil {
		if open, cause := s.switches.Interlock.Line.State(); open {
			state = cause.InterlockText()
		}
	}
	return fmt.Errorf("motion: %w: %s; close it and start again, or give --ignore-interlock where nobody can be in the way", errInterlock, state)
}

// waitForInterlock returns an error unless belt and door are closed. It starts to read the button that
// is the interlock, which takes a moment.
func (s *platformRun) waitForInterlock(ctx context.Context, wg *sync.WaitGroup) error {
	if s.buttons != nil {
		wg.Go(func() { _ = s.buttons.Run(ctx) }) // a button that cannot be read counts as released
	}
	const timeout = 2 * time.Second // to find an input device and to read its state
	for deadline := time.Now().Add(timeout); s.isInterlockOpen(); time.Sleep(pollPeriod) {
		if s.buttons == nil || time.Now().After(deadline) {
			return s.interlockError()
		}
	}
	return nil
}

// pollPeriod is the period at which switches are read.
const pollPeriod = 2 * time.Millisecond

// isInterlockOpen reports whether belt or door is open. Only one goroutine may call it at a time.
func (s *platformRun) isInterlockOpen() bool {
	if s.buttons != nil {
		if evdev.PollShared(); !s.buttons.Poll().Down.Has(wheel.Interlock) {
			return true
		}
	}
	return s.switches.Interlock.IsOpen()
}

// watchInterlock waits until a belt or a door opens; then the command ends and the platform parks.
func (s *platformRun) watchInterlock(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(pollPeriod)
	defer tick.Stop()
	for !s.isInterlockOpen() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	s.platform.Interlock(true)
	stop(s.interlockError())
}
