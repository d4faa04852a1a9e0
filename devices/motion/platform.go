// Package motion drives a serial motion platform: it finds out where the
// actuators stand, homes them gently, follows what the loop demands within the
// limits of each axis, and parks by itself when the demands stop.
//
// In go Config, the demands of the loop (Push) and orders (Home, Park, Halt, Interlock); out
// come bytes on a line and a Status. Run opens the line and a session lasts until it is lost:
// a state machine decides what to say next, a trajectory where each actuator goes, both
// without a clock of their own. The bytes are made in the folders of the protocols, of which
// protocol.go chooses one; nothing here knows any.
//
// Software is no safety function. The SMC3 controller drives to its centre as
// soon as it has power, and it and others keep their last target when the line
// goes dead: an emergency stop that cuts the motors' power belongs to every
// platform.
//
// From the inside out: limiter*.go is one actuator's path within position, speed, acceleration and jerk;
// trajectory.go decides where all go (home, follow, hold, park, fault), with follow.go watching that they do;
// machine.go and driving.go lead a session (boot, greeting, locating, driving, farewell) and are told the time, so that
// ten minutes are tested in seconds; session.go has the threads and the line; budget.go picks the rate. To add a
// controller: a folder beside smc3 with its wire.Codec, its simulated controller and an example of its bytes, and a line
// in protocol.go.
//
// A stop holds by default and does not park: behind a relay the actuators stand still anyway, and a target that had
// moved on meanwhile would be run to at full speed once power is back. After a belt or door opened the platform
// parks, and moves again only by an order.
package motion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// ErrAbsent tells that no platform is connected.
var ErrAbsent = errors.New("no platform connected")

var (
	errOffline   = errors.New("controller is off line and takes no demands; switch it on line")
	errNotParked = errors.New("not parked in time; check that the actuators move freely")
	errHalted    = errors.New("halted and left where it stands; home or park it once that is safe")
	errLocked    = errors.New("a belt, door or dead-man switch is open; close it and order it to home again")
	errFault     = errors.New("find and remove the cause, then order it to home again")
)

// How a line is watched.
const (
	silenceLimit = 500 * time.Millisecond // without an answer, though positions were asked for
	stallLimit   = 100 * time.Millisecond // without the port taking anything
	watchPeriod  = 20 * time.Millisecond
	firstWait    = 250 * time.Millisecond // before the port is opened again
	longestWait  = 4 * time.Second
	settleLimit  = time.Second     // for the actuators to reach the park position, once it is demanded
	parkSlack    = 3 * time.Second // on top of the longest way at the park speed, to settle and to be late
)

// Platform is one motion platform, present or not.
//
// Push, Halt and Status may be called from the loop: they neither wait nor
// allocate.
// Everything else happens in Run, whose writer thread alone touches the line.
type Platform struct {
	cfg        Config
	log        *slog.Logger
	box        mailbox
	board      *board
	trajectory *trajectory // of the writer thread, one line after the other
	past       past        // the same
	dial       opener

	latency latencies
	share   float64 // of the line that is kept busy

	clock    func() time.Duration // by which the age of demands and answers is told
	halt     atomic.Bool          // latched by Halt
	parkWish atomic.Bool
	open     atomic.Bool   // the interlock is open
	locked   atomic.Bool   // it was, since the platform was ordered to home
	homes    atomic.Uint64 // orders to home given

	closeOnce sync.Once
	closing   chan struct{} // closed by Close
	running   atomic.Bool
	ended     chan struct{} // closed when Run has returned
}

// New returns the platform that cfg describes; Run brings it to life. A nil
// log is silent.
func New(cfg Config, log *slog.Logger) (*Platform, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	born := time.Now()
	p := &Platform{
		log: log, board: newBoard(),
		clock:   func() time.Duration { return time.Since(born) },
		closing: make(chan struct{}), ended: make(chan struct{}),
	}
	if cfg.Protocol != "" {
		b, err := cfg.budget()
		if err != nil {
			return nil, err
		}
		if cfg.Rate, err = b.rate(cfg.Rate); err != nil {
			return nil, err
		}
		p.share = b.share(cfg.Rate)
		p.board.setState(Opening)
	}
	p.cfg, p.trajectory, p.dial = cfg, newTrajectory(cfg), p.openConfigured
	return p, nil
}

// Dial has Run open its lines by dial instead of the configured port, such as one to a
// simulated controller in this process. Read of such a line returns 0 and no error when
// nothing comes for a while. Dial is called before Run.
func (p *Platform) Dial(dial func() (io.ReadWriteCloser, error)) { p.dial = dial }

// Push makes l the newest demand.
//
// While the platform is ready or active it follows, each leg within its own
// limits. A demand that is not a number is a fault: the platform stops, parks,
// and stays until Home. A demand older than 50 ms is not followed: the platform
// parks, and takes up demands again, gently, when they come back. One goroutine
// may push.
func (p *Platform) Push(l wire.Legs) { p.box.put(l, p.clock()) }

// Halt stops the platform, each axis by its own limits of acceleration and jerk,
// and holds it there, also while it homes or parks; where stop_action says so it
// parks it instead. It stays, whatever is pushed, until Home or Park. It may be
// called as often as one likes.
func (p *Platform) Halt() { p.halt.Store(true) }

// Interlock tells whether a seat belt, a door or a dead-man switch is open. It
// may be called from the loop, as often as one likes.
//
// When one opens, the platform parks along a path within its limits; before it
// was homed, or found again after its line was lost, it stays where it is, also
// when it is ordered to park. It takes up demands only when all are closed and
// Home was called: somebody must see that nobody is in its way.
func (p *Platform) Interlock(open bool) {
	p.open.Store(open)
	if open {
		p.locked.Store(true)
	}
}

// Latency tells how long the demands took, from Push to the last byte on the
// wire.
func (p *Platform) Latency() LatencyStats { return p.latency.stats() }

// ParkTime is the longest that parking takes, from full speed at the far end of
// the stroke until the platform rests; 0 where none is configured.
func (p *Platform) ParkTime() time.Duration {
	if p.cfg.Protocol == "" {
		return 0
	}
	return p.cfg.parkTime()
}

// ReadyTime is the longest that a platform needs from its power-on until it takes demands,
// where nothing keeps it; 0 where none is configured.
func (p *Platform) ReadyTime() time.Duration {
	spoken, err := newCodec(p.cfg)
	if p.cfg.Protocol == "" || err != nil {
		return 0
	}
	return p.cfg.readyTime(spoken)
}

// Status returns what is known at this moment.
func (p *Platform) Status() Status {
	s := p.board.snapshot()
	s.BadDemands = p.box.bad.Load()
	s.Locked = p.locked.Load()
	s.Latency = p.latency.newest()
	if p.cfg.Protocol != "" {
		s.Rate, s.LineShare = p.cfg.Rate, p.share
	}
	return s
}

// Park lifts a halt, ramps to the park position and returns when the platform
// rests there. It stays, whatever is pushed, until Home.
//
// Where no platform is configured there is nothing to do; where one is but not
// connected the error is ErrAbsent, and it will park when it comes back. The same
// holds for a controller that does not answer, or is off line: it is given up 1.5 s
// after its last answer, or within boot_wait_s and 1.1 s where there never was one.
// A platform that a fault keeps where it is does not park; one that a fault parked
// rests where it parks, and Status tells of the fault.
func (p *Platform) Park(ctx context.Context) error {
	p.orderPark()
	return p.await(ctx, "park", p.board.arrived.Load)
}

// Home lifts a park order, a halt, a fault and what an open interlock left,
// ramps to the centre and returns when the platform is ready for demands. While
// the interlock is open it does nothing, and says so.
func (p *Platform) Home(ctx context.Context) error {
	order, err := p.orderHome()
	if err != nil {
		return err
	}
	return p.await(ctx, "home", func() bool {
		state := p.board.currentState()
		return p.board.homes.Load() >= order && (state == Ready || state == Active)
	})
}

// orderPark gives the order of Park.
func (p *Platform) orderPark() {
	p.parkWish.Store(true)
	p.halt.Store(false)
}

// orderHome gives the order of Home and returns its number.
func (p *Platform) orderHome() (order uint64, err error) {
	if p.open.Load() {
		return 0, fmt.Errorf("motion: home: %w", errLocked)
	}
	p.locked.Store(false)
	if p.open.Load() { // since the look above
		p.locked.Store(true)
		return 0, fmt.Errorf("motion: home: %w", errLocked)
	}
	p.parkWish.Store(false)
	order = p.homes.Add(1)
	p.halt.Store(false)
	return order, nil
}

// await returns when reached holds, or when it cannot be any more.
func (p *Platform) await(ctx context.Context, what string, reached func() bool) error {
	if p.cfg.Protocol == "" {
		return nil
	}
	tick := time.NewTicker(watchPeriod / 4)
	defer tick.Stop()
	for !reached() {
		if err := p.refusal(what); err != nil {
			return fmt.Errorf("motion: %s: %w", what, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("motion: %s: still %s: %w", what, p.board.currentState(), ctx.Err())
		case <-p.ended:
			return fmt.Errorf("motion: %s: %w", what, ErrAbsent)
		case <-tick.C:
		}
	}
	return nil
}

// refusal returns why an order cannot be carried out, if so.
func (p *Platform) refusal(what string) error {
	fault := wire.Faults(p.board.faults.Load()) & wire.Latching
	switch {
	case p.board.currentState() == Absent:
		return ErrAbsent
	case p.halt.Load():
		return errHalted
	case what == "home" && p.locked.Load(), what == "park" && p.board.heldInPlace.Load():
		return errLocked
	case p.board.dead.Load() != nil:
		return *p.board.dead.Load()
	case what == "park" && p.board.currentState() == Fault && p.board.held.Load():
		return fmt.Errorf("%s; %w", fault, errFault)
	case what == "home" && fault != 0 && p.board.homes.Load() >= p.homes.Load():
		return fmt.Errorf("%s; %w", fault, errFault)
	}
	return nil
}

// Close has Run park the platform and end, and waits for that.
func (p *Platform) Close() {
	p.closeOnce.Do(func() { close(p.closing) })
	if p.running.Load() {
		<-p.ended
	}
}
