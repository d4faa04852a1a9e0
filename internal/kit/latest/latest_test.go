package latest

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// sample is larger than a cache line, so that a torn copy would show.
type sample struct{ words [32]uint64 }

func sampleOf(n uint64) (s sample) {
	for i := range s.words {
		s.words[i] = n * uint64(i+1)
	}
	return s
}

func TestAnEmptyCellGivesNothing(t *testing.T) {
	var c Cell[sample]
	v := sampleOf(7)
	if n := c.Get(&v); n != 0 || v != sampleOf(7) {
		t.Errorf("an empty cell gave number %d and changed the value", n)
	}
}

func TestTheNewestValueWins(t *testing.T) {
	var c Cell[sample]
	for n := uint64(1); n <= 5; n++ {
		v := sampleOf(n)
		c.Put(&v)
	}
	var v sample
	if n := c.Get(&v); n != 5 || v != sampleOf(5) || c.Number() != 5 {
		t.Errorf("got number %d of %d with %v, want 5 of 5", n, c.Number(), v.words[0])
	}
}

// A writer that stops in the middle of its third value has changed words of the slot that its
// first one had; the second is still whole.
func TestAWriterThatDiedInAWriteLeavesTheValueBefore(t *testing.T) {
	var c Cell[sample]
	one, two := sampleOf(1), sampleOf(2)
	c.Put(&one)
	c.Put(&two)
	atomic.StoreUint64(&wordsOf(&c.slots[1])[3], 99)
	var v sample
	if n := c.Get(&v); n != 2 || v != sampleOf(2) {
		t.Errorf("got number %d, %v", n, v.words)
	}
}

// Four readers hammer a cell that is written without rest: each value is whole, and none is
// older than the one before. Under the race detector this also proves the accesses.
func TestReadersMeetWholeValuesInOrder(t *testing.T) {
	var c Cell[sample]
	const values = 150_000 // enough that readers and writer are often preempted in the middle
	var readers sync.WaitGroup
	var torn, back atomic.Int64
	for range 4 {
		readers.Go(func() {
			var v sample
			for last := uint64(0); last < values; {
				n := c.Get(&v)
				if n == 0 {
					continue
				}
				if v != sampleOf(n) {
					torn.Add(1)
				}
				if n < last {
					back.Add(1)
				}
				last = n
			}
		})
	}
	for n := uint64(1); n <= values; n++ {
		v := sampleOf(n)
		c.Put(&v)
	}
	readers.Wait()
	if torn.Load() != 0 || back.Load() != 0 {
		t.Errorf("%d torn values, %d older than the one before", torn.Load(), back.Load())
	}
}

func TestPutAndGetAllocateNothing(t *testing.T) {
	var c Cell[sample]
	var v sample
	if n := testing.AllocsPerRun(100, func() { c.Put(&v); c.Get(&v) }); n != 0 {
		t.Errorf("%g allocations, want 0", n)
	}
}

func TestTypesThatCannotBeCopiedByWordsAreRefused(t *testing.T) {
	for name, put := range map[string]func(){
		"a pointer":      func() { new(Cell[*int]).Put(new(*int)) },
		"a string":       func() { new(Cell[struct{ s string }]).Put(&struct{ s string }{}) },
		"half a word":    func() { new(Cell[int32]).Put(new(int32)) },
		"an unsafe hole": func() { new(Cell[[2]unsafe.Pointer]).Put(&[2]unsafe.Pointer{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r, _ := recover().(string); !strings.Contains(r, "8-byte words") {
					t.Errorf("Put panicked with %q, want a refusal", r)
				}
			}()
			put()
		})
	}
}

func TestFloatKeepsEveryValue(t *testing.T) {
	var f Float
	if f.Load() != 0 {
		t.Errorf("a new Float is %g, want 0", f.Load())
	}
	for _, v := range []float64{-1.5, 0, 1e300} {
		if f.Store(v); f.Load() != v {
			t.Errorf("stored %g, loaded %g", v, f.Load())
		}
	}
}

func BenchmarkPut(b *testing.B) {
	var c Cell[sample]
	var v sample
	b.ReportAllocs()
	for range b.N {
		c.Put(&v)
	}
}
