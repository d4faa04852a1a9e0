package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/wire"
)

// opener opens the way to a controller. Its Read returns 0 and no error after a moment
// without bytes; its Write takes what there is room for and never waits.
type opener = func() (io.ReadWriteCloser, error)

// Run keeps the platform going until ctx ends or Close is called: it opens the
// port, homes, follows, and opens it again when it was lost. At the end it
// parks. Run is called once.
//
// The error tells that the platform was there at the end and could not be
// parked; nil alone does not tell that it is. What was left behind is in the
// state: Parked only if it rests where it parks, Halted if it was halted and
// holds elsewhere, Fault if it did not arrive in time or the controller does
// not take or answer, and Absent if there was no platform or it was lost.
func (p *Platform) Run(ctx context.Context) error {
	p.running.Store(true)
	defer close(p.ended)
	ctx, cancel := p.untilClose(ctx)
	defer cancel()
	if p.cfg.Protocol == "" {
		<-ctx.Done()
		return nil
	}
	told := ""
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		sent := p.board.sent.Load()
		err := p.connect(ctx)
		if ctx.Err() != nil {
			return err
		}
		if p.board.sent.Load() != sent {
			wait, told = firstWait, "" // it had worked: look for it eagerly
		}
		if why := err.Error(); why != told {
			p.log.Warn("no platform, trying again", "err", err)
			told = why
		}
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// untilClose returns a context that also ends with Close.
func (p *Platform) untilClose(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-p.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// connect opens the line and stays on it until it is lost or ctx ends.
func (p *Platform) connect(ctx context.Context) error {
	l, err := p.dial()
	if err != nil {
		if errors.Is(err, os.ErrNotExist) || p.board.currentState() != Fault {
			p.board.setState(Absent)
		}
		return err
	}
	s, err := p.begin(l)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	return p.end(s.run(ctx))
}

// begin returns a session on a line that was just opened.
func (p *Platform) begin(l io.ReadWriteCloser) (*session, error) {
	p.board.forget()
	if p.board.currentState() != Fault { // a dead controller is no better for an open port
		p.board.setState(Opening)
	}
	c, err := newCodec(p.cfg)
	if err != nil {
		return nil, err
	}
	return newSession(p, l, c), nil
}

// end leaves in Status what a session that ended with err left behind, and returns why its
// line was given up.
func (p *Platform) end(err error) error {
	p.board.forget()
	p.board.faults.Store(uint32(p.trajectory.cause | faultsAfter(err)))
	p.board.dead.Store(p.deadAfter(err))
	if err != nil {
		if !errors.Is(err, errHalted) && !errors.Is(err, errNotParked) {
			p.board.losses.Add(1)
		}
		p.board.setState(stateAfter(err))
		return fmt.Errorf("motion: %s: %w", p.cfg.Port, err)
	}
	switch p.board.currentState() {
	case Opening:
		p.board.setState(Absent) // called off before anything moved
	case Halted:
		p.board.setState(Parked) // it was parked by its halt
	}
	return nil
}

// openConfigured opens the configured port.
func (p *Platform) openConfigured() (io.ReadWriteCloser, error) {
	l, err := port.Open(p.cfg.Port, p.cfg.Baud)
	if err != nil {
		return nil, err
	}
	p.log.Info("platform port open", "port", p.cfg.Port, "baud", l.Baud)
	return l, nil
}

// stateAfter tells a controller that is there and dead from one that is gone.
func stateAfter(err error) State {
	switch {
	case errors.Is(err, errHalted):
		return Halted
	case errors.Is(err, wire.ErrSilent), errors.Is(err, wire.ErrStalled), errors.Is(err, errNotParked), errors.Is(err, errOffline):
		return Fault
	default:
		return Absent
	}
}

// deadAfter returns why a controller is given up whose session ended with err, nil while it
// is not. A port that takes nothing is opened again first.
func (p *Platform) deadAfter(err error) *error {
	if errors.Is(err, wire.ErrSilent) {
		return &wire.ErrSilent
	}
	if !errors.Is(err, wire.ErrStalled) {
		return nil
	}
	before, now := p.past.stall, p.clock()
	if p.past.stall = now; before != 0 && now-before < stallAgain+p.cfg.bootWait() {
		return &wire.ErrStalled
	}
	return nil
}

// faultsAfter tells what is wrong with a controller that is there and dead.
func faultsAfter(err error) wire.Faults {
	switch {
	case errors.Is(err, wire.ErrSilent), errors.Is(err, wire.ErrStalled):
		return wire.FaultSilent
	case errors.Is(err, errOffline):
		return wire.FaultOffline
	}
	return 0
}

// sleep waits for d and reports whether ctx lasted so long.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
