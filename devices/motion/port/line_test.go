package port

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOpenLineTellsWhatIsMissing(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "gone"), 500_000)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "plug the controller in") {
		t.Errorf("got %v", err)
	}
}

func TestOpenLineRefusesWhatIsNoPort(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, 500_000); err == nil {
		t.Error("opened a plain file")
	}
}

func TestOpenLineReadsTheRateBack(t *testing.T) {
	for _, baud := range []int{115_200, 250_000, 500_000} {
		_, l := openPair(t, baud)
		if l.Baud != baud {
			t.Errorf("port says %d bits a second, want %d", l.Baud, baud)
		}
		if err := l.checkBaud("port", 2*baud); !errors.Is(err, errBaud) {
			t.Errorf("a port at half the rate gave %v", err)
		}
	}
}

func TestOpenLineKeepsTheControllerRunning(t *testing.T) {
	_, l := openPair(t, 500_000)
	got, err := unix.IoctlGetTermios(l.controlFD, unix.TCGETS2)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cflag&unix.HUPCL != 0 {
		t.Error("closing the port would drop DTR and restart the controller")
	}
}

func openPair(t *testing.T, baud int) (path string, l *Line) {
	t.Helper()
	rw, path, err := OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rw.Close() })
	// As a real port is at first, unlike a pseudo-terminal.
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	settings, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
	if err != nil {
		t.Fatal(err)
	}
	settings.Cflag |= unix.HUPCL
	if err := unix.IoctlSetTermios(fd, unix.TCSETS2, settings); err != nil {
		t.Fatal(err)
	}
	l, err = Open(path, baud)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return path, l
}

// A child process, such as the display, must not hold the line open.
func TestNoChildInheritsTheLine(t *testing.T) {
	path, _ := openPair(t, 500_000)
	found := 0
	for fd := range 1024 {
		target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
		if err != nil || target != path {
			continue
		}
		found++
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if err != nil || flags&unix.FD_CLOEXEC == 0 {
			t.Errorf("descriptor %d would be inherited (%v)", fd, err)
		}
	}
	if found < 2 {
		t.Errorf("found %d descriptors of the line, want the library's and ours", found)
	}
}

func TestWriteNeverBlocks(t *testing.T) {
	_, l := openPair(t, 500_000)
	returned := make(chan error, 1)
	go func() {
		for {
			if _, err := l.Write(make([]byte, 4096)); err != nil {
				returned <- err
				return
			}
		}
	}()
	select {
	case err := <-returned:
		if !errors.Is(err, unix.EAGAIN) {
			t.Errorf("a full line gave %v, want EAGAIN", err)
		}
	case <-time.After(time.Minute):
		t.Error("a write that nobody reads blocks")
	}
}
