package wire

import "time"

// Backlog knows which demands a port took that have not left it yet. The path of a
// controller that cannot tell where it stands must not run ahead of what it was told: what
// waits in the port comes to it in one burst, or is dropped with the line.
type Backlog struct {
	taken   uint64 // bytes that the port took
	left    uint64 // of these, at least so many have left it
	waiting [backlogMost]sentDemand
	n       int  // demands in waiting, oldest first
	heard   Legs // the newest demand that has left
}

// backlogMost is more demands than are sent until the oldest is late.
const backlogMost = 64

// sentDemand is a demand that the port was given.
type sentDemand struct {
	end  uint64 // bytes that the port will have taken with it
	at   time.Duration
	legs Legs
}

// Took notes that the port took n bytes more.
func (b *Backlog) Took(n int) { b.taken += uint64(n) }

// Told returns the newest demand that has left the port, and reports whether others wait.
func (b *Backlog) Told() (l Legs, waits bool) { return b.heard, b.n > 0 }

// Add notes a demand of size bytes, given to the port after what it took so far, and where
// the actuators were sent before.
func (b *Backlog) Add(before, legs *Legs, size int, now time.Duration) {
	switch b.n {
	case 0:
		b.heard = *before
	case backlogMost:
		b.drop(1)
	}
	b.waiting[b.n] = sentDemand{b.taken + uint64(size), now, *legs}
	b.n++
}

// Pass notes that unsent bytes are in the port. What left it once does not come back: a
// driver that counts too much is believed when it counts least.
func (b *Backlog) Pass(unsent int) {
	if unsent < 0 || uint64(unsent) > b.taken {
		return
	}
	b.left = max(b.left, b.taken-uint64(unsent))
	gone := 0
	for gone < b.n && b.waiting[gone].end <= b.left {
		gone++
	}
	if gone > 0 {
		b.drop(gone)
	}
}

// drop takes the oldest demands out; the controller was told them.
func (b *Backlog) drop(count int) {
	b.heard = b.waiting[count-1].legs
	b.n = copy(b.waiting[:], b.waiting[count:b.n])
}

// Late reports that a demand has waited in the port for longer than limit.
func (b *Backlog) Late(now, limit time.Duration) bool {
	return b.n > 0 && now-b.waiting[0].at > limit
}
