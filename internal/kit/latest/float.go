package latest

import (
	"math"
	"sync/atomic"
)

// Float is a float64 that any goroutine may store and load. The zero Float is 0.
type Float struct{ bits atomic.Uint64 }

// Store sets the value.
func (f *Float) Store(v float64) { f.bits.Store(math.Float64bits(v)) }

// Load returns the value stored last.
func (f *Float) Load() float64 { return math.Float64frombits(f.bits.Load()) }
