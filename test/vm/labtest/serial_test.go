package labtest

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/mono"
)

// openLine opens one of the guest's serial ports, raw, at 115 200 bit/s.
func openLine(t *testing.T, variable string) *os.File {
	t.Helper()
	f, err := os.OpenFile(os.Getenv(variable), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	settings, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	settings.Iflag, settings.Oflag, settings.Lflag = 0, 0, 0
	settings.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B115200
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, settings); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSerialPortsAreWiredToEachOther(t *testing.T) {
	inGuest(t)
	a, b := openLine(t, "RIG_VM_LINE_A"), openLine(t, "RIG_VM_LINE_B")
	for _, way := range []struct {
		name     string
		from, to *os.File
	}{{"A to B", a, b}, {"B to A", b, a}} {
		t.Run(way.name, func(t *testing.T) {
			sent := make([]byte, 2048) // every byte value, and more than any FIFO holds
			for i := range sent {
				sent[i] = byte(i)
			}
			go way.from.Write(sent)
			got := make([]byte, len(sent))
			if n, err := io.ReadFull(way.to, got); err != nil {
				t.Fatalf("after %d bytes: %v", n, err)
			}
			if !bytes.Equal(got, sent) {
				t.Error("bytes changed on the way")
			}
		})
	}
}

func TestSerialFramesArriveInTime(t *testing.T) {
	inGuest(t)
	a, b := openLine(t, "RIG_VM_LINE_A"), openLine(t, "RIG_VM_LINE_B")
	const frames, size, period = 500, 15, 4 * time.Millisecond
	sent, arrived := make([]time.Duration, frames), make([]time.Duration, frames)
	received := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		frame := make([]byte, size)
		for i := range arrived {
			if _, err := io.ReadFull(b, frame); err != nil {
				received <- err
				return
			}
			arrived[i] = mono.Now()
		}
		received <- nil
	}()
	start := mono.Now() + period
	for i := range sent {
		mono.SleepUntil(start + time.Duration(i)*period)
		sent[i] = mono.Now()
		if _, err := a.Write(make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-received; err != nil {
		t.Fatal(err)
	}
	for i := range arrived {
		arrived[i] -= sent[i]
	}
	slices.Sort(arrived)
	if worst := arrived[frames-1]; virtualTime() && worst > 2*time.Millisecond {
		t.Errorf("a frame took %v, want 2 ms at most", worst)
	}
	t.Logf("%d bytes from port to port: p50 %v, p99 %v, max %v",
		size, arrived[frames/2], arrived[frames*99/100], arrived[frames-1])
}

func TestSerialPortAcceptsASupportedRate(t *testing.T) {
	inGuest(t)
	fd := int(openLine(t, "RIG_VM_LINE_A").Fd())
	settings, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
	if err != nil {
		t.Fatal(err)
	}
	settings.Cflag = settings.Cflag&^unix.CBAUD | unix.BOTHER
	settings.Ispeed, settings.Ospeed = 500_000, 500_000
	if err := unix.IoctlSetTermios(fd, unix.TCSETS2, settings); err != nil {
		t.Fatal(err)
	}
	if settings, err = unix.IoctlGetTermios(fd, unix.TCGETS2); err != nil {
		t.Fatal(err)
	}
	if settings.Ospeed != 115_200 { // the highest rate of a 16550 with the usual crystal; the kernel reports no error
		t.Errorf("asked for 500000 bit/s, reads back %d, want 115200", settings.Ospeed)
	}
}
