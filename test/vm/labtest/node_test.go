package labtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/uinput"
)

// openNode opens an input node until the end of the test, in non-blocking mode.
func openNode(t *testing.T, node string) int {
	t.Helper()
	fd, err := unix.Open(node, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("%s: %v", node, err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// forceFeedback returns the node's bitmap of effects in the format of sysfs: words of 64 bits, the highest first.
func forceFeedback(t *testing.T, node string) string {
	t.Helper()
	bits, err := os.ReadFile("/sys/class/input/" + filepath.Base(node) + "/device/capabilities/ff")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(bits))
}

// Bits 0x52, 0x60 and 0x61: FF_CONSTANT, FF_GAIN, FF_AUTOCENTER.
const constantGainAutocenter = "300040000 0"

// waitAxis waits for an event of this axis with the value want.
func waitAxis(t *testing.T, fd int, code uint16, want int32) {
	t.Helper()
	var seen []int32
	for range 2000 {
		var events [32]uinput.Event
		size := int(unsafe.Sizeof(events[0]))
		n, err := unix.Read(fd, unsafe.Slice((*byte)(unsafe.Pointer(&events)), len(events)*size))
		if err == unix.EAGAIN {
			time.Sleep(time.Millisecond)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events[:n/size] {
			if e.Type == uinput.EvAbs && e.Code == code {
				seen = append(seen, e.Value)
			}
		}
		if slices.Contains(seen, want) {
			return
		}
	}
	t.Fatalf("axis %#x reports %d, never %d", code, seen, want)
}

// eventually fails the test unless ok becomes true within two seconds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("not within two seconds: %s", what)
}

func play(t *testing.T, fd int, e uinput.Effect) {
	t.Helper()
	if err := uinput.Write(fd, uinput.Event{Type: uinput.EvFF, Code: uint16(e.ID), Value: 1}); err != nil {
		t.Fatal(err)
	}
}

func upload(t *testing.T, fd int, e *uinput.Effect) {
	t.Helper()
	if err := uinput.Upload(fd, e); err != nil {
		t.Fatal(err)
	}
}
