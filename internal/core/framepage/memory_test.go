package framepage

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

// A process that holds a descriptor can neither cut the page short, which would end the rig at its
// next write, nor make it longer, nor open holes in it; a watcher cannot write at all, however
// it opens the page anew.
func TestHoldersOfAPageCannotHarmIt(t *testing.T) {
	p := newPage(t)
	p.Publish(filled(7))
	for _, f := range p.Files() {
		name := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
		w, err := os.OpenFile(name, os.O_RDWR, 0) // as its owner may
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for _, size := range []int64{0, 1, 1 << 30} {
			if err := w.Truncate(size); !errors.Is(err, unix.EPERM) {
				t.Errorf("%s: truncated to %d bytes: %v", f.Name(), size, err)
			}
		}
		if _, err := unix.FcntlInt(w.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); !errors.Is(err, unix.EPERM) {
			t.Errorf("%s: sealed once more: %v", f.Name(), err)
		}
		if st, err := f.Stat(); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", f.Name(), st.Mode(), err)
		}
	}
	state, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", p.file.Fd()), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	for _, f := range []*os.File{p.file, state} {
		if _, err := f.WriteAt([]byte{1}, 0); err == nil {
			t.Error("a watcher wrote into the page")
		}
		if mem, err := mapMemory(f, pageSize, true); err == nil {
			unmapMemory(mem)
			t.Error("a watcher mapped the page for writing")
		}
		if err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, int64(pageSize)); err == nil {
			t.Error("a watcher punched a hole into the page")
		}
	}
	p.Publish(filled(8))
	var f frame.Frame
	if !p.Read(&f) || f != *filled(8) {
		t.Error("the page is not whole any more")
	}
}

// A watcher's own mapping cannot be made writable either.
func TestAWatchersMappingStaysReadOnly(t *testing.T) {
	_, path := served(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := unix.Mprotect(r.mappings[0], unix.PROT_READ|unix.PROT_WRITE); err == nil {
		t.Error("the mapping was made writable")
	}
}

// Where memory has run out, rig says so and does not die. The kernel's limit of a file's size stands for it; the
// error says how to raise that limit.
func TestNoMemoryForAPageIsAnError(t *testing.T) {
	if os.Getenv("PAGE_LIMITED") != "" {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			t.Fatal(err)
		}
		_, err := New()
		if !errors.Is(err, unix.EFBIG) || !strings.Contains(err.Error(), "ulimit -f") {
			t.Errorf("got %v", err)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoMemoryForAPageIsAnError$")
	cmd.Env = append(os.Environ(), "PAGE_LIMITED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Memory that is larger than the machine's is refused at once, not at the first touch.
func TestMemoryIsThereBeforeItIsUsed(t *testing.T) {
	f, mem, err := newMemory("test", pageSize, sealSize)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	defer unmapMemory(mem)
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil || st.Blocks*512 < int64(pageSize) {
		t.Errorf("%d of %d bytes are there, %v", st.Blocks*512, pageSize, err)
	}
}

// What a watcher gets is mapped only if nobody can cut it short.
func TestAPageIsCheckedBeforeItIsMapped(t *testing.T) {
	head := func(f *os.File, words ...uint64) {
		for i, w := range words {
			b := make([]byte, 8)
			for k := range b {
				b[k] = byte(w >> (8 * k))
			}
			if _, err := f.WriteAt(b, int64(8*i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name    string
		version uint64
		size    int
		seals   int
		ok      bool
	}{
		{"a page", Version, pageSize, sealState, true},
		{"another version", Version + 1, pageSize, sealState, false},
		{"short", Version, pageSize - 8, sealState, false},
		{"can be cut short", Version, pageSize, unix.F_SEAL_GROW | unix.F_SEAL_SEAL | unix.F_SEAL_FUTURE_WRITE, false},
		{"others may write", Version, pageSize, sealSize, false},
	} {
		f, mem, err := newMemory("test", tt.size, 0)
		if err != nil {
			t.Fatal(err)
		}
		head(f, magic, tt.version, uint64(pageSize))
		if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, tt.seals); err != nil {
			t.Fatal(err)
		}
		p, err := mapPage(f, "test")
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrVersion) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err == nil {
			p.Close()
		}
		unmapMemory(mem)
	}
}
