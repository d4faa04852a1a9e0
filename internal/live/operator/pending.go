package operator

import (
	"context"
	"sync/atomic"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/guard"
)

// Pending are the orders that the next tick of a drive takes. Any goroutine may give one: nothing waits for anything, so
// no order can hold up a stop. Each kind of connection may give its own ones; all else is refused.
type Pending struct {
	Command string // that drives, as "rig run": a command of this machine is told; set it before any is served

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

// Give gives an order. It never waits. A confirmation is of the stops that were given before it.
func (p *Pending) Give(order Order, by guard.Origin) {
	switch order {
	case FadeOutAndPark:
		p.release.CompareAndSwap(uint32(guard.Nobody), uint32(by))
	case EmergencyStop:
		for {
			before := p.stops.Load()
			count, _ := unstamp(before)
			if p.stops.CompareAndSwap(before, stamped(count+1, by)) {
				return
			}
		}
	case ClearFault:
		known, _ := unstamp(p.stops.Load())
		for {
			before := p.confirmation.Load()
			if before >= stamped(known, by) || p.confirmation.CompareAndSwap(before, stamped(known, by)) {
				return
			}
		}
	case Pause:
		p.pause.Store(uint32(by))
	case Resume:
		p.resume.Store(uint32(by))
	}
}

// Start orders the drive to begin.
func (p *Pending) Start() { p.start.Store(true) }

// ReleasedBy returns who ordered the end of the drive.
func (p *Pending) ReleasedBy() guard.Origin { return guard.Origin(p.release.Load()) }

// IsReleased reports whether the end of the drive was ordered.
func (p *Pending) IsReleased() bool { return p.ReleasedBy() != guard.Nobody }

// Take takes the orders of a tick. Those of one moment count once. The confirmation comes before the stops, which it
// may know.
func (p *Pending) Take(in *drive.Operator) {
	in.Start = p.start.Load()
	in.Release = p.IsReleased()
	in.Confirmed, in.ConfirmBy = unstamp(p.confirmation.Swap(0))
	in.Stops, in.StopBy = unstamp(p.stops.Load())
	in.PauseBy = guard.Origin(p.pause.Swap(0))
	in.ResumeBy = guard.Origin(p.resume.Swap(0))
	in.Tune = unpackTune(p.tune.Swap(0))
}

// TakeFrom gives the orders that come from a channel, until ctx ends.
func (p *Pending) TakeFrom(ctx context.Context, given <-chan Order, by guard.Origin) {
	for {
		select {
		case order := <-given:
			p.Give(order, by)
		case <-ctx.Done():
			return
		}
	}
}
