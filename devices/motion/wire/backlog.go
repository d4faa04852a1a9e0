package wire

import "time"

// Backlog tracks the targets that a port has accepted and not sent yet. The path of a controller
// without feedback must not run ahead of what was sent: targets that wait in the port reach the
// controller in one burst, or are dropped with the line.
type Backlog struct {
	accepted    uint64 // bytes that the port has accepted
	sent        uint64 // bytes that were certainly sent
	queued      [maxQueued]queuedTarget
	queuedCount int  // number of targets in queued, oldest first
	lastSent    Legs // newest target that was sent
}

// maxQueued is the capacity of the queue. It is larger than the number of targets that are added before
// the oldest one counts as late (see IsLate).
const maxQueued = 64

// queuedTarget is a target that was written to the port.
type queuedTarget struct {
	acceptedAtEnd uint64 // value of Backlog.accepted when the port has accepted the last byte of this target
	addedAt       time.Duration
	legs          Legs
}

// Accepted records that the port has accepted n more bytes.
func (b *Backlog) Accepted(n int) { b.accepted += uint64(n) }

// LastSent returns the newest target that was sent, and reports whether others wait in the port.
func (b *Backlog) LastSent() (l Legs, queued bool) { return b.lastSent, b.queuedCount > 0 }

// Add records a target of size bytes that is written to the port next, and the target sent before it.
func (b *Backlog) Add(before, legs *Legs, size int, now time.Duration) {
	switch b.queuedCount {
	case 0:
		b.lastSent = *before
	case maxQueued:
		b.removeOldest(1)
	}
	b.queued[b.queuedCount] = queuedTarget{b.accepted + uint64(size), now, *legs}
	b.queuedCount++
}

// SetUnsent records how many of the accepted bytes the port has not sent yet. The number of sent
// bytes never decreases: a driver may report too many unsent bytes, so the lowest report counts.
func (b *Backlog) SetUnsent(unsent int) {
	if unsent < 0 || uint64(unsent) > b.accepted {
		return
	}
	b.sent = max(b.sent, b.accepted-uint64(unsent))
	sentTargets := 0
	for sentTargets < b.queuedCount && b.queued[sentTargets].acceptedAtEnd <= b.sent {
		sentTargets++
	}
	if sentTargets > 0 {
		b.removeOldest(sentTargets)
	}
}

// removeOldest removes the oldest targets from the queue, because they were sent.
func (b *Backlog) removeOldest(count int) {
	b.lastSent = b.queued[count-1].legs
	b.queuedCount = copy(b.queued[:], b.queued[count:b.queuedCount])
}

// IsLate reports whether a target has waited in the port for longer than limit.
func (b *Backlog) IsLate(now, limit time.Duration) bool {
	return b.queuedCount > 0 && now-b.queued[0].addedAt > limit
}
