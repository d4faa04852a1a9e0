package motion

import (
	"sync"
	"time"

	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/test/vm/mono"
)

// heard is bytes from the host, and when the last of them came.
type heard struct {
	at    time.Duration // CLOCK_MONOTONIC
	bytes []byte
}

// board is a simulated controller with a line that may be disturbed, and the
// tape of what it heard.
type board struct {
	simulated.Controller

	mu     sync.Mutex
	tape   []heard
	every  uint32 // one of so many bytes is changed, in both ways; 0: none
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
	const longest = 100 * time.Millisecond // a machine that slept must not make it leap
	return b.carried(b.Controller.Advance(min(d, longest)))
}

// disturb lets one of so many bytes change, in both ways; 0: none.
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

// carry returns in as it arrives at the other end of the line.
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

// heardSince returns the tape from a moment on.
func (b *board) heardSince(at time.Duration) []heard {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := len(b.tape)
	for i > 0 && b.tape[i-1].at >= at {
		i--
	}
	return append([]heard(nil), b.tape[i:]...)
}
