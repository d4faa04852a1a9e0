package motion

import (
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Virtual is a Platform with its simulated controller, without port, clock and threads: for
// tests, here and in other packages, that step a platform in each tick of the loop. Time passes
// in Step alone, so that equal calls give equal bits. It runs the Platform's own code, which is
// why it is in this package.
//
// Push, Halt, Interlock, Status and Latency are those of Platform; Home, Park and Leave give the
// orders of Platform's Home, Park and Close, but do not wait. One goroutine must call all methods.
type Virtual struct {
	*session              // nil once Leave has ended it
	p           *Platform // of the session
	sim         simulated.Controller
	now         time.Duration
	untilPeriod time.Duration // until the writer's next period
	answers     []byte        // of the controller, not received yet
	isLeaving   bool          // Leave was called
}

// NewVirtual returns the platform that cfg describes with the simulated controller sim. No port
// is opened, and cfg.Port is ignored. cfg must name a protocol.
func NewVirtual(cfg Config, sim simulated.Controller) (*Virtual, error) {
	cfg.Port = "virtual"
	p, err := New(cfg, nil)
	if err != nil {
		return nil, err
	}
	const start = time.Second // 0 means never in several fields
	v := &Virtual{p: p, sim: sim, now: start, untilPeriod: p.cfg.period()}
	p.clock = func() time.Duration { return v.now }
	return v, v.open()
}

// open starts a session on a new line.
func (v *Virtual) open() (err error) {
	v.answers = v.answers[:0]
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
		if ended {
			sessionErr = v.end(err)
		}
	}
	return sessionErr
}

// end ends a session and starts the next, unless Leave was called.
func (v *Virtual) end(err error) error {
	err = v.p.endSession(v.finish(v.isLeaving, err))
	v.session = nil
	if v.isLeaving {
		return err
	}
	if failed := v.open(); failed != nil {
		return failed
	}
	return err
}

// Push makes l the newest target.
func (v *Virtual) Push(l wire.Legs) { v.p.Push(l) }

// Halt stops the platform until Home or Park.
func (v *Virtual) Halt() { v.p.Halt() }

// Interlock must be called with whether a seat belt, a door or a dead-man switch is open.
func (v *Virtual) Interlock(open bool) { v.p.Interlock(open) }

// Status returns the status of now.
func (v *Virtual) Status() Status { return v.p.Status() }

// Latency returns how long targets took, from Push to the last byte on the wire.
func (v *Virtual) Latency() LatencyStats { return v.p.Latency() }

// Home orders the platform to its center. It returns an error while the interlock is open.
func (v *Virtual) Home() error {
	_, err := v.p.orderHome()
	return err
}

// Park orders the platform to its park position.
func (v *Virtual) Park() { v.p.orderPark() }

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
