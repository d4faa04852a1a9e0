// Package page is a page of shared memory with the newest frame, which any number of processes
// may read.
//
// The loop writes the frame and never waits. The supervisor writes the scene once, before the
// first reader starts, and the notice now and then. The page has no name and cannot change
// its size: watchers get a descriptor of it over a socket, and can only read. The keys lie in
// a second memory, which only the loop and its own display have.
//
// A display that dies is started again once while the rig moves, then only while it is released; 2 s without a picture
// end the drive (internal/rig/view.go, internal/drive/window.go).
package page

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/printable"
)

// Version is the layout's number; a reader of another one refuses.
const Version = 10

const magic = 0x31454d4152464752 // "RGFRAME1"

const noticeWords = 96 // 768 bytes

// layout is the page as it lies in memory. Words only, all accessed atomically.
type layout struct {
	magic   uint64
	version uint64
	size    uint64 // of layout: tells a page cut short
	pid     uint64 // of the writer

	seq   uint64 // odd while frame is being written
	frame [frameWords]uint64

	ended uint64 // 1 in good order, 2 with a failure that the notice tells; 0 while the rig runs

	noticeSeq uint64
	notice    [noticeWords]uint64

	sceneSeq  uint64
	sceneSize uint64 // of the scene [bytes]
	scene     [sceneWords]uint64
}

// keyLayout is what the display writes back, in a memory of its own: watchers never see it.
type keyLayout struct {
	keys uint64
	beat uint64 // pictures shown: grows while the display lives
}

const (
	frameWords = int(unsafe.Sizeof(frame.Frame{}) / 8)
	sceneWords = sceneMost/8 + 1
	pageSize   = int(unsafe.Sizeof(layout{}))
	keysSize   = int(unsafe.Sizeof(keyLayout{}))
)

// ErrVersion tells that a page was written by another version of rig.
var ErrVersion = errors.New("page of another version")

// Page is one mapping of the shared page.
type Page struct {
	l    *layout
	k    *keyLayout // nil for a watcher
	mem  [][]byte
	file *os.File // the state, for reading only
	keys *os.File // nil for a watcher
}

// New makes a page in memory that has no name, and writes it until Close. Socket.Serve gives
// it to watchers, Files to the display.
func New() (*Page, error) {
	p := &Page{}
	mem, err := p.allocate(&p.file, "rig-page", pageSize, sealState)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.l = (*layout)(unsafe.Pointer(&mem[0]))
	if mem, err = p.allocate(&p.keys, "rig-keys", keysSize, sealSize); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.k = (*keyLayout)(unsafe.Pointer(&mem[0]))
	if err := p.readOnly(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	atomic.StoreUint64(&p.l.version, Version)
	atomic.StoreUint64(&p.l.size, uint64(pageSize))
	atomic.StoreUint64(&p.l.pid, uint64(os.Getpid()))
	atomic.StoreUint64(&p.l.magic, magic)
	return p, nil
}

// allocate makes a memory and maps it for writing.
func (p *Page) allocate(to **os.File, name string, size, seals int) ([]byte, error) {
	f, mem, err := newMemory(name, size, seals)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	*to = f
	p.mem = append(p.mem, mem)
	return mem, nil
}

// readOnly exchanges the state's descriptor for one that cannot write.
func (p *Page) readOnly() error {
	f, err := os.Open(fmt.Sprintf("/proc/thread-self/fd/%d", p.file.Fd()))
	if err != nil {
		return fmt.Errorf("page: %w; is /proc mounted?", err)
	}
	err = p.file.Close()
	p.file = f
	return err
}

// Files are what a display inherits: the state for reading, and the keys.
func (p *Page) Files() []*os.File { return []*os.File{p.file, p.keys} }

// Inherit maps the page of a rig that started this process, from the descriptors that Files
// returned there.
func Inherit(state, keys *os.File) (*Page, error) {
	p, err := watch(state, "descriptor "+state.Name())
	if err != nil {
		return nil, errors.Join(err, keys.Close())
	}
	p.keys = keys
	if err := checkMemory(keys, keysSize, sealSize); err != nil {
		return nil, errors.Join(fmt.Errorf("page: keys: %w", err), p.Close())
	}
	mem, err := mapMemory(keys, keysSize, true)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("page: keys: %w", err), p.Close())
	}
	p.mem = append(p.mem, mem)
	p.k = (*keyLayout)(unsafe.Pointer(&mem[0]))
	return p, nil
}

// watch maps a page that came from where for reading. It owns f, also when it fails.
func watch(f *os.File, where string) (*Page, error) {
	p := &Page{file: f}
	if err := check(f, where); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	mem, err := mapMemory(f, pageSize, false)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("page: %s: %w", where, err), p.Close())
	}
	p.mem, p.l = [][]byte{mem}, (*layout)(unsafe.Pointer(&mem[0]))
	return p, nil
}

// check refuses what is not a whole page of this version, and what its writer or another
// reader could cut short, before it is mapped.
func check(f *os.File, where string) error {
	h := [3]uint64{}
	b := (*[24]byte)(unsafe.Pointer(&h))
	if n, err := f.ReadAt(b[:], 0); err != nil || h[0] != magic {
		return fmt.Errorf("page: %s: no page of rig in its first %d bytes: %w; restart both sides from one build", where, n, ErrVersion)
	}
	if h[1] != Version || h[2] != uint64(pageSize) {
		return fmt.Errorf("page: %s is version %d of %d bytes, this rig reads version %d of %d: %w; restart both sides from one build",
			where, h[1], h[2], Version, pageSize, ErrVersion)
	}
	if err := checkMemory(f, pageSize, sealState); err != nil {
		return fmt.Errorf("page: %s: %w", where, err)
	}
	return nil
}

// Close unmaps the page, which late readers keep.
func (p *Page) Close() error {
	var all error
	for _, mem := range p.mem {
		all = errors.Join(all, unmapMemory(mem))
	}
	for _, f := range []*os.File{p.file, p.keys} {
		if f != nil {
			all = errors.Join(all, f.Close())
		}
	}
	*p = Page{}
	return all
}

// Writer returns the process that owns the page.
func (p *Page) Writer() int { return int(atomic.LoadUint64(&p.l.pid)) }

// Publish makes f the newest frame. It neither waits nor allocates.
func (p *Page) Publish(f *frame.Frame) {
	write(&p.l.seq, p.l.frame[:], (*[frameWords]uint64)(unsafe.Pointer(f))[:])
}

// Read copies the newest whole frame into f. It reports false, and leaves f as it was, if none was
// published yet, or if the writer kept changing it (as it does when it died in a write).
func (p *Page) Read(f *frame.Frame) bool {
	var newest frame.Frame
	if !read(&p.l.seq, (*[frameWords]uint64)(unsafe.Pointer(&newest))[:], p.l.frame[:]) {
		return false
	}
	*f = newest
	return true
}

// Seq is the number of frames published so far: it stands still when the loop does.
func (p *Page) Seq() uint64 { return atomic.LoadUint64(&p.l.seq) / 2 }

// SetKeys says which keys are down and that one more picture was shown. A watcher's keys go
// nowhere.
func (p *Page) SetKeys(keys uint64) {
	if p.k == nil {
		return
	}
	atomic.StoreUint64(&p.k.keys, keys)
	atomic.AddUint64(&p.k.beat, 1)
}

// Keys returns the keys that are down and a count that grows while the
// display lives: keys of a display that died must not drive. A watcher sees neither.
func (p *Page) Keys() (keys, beat uint64) {
	if p.k == nil {
		return 0, 0
	}
	return atomic.LoadUint64(&p.k.keys), atomic.LoadUint64(&p.k.beat)
}

// SetNotice shows a line to the driver; the first 768 bytes count.
func (p *Page) SetNotice(s string) {
	var b [noticeWords * 8]byte
	copy(b[:], strings.ToValidUTF8(s[:min(len(s), len(b))], "")) // no letter cut in two
	write(&p.l.noticeSeq, p.l.notice[:], (*[noticeWords]uint64)(unsafe.Pointer(&b))[:])
}

// Notice returns the line that SetNotice showed last.
func (p *Page) Notice() string {
	var w [noticeWords]uint64
	if !read(&p.l.noticeSeq, w[:], p.l.notice[:]) {
		return ""
	}
	b := (*[noticeWords * 8]byte)(unsafe.Pointer(&w))
	n := 0
	for n < len(b) && b[n] != 0 {
		n++
	}
	return printable.Line(string(b[:n]))
}

// End tells watchers that the rig has ended, and why it failed, "" if it did not: the newest
// frame is its last one. Nothing is published after that.
func (p *Page) End(failure string) {
	p.SetNotice(failure)
	ended := uint64(1)
	if failure != "" {
		ended = 2
	}
	atomic.StoreUint64(&p.l.ended, ended)
}

// Ended reports whether the rig has ended, and why it failed, "" if it did not.
func (p *Page) Ended() (failure string, ended bool) {
	switch atomic.LoadUint64(&p.l.ended) {
	case 0:
		return "", false
	case 1:
		return "", true
	}
	return p.Notice(), true
}

// WriterLives reports whether the process that owns the page has not ended, whoever runs it.
// One that is stopped lives; one whose parent has not heard of its end does not.
func (p *Page) WriterLives() bool {
	pid := p.Writer()
	if pid <= 0 {
		return false
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return !errors.Is(err, unix.ESRCH) && !errors.Is(unix.Kill(pid, 0), unix.ESRCH)
	}
	defer unix.Close(fd)
	fds := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds[:], 0)
	return err != nil || n == 0
}

// SetScene stores what stands still.
func (p *Page) SetScene(s *frame.Scene) error {
	b, err := encode(s)
	if err != nil {
		return err
	}
	w := make([]uint64, (len(b)+7)/8)
	for i := range w {
		var word [8]byte
		copy(word[:], b[8*i:])
		w[i] = binary.LittleEndian.Uint64(word[:])
	}
	atomic.StoreUint64(&p.l.sceneSize, uint64(len(b)))
	write(&p.l.sceneSeq, p.l.scene[:], w)
	return nil
}

// Scene returns what SetScene stored, and false if there is none yet.
func (p *Page) Scene() (*frame.Scene, bool) {
	size := atomic.LoadUint64(&p.l.sceneSize)
	if size == 0 || size > uint64(8*sceneWords) {
		return nil, false
	}
	w := make([]uint64, (size+7)/8)
	if !read(&p.l.sceneSeq, w, p.l.scene[:]) {
		return nil, false
	}
	b := make([]byte, 0, 8*len(w))
	for _, v := range w {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	s, err := decodeScene(b[:size])
	return s, err == nil
}

// write is the sequence lock's only writer side: one writer per lock.
func write(seq *uint64, dst, src []uint64) {
	n := atomic.LoadUint64(seq) | 1
	atomic.StoreUint64(seq, n)
	for i, v := range src {
		atomic.StoreUint64(&dst[i], v)
	}
	atomic.StoreUint64(seq, n+1)
}

// read tries a bounded number of times: a writer that died must not hang a reader. What is in dst
// where it reports false is no whole copy.
func read(seq *uint64, dst, src []uint64) bool {
	for range 1000 {
		a := atomic.LoadUint64(seq)
		if a == 0 {
			return false
		}
		if a&1 == 1 {
			continue
		}
		for i := range dst {
			dst[i] = atomic.LoadUint64(&src[i])
		}
		if atomic.LoadUint64(seq) == a {
			return true
		}
	}
	return false
}
