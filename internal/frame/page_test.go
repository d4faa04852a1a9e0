package frame

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

func newPage(t *testing.T) (*Page, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page")
	p, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, path
}

// filled is a frame in which every word says n, so that a torn copy shows.
func filled(n uint64) *Frame {
	f := &Frame{}
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

func TestFrameIsMadeOfWords(t *testing.T) {
	var walk func(ty reflect.Type)
	walk = func(ty reflect.Type) {
		switch ty.Kind() {
		case reflect.Struct:
			for i := range ty.NumField() {
				walk(ty.Field(i).Type)
			}
		case reflect.Array:
			walk(ty.Elem())
		case reflect.Float64, reflect.Uint64, reflect.Int64:
		default:
			t.Errorf("%v is not one 8-byte word", ty)
		}
	}
	walk(reflect.TypeFor[Frame]())
}

func TestReaderSeesWhatWasPublished(t *testing.T) {
	p, path := newPage(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got Frame
	if r.Read(&got) {
		t.Error("a frame before the first was published")
	}
	p.Publish(filled(7))
	if !r.Read(&got) || got != *filled(7) {
		t.Errorf("read %+v", got)
	}
	if r.Seq() != 1 || r.Writer() != os.Getpid() {
		t.Errorf("seq %d writer %d", r.Seq(), r.Writer())
	}
}

// The reader is another process, the test binary itself: what it sees must be
// one frame, never parts of two.
func TestNoTornFrameAcrossProcesses(t *testing.T) {
	if path := os.Getenv("FRAME_READER"); path != "" {
		readWhole(t, path)
		return
	}
	p, path := newPage(t)
	p.Publish(filled(1))
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoTornFrameAcrossProcesses$")
	cmd.Env = append(os.Environ(), "FRAME_READER="+path)
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
	var f Frame
	seen := map[uint64]bool{}
	for range 20_000 {
		if p.Read(&f) && f != *filled(f.Tick) {
			t.Fatalf("torn frame at %d", f.Tick)
		}
		seen[f.Tick] = true
	}
	if len(seen) < 2 {
		t.Errorf("the page never changed under the reader")
	}
}

func TestReadGivesUpOnADeadWriter(t *testing.T) {
	p, _ := newPage(t)
	p.Publish(filled(1))
	p.l.seq |= 1 // as if it died in the middle of a write
	if p.Read(&Frame{}) {
		t.Error("read a frame that was never finished")
	}
	p.Publish(filled(2))
	var f Frame
	if !p.Read(&f) || f.Tick != 2 {
		t.Error("the next whole frame did not heal the page")
	}
}

func TestKeysNoticeAndScene(t *testing.T) {
	p, path := newPage(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SetKeys(KeyLeft | KeyUp)
	r.SetKeys(KeyLeft)
	if k, beat := p.Keys(); k != KeyLeft || beat != 2 {
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
	p.SetNotice("x" + strings.Repeat("é", noticeWords*4))
	if want := "x" + strings.Repeat("é", noticeWords*4-1); r.Notice() != want {
		t.Errorf("notice of %d bytes, want %d with no letter cut in two", len(r.Notice()), len(want))
	}
}

func TestPageRefusals(t *testing.T) {
	p, path := newPage(t)
	if _, err := Create(path); !errors.Is(err, ErrBusy) {
		t.Errorf("second owner: %v", err)
	}
	p.l.version = Version + 1
	if _, err := Open(path); !errors.Is(err, ErrVersion) {
		t.Errorf("another version: %v", err)
	}
	short := filepath.Join(t.TempDir(), "short")
	os.WriteFile(short, []byte("rig"), 0o600)
	if _, err := Open(short); !errors.Is(err, ErrVersion) {
		t.Errorf("short page: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no page: %v", err)
	}
}

func TestPublishFromManyReadersStaysWhole(t *testing.T) {
	p, _ := newPage(t)
	p.Publish(filled(1))
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var f Frame
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

func TestPublishAndReadAllocateNothing(t *testing.T) {
	p, _ := newPage(t)
	f := filled(3)
	f.Speed = math.Pi
	if n := testing.AllocsPerRun(100, func() { p.Publish(f); p.Read(f); p.Keys() }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 32))
	f.Add(append([]byte("RGFRAME1"), make([]byte, 100)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "page")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Skip()
		}
		if p, err := Open(path); err == nil {
			p.Close()
			t.Error("opened a page that rig did not write")
		}
	})
}

func BenchmarkPublish(b *testing.B) {
	p, err := Create(filepath.Join(b.TempDir(), "page"))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	var f Frame
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(&f)
	}
}
