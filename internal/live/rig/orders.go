package rig

import (
	"context"
	"sync/atomic"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
)

// orders are the operator's orders that the next tick takes. Any goroutine may give one: nothing waits for anything, so
// no order can hold up a stop.
type orders struct {
	start   atomic.Bool
	release atomic.Uint32 // guard.Origin of the order to end the drive; Nobody before

	stops         atomic.Uint64 // a stamped order: how many emergency stops there were, and who gave the newest
	confirmation  atomic.Uint64 // a stamped order that no tick has taken yet: of how many stops it knows; 0 for none
	pause, resume atomic.Uint32 // guard.Origin of an order that no tick has taken yet
	tune          atomic.Uint64 // a packed drive.Tune that no tick has taken yet; 0 for none
}

// stamped packs a count with the origin of the order that it belongs to.
func stamped(count uint64, by guard.Origin) uint64 { return count<<8 | uint64(by) }

// unstamp is the inverse of stamped.
func unstamp(order uint64) (count uint64, by guard.Origin) {
	return order >> 8, guard.Origin(order & 0xff)
}

// give gives an order. It never waits. A confirmation is of the stops that were given before it.
func (o *orders) give(order operator.Order, by guard.Origin) {
	switch order {
	case operator.FadeOutAndPark:
		o.release.CompareAndSwap(uint32(guard.Nobody), uint32(by))
	case operator.EmergencyStop:
		for {
			before := o.stops.Load()
			count, _ := unstamp(before)
			if o.stops.CompareAndSwap(before, stamped(count+1, by)) {
				return
			}
		}
	case operator.ClearFault:
		known, _ := unstamp(o.stops.Load())
		for {
			before := o.confirmation.Load()
			if before >= stamped(known, by) || o.confirmation.CompareAndSwap(before, stamped(known, by)) {
				return
			}
		}
	case operator.Pause:
		o.pause.Store(uint32(by))
	case operator.Resume:
		o.resume.Store(uint32(by))
	}
}

// isReleased reports whether the end of the drive was ordered.
func (o *orders) isReleased() bool { return guard.Origin(o.release.Load()) != guard.Nobody }

// take takes the orders of a tick. Those of one moment count once. The confirmation comes before the stops, which it
// may know.
func (o *orders) take(in *drive.Operator) {
	in.Start = o.start.Load()
	in.Release = o.isReleased()
	in.Confirmed, in.ConfirmBy = unstamp(o.confirmation.Swap(0))
	in.Stops, in.StopBy = unstamp(o.stops.Load())
	in.PauseBy = guard.Origin(o.pause.Swap(0))
	in.ResumeBy = guard.Origin(o.resume.Swap(0))
	in.Tune = unpackTune(o.tune.Swap(0))
}

// takeFrom gives the orders that come from a channel, until ctx ends.
func (o *orders) takeFrom(ctx context.Context, given <-chan operator.Order, by guard.Origin) {
	for {
		select {
		case order := <-given:
			o.give(order, by)
		case <-ctx.Done():
			return
		}
	}
}
