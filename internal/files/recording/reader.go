package recording

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"rig.example/rig/internal/core/drive"
)

// Recording is a recording that was opened for reading. Its blocks are read one by one.
type Recording struct {
	Header Header
	Blocks []Entry // in order of time
	Whole  bool    // the file has its index; false if whatever wrote it was ended
	Damage string  // what cannot be read, on one line; "" for nothing

	file    *os.File
	zstd    *zstd.Decoder
	summary *Summary // nil if the file has none

	declarations []declaration
}

// Entry tells where a block is.
type Entry struct {
	First, Next uint64 // its first tick, and the tick after its last message's
	at, size    int64  // of its record in the file [bytes]
}

// Limits of what a recording may make a reader set aside [bytes].
const (
	maxRecord = 64 << 20
	maxChunk  = 256 << 20
)

const repairHint = "`rig replay --repair` writes a whole file"

// Open opens a recording. What is whole in a damaged one can be read, and Damage says what cannot.
func Open(path string) (*Recording, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not wait for the writer of a pipe
	if err != nil {
		return nil, err
	}
	r := &Recording{file: f}
	if err := r.index(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return r, nil
}

// Close closes the file.
func (r *Recording) Close() error {
	if r.zstd != nil {
		r.zstd.Close()
	}
	return r.file.Close()
}

// Length returns the number of ticks up to the last one that can be read.
func (r *Recording) Length() uint64 {
	if len(r.Blocks) == 0 {
		return 0
	}
	for _, e := range slices.Backward(r.Blocks) {
		if d, err := r.Block(e); err == nil && d.Count > 0 {
			return d.First + uint64(d.Count)
		}
	}
	return r.Blocks[len(r.Blocks)-1].Next // about: without inputs only its samples tell, which are some ticks apart
}

// index finds the header and the blocks by going through the records.
func (r *Recording) index() (err error) {
	if r.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxChunk)); err != nil {
		return err
	}
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file; name a recording")
	}
	magic := make([]byte, len(mcap.Magic))
	if _, err := io.ReadFull(r.file, magic); err != nil || !slices.Equal(magic, mcap.Magic) {
		return errors.New("no recording of rig: it does not begin as an MCAP file; name one that `rig ls` lists")
	}
	at := int64(len(magic))
	known := false
	for at < info.Size() && r.Damage == "" && !r.Whole {
		var head [9]byte
		if _, err := r.file.ReadAt(head[:], at); err != nil {
			if info.Size()-at > 0 {
				r.Damage = fmt.Sprintf("ends within a record at byte %d; "+repairHint, at)
			}
			break
		}
		op, size := mcap.OpCode(head[0]), int64(min(binary.LittleEndian.Uint64(head[1:]), 1<<62))
		if at+9+size > info.Size() {
			r.Damage = fmt.Sprintf("ends within a record at byte %d; "+repairHint, at)
			break
		}
		switch op {
		case mcap.OpMetadata:
			if known {
				r.readSummary(at+9, size)
			} else if err := r.readHeader(at+9, size); err != nil {
				return err
			}
			known = true
		case mcap.OpChunk:
			if !known {
				return errors.New("no recording of rig: it lacks its header")
			}
			r.addChunk(at+9, size)
		case mcap.OpSchema, mcap.OpChannel:
			if len(r.Blocks) == 0 {
				r.declarations = append(r.declarations, declaration{op, at + 9, size})
			}
		case mcap.OpFooter:
			r.Whole = true
		case 0:
			r.Damage = fmt.Sprintf("no record at byte %d; "+repairHint, at)
		}
		at += 9 + size
	}
	if !known {
		return errors.New("no recording of rig: it lacks its header")
	}
	if !r.Whole && r.Damage == "" {
		r.Damage = "lacks its index: whatever recorded it was ended; " + repairHint
	}
	return nil
}

func (r *Recording) read(at, size int64) ([]byte, error) {
	if size > maxRecord {
		return nil, fmt.Errorf("a record of %d bytes at byte %d is larger than any of rig", size, at)
	}
	b := make([]byte, size)
	_, err := r.file.ReadAt(b, at)
	return b, err
}

func (r *Recording) readHeader(at, size int64) error {
	b, err := r.read(at, size)
	if err != nil {
		return err
	}
	m, err := mcap.ParseMetadata(b)
	if err != nil || m.Name != headerName {
		return errors.New("no recording of rig: another program wrote it")
	}
	if err := json.Unmarshal([]byte(m.Metadata[headerKey]), &r.Header); err != nil {
		return fmt.Errorf("its header cannot be read: %w", err)
	}
	if rate := r.Header.Rate; r.Header.Format == Version && (rate < 1 || rate > 1000 || 1000%rate != 0) {
		return fmt.Errorf("its header is damaged: %d samples a second do not divide 1000", rate)
	}
	if f := r.Header.Format; f != Version {
		return fmt.Errorf("it has format %d, and this rig reads %d; use the rig that recorded it, %s", f, Version, r.Header.Version)
	}
	return nil
}

// readSummary reads the summary, if that is what is there.
func (r *Recording) readSummary(at, size int64) {
	b, err := r.read(at, size)
	if err != nil {
		return
	}
	var s Summary
	if m, err := mcap.ParseMetadata(b); err == nil && m.Name == summaryName && json.Unmarshal([]byte(m.Metadata[summaryKey]), &s) == nil {
		r.summary = &s
	}
}

// addChunk adds a chunk whose record is at a place of the file.
func (r *Recording) addChunk(at, size int64) {
	var times [16]byte
	if _, err := r.file.ReadAt(times[:], at); err != nil || size < 40 {
		return
	}
	first, ok := r.tickOf(binary.LittleEndian.Uint64(times[:]))
	last, fits := r.tickOf(binary.LittleEndian.Uint64(times[8:]))
	if ok && fits && last >= first {
		r.Blocks = append(r.Blocks, Entry{first, last + 1, at, size})
	}
}

// tickOf returns the tick at a time of MCAP.
func (r *Recording) tickOf(t uint64) (uint64, bool) {
	began := r.Header.time(0)
	return (t - began) / uint64(tickTime), t >= began
}

// Data is what a block holds.
type Data struct {
	First     uint64 // tick of the first inputs
	Count     int    // ticks
	Snapshots []Snapshot
	Hashes    []Hash
	Events    []Event
	Laps      []Lap
	Samples   []Sample
	Missing   uint64 // ticks that are missing before it

	changes []byte
	coder   *changeCoder
	chunk   *mcap.Chunk
	records []byte
}

// Snapshot is the whole state before a tick.
type Snapshot struct {
	Tick  uint64
	State []byte // of drive.State.Append
}

// Hash is the hash of the state before a tick.
type Hash struct{ Tick, Hash uint64 }

// Event is something that happened in a tick.
type Event struct {
	Tick       uint64
	Kind, Text string
}

// Lap is a lap that ended in a tick.
type Lap struct {
	Tick    uint64
	Number  int
	Time    float64 // [s]
	Valid   bool
	Sectors []float64 // [s]
}

// Sample is the values of a group of channels after a tick.
type Sample struct {
	Tick   uint64
	Group  int // number of the group
	Values []float32
}

// Next sets in to the inputs of the next tick. It returns false after the last one.
func (d *Data) Next(in *drive.Inputs) (bool, error) {
	if len(d.changes) == 0 {
		return false, nil
	}
	rest, err := d.coder.next(d.changes, in)
	d.changes = rest
	return err == nil, err
}

// Block reads a block.
func (r *Recording) Block(e Entry) (d *Data, err error) {
	defer func() { // the library trusts the lengths in a chunk
		if bad := recover(); bad != nil {
			d, err = nil, fmt.Errorf("the block at %d ms is damaged: %v", e.First, bad)
		}
	}()
	b, err := r.read(e.at, e.size)
	if err != nil {
		return nil, err
	}
	c, err := mcap.ParseChunk(b)
	if err != nil {
		return nil, fmt.Errorf("the block at %d ms: %w", e.First, err)
	}
	if c.UncompressedSize > maxChunk || c.Compression != string(mcap.CompressionZSTD) {
		return nil, fmt.Errorf("the block at %d ms is none of rig's", e.First)
	}
	records, err := r.zstd.DecodeAll(c.Records, nil)
	if err != nil {
		return nil, fmt.Errorf("the block at %d ms: %w", e.First, err)
	}
	if crc32.ChecksumIEEE(records) != c.UncompressedCRC {
		return nil, fmt.Errorf("the block at %d ms is damaged: its checksum differs", e.First)
	}
	d = &Data{coder: newChangeCoder(), chunk: c, records: records}
	if err := r.parse(d, records); err != nil {
		return nil, fmt.Errorf("the block at %d ms: %w", e.First, err)
	}
	if d.Count > 0 && d.First != e.First {
		return nil, fmt.Errorf("the block at %d ms is damaged: its inputs are those of %d ms", e.First, d.First)
	}
	return d, nil
}
