package motion

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Virtual is a Platform with its simulated controller, without port, clock and threads: time passes
// in Step alone, so that equal calls give equal bits, and nothing that holds up the machine is a
// fault of the platform. It runs the Platform's own code, which is why it is in this package.
//
// Push, Halt, Interlock, Status, Latency, ParkTime and ReadyTime are those of Platform; Home and Park
// let time pass until they are done; OrderHome, OrderPark and Leave give the orders of Home, Park and
// of Platform's Close, but do not wait. Halt and Interlock may be called by any goroutine, all other
// methods by one.
type Virtual struct {
	*session              // nil once Leave has ended it
	p           *Platform // of the session
	sim         simulated.Controller
	now         time.Duration
	untilPeriod time.Duration // until the writer's next period
	answers     []byte        // of the controller, not received yet
	isLeaving   bool          // Leave was called
	logged      Status        // what was logged last
	reason      string        // why the line was given up last

	// Passed is called after each millisecond that Home and Park let pass; nil for none.
	Passed func()
}

// virtualTick is the time that passes between two looks at an order.
const virtualTick = time.Millisecond

// NewVirtual returns the platform that cfg describes with the simulated controller sim. No port
// is opened, and cfg.Port is ignored. cfg must name a protocol. If log is nil, nothing is logged.
func NewVirtual(cfg Config, sim simulated.Controller, log *slog.Logger) (*Virtual, error) {
	cfg.Port, cfg.Simulated = "simulated controller", false
	p, err := New(cfg, log)
	if err != nil {
		return nil, err
	}
	const start = time.Second // 0 means never in several fields
	v := &Virtual{p: p, sim: sim, now: start, untilPeriod: p.cfg.period(), logged: Status{State: Opening}}
	p.clock, p.pause = func() time.Duration { return v.now }, v.pause
	return v, v.open()
}

// open starts a session on a new line.
func (v *Virtual) open() (err error) {
	v.answers = v.answers[:0]
	v.p.dropOldOrders()
	if v.session, err = v.p.startSession(virtualLine{v}); err == nil {
		v.writtenAt = v.now
	}
	return err
}

// Step lets d pass for platform and controller: in each period of its rate the platform sends what
// comes next. It returns an error if the line was given up; a new one is opened at once, but
// none after Leave.
func (v *Virtual) Step(d time.Duration) error {
	var sessionErr error
	for d > 0 {
		part := min(d, v.untilPeriod)
		v.now, v.untilPeriod, d = v.now+part, v.untilPeriod-part, d-part
		ended, err := false, error(nil)
		if v.untilPeriod == 0 {
			v.untilPeriod = v.p.cfg.period()
			if v.session != nil {
				ended, err = v.writeNext(v.isLeaving)
			}
		}
		v.answers = append(v.answers, v.sim.Advance(part)...)
		if v.session == nil {
			v.answers = v.answers[:0]
			continue
		}
		v.receive(v.answers)
		v.answers = v.answers[:0]
		v.log()
		if ended {
			sessionErr = v.end(err)
		}
	}
	return sessionErr
}

// log logs what has changed.
func (v *Virtual) log() {
	now := v.p.sharedStatus.snapshot()
	v.logChanges(&now, &v.logged)
	v.logged = now
}

// end ends a session and starts the next, unless Leave was called.
func (v *Virtual) end(err error) error {
	err = v.p.endSession(v.finish(v.isLeaving, err))
	v.session = nil
	if v.isLeaving {
		return err
	}
	if err != nil && err.Error() != v.reason {
		v.p.log.Warn("no platform, trying again", "error", err)
		v.reason = err.Error()
	}
	if failed := v.open(); failed != nil {
		return failed
	}
	return err
}

// pause is Platform.pause: it lets a millisecond pass.
func (v *Virtual) pause(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return v.p.stillError(context.Cause(ctx))
	case v.Left():
		return ErrAbsent
	}
	_ = v.Step(virtualTick) // the status has the error
	if v.Passed != nil {
		v.Passed()
	}
	return nil
}

// Now returns how much time has passed since the start.
func (v *Virtual) Now() time.Duration { return v.now }

// Push makes l the newest target.
func (v *Virtual) Push(l wire.Legs) { v.p.Push(l) }

// Halt stops the platform until Home or Park.
func (v *Virtual) Halt() { v.p.Halt() }

// Interlock must be called with whether a seat belt, a door or a dead-man switch is open.
func (v *Virtual) Interlock(open bool) { v.p.Interlock(open) }

// Tick does nothing: Step lets time pass.
func (v *Virtual) Tick() {}

// Status returns the status of now.
func (v *Virtual) Status() Status { return v.p.Status() }

// Latency returns how long targets took, from Push to the last byte on the wire.
func (v *Virtual) Latency() LatencyStats { return v.p.Latency() }

// ParkTime returns the longest time that parking takes.
func (v *Virtual) ParkTime() time.Duration { return v.p.ParkTime() }

// ReadyTime returns the longest time until the platform follows targets.
func (v *Virtual) ReadyTime() time.Duration { return v.p.ReadyTime() }

// Home is Platform's Home. Time passes while it waits.
func (v *Virtual) Home(ctx context.Context) error { return v.p.Home(ctx) }

// Park is Platform's Park. Time passes while it waits.
func (v *Virtual) Park(ctx context.Context) error { return v.p.Park(ctx) }

// OrderHome is Platform's OrderHome.
func (v *Virtual) OrderHome() bool { return v.p.OrderHome() }

// OrderPark orders the platform to its park position.
func (v *Virtual) OrderPark() { v.p.orderPark() }

// Leave makes the platform park and end, as Run does when its context ends.
func (v *Virtual) Leave() { v.isLeaving = true }

// Left reports whether the platform has ended since Leave.
func (v *Virtual) Left() bool { return v.session == nil }

// virtualLine is the line to a simulated controller, which receives what is written at once.
type virtualLine struct{ v *Virtual }

func (l virtualLine) Read([]byte) (int, error) { return 0, nil } // Step passes the answers on

func (l virtualLine) Write(b []byte) (int, error) {
	if l.v.sim.Stalled() {
		return 0, unix.EAGAIN
	}
	l.v.answers = append(l.v.answers, l.v.sim.Handle(b)...)
	return len(b), nil
}

func (l virtualLine) Close() error { return nil }
