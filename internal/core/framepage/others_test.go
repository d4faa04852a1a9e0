package framepage

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

// wordsOf returns memory as words of 8 bytes, and bytesOf others as bytes.
func wordsOf(mem []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(&mem[0])), len(mem)/8)
}

func bytesOf(o *frame.Others) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(o)), unsafe.Sizeof(*o))
}

func newOthers(t testing.TB) *Others {
	t.Helper()
	o, err := NewOthers()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// sessionOf returns others with n cars, whose numbers all say number.
func sessionOf(n int, number float64) *frame.Others {
	o := &frame.Others{Due: int64(number), Count: uint64(n)}
	o.Session.Clock = number
	for i := range n {
		o.Cars[i] = frame.OtherCar{Slot: uint64(i), Name: frame.TextOf("driver"), Att: [4]float64{1}, Pos: [3]float64{number, number, number}, Opacity: 1,
			Length: 4.4, Width: 1.8, Height: 1.3, CGHeight: 0.5, CGToFront: 1.2, Wheelbase: 2.6, WheelRadius: 0.32}
	}
	return o
}

// The process of a session writes, the window reads, and neither a value in between nor one of two cars' halves comes out.
func TestOthersGoFromProcessToProcess(t *testing.T) {
	if os.Getenv("OTHERS_WRITER") != "" {
		o, err := InheritOthers(os.NewFile(3, "3"), true)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1.0; os.Getppid() > 1; n++ {
			o.Put(sessionOf(frame.MaxOthers, n))
		}
		return
	}
	o := newOthers(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestOthersGoFromProcessToProcess$")
	cmd.Env, cmd.ExtraFiles = append(os.Environ(), "OTHERS_WRITER=1"), []*os.File{o.File()}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	r, err := InheritOthers(again(t, o.reading), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	seen := map[int64]bool{}
	for len(seen) < 1000 {
		var got frame.Others
		if !r.Get(&got) {
			continue
		}
		want := sessionOf(frame.MaxOthers, float64(got.Due))
		want.Clean()
		if got.Session.Clock != want.Session.Clock || got.Cars != want.Cars {
			t.Fatalf("torn at %d", got.Due)
		}
		seen[got.Due] = true
	}
}

// What the process of a session leaves is cleaned before anything shows it.
func TestOthersAreCleanedAsTheyAreRead(t *testing.T) {
	o := newOthers(t)
	var got frame.Others
	if o.Get(&got) {
		t.Error("others before there were any")
	}
	bad := sessionOf(2, 1)
	bad.Count, bad.Cars[0].Opacity, bad.Session.Phase = 1<<63, 9, 77
	o.Put(bad)
	if !o.Get(&got) || got.Count != 2 || got.Cars[0].Opacity != 1 || got.Session.Phase != frame.NoSession {
		t.Errorf("%d cars, opacity %g, phase %d", got.Count, got.Cars[0].Opacity, got.Session.Phase)
	}
	if n := testing.AllocsPerRun(100, func() { o.Put(bad); o.Get(&got) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// Displays and watchers see the others of a page that shares them, and cannot write to them.
func TestAPageSharesOthers(t *testing.T) {
	p, path := served(t)
	var got frame.Others
	if plain, err := Open(path); err != nil || plain.HasOthers() || plain.Others(&got) || len(p.Files()) != 2 {
		t.Fatalf("others without a session, or %v", err)
	}
	o, err := NewOthers()
	if err != nil {
		t.Fatal(err)
	}
	p = newPage(t)
	p.ShareOthers(o)
	path = serve(t, p)
	want := sessionOf(1, 7)
	o.Put(want)
	files := p.Files()
	display, err := InheritSession(again(t, files[0]), again(t, files[1]), again(t, files[2]))
	if err != nil {
		t.Fatal(err)
	}
	defer display.Close()
	watcher, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	want.Clean()
	for _, page := range []*Page{display, watcher} {
		if got = (frame.Others{}); !page.Others(&got) || !reflect.DeepEqual(got.Cars, want.Cars) {
			t.Errorf("got %+v", got.Cars[0])
		}
		if _, err := page.others.file.WriteAt([]byte{1}, 0); err == nil {
			t.Error("a reader wrote to the others")
		}
		if _, err := mapMemory(page.others.file, othersSize, true); err == nil {
			t.Error("a reader mapped the others for writing")
		}
	}
}

// A memory is mapped only if it is one of this version that nobody can cut short; its holders cannot do that either.
func TestOthersAreCheckedBeforeTheyAreMapped(t *testing.T) {
	o := newOthers(t)
	if err := o.File().Truncate(0); !errors.Is(err, unix.EPERM) {
		t.Errorf("truncated: %v", err)
	}
	for _, tt := range []struct {
		name    string
		version uint64
		size    int
		seals   int
		ok      bool
	}{
		{"as it must be", OthersVersion, othersSize, sealSize, true},
		{"another version", OthersVersion + 1, othersSize, sealSize, false},
		{"short", OthersVersion, othersSize - 8, sealSize, false},
		{"can be cut short", OthersVersion, othersSize, unix.F_SEAL_GROW | unix.F_SEAL_SEAL, false},
	} {
		f, mem, err := newMemory("test", tt.size, 0)
		if err != nil {
			t.Fatal(err)
		}
		words := wordsOf(mem)
		words[0], words[1], words[2] = othersMagic, tt.version, uint64(othersSize)
		if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, tt.seals); err != nil {
			t.Fatal(err)
		}
		m, err := InheritOthers(f, false)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrVersion) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err == nil {
			m.Close()
		}
		unmapMemory(mem)
	}
}

// Whatever lies in the memory, it comes out clean.
func FuzzOthers(f *testing.F) {
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 3)
	f.Add([]byte("\x1b[2J\x00\xc3("), 200)
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 1)
	f.Fuzz(func(t *testing.T, pattern []byte, from int) {
		o := newOthers(t)
		v := sessionOf(frame.MaxOthers, 1)
		words := wordsOf(bytesOf(v))
		for i := range words {
			if len(pattern) > 0 && from != 0 && i%from == 0 {
				for k := range 8 {
					words[i] = words[i]<<8 | uint64(pattern[(i+k)%len(pattern)])
				}
			}
		}
		o.Put(v)
		var got frame.Others
		if !o.Get(&got) {
			t.Fatal("nothing comes out")
		}
		again := got
		if again.Clean(); !bytes.Equal(bytesOf(&again), bytesOf(&got)) {
			t.Error("cleaned twice, it is another")
		}
	})
}
