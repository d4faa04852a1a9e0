package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Version is the layout's number; a reader of another one refuses.
const Version = 8

const magic = 0x31454d4152464752 // "RGFRAME1"

const noticeWords = 40 // 320 bytes

// layout is the page as it lies in memory. Words only, all accessed atomically.
type layout struct {
	magic   uint64
	version uint64
	size    uint64 // of layout: tells a page cut short
	pid     uint64 // of the writer

	seq   uint64 // odd while frame is being written
	frame [frameWords]uint64

	keys     uint64
	keysBeat uint64 // grows while the display lives

	noticeSeq uint64
	notice    [noticeWords]uint64

	sceneSeq  uint64
	sceneSize uint64 // of the scene [bytes]
	scene     [sceneWords]uint64
}

const (
	frameWords = int(unsafe.Sizeof(Frame{}) / 8)
	sceneWords = sceneMost/8 + 1
	pageSize   = int(unsafe.Sizeof(layout{}))
)

// ErrVersion tells that a page was written by another version of rig.
var ErrVersion = errors.New("page of another version")

// ErrBusy tells that another running rig owns the page.
var ErrBusy = errors.New("page in use")

// Page is one mapping of the shared page.
type Page struct {
	l    *layout
	mem  []byte
	file *os.File
}

// DefaultPath is where a user's rig publishes: in memory, one per user.
func DefaultPath() string { return fmt.Sprintf("/dev/shm/rig-%d.page", os.Getuid()) }

// Create makes the page at path and owns it until Close.
//
// It fails with ErrBusy while another process owns it.
func Create(path string) (*Page, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("frame: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("frame: %s: %w by another rig; stop it first, or name another page", path, ErrBusy)
	}
	if err := f.Truncate(int64(pageSize)); err != nil {
		f.Close()
		return nil, fmt.Errorf("frame: %w", err)
	}
	p, err := mapPage(f)
	if err != nil {
		return nil, err
	}
	clear(unsafe.Slice((*uint64)(unsafe.Pointer(p.l)), pageSize/8))
	atomic.StoreUint64(&p.l.version, Version)
	atomic.StoreUint64(&p.l.size, uint64(pageSize))
	atomic.StoreUint64(&p.l.pid, uint64(os.Getpid()))
	atomic.StoreUint64(&p.l.magic, magic)
	return p, nil
}

// Open maps the page at path for reading frames and writing keys.
func Open(path string) (*Page, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("frame: %w; is rig running?", err)
	}
	if err := check(f, path); err != nil {
		f.Close()
		return nil, err
	}
	return mapPage(f)
}

// check refuses what is not a whole page of this version, before it is mapped.
func check(f *os.File, path string) error {
	st, err := f.Stat()
	if err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	var b [24]byte
	if _, err := f.ReadAt(b[:], 0); err != nil || st.Size() != int64(pageSize) {
		return fmt.Errorf("frame: %s has %d bytes, a page of this rig has %d: %w; restart both sides from one build",
			path, st.Size(), pageSize, ErrVersion)
	}
	h := (*[3]uint64)(unsafe.Pointer(&b))
	if h[0] != magic || h[1] != Version || h[2] != uint64(pageSize) {
		return fmt.Errorf("frame: %s is version %d of %d bytes, this rig reads version %d of %d: %w; restart both sides from one build",
			path, h[1], h[2], Version, pageSize, ErrVersion)
	}
	return nil
}

func mapPage(f *os.File) (*Page, error) {
	mem, err := unix.Mmap(int(f.Fd()), 0, pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("frame: map: %w", err)
	}
	return &Page{l: (*layout)(unsafe.Pointer(&mem[0])), mem: mem, file: f}, nil
}

// Close unmaps the page; the owner's file stays for late readers.
func (p *Page) Close() error {
	p.l = nil
	return errors.Join(unix.Munmap(p.mem), p.file.Close())
}

// Writer returns the process that owns the page.
func (p *Page) Writer() int { return int(atomic.LoadUint64(&p.l.pid)) }

// Publish makes f the newest frame. It neither waits nor allocates.
func (p *Page) Publish(f *Frame) {
	write(&p.l.seq, p.l.frame[:], (*[frameWords]uint64)(unsafe.Pointer(f))[:])
}

// Read copies the newest whole frame. It reports false if none was published
// yet, or if the writer kept changing it (as it does when it died in a write).
func (p *Page) Read(f *Frame) bool {
	return read(&p.l.seq, (*[frameWords]uint64)(unsafe.Pointer(f))[:], p.l.frame[:])
}

// Seq is the number of frames published so far: it stands still when the loop does.
func (p *Page) Seq() uint64 { return atomic.LoadUint64(&p.l.seq) / 2 }

// SetKeys tells which keys are down and that the display lives.
func (p *Page) SetKeys(keys uint64) {
	atomic.StoreUint64(&p.l.keys, keys)
	atomic.AddUint64(&p.l.keysBeat, 1)
}

// Keys returns the keys that are down and a count that grows while the
// display lives: keys of a display that died must not drive.
func (p *Page) Keys() (keys, beat uint64) {
	return atomic.LoadUint64(&p.l.keys), atomic.LoadUint64(&p.l.keysBeat)
}

// SetNotice shows a line to the driver; the first 128 bytes count.
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
	return string(b[:n])
}

// SetScene stores what stands still.
func (p *Page) SetScene(s *Scene) error {
	b, err := s.encode()
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
func (p *Page) Scene() (*Scene, bool) {
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

// read tries a bounded number of times: a writer that died must not hang a reader.
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
