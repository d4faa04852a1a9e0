package estop

import (
	"math"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// never is the moment of an order that was not given.
const never = math.MinInt64

// refreshEvery is how often an unchanged level is written again, so that an
// adapter that went away is noticed.
const refreshEvery = 10 * time.Millisecond

// switchWithin is how long a relay that is off may take to be switched: a machine that
// starts is busy, and nothing has power yet.
const switchWithin = 500 * time.Millisecond

// relay holds the enable relay while somebody keeps asking for it.
//
// Once it has dropped by itself, it stays off until the order is taken back:
// a program that stalled and goes on must not switch the power on again.
type relay struct {
	pin   gpio.PinOut
	on    gpio.Level // the level that switches it on
	pulse bool       // the level changes at each step while it is on
	hold  time.Duration
	clock func() time.Duration

	renewed atomic.Int64  // when the order was renewed [ns], or never
	offs    atomic.Uint64 // how often it was taken back
	live    atomic.Bool   // the relay is on
	cause   atomic.Uint32 // why it dropped
	ran     atomic.Int64  // when step ran last [ns]

	// What only the goroutine of step uses.
	dropped bool
	dropAt  uint64 // offs, when it dropped
	level   gpio.Level
	written time.Duration
	known   bool // the line has the level for sure
}

func newRelay(pin gpio.PinOut, cfg Config, clock func() time.Duration) *relay {
	r := &relay{
		pin: pin, on: gpio.Level(cfg.RelayActive == high), pulse: cfg.RelaySignal == pulse,
		hold: millis(cfg.RelayHold), clock: clock,
	}
	r.renewed.Store(never)
	r.ran.Store(int64(clock()))
	return r
}

// order renews the order to be on, or takes it back. It neither waits nor
// allocates.
func (r *relay) order(on bool) {
	if on {
		r.renewed.Store(int64(r.clock()))
		return
	}
	r.renewed.Store(never)
	r.offs.Add(1)
}

// state tells whether the relay is on, and if it dropped by itself, why.
func (r *relay) state() (on bool, cause Cause) {
	on, patience := r.live.Load(), switchWithin
	if on {
		patience = staleAfter
	}
	ran := time.Duration(r.ran.Load())
	if age := r.clock() - ran; age < 0 || age > patience {
		return on, Stale
	}
	return on, Cause(r.cause.Load())
}

// step drives the line once. A stop, of which the caller knows, drops it.
func (r *relay) step(stop Cause) {
	offs, renewed := r.offs.Load(), r.renewed.Load()
	now := r.clock()
	wanted := renewed != never
	if !wanted || offs != r.dropAt {
		r.dropped = false
	}
	why := stop
	if why == None && wanted && now-time.Duration(renewed) > r.hold {
		why = Unrenewed
	}
	if wanted && why != None {
		r.drop(why, offs)
	}
	r.drive(wanted && !r.dropped, now, offs)
	if !r.dropped && r.known {
		r.cause.Store(uint32(None))
	}
	r.ran.Store(int64(now))
}

func (r *relay) drop(why Cause, offs uint64) {
	if !r.dropped {
		r.cause.Store(uint32(why))
	}
	r.dropped, r.dropAt = true, offs
}

// drive writes the level, if it is a new one or an old one's time is over.
func (r *relay) drive(on bool, now time.Duration, offs uint64) {
	next := gpio.Level(r.on == gpio.Level(on))
	if on && r.pulse {
		next = !r.level
	}
	if r.known && next == r.level && now-r.written < refreshEvery {
		return
	}
	err := r.pin.Out(next)
	r.level, r.written, r.known = next, now, err == nil
	if err != nil {
		r.drop(RelayFailed, offs)
		r.cause.Store(uint32(RelayFailed))
		return
	}
	r.live.Store(on)
}

// release switches the relay off for good.
func (r *relay) release() error {
	r.order(false)
	err := r.pin.Out(!r.on)
	if err == nil {
		r.live.Store(false)
	}
	return err
}
