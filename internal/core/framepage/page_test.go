package framepage

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

func newPage(t testing.TB) *Page {
	t.Helper()
	p, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// served returns a page that is served at path.
func served(t testing.TB) (p *Page, path string) {
	t.Helper()
	p = newPage(t)
	return p, serve(t, p)
}

// serve serves p and returns where.
func serve(t testing.TB, p *Page) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "page")
	s, err := Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Serve(p); err != nil {
		t.Fatal(err)
	}
	return path
}

// again is a second descriptor of the same file.
func again(t testing.TB, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

// filled is a frame in which every word says n, so that a torn copy shows.
func filled(n uint64) *frame.Frame {
	f := &frame.Frame{}
	v := reflect.ValueOf(f).Elem()
	fill(v, n)
	return f
}

func fill(v reflect.Value, n uint64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Float64:
		v.SetFloat(float64(n))
	case reflect.Int64:
		v.SetInt(int64(n))
	default:
		v.SetUint(n)
	}
}

func TestReaderSeesWhatWasPublished(t *testing.T) {
	p, path := served(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got frame.Frame
	if r.Read(&got) {
		t.Error("a frame before the first was published")
	}
	p.Publish(filled(7))
	if !r.Read(&got) || got != *filled(7) {
		t.Errorf("read %+v", got)
	}
	if r.Seq() != 1 || r.WriterPID() != os.Getpid() {
		t.Errorf("seq %d writer %d", r.Seq(), r.WriterPID())
	}
}

// The reader is another process, the test binary itself: what it sees must be
// one frame, never parts of two.
func TestNoTornFrameAcrossProcesses(t *testing.T) {
	if path := os.Getenv("PAGE_READER"); path != "" {
		readWhole(t, path)
		return
	}
	p, path := served(t)
	p.Publish(filled(1))
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoTornFrameAcrossProcesses$")
	cmd.Env = append(os.Environ(), "PAGE_READER="+path)
	done := make(chan error, 1)
	go func() {
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("%s", out)
		}
		done <- err
	}()
	for n := uint64(2); ; n++ {
		p.Publish(filled(n))
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}

func readWhole(t *testing.T, path string) {
	p, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var f frame.Frame
	seen := map[uint64]bool{}
	for range 20_000 {
		if p.Read(&f); f != *filled(f.Tick) { // also where it could not be read
			t.Fatalf("torn frame at %d", f.Tick)
		}
		seen[f.Tick] = true
	}
	if len(seen) < 2 {
		t.Errorf("the page never changed under the reader")
	}
}

func TestKeysNoticeAndScene(t *testing.T) {
	p := newPage(t)
	r, err := Inherit(again(t, p.file), again(t, p.keys))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SetKeys(frame.KeyLeft | frame.KeyUp)
	r.SetKeys(frame.KeyLeft)
	if k, beat := p.Keys(); k != frame.KeyLeft || beat != 2 {
		t.Errorf("keys %b beat %d", k, beat)
	}
	if _, ok := r.Scene(); ok || r.Notice() != "" {
		t.Error("a scene or notice before there was one")
	}
	want := someScene()
	if err := p.SetScene(want); err != nil {
		t.Fatal(err)
	}
	if got, ok := r.Scene(); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("scene %+v", got)
	}
	p.SetNotice("wheel unplugged")
	if r.Notice() != "wheel unplugged" {
		t.Errorf("notice %q", r.Notice())
	}
	p.SetNotice("x" + strings.Repeat("é", len(notice{}.text)/8*4))
	if want := "x" + strings.Repeat("é", len(notice{}.text)/8*4-1); r.Notice() != want {
		t.Errorf("notice of %d bytes, want %d with no letter cut in two", len(r.Notice()), len(want))
	}
}

func TestPublishFromManyReadersStaysWhole(t *testing.T) {
	p := newPage(t)
	p.Publish(filled(1))
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var f frame.Frame
			for range 2000 {
				if p.Read(&f) && f != *filled(f.Tick) {
					t.Error("torn frame")
				}
			}
		}()
	}
	for n := range uint64(5000) {
		p.Publish(filled(n))
	}
	wg.Wait()
}

// The display's figures reach the rig, and what is no figure does not. A watcher can neither set nor see them.
func TestFiguresOfTheDisplay(t *testing.T) {
	p := newPage(t)
	r, err := Inherit(again(t, p.file), again(t, p.keys))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := frame.Display{Refresh: 60, P50: 1, P99: 2, RunP50: 3, RunP99: 4, Dropped: 5, Age: 6, Cockpit: 1}
	if r.SetDisplay(want); p.Display() != want {
		t.Errorf("got %+v, want %+v", p.Display(), want)
	}
	if n := testing.AllocsPerRun(100, func() { r.SetDisplay(p.Display()) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	r.SetDisplay(frame.Display{Refresh: -1, P50: math.NaN(), P99: math.Inf(1), RunP50: math.Inf(-1), RunP99: 1, Age: -math.NaN(), Cockpit: 7})
	if got := p.Display(); got != (frame.Display{RunP99: 1, Cockpit: 1}) {
		t.Errorf("got %+v of a display that is wrong", got)
	}
	watcher, err := InheritState(again(t, p.file))
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	if watcher.SetDisplay(want); watcher.Display() != (frame.Display{}) || p.Display() == want {
		t.Error("a watcher has figures of the display")
	}
}

func TestPublishAndReadAllocateNothing(t *testing.T) {
	p := newPage(t)
	f := filled(3)
	f.Speed = math.Pi
	if n := testing.AllocsPerRun(100, func() { p.Publish(f); p.Read(f); p.Keys() }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 32))
	f.Add(append([]byte("RGFRAME1"), make([]byte, 100)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "page")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Skip()
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := mapPage(file, path); err == nil {
			p.Close()
			t.Error("took a page that rig did not write")
		}
	})
}

func BenchmarkPublish(b *testing.B) {
	p := newPage(b)
	var f frame.Frame
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(&f)
	}
}

// Who watches learns that the rig has ended, and why if it failed.
func TestAPageSaysThatItsRigHasEnded(t *testing.T) {
	for _, failure := range []string{"", "ended stopped (emergency stop)"} {
		p, path := served(t)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if why, ended := r.Ended(); ended || why != "" || !r.WriterAlive() {
			t.Errorf("ended %t (%q) before, alive %t", ended, why, r.WriterAlive())
		}
		p.End(failure)
		if why, ended := r.Ended(); !ended || why != failure {
			t.Errorf("ended %t, %q, want %q", ended, why, failure)
		}
	}
}
