package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/switches"
)

// errOpen tells that a belt or a door is open.
var errOpen = errors.New("belt or door")

// openSwitches opens the emergency stop and, unless the operator wants it otherwise, what
// watches belt and door.
func (s *stand) openSwitches() error {
	stop, err := switches.OpenStop(s.cfg.Estop)
	if stop != nil {
		s.estop, s.close = stop, stop.Close
	}
	if err != nil || s.opt.Unlocked {
		return err
	}
	belt, err := switches.OpenInterlock(s.cfg.Estop)
	if belt != nil {
		others := s.close
		s.belt.Line, s.close = belt, func() error { return errors.Join(belt.Close(), others()) }
	}
	if s.cfg.Buttons.Given(wheel.Interlock) {
		s.buttons = wheel.NewControls(s.cfg.Buttons, s.cfg.Wheel.Device, s.opt.Log)
	}
	if err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

// opened is that error with its reason and what to do.
func (s *stand) opened() error {
	why := "open, or nobody holds the button for interlock"
	if s.belt.Line != nil {
		if open, cause := s.belt.Line.State(); open {
			why = cause.Interlocked()
		}
	}
	return fmt.Errorf("motion: %w: %s; close it and start again, or give --ignore-interlock where nobody can be in the way", errOpen, why)
}

// fastened is an error unless belt and door are closed. It begins to hear the button that
// tells so, which takes a moment.
func (s *stand) fastened(ctx context.Context, wg *sync.WaitGroup) error {
	if s.buttons != nil {
		wg.Go(func() { _ = s.buttons.Run(ctx) }) // a button that cannot be heard is not held
	}
	s.belt.Settle(s.cfg.Estop)
	const patience = 2 * time.Second // to find an input device and to read what it holds
	for limit := time.Now().Add(patience); s.open(); time.Sleep(lookPeriod) {
		if s.buttons == nil || time.Now().After(limit) {
			return s.opened()
		}
	}
	return nil
}

// lookPeriod is the time between two looks at a switch.
const lookPeriod = 2 * time.Millisecond

// open looks at belt and door. One goroutine may look at a time.
func (s *stand) open() bool {
	if s.buttons != nil {
		if evdev.Round(); !s.buttons.Poll().Down.Has(wheel.Interlock) {
			return true
		}
	}
	return s.belt.Open()
}

// watchBelt ends what is being done when a belt or a door opens: the platform parks.
func (s *stand) watchBelt(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(lookPeriod)
	defer tick.Stop()
	for !s.open() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	s.platform.Interlock(true)
	stop(s.opened())
}
