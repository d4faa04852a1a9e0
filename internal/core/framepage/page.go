// Package framepage publishes the newest frame in a page of shared memory that any number of processes may
// read.
//
// The loop writes a frame in every tick and never waits. The supervisor writes the scene once, before the
// first reader starts, and a notice when it changes. The memory has no name and a fixed size: watchers
// get a read-only descriptor over a socket and can never change anything. The keys, and
// the figures of the display's pictures, are in a second memory, which only the rig and its own display map.
//
// What happens when a display dies is decided in internal/live/rig/display_child.go and
// internal/core/drive/window.go.
package framepage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/latest"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
)

// Version is the number of the memory layout. A reader refuses pages of another version.
const Version = 16

const magic = 0x31454d4152464752 // "RGFRAME1"

// notice is a message to the driver, terminated by a 0 byte if it is shorter than the array.
type notice struct {
	_    [0]uint64 // aligns the text to words
	text [768]byte
}

// layout is the memory layout of the page. It has words of 8 bytes only, which are accessed atomically.
type layout struct {
	magic   uint64
	version uint64
	size    uint64 // size of layout [bytes], to detect a page of another build
	pid     uint64 // process ID of the writer

	frame latest.Cell[frame.Frame]

	ended uint64 // 0 while the rig runs; 1 after it ended, 2 after it failed with the error in notice

	notice latest.Cell[notice]

	replay latest.Cell[frame.Replay]

	sceneSize uint64 // size of the encoded scene [bytes]; 0 until it is complete
	scene     [sceneWords]uint64
}

// keyLayout is the memory layout of what the display sends back. Watchers cannot map it.
type keyLayout struct {
	keys     uint64               // bits of frame's keys that are down
	pictures uint64               // number of pictures shown; it grows while the display works
	seek     uint64               // place in a replay that the mouse points at, as the bits of a float64 from 1 (its start) to 2 (its end); 0 for none
	display  [displayWords]uint64 // a frame.Display, each word of which is accessed atomically
}

const (
	sceneWords   = maxSceneBytes/8 + 1
	displayWords = unsafe.Sizeof(frame.Display{}) / 8
	pageSize     = int(unsafe.Sizeof(layout{}))
	keysSize     = int(unsafe.Sizeof(keyLayout{}))
)

// ErrVersion reports that a page was written by another version of rig.
var ErrVersion = errors.New("page of another version")

// Page is one mapping of the shared page.
type Page struct {
	layout    *layout    // the mapped page
	keyLayout *keyLayout // the mapped keys; nil for a watcher
	mappings  [][]byte   // all mapped memory, for Close
	file      *os.File   // read-only descriptor of the page
	keys      *os.File   // descriptor of the keys; nil for a watcher
	others    *Others    // other cars of a session; nil without one
}

// New creates a page in anonymous shared memory, which exists until Close. Socket.Serve passes it to
// watchers, and Files returns the descriptors for the display.
func New() (*Page, error) {
	p := &Page{}
	mem, err := p.allocate(&p.file, "rig-page", pageSize, sealState)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.layout = (*layout)(unsafe.Pointer(&mem[0]))
	if mem, err = p.allocate(&p.keys, "rig-keys", keysSize, sealSize); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.keyLayout = (*keyLayout)(unsafe.Pointer(&mem[0]))
	if err := p.dropWriteAccess(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	atomic.StoreUint64(&p.layout.version, Version)
	atomic.StoreUint64(&p.layout.size, uint64(pageSize))
	atomic.StoreUint64(&p.layout.pid, uint64(os.Getpid()))
	atomic.StoreUint64(&p.layout.magic, magic)
	return p, nil
}

// allocate creates shared memory, maps it for writing, and stores its descriptor in to.
func (p *Page) allocate(to **os.File, name string, size, seals int) ([]byte, error) {
	f, mem, err := newMemory(name, size, seals)
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	*to = f
	p.mappings = append(p.mappings, mem)
	return mem, nil
}

// dropWriteAccess replaces the page's descriptor by a read-only one.
func (p *Page) dropWriteAccess() error {
	f, err := readOnly(p.file)
	if err != nil {
		return err
	}
	err = p.file.Close()
	p.file = f
	return err
}

// readOnly returns a read-only descriptor of f.
func readOnly(f *os.File) (*os.File, error) {
	r, err := os.Open(fmt.Sprintf("/proc/thread-self/fd/%d", f.Fd()))
	if err != nil {
		return nil, fmt.Errorf("page: %w; is /proc mounted?", err)
	}
	return r, nil
}

// ShareOthers lets displays and watchers see the other cars of a session. It takes ownership of o, and must be called before Serve and
// Files.
func (p *Page) ShareOthers(o *Others) { p.others = o }

// HasOthers reports whether the page has the other cars of a session.
func (p *Page) HasOthers() bool { return p.others != nil }

// Others copies the other cars of the session to o, cleaned. It returns false and does not change o without a session.
func (p *Page) Others(o *frame.Others) bool { return p.others != nil && p.others.Get(o) }

// Files returns the descriptors that a display inherits: the page, read-only, the keys, and in a session the other cars, read-only.
func (p *Page) Files() []*os.File {
	if p.others != nil {
		return []*os.File{p.file, p.keys, p.others.reading}
	}
	return []*os.File{p.file, p.keys}
}

// InheritSession is Inherit for a rig in a session.
func InheritSession(state, keys, others *os.File) (*Page, error) {
	p, err := Inherit(state, keys)
	if err != nil {
		return nil, errors.Join(err, others.Close())
	}
	return p.withOthers(others)
}

// withOthers maps the other cars of a session for reading. It closes the page if that fails.
func (p *Page) withOthers(f *os.File) (*Page, error) {
	o, err := InheritOthers(f, false)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.others = o
	return p, nil
}

// Inherit maps the page of the rig that started this process, from the inherited descriptors that Files
// returned in that rig.
func Inherit(state, keys *os.File) (*Page, error) {
	p, err := mapPage(state, "descriptor "+state.Name())
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
	p.mappings = append(p.mappings, mem)
	p.keyLayout = (*keyLayout)(unsafe.Pointer(&mem[0]))
	return p, nil
}

// InheritState maps the page of the rig that started this process, without the keys, from the first descriptor that Files
// returned in that rig.
func InheritState(state *os.File) (*Page, error) { return mapPage(state, "descriptor "+state.Name()) }

// mapPage maps a page for reading. source says in errors where it came from. It takes ownership of f.
func mapPage(f *os.File, source string) (*Page, error) {
	p := &Page{file: f}
	if err := checkPage(f, source); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	mem, err := mapMemory(f, pageSize, false)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("page: %s: %w", source, err), p.Close())
	}
	p.mappings, p.layout = [][]byte{mem}, (*layout)(unsafe.Pointer(&mem[0]))
	return p, nil
}

// checkPage returns an error unless f is a complete page of this version whose size nobody can change.
// Accessing a mapped page that was truncated would end the process.
func checkPage(f *os.File, source string) error {
	h := [3]uint64{}
	b := (*[24]byte)(unsafe.Pointer(&h))
	if n, err := f.ReadAt(b[:], 0); err != nil || h[0] != magic {
		return fmt.Errorf("page: %s: no page of rig in its first %d bytes: %w; restart both sides from one build", source, n, ErrVersion)
	}
	if h[1] != Version || h[2] != uint64(pageSize) {
		return fmt.Errorf("page: %s is version %d of %d bytes, this rig reads version %d of %d: %w; restart both sides from one build",
			source, h[1], h[2], Version, pageSize, ErrVersion)
	}
	if err := checkMemory(f, pageSize, sealState); err != nil {
		return fmt.Errorf("page: %s: %w", source, err)
	}
	return nil
}

// Close unmaps the page and closes its descriptors. Other processes keep their mappings.
func (p *Page) Close() error {
	var all error
	for _, mem := range p.mappings {
		all = errors.Join(all, unmapMemory(mem))
	}
	for _, f := range []*os.File{p.file, p.keys} {
		if f != nil {
			all = errors.Join(all, f.Close())
		}
	}
	if p.others != nil {
		all = errors.Join(all, p.others.Close())
	}
	*p = Page{}
	return all
}

// WriterPID returns the ID of the process that created the page.
func (p *Page) WriterPID() int { return int(atomic.LoadUint64(&p.layout.pid)) }

// Publish stores f as the newest frame. It never waits and does not allocate.
func (p *Page) Publish(f *frame.Frame) {
	p.layout.frame.Put(f)
}

// Read copies the newest complete frame to f. It returns false and does not change f if none was
// published yet.
func (p *Page) Read(f *frame.Frame) bool { return p.layout.frame.Get(f) != 0 }

// Seq returns the number of frames published so far. It stops growing when the loop stalls.
func (p *Page) Seq() uint64 { return p.layout.frame.Number() }

// SetKeys stores the keys that are down and counts one more picture. The display calls it once per
// picture. It has no effect for a watcher.
func (p *Page) SetKeys(keys uint64) {
	if p.keyLayout == nil {
		return
	}
	atomic.StoreUint64(&p.keyLayout.keys, keys)
	atomic.AddUint64(&p.keyLayout.pictures, 1)
}

// Keys returns the keys that are down and the number of pictures shown. The number grows while the
// display works; keys of a display that died must not be used. Both are 0 for a watcher.
func (p *Page) Keys() (keys, pictures uint64) {
	if p.keyLayout == nil {
		return 0, 0
	}
	return atomic.LoadUint64(&p.keyLayout.keys), atomic.LoadUint64(&p.keyLayout.pictures)
}

// SetReplay stores which part of a recording is shown. A driving rig does not call it.
func (p *Page) SetReplay(r *frame.Replay) { p.layout.replay.Put(r) }

// Replay copies to r which part of a recording is shown. It returns false and does not change r if a rig drives.
func (p *Page) Replay(r *frame.Replay) bool { return p.layout.replay.Get(r) != 0 }

// SetSeek stores the place in a replay that the mouse points at, from 0 (its start) to 1 (its end), or NaN for none. It has
// no effect for a watcher.
func (p *Page) SetSeek(place float64) {
	if p.keyLayout == nil {
		return
	}
	bits := uint64(0)
	if place == place {
		bits = math.Float64bits(1 + valid.Clamp(place, 0, 1))
	}
	atomic.StoreUint64(&p.keyLayout.seek, bits)
}

// Seek returns the place that SetSeek stored last, or NaN for none.
func (p *Page) Seek() float64 {
	if p.keyLayout == nil {
		return math.NaN()
	}
	bits := atomic.LoadUint64(&p.keyLayout.seek)
	if bits == 0 {
		return math.NaN()
	}
	return math.Float64frombits(bits) - 1
}

// SetDisplay stores how evenly the display shows pictures, and whether from the driver's eye. It has no effect for a watcher.
func (p *Page) SetDisplay(d frame.Display) {
	if p.keyLayout == nil {
		return
	}
	for i, word := range *(*[displayWords]uint64)(unsafe.Pointer(&d)) {
		atomic.StoreUint64(&p.keyLayout.display[i], word)
	}
}

// Display returns what SetDisplay stored last; all is 0 for a watcher. It never waits. A figure that is negative, NaN or Inf
// is 0.
func (p *Page) Display() (d frame.Display) {
	if p.keyLayout == nil {
		return d
	}
	words := (*[displayWords]uint64)(unsafe.Pointer(&d))
	for i := range words {
		words[i] = atomic.LoadUint64(&p.keyLayout.display[i])
	}
	for _, v := range [...]*float64{&d.Refresh, &d.P50, &d.P99, &d.RunP50, &d.RunP99, &d.Age} {
		if !(*v >= 0 && *v <= math.MaxFloat64) { // also true for NaN
			*v = 0
		}
	}
	d.Cockpit = min(d.Cockpit, 1)
	return d
}

// SetNotice stores a message to the driver. Only the first 768 bytes are stored.
func (p *Page) SetNotice(s string) {
	var n notice
	copy(n.text[:], strings.ToValidUTF8(s[:min(len(s), len(n.text))], "")) // drops a character that was cut in two
	p.layout.notice.Put(&n)
}

// Notice returns the message that SetNotice stored last.
func (p *Page) Notice() string {
	var n notice
	p.layout.notice.Get(&n)
	text, _, _ := bytes.Cut(n.text[:], []byte{0})
	return printable.Line(string(text))
}

// End tells watchers that the rig has ended, with the error if it failed or "" if it did not. Nothing
// may be published afterwards.
func (p *Page) End(failure string) {
	p.SetNotice(failure)
	ended := uint64(1)
	if failure != "" {
		ended = 2
	}
	atomic.StoreUint64(&p.layout.ended, ended)
}

// Ended reports whether the rig has ended, with the error if it failed or "" if it did not.
func (p *Page) Ended() (failure string, ended bool) {
	switch atomic.LoadUint64(&p.layout.ended) {
	case 0:
		return "", false
	case 1:
		return "", true
	}
	return p.Notice(), true
}

// WriterAlive reports whether the process that created the page still exists, whichever user runs it. A
// stopped process exists; a zombie, whose parent has not waited for it, does not.
func (p *Page) WriterAlive() bool {
	pid := p.WriterPID()
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

// SetScene stores the scene, once: a second call returns an error, because a reader could get parts of both.
func (p *Page) SetScene(s *frame.Scene) error {
	if atomic.LoadUint64(&p.layout.sceneSize) != 0 {
		return errors.New("page: the scene is already set")
	}
	b, err := encode(s)
	if err != nil {
		return err
	}
	for i := range (len(b) + 7) / 8 {
		var word [8]byte
		copy(word[:], b[8*i:])
		atomic.StoreUint64(&p.layout.scene[i], binary.LittleEndian.Uint64(word[:]))
	}
	atomic.StoreUint64(&p.layout.sceneSize, uint64(len(b)))
	return nil
}

// Scene returns the scene that SetScene stored, or false if there is none yet.
func (p *Page) Scene() (*frame.Scene, bool) {
	size := atomic.LoadUint64(&p.layout.sceneSize)
	if size == 0 || size > uint64(8*sceneWords) {
		return nil, false
	}
	b := make([]byte, 0, size+7)
	for i := range (size + 7) / 8 {
		b = binary.LittleEndian.AppendUint64(b, atomic.LoadUint64(&p.layout.scene[i]))
	}
	s, err := decodeScene(b[:size])
	return s, err == nil
}
