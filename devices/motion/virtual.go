package motion

import (
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/wire"
)

// Virtual is a platform together with its simulated controller, without port, clock and
// threads: for tests that step a platform in each tick of the loop. Time passes in Step alone, so
// that equal calls leave equal bits. Everything but the port and the threads is Platform's own code.
//
// Push, Halt, Interlock, Status and Latency are those of Platform, and Home, Park and Leave
// order what Platform's Home, Park and Close order, but wait for nothing. One goroutine calls
// all methods.
type Virtual struct {
	*session           // nil after the end of a Leave
	p        *Platform // of the session
	sim      simulated.Controller
	now      time.Duration
	left     time.Duration // until the writer's next turn
	answers  []byte        // of the controller, not heard yet
	leaving  bool
}

// NewVirtual returns the platform that cfg describes with a controller that is sim. No port is
// opened: cfg.Port does not matter. cfg must name a protocol.
func NewVirtual(cfg Config, sim simulated.Controller) (*Virtual, error) {
	cfg.Port = "virtual"
	p, err := New(cfg, nil)
	if err != nil {
		return nil, err
	}
	const start = time.Second // several times have 0 for never
	v := &Virtual{p: p, sim: sim, now: start, left: p.cfg.period()}
	p.clock = func() time.Duration { return v.now }
	return v, v.open()
}

// open begins a session on a new line.
func (v *Virtual) open() (err error) {
	v.answers = v.answers[:0]
	if v.session, err = v.p.begin(virtualLine{v}); err == nil {
		v.takenAt = v.now
	}
	return err
}

// Step lets d pass for platform and controller: in each period of its rate the platform sends what
// is next. Its error says why the line was given up; a new one is opened at once, but none after
// Leave.
func (v *Virtual) Step(d time.Duration) error {
	var failed error
	for d > 0 {
		part := min(d, v.left)
		v.now, v.left, d = v.now+part, v.left-part, d-part
		over, err := false, error(nil)
		if v.left == 0 {
			v.left = v.p.cfg.period()
			if v.session != nil {
				over, err = v.turn(v.leaving)
			}
		}
		v.answers = append(v.answers, v.sim.Advance(part)...)
		if v.session == nil {
			v.answers = v.answers[:0]
			continue
		}
		v.hear(v.answers)
		v.answers = v.answers[:0]
		if over {
			failed = v.end(err)
		}
	}
	return failed
}

// end ends a session and begins the next unless the platform is to be left.
func (v *Virtual) end(err error) error {
	err = v.p.end(v.ended(v.leaving, err))
	v.session = nil
	if v.leaving {
		return err
	}
	if failed := v.open(); failed != nil {
		return failed
	}
	return err
}

// Push makes l the newest demand.
func (v *Virtual) Push(l wire.Legs) { v.p.Push(l) }

// Halt stops the platform until Home or Park.
func (v *Virtual) Halt() { v.p.Halt() }

// Interlock says whether a seat belt, a door or a dead-man switch is open.
func (v *Virtual) Interlock(open bool) { v.p.Interlock(open) }

// Status returns what is known at this moment.
func (v *Virtual) Status() Status { return v.p.Status() }

// Latency tells how long the demands took, from Push to the last byte on the wire.
func (v *Virtual) Latency() LatencyStats { return v.p.Latency() }

// Home orders the platform to its centre. It is an error while the interlock is open.
func (v *Virtual) Home() error {
	_, err := v.p.orderHome()
	return err
}

// Park orders the platform to where it parks.
func (v *Virtual) Park() { v.p.orderPark() }

// Leave has the platform park and end, as Run does when its context ends.
func (v *Virtual) Leave() { v.leaving = true }

// Left reports whether the platform has ended since Leave.
func (v *Virtual) Left() bool { return v.session == nil }

// virtualLine is the line to a simulated controller, which takes at once what is written.
type virtualLine struct{ v *Virtual }

func (l virtualLine) Read([]byte) (int, error) { return 0, nil } // Step hands over what was answered

func (l virtualLine) Write(b []byte) (int, error) {
	if l.v.sim.Stalled() {
		return 0, unix.EAGAIN
	}
	l.v.answers = append(l.v.answers, l.v.sim.Handle(b)...)
	return len(b), nil
}

func (l virtualLine) Close() error { return nil }
