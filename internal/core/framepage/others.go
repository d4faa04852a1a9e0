package framepage

import (
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/latest"
)

// OthersVersion is the number of the layout of the memory of Others.
const OthersVersion = 1

const othersMagic = 0x31535245_48544f52 // "ROTHERS1"

// othersLayout is the memory layout of Others, in words of 8 bytes.
type othersLayout struct {
	magic, version, size uint64

	others latest.Cell[frame.Others]
}

const othersSize = int(unsafe.Sizeof(othersLayout{}))

// Others is one mapping of the memory in which the process of a session leaves the other cars for the window. The
// loop has no part in it.
type Others struct {
	layout  *othersLayout
	mapping []byte
	file    *os.File
	reading *os.File // read-only descriptor; nil unless this process created the memory
}

// NewOthers creates the memory, which exists until Close.
func NewOthers() (*Others, error) {
	f, mem, err := newMemory("rig-others", othersSize, sealSize)
	if err != nil {
		return nil, fmt.Errorf("page: others: %w", err)
	}
	o := &Others{layout: (*othersLayout)(unsafe.Pointer(&mem[0])), mapping: mem, file: f}
	if o.reading, err = readOnly(f); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	o.layout.version, o.layout.size = OthersVersion, uint64(othersSize)
	atomic.StoreUint64(&o.layout.magic, othersMagic)
	return o, nil
}

// File returns the descriptor that the process of the session inherits, to write.
func (o *Others) File() *os.File { return o.file }

// InheritOthers maps the memory that another process created, to write to it or only to read it. It takes ownership of f.
func InheritOthers(f *os.File, write bool) (*Others, error) {
	o := &Others{file: f}
	if err := checkOthers(f); err != nil {
		return nil, errors.Join(err, o.Close())
	}
	mem, err := mapMemory(f, othersSize, write)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("page: others: %w", err), o.Close())
	}
	o.mapping, o.layout = mem, (*othersLayout)(unsafe.Pointer(&mem[0]))
	return o, nil
}

// checkOthers returns an error unless f is a memory of this version whose size nobody can change.
func checkOthers(f *os.File) error {
	h := [3]uint64{}
	b := (*[24]byte)(unsafe.Pointer(&h))
	if _, err := f.ReadAt(b[:], 0); err != nil || h != [3]uint64{othersMagic, OthersVersion, uint64(othersSize)} {
		return fmt.Errorf("page: %s: not the memory of other cars, or of another version: %w; restart both sides from one build", f.Name(), ErrVersion)
	}
	if err := checkMemory(f, othersSize, sealSize); err != nil {
		return fmt.Errorf("page: others: %w", err)
	}
	return nil
}

// Put stores v as the newest value. It never waits and does not allocate.
func (o *Others) Put(v *frame.Others) { o.layout.others.Put(v) }

// Get copies the newest value to v and cleans it: the process that wrote it is not trusted. It returns false and does not change v if none was
// stored yet.
func (o *Others) Get(v *frame.Others) bool {
	if o.layout.others.Get(v) == 0 {
		return false
	}
	v.Clean()
	return true
}

// Close unmaps the memory and closes its descriptors. Other processes keep their mappings.
func (o *Others) Close() error {
	var all error
	if o.mapping != nil {
		all = unmapMemory(o.mapping)
	}
	for _, f := range []*os.File{o.file, o.reading} {
		if f != nil {
			all = errors.Join(all, f.Close())
		}
	}
	*o = Others{}
	return all
}
