package estop

import (
	"math"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

// noOrder is the value of relay.renewedAt while the relay is not ordered to be on.
const noOrder = math.MinInt64

// rewriteInterval is the time after which an unchanged level is written again, so that an unplugged adapter
// is detected.
const rewriteInterval = 10 * time.Millisecond

// maxSwitchTime is the longest time between two steps of a relay that is off. It is longer than
// sampleTimeout, because the machine is busy while it starts, and nothing has power yet.
const maxSwitchTime = 500 * time.Millisecond

// relay keeps the enable relay on as long as the order to be on is renewed.
//
// A relay that has dropped by itself stays off until the order is withdrawn, so that a program that stalled
// and continues does not switch the power on again.
type relay struct {
	pin         gpio.PinOut
	activeLevel gpio.Level    // level that switches the relay on
	isPulsed    bool          // the level changes at each step while the relay is on
	deadMan     time.Duration // the relay drops if the order is not renewed for longer
	clock       func() time.Duration

	renewedAt atomic.Int64  // when the order was renewed last [ns], or noOrder
	offCount  atomic.Uint64 // number of times that the order was withdrawn
	isOn      atomic.Bool   // the relay is on
	cause     atomic.Uint32 // why the relay dropped
	steppedAt atomic.Int64  // when step ran last [ns]

	// The following fields belong to the goroutine of step.
	dropped        bool          // the relay dropped by itself
	offCountAtDrop uint64        // offCount when it dropped
	level          gpio.Level    // written last
	writtenAt      time.Duration // when level was written
	lastWriteOK    bool          // the last write succeeded
}

func newRelay(pin gpio.PinOut, cfg Config, clock func() time.Duration) *relay {
	r := &relay{
		pin: pin, activeLevel: gpio.Level(cfg.RelayActive == high), isPulsed: cfg.RelaySignal == pulse,
		deadMan: Milliseconds(cfg.RelayDeadManMs), clock: clock,
	}
	r.renewedAt.Store(noOrder)
	r.steppedAt.Store(int64(clock()))
	return r
}

// order renews the order to be on, or withdraws it. It neither waits nor allocates.
func (r *relay) order(on bool) {
	if on {
		r.renewedAt.Store(int64(r.clock()))
		return
	}
	r.renewedAt.Store(noOrder)
	r.offCount.Add(1)
}

// state reports whether the relay is on. If it dropped by itself, state returns the cause too.
func (r *relay) state() (on bool, cause Cause) {
	on, maxAge := r.isOn.Load(), maxSwitchTime
	if on {
		maxAge = sampleTimeout
	}
	steppedAt := time.Duration(r.steppedAt.Load())
	if age := r.clock() - steppedAt; age < 0 || age > maxAge {
		return on, NotSampled
	}
	return on, Cause(r.cause.Load())
}

// step drives the line once. A stop other than None drops the relay.
func (r *relay) step(stop Cause) {
	offCount, renewedAt := r.offCount.Load(), r.renewedAt.Load()
	now := r.clock()
	isOrdered := renewedAt != noOrder
	if !isOrdered || offCount != r.offCountAtDrop {
		r.dropped = false
	}
	cause := stop
	if cause == None && isOrdered && now-time.Duration(renewedAt) > r.deadMan {
		cause = NotRenewed
	}
	if isOrdered && cause != None {
		r.drop(cause, offCount)
	}
	r.drive(isOrdered && !r.dropped, now, offCount)
	if !r.dropped && r.lastWriteOK {
		r.cause.Store(uint32(None))
	}
	r.steppedAt.Store(int64(now))
}

// drop marks the relay as dropped by itself; offCount is the present number of withdrawn orders.
func (r *relay) drop(cause Cause, offCount uint64) {
	if !r.dropped {
		r.cause.Store(uint32(cause))
	}
	r.dropped, r.offCountAtDrop = true, offCount
}

// drive writes the level that switches the relay on or off, if the level changes or rewriteInterval is over.
func (r *relay) drive(on bool, now time.Duration, offCount uint64) {
	newLevel := gpio.Level(r.activeLevel == gpio.Level(on))
	if on && r.isPulsed {
		newLevel = !r.level
	}
	if r.lastWriteOK && newLevel == r.level && now-r.writtenAt < rewriteInterval {
		return
	}
	err := r.pin.Out(newLevel)
	r.level, r.writtenAt, r.lastWriteOK = newLevel, now, err == nil
	if err != nil {
		r.drop(RelayFailed, offCount)
		r.cause.Store(uint32(RelayFailed))
		return
	}
	r.isOn.Store(on)
}

// switchOff withdraws the order and switches the relay off at once.
func (r *relay) switchOff() error {
	r.order(false)
	err := r.pin.Out(!r.activeLevel)
	if err == nil {
		r.isOn.Store(false)
	}
	return err
}
