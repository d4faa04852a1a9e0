package motion

import (
	"sync"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/test/vm/mono"
)

// heard holds bytes from the host, and the time at which the last of them arrived.
type heard struct {
	at    time.Duration // CLOCK_MONOTONIC
	bytes []byte
}

// board is a simulated controller whose line may corrupt bytes, with a recording of the bytes received.
type board struct {
	simulated.Controller

	mu     sync.Mutex
	tape   []heard
	every  uint32 // one of this many bytes is corrupted, in both directions; 0: none
	random uint32
}

func (b *board) Handle(in []byte) []byte {
	b.mu.Lock()
	in = b.carry(in)
	b.tape = append(b.tape, heard{mono.Now(), in})
	b.mu.Unlock()
	return b.carried(b.Controller.Handle(in))
}

func (b *board) Advance(d time.Duration) []byte {
	const longest = 100 * time.Millisecond // after a pause of the machine the board must not jump
	return b.carried(b.Controller.Advance(min(d, longest)))
}

// disturb makes the line corrupt one of this many bytes, in both directions; 0: none.
func (b *board) disturb(every uint32) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.every = every
}

func (b *board) carried(out []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.carry(out)
}

// carry returns the bytes that arrive when in is sent over the line.
func (b *board) carry(in []byte) []byte {
	out := append([]byte(nil), in...)
	for i := range out {
		b.random = b.random*1664525 + 1013904223 // Numerical Recipes, section 7.1
		if b.every > 0 && b.random>>8%b.every == 0 {
			out[i] = byte(b.random >> 24)
		}
	}
	return out
}

// heardSince returns the recording since a time.
func (b *board) heardSince(at time.Duration) []heard {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := len(b.tape)
	for i > 0 && b.tape[i-1].at >= at {
		i--
	}
	return append([]heard(nil), b.tape[i:]...)
}
