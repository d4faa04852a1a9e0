// Package latest passes the newest value from one goroutine, or process, to others without locks.
//
// The input is a value whenever the writer has one; the output is the newest complete value and its
// number. Values that were not read in time are lost. A cell never blocks, allocates or calls back, and a
// reader never gets a value that is half written, even if the writer was preempted or died in a write.
package latest

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Cell holds the newest value of a type that Put accepts. The zero Cell is empty. One goroutine puts; any
// number get. It has no pointers, so it may lie in memory that processes share.
type Cell[T any] struct {
	number uint64 // how many values were put; the newest is in slots[number%2]
	slots  [2]T   // accessed as words, each of which is whole
}

// Put copies *v into the cell as the newest value. The first Put panics unless T consists of numbers (uintptr is
// none) and booleans, is aligned to 8 bytes and has a size that is a multiple of 8 bytes.
func (c *Cell[T]) Put(v *T) {
	n := atomic.LoadUint64(&c.number)
	if n == 0 {
		mustBeWords(reflect.TypeFor[T]())
	}
	n++
	storeWords(wordsOf(&c.slots[n%2]), wordsOf(v))
	atomic.StoreUint64(&c.number, n)
}

// Get copies the newest value into v and returns its number, counted from 1. It returns 0 and leaves v as it
// was if nothing was put yet.
//
// A writer that is slow or stopped does not disturb Get, because it writes to the other slot. The copy
// is repeated only if values were put meanwhile; after maxTries attempts Get returns 0.
func (c *Cell[T]) Get(v *T) (number uint64) {
	var copied T
	words := wordsOf(&copied)
	for range maxTries {
		n := atomic.LoadUint64(&c.number)
		if n == 0 {
			return 0
		}
		for i, slot := 0, wordsOf(&c.slots[n%2]); i < len(words); i++ {
			words[i] = atomic.LoadUint64(&slot[i])
		}
		if atomic.LoadUint64(&c.number) == n {
			*v = copied
			return n
		}
	}
	return 0
}

// Number returns how many values were put.
func (c *Cell[T]) Number() uint64 { return atomic.LoadUint64(&c.number) }

// maxTries limits the attempts of Get while a writer puts values without pause.
const maxTries = 1000

// wordsOf returns the memory of v as 8-byte words.
func wordsOf[T any](v *T) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(v)), unsafe.Sizeof(*v)/8)
}

// mustBeWords panics if a value of type t cannot be copied as 8-byte words. Pointers are forbidden because
// the garbage collector would not notice their copies.
func mustBeWords(t reflect.Type) {
	if t.Size()%8 != 0 || t.Align() != 8 || !isPlain(t) {
		panic(fmt.Sprintf("latest: %v is not made of whole 8-byte words without pointers", t))
	}
}

// isPlain reports whether t consists of numbers and booleans only. A uintptr counts as a pointer.
func isPlain(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return isPlain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isPlain(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return reflect.Bool <= k && k <= reflect.Complex128 && k != reflect.Uintptr
	}
}
