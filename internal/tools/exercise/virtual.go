package exercise

import (
	"context"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/guard"
)

// virtualPlatform is a simulated platform in a time of its own, which passes while the command that moves it waits, at
// the pace of the clock. A computer that cannot keep the pace makes it slower, and changes nothing else: no result
// depends on what else the computer does.
type virtualPlatform struct {
	*motion.Virtual
	ahead    time.Duration // time that has passed for the platform and not by the clock yet
	pacedAt  time.Time
	deadline time.Duration           // of the order that the command waits for, by the platform's time
	giveUp   context.CancelCauseFunc // ends that order; nil for none
	closed   chan struct{}           // closed by Close
	err      error                   // of the platform's end
}

func newVirtualPlatform(v *motion.Virtual) *virtualPlatform {
	p := &virtualPlatform{Virtual: v, closed: make(chan struct{}), pacedAt: time.Now()}
	v.Passed = p.passed
	return p
}

// passed follows a millisecond of the platform's time.
func (p *virtualPlatform) passed() {
	if p.giveUp != nil && p.Now() >= p.deadline {
		p.giveUp(context.DeadlineExceeded)
	}
	const step = 5 * time.Millisecond // shorter times are not slept
	if p.ahead += pathPeriod; p.ahead >= step {
		time.Sleep(p.ahead - time.Since(p.pacedAt))
		p.ahead, p.pacedAt = 0, time.Now()
	}
}

// pass lets a millisecond pass.
func (p *virtualPlatform) pass() {
	_ = p.Step(pathPeriod) // the status has the error
	p.passed()
}

// Run waits for Close and returns how the platform ended.
func (p *virtualPlatform) Run(context.Context) error {
	<-p.closed
	return p.err
}

// Close lets time pass until the platform is parked and has ended.
func (p *virtualPlatform) Close() {
	for p.Leave(); !p.Left(); p.passed() {
		p.err = p.Step(pathPeriod)
	}
	close(p.closed)
}

// withTimeout returns a context that ends after limit, by the platform's time.
func (s *platformRun) withTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	v, isVirtual := s.platform.(*virtualPlatform)
	if !isVirtual {
		return context.WithTimeout(ctx, limit)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	v.deadline, v.giveUp = v.Now()+limit, cancel
	return ctx, func() { v.giveUp = nil; cancel(nil) }
}

// pacer lets the time of a path pass.
type pacer struct {
	virtual *virtualPlatform // nil for a platform whose time is the clock's
	tick    *time.Ticker
	last    time.Time
}

// pathPeriod is the time between two targets of a path: several in each period of the line, because the platform parks
// if targets stop.
const pathPeriod = time.Millisecond

func (s *platformRun) newPacer() pacer {
	v, _ := s.platform.(*virtualPlatform)
	return pacer{virtual: v, tick: time.NewTicker(pathPeriod), last: time.Now()}
}

// wait waits for the next target and returns how much time has passed since the last one.
func (p *pacer) wait(ctx context.Context) (gap time.Duration, err error) {
	if p.virtual != nil {
		p.virtual.pass()
		return pathPeriod, ctx.Err()
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-p.tick.C:
		now := time.Now() // a tick that waited for rig has the time at which it was due
		gap, p.last = now.Sub(p.last), now
		if gap.Seconds() > guard.DriveEndingGap {
			return gap, pausedError(gap)
		}
		return gap, nil
	}
}
