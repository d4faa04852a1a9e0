// Package motion drives a serial motion platform: it finds out where the actuators are, homes
// them gently, follows the targets of the loop within the limits of each axis, and parks by
// itself when the targets stop.
//
// In go Config, targets (Push) and orders (Home, Park, Halt, Interlock); out come bytes on a
// serial line and a Status. Three terms are used throughout: a target is the position that the
// loop wants an actuator to have; the path is what is sent, because targets are followed within
// the limits only; and all positions are fractions of the stroke, the whole travel of one actuator.
//
// Software is no safety function. The SMC3 controller moves to its center as soon as it has
// power, and it and others keep their last target when the line is lost: every platform needs
// an emergency stop that cuts the motors' power.
//
// Run opens the line; a session lasts until the line is lost. From the inside out: limiter*.go is
// one actuator's path within position, speed, acceleration and jerk; trajectory.go holds the
// platform's state (homing, active, parking, fault) and steps the limiters; machine.go and
// driving.go are the state machine of a session (booting, initializing, locating, driving,
// shutting down); following.go checks that the actuators follow; none of them reads a clock, so
// that ten minutes are tested in seconds. session.go has the threads and the line, budget.go
// selects the rate. The bytes are made in the protocols' packages, of which protocol.go selects
// one. To add a controller: a package beside smc3 with its wire.Codec, its simulated controller
// and an example of its bytes, and a case in protocol.go.
//
// A stop holds by default and does not park: behind a relay the actuators stand still anyway,
// and a target that moved on meanwhile would be approached at full speed once power is back.
// After a belt or door was opened the platform parks, and moves again only by an order.
package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/lifecycle"
)

// ErrAbsent is returned when no platform is connected.
var ErrAbsent = errors.New("no platform connected")

var (
	errOffline       = errors.New("controller is off line and follows no targets; switch it on line")
	errNotParked     = errors.New("not parked in time; check that the actuators move freely")
	errHalted        = errors.New("halted and left in place; home or park it once that is safe")
	errInterlockOpen = errors.New("a belt, door or dead-man switch is open; close it, then home again")
	errHomeInterlock = fmt.Errorf("motion: home: %w", errInterlockOpen)
	errFault         = errors.New("find and fix the cause, then home again")
)

// Times by which the line is supervised.
const (
	silenceLimit     = 500 * time.Millisecond // longest time without an answer while positions are queried
	stallLimit       = 100 * time.Millisecond // longest time in which the port accepts nothing
	watchPeriod      = 20 * time.Millisecond
	firstRetryWait   = 250 * time.Millisecond // before the port is opened again
	longestRetryWait = 4 * time.Second
	settleLimit      = time.Second     // for the actuators to reach the park position, once it is sent
	parkSlack        = 3 * time.Second // on top of the computed time, to settle and for delays
)

// Platform is one motion platform, connected or not.
//
// Push, Halt, Interlock and Status may be called from the loop: they neither wait nor allocate.
// Everything else happens in Run, whose writer thread alone writes to the line.
type Platform struct {
	cfg          Config
	log          *slog.Logger
	targets      targetCell
	sharedStatus *sharedStatus
	trajectory   *trajectory // used by the writer thread alone, one session after the other
	carriedOver  carryOver   // used by the writer thread alone, as trajectory is
	dial         opener
	adapter      evdev.ReturningUSB // of the configured port
	root         string             // stands for /, "" except in tests

	latency  latencies
	lineLoad float64 // of the line's capacity that is used

	clock            func() time.Duration // for the age of targets and answers
	halt             atomic.Bool          // set by Halt until Home or Park
	parkOrdered      atomic.Bool
	interlockOpen    atomic.Bool   // a belt, door or dead-man switch is open
	interlockLatched atomic.Bool   // one was open since the last order to home
	homeOrders       atomic.Uint64 // number of orders to home given
	wasAway          bool          // the line was opened, or tried, before; used by Run's goroutine between sessions

	pause  func(context.Context) error // waits a little for an order, or returns why there is nothing to wait for
	runner lifecycle.Runner
}

// New returns the platform that cfg describes, or every error of cfg. Run operates it. If log is
// nil, nothing is logged.
func New(cfg Config, log *slog.Logger) (*Platform, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	created := time.Now()
	p := &Platform{
		log: log, sharedStatus: newSharedStatus(),
		clock: func() time.Duration { return time.Since(created) },
	}
	if cfg.Protocol != "" {
		budget, err := cfg.budget()
		if err != nil {
			return nil, err
		}
		if cfg.Rate, err = budget.rate(cfg.Rate); err != nil {
			return nil, err
		}
		p.lineLoad = budget.load(cfg.Rate)
		p.sharedStatus.setState(Opening)
	}
	p.cfg, p.trajectory, p.dial, p.pause = cfg, newTrajectory(cfg), p.openConfigured, p.pauseByClock
	return p, nil
}

// Dial makes Run open its lines by dial instead of the configured port, for example a line to a
// simulated controller in this process. Read of such a line must return 0 and no error when
// nothing comes for a short time. Its silence counts as that of a real one. Dial must be called before Run.
func (p *Platform) Dial(dial func() (io.ReadWriteCloser, error)) {
	p.dial, p.cfg.Simulated = dial, false
}

// Push makes l the newest target.
//
// While the platform is ready or active it follows, each leg within its own limits. A target
// that is NaN or Inf is a fault: the platform stops, parks, and stays parked until Home. A target
// older than 50 ms is not followed: the platform parks, and follows targets again, gently, when
// they come back. Only one goroutine may call Push.
func (p *Platform) Push(l wire.Legs) { p.targets.put(l, p.clock()) }

// Halt stops the platform, each axis within its limits of acceleration and jerk, and holds it
// there, even while it homes or parks; if Config.StopAction is StopPark, it parks instead. The
// platform stays halted, whatever is pushed, until Home or Park. Halt may be called repeatedly.
func (p *Platform) Halt() { p.halt.Store(true) }

// Interlock must be called with whether a seat belt, a door or a dead-man switch is open. It may be
// called from the loop repeatedly.
//
// When one opens, the platform parks along a path within its limits. Before it was homed, or
// when it is found again after its line was lost, it stays where it is, even when it is ordered
// to park. It follows targets again only when all are closed and Home was called: somebody must
// see that nobody is in its way.
func (p *Platform) Interlock(open bool) {
	p.interlockOpen.Store(open)
	if open {
		p.interlockLatched.Store(true)
	}
}

// Tick does nothing: the time of a real controller passes by itself. See Demo.Tick.
func (p *Platform) Tick() {}

// Latency returns how long targets took, from Push to the last byte on the wire.
func (p *Platform) Latency() LatencyStats { return p.latency.stats() }

// ParkTime returns the longest time that parking takes, from full speed at the opposite end of the
// stroke until the platform rests; 0 where no platform is configured.
func (p *Platform) ParkTime() time.Duration {
	if p.cfg.Protocol == "" {
		return 0
	}
	return p.cfg.parkTime()
}

// ReadyTime returns the longest time from power-on until the platform follows targets, if no
// interlock, halt or fault prevents it; 0 where no platform is configured.
func (p *Platform) ReadyTime() time.Duration {
	codec, err := newCodec(p.cfg)
	if p.cfg.Protocol == "" || err != nil {
		return 0
	}
	return p.cfg.readyTime(codec)
}

// Status returns the status of now. An order to home counts from the moment on in which it was given.
func (p *Platform) Status() Status {
	homing := p.sharedStatus.homesDone.Load() != p.homeOrders.Load() && !p.halt.Load() && !p.interlockLatched.Load() // read first: done is stored last
	s := p.sharedStatus.snapshot()
	if homing {
		s.setOrderedHome()
	}
	s.BadTargets = p.targets.refused.Load()
	s.InterlockLatched = p.interlockLatched.Load()
	s.Latency = p.latency.newest()
	if p.cfg.Protocol != "" {
		s.Rate, s.LineShare = p.cfg.Rate, p.lineLoad
	}
	return s
}

// Park ends a halt, moves to the park position and returns when the platform rests there. It
// stays parked, whatever is pushed, until Home.
//
// Where no platform is configured Park returns nil at once. Where one is not connected it
// returns ErrAbsent, and the platform parks when it comes back. The same holds for a controller
// that does not answer, or is off line: it is given up 1.5 s after its last answer, or within
// boot_wait_s and 1.1 s where there never was one. A platform that a fault holds in place does
// not park; one that was parked by a fault rests at its park position, and Status has the fault.
func (p *Platform) Park(ctx context.Context) error {
	p.orderPark()
	return p.waitFor(ctx, "park", p.sharedStatus.restsAtPark)
}

// Home ends a park order, a halt, a fault and the latch of the interlock, moves to the center
// and returns when the platform follows targets. While the interlock is open it returns an error
// and changes nothing. Nothing else makes a platform home that was just found. An order counts for
// the platform that is connected, or is opened for the first time: one that comes, or comes back,
// later waits where it stands for the next order.
func (p *Platform) Home(ctx context.Context) error {
	order, err := p.orderHome()
	if err != nil {
		return err
	}
	return p.waitFor(ctx, "home", func() bool {
		state := p.sharedStatus.currentState()
		return p.sharedStatus.homesDone.Load() >= order && (state == Ready || state == Active)
	})
}

// OrderHome gives the order of Home and does not wait. It may be called from the loop. It reports
// false, and changes nothing, while the interlock is open.
func (p *Platform) OrderHome() bool {
	_, err := p.orderHome()
	return err == nil
}

// orderPark gives the order of Park without waiting.
func (p *Platform) orderPark() {
	p.parkOrdered.Store(true)
	p.halt.Store(false)
}

// orderHome gives the order of Home without waiting, and returns its number.
func (p *Platform) orderHome() (order uint64, err error) {
	if p.interlockOpen.Load() {
		return 0, errHomeInterlock
	}
	p.interlockLatched.Store(false)
	if p.interlockOpen.Load() { // it was opened meanwhile
		p.interlockLatched.Store(true)
		return 0, errHomeInterlock
	}
	p.parkOrdered.Store(false)
	order = p.homeOrders.Add(1)
	p.halt.Store(false)
	return order, nil
}

// waitFor returns nil when reached returns true, or an error when it cannot any more.
func (p *Platform) waitFor(ctx context.Context, order string, reached func() bool) error {
	if p.cfg.Protocol == "" {
		return nil
	}
	for !reached() {
		err := p.refusal(order)
		if err == nil {
			err = p.pause(ctx)
		}
		if err != nil {
			return fmt.Errorf("motion: %s: %w", order, err)
		}
	}
	return nil
}

// pauseByClock is pause for a platform that Run operates on another thread.
func (p *Platform) pauseByClock(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return p.stillError(ctx.Err())
	case <-p.runner.Done():
		return ErrAbsent
	case <-time.After(watchPeriod / 4):
		return nil
	}
}

// stillError returns an error for an order that was not carried out in time.
func (p *Platform) stillError(err error) error {
	return fmt.Errorf("still %s: %w", p.sharedStatus.currentState(), err)
}

// refusal returns why an order ("home" or "park") cannot be carried out, nil if it can.
func (p *Platform) refusal(order string) error {
	fault := wire.Faults(p.sharedStatus.faults.Load()) & wire.Latching
	switch {
	case p.sharedStatus.currentState() == Absent:
		return ErrAbsent
	case p.halt.Load():
		return errHalted
	case order == "home" && p.interlockLatched.Load(), order == "park" && p.sharedStatus.heldInPlace.Load():
		return errInterlockOpen
	case p.sharedStatus.givenUp.Load() != nil:
		return *p.sharedStatus.givenUp.Load()
	case order == "park" && p.sharedStatus.currentState() == Fault && p.sharedStatus.restsWhereStopped.Load():
		return fmt.Errorf("%s; %w", fault, errFault)
	case order == "home" && fault != 0 && p.sharedStatus.homesDone.Load() >= p.homeOrders.Load():
		return fmt.Errorf("%s; %w", fault, errFault)
	}
	return nil
}

// Close makes Run park the platform and return, and waits for it.
func (p *Platform) Close() {
	p.runner.Close(0)
}
