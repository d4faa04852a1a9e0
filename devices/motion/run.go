package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"rig.example/rig/devices/motion/port"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/lifecycle"
	"rig.example/rig/internal/kit/usbserial"
)

// opener opens the line to a controller. Its Read returns 0 and no error after a short time
// without bytes; its Write takes as many bytes as there is room for and never waits.
type opener = func() (io.ReadWriteCloser, error)

// Run operates the platform until ctx ends or Close is called: it opens the port, homes,
// follows targets, and opens the port again when it was lost. At the end it parks. It must be
// called once.
//
// It returns an error if the platform was connected at the end and could not be parked. A nil
// error does not mean that it is parked; Status().State tells that: Parked only if it rests at
// its park position, Halted if it was halted and holds elsewhere, Fault if it did not arrive in
// time or the controller does not accept or answer, and Absent if there was no platform or it
// was lost.
func (p *Platform) Run(ctx context.Context) error {
	ctx, end, err := p.runner.Begin(ctx)
	if err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	defer end()
	if p.cfg.Protocol == "" {
		<-ctx.Done()
		return nil
	}
	var notOpened error // why the line could not be opened
	session := func(ctx context.Context) (worked bool, err error) {
		sent := p.sharedStatus.sent.Load()
		notOpened, err = p.connect(ctx)
		return p.sharedStatus.sent.Load() != sent, err
	}
	err = lifecycle.Retry(ctx, lifecycle.Backoff{First: firstRetryWait, Longest: longestRetryWait}, session, func(err error, isNew bool) {
		if isNew {
			p.log.Warn("no platform, trying again", "error", err)
		}
		p.markAbsent(notOpened) // after the log: who waits for the platform finds the cause there
	})
	p.markAbsent(notOpened)
	return err
}

// markAbsent stores that the line could not be opened, if notOpened is an error.
func (p *Platform) markAbsent(notOpened error) {
	if notOpened != nil && (errors.Is(notOpened, os.ErrNotExist) || p.sharedStatus.currentState() != Fault) {
		p.sharedStatus.setState(Absent)
	}
}

// connect opens the line and operates it until it is lost or ctx ends. It returns why the line could not be opened, if
// so, and why the platform is not operated any more.
func (p *Platform) connect(ctx context.Context) (notOpened, err error) {
	p.dropOldOrders()
	l, err := p.dial()
	if err != nil {
		return err, err
	}
	s, err := p.startSession(l)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return nil, p.endSession(s.run(ctx))
}

// dropOldOrders is called before the line is opened: orders to home that were given before do not count, unless it is
// opened for the first time.
func (p *Platform) dropOldOrders() {
	if p.wasAway {
		p.trajectory.dropHomeOrders(p.homeOrders.Load())
	}
	p.wasAway = true
}

// startSession returns a session on a line that was just opened.
func (p *Platform) startSession(l io.ReadWriteCloser) (*session, error) {
	p.sharedStatus.clearLineValues()
	if p.sharedStatus.currentState() != Fault { // opening the port does not make a dead controller work
		p.sharedStatus.setState(Opening)
	}
	c, err := newCodec(p.cfg)
	if err != nil {
		return nil, err
	}
	return newSession(p, l, c), nil
}

// endSession stores in the status how a session ended, and returns why its line was given up.
func (p *Platform) endSession(err error) error {
	p.sharedStatus.clearLineValues()
	p.sharedStatus.faults.Store(uint32(p.trajectory.faultCause | faultsAfterLoss(err)))
	p.sharedStatus.givenUp.Store(p.controllerLost(err))
	if err != nil {
		if !errors.Is(err, errHalted) && !errors.Is(err, errNotParked) {
			p.sharedStatus.linesLost.Add(1)
		}
		p.sharedStatus.setState(stateAfterLoss(err))
		return fmt.Errorf("motion: %s: %w", p.cfg.Port, err)
	}
	switch p.sharedStatus.currentState() {
	case Opening:
		p.sharedStatus.setState(Absent) // ended before anything moved
	case Halted:
		p.sharedStatus.setState(Parked) // its halt has parked it
	}
	return nil
}

// openConfigured opens the configured port, unless another adapter has its name since the controller was unplugged: the
// operator does not know what would move there.
func (p *Platform) openConfigured() (io.ReadWriteCloser, error) {
	folder, _ := usbserial.Folder(p.root, p.cfg.Port)
	if err := p.adapter.Check("motion", p.cfg.Port, folder); err != nil {
		return nil, err
	}
	l, err := port.Open(p.cfg.Port, p.cfg.Baud)
	if err != nil {
		return nil, err
	}
	p.adapter.Use(folder)
	p.log.Info("platform port open", "path", p.cfg.Port, "baud", l.Baud)
	return l, nil
}

// stateAfterLoss returns the state after a session ended with err: Fault for a controller that
// is connected but does not work, Absent for one that is not connected.
func stateAfterLoss(err error) State {
	switch {
	case errors.Is(err, errHalted):
		return Halted
	case errors.Is(err, wire.ErrSilent), errors.Is(err, wire.ErrStalled), errors.Is(err, errNotParked), errors.Is(err, errOffline):
		return Fault
	default:
		return Absent
	}
}

// controllerLost returns why a controller whose session ended with err is given up, nil while it
// is not. After the first stall the port is opened again.
func (p *Platform) controllerLost(err error) *error {
	if errors.Is(err, wire.ErrSilent) {
		return &wire.ErrSilent
	}
	if !errors.Is(err, wire.ErrStalled) {
		return nil
	}
	before, now := p.carriedOver.stalledAt, p.clock()
	if p.carriedOver.stalledAt = now; before != 0 && now-before < secondStallWithin+p.cfg.bootWait() {
		return &wire.ErrStalled
	}
	return nil
}

// faultsAfterLoss returns the faults of a controller whose session ended with err.
func faultsAfterLoss(err error) wire.Faults {
	switch {
	case errors.Is(err, wire.ErrSilent), errors.Is(err, wire.ErrStalled):
		return wire.FaultSilent
	case errors.Is(err, errOffline):
		return wire.FaultOffline
	}
	return 0
}
