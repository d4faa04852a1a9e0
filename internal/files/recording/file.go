package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/drive"
)

// Options are the options of a Recorder.
type Options struct {
	File           string  // path of the recording; "" keeps only the black box
	FreeGB         float64 // the recording ends where the disk has less than that [GB]
	BlackBoxFolder string  // "" for no black box
	BlackBoxBytes  int     // memory of the black box
	KeepBlackBoxes int     // files of it that are kept

	Cause  func(drive.Change) string // text of a transition's cause
	Notify func(text string)         // tells the operator something, from any goroutine
}

// queueBlocks is how many blocks may wait for the disk: 10 s.
const queueBlocks = 20

// file writes blocks to a file, on a goroutine of its own, because a disk may be slow or full.
type file struct {
	path   string
	isPipe bool
	free   float64
	notify func(string)
	out    *os.File
	buffer *bufio.Writer
	writer *Writer
	queue  chan *Block
	done   chan struct{}
	skip   bool          // a block was lost, and none that begins with a snapshot has followed yet
	ended  atomic.Bool   // nothing more is written
	lost   atomic.Uint64 // ticks that were lost
	bytes  atomic.Uint64 // written so far, about
	err    error         // why the file is not whole

	closeTime time.Duration // how long the end of a drive waits for the disk
}

// create creates the file of a recording, which only its owner may read.
func create(o Options, h *Header, list []channels.Channel) (*file, error) {
	if err := os.MkdirAll(filepath.Dir(o.File), 0o700); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	info, err := os.Stat(o.File)
	isPipe := err == nil && info.Mode()&fs.ModeNamedPipe != 0
	if isPipe {
		flags = os.O_RDWR // does not wait for a reader
	}
	out, err := os.OpenFile(o.File, flags|syscall.O_NOCTTY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("recording: %s is there already; name a new file", o.File)
	}
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	f := &file{path: o.File, isPipe: isPipe, free: o.FreeGB, notify: o.Notify, out: out, buffer: bufio.NewWriterSize(out, 1<<20),
		queue: make(chan *Block, queueBlocks), done: make(chan struct{}), closeTime: 5 * time.Second}
	if f.writer, err = NewWriter(f.buffer, h, list); err != nil {
		return nil, errors.Join(fmt.Errorf("recording: %s: %w", o.File, err), out.Close())
	}
	go f.run()
	return f, nil
}

// put hands over a block without waiting. It reports false if a block that begins with a snapshot is needed, because
// others were lost.
func (f *file) put(b *Block) bool {
	if f.ended.Load() {
		return true
	}
	if f.skip && !b.Snapshot {
		f.lost.Add(b.Next - b.First)
		return false
	}
	b.queued.Store(true)
	select {
	case f.queue <- b:
		f.skip = false
		return true
	default:
		b.queued.Store(false)
		f.skip = true
		f.lost.Add(b.Next - b.First)
		return false
	}
}

// wait returns when no block waits for the disk, or nothing more is written.
func (f *file) wait() {
	for len(f.queue) > 0 && !f.ended.Load() {
		time.Sleep(time.Millisecond)
	}
}

// run writes the blocks, and lets the disk keep them once a second.
func (f *file) run() {
	defer close(f.done)
	_ = f.buffer.Flush() // the header; the buffer keeps an error, and the first block's write returns it
	synced := time.Now()
	for b := range f.queue {
		if f.err == nil {
			f.err = f.write(b)
		} else {
			f.lost.Add(b.Next - b.First)
		}
		b.queued.Store(false)
		if f.err == nil && time.Since(synced) >= time.Second {
			synced = time.Now()
			f.err = f.sync()
		}
		if f.err != nil && !f.ended.Swap(true) {
			f.tell(fmt.Sprintf("recording ends: %s: %v", f.path, f.err))
		}
	}
}

func (f *file) write(b *Block) error {
	if err := f.checkFree(); err != nil {
		return err
	}
	if err := f.writer.Write(b); err != nil {
		return err
	}
	f.bytes.Add(uint64(b.Size()))
	return f.buffer.Flush()
}

// checkFree returns an error if the disk is nearly full.
func (f *file) checkFree() error {
	const gigabyte = 1e9
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.out.Fd()), &disk); err != nil {
		return nil // unknown: let the write tell
	}
	if left := float64(disk.Bavail) * float64(disk.Bsize); left < f.free*gigabyte {
		return fmt.Errorf("the disk has %.1f GB left, and record.free_gb is %g; free some space", left/gigabyte, f.free)
	}
	return nil
}

// sync lets the disk keep what was written. A pipe keeps nothing.
func (f *file) sync() error {
	if err := f.out.Sync(); !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// tell tells the operator something.
func (f *file) tell(text string) {
	if f.notify != nil {
		f.notify(text)
	}
}

// close writes what waits and ends the file.
func (f *file) close() error {
	close(f.queue)
	select {
	case <-f.done:
	case <-time.After(f.closeTime):
		return fmt.Errorf("recording: %s: the disk did not take the rest within %v", f.path, f.closeTime)
	}
	err := f.err
	if err == nil {
		err = errors.Join(f.writer.Close(), f.buffer.Flush(), f.sync())
	}
	if err = errors.Join(err, f.out.Close()); err != nil {
		return fmt.Errorf("recording: %s: %w", f.path, err)
	}
	return nil
}
