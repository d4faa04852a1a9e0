package labtest

import (
	"bytes"
	"fmt"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/mono"
)

// ioctl numbers and flags of the kernel's gpio.h, version 2.
const (
	gpioGetChipInfo = 0x8044b401
	gpioGetLine     = 0xc250b407
	gpioGetValues   = 0xc010b40e
	gpioSetValues   = 0xc010b40f

	gpioInput       = 1 << 2
	gpioOutput      = 1 << 3
	gpioEdgeRising  = 1 << 4
	gpioEdgeFalling = 1 << 5

	gpioEventSize = 48
)

// lineConfig is struct gpio_v2_line_config.
type lineConfig struct {
	flags      uint64
	attributes uint32
	_          [5]uint32
	_          [10][3]uint64
}

// lineRequest is struct gpio_v2_line_request.
type lineRequest struct {
	offsets  [64]uint32
	consumer [32]byte
	config   lineConfig
	lines    uint32
	events   uint32
	_        [5]uint32
	fd       int32
}

// lineValues is struct gpio_v2_line_values.
type lineValues struct{ bits, mask uint64 }

func TestGPIOStructsHaveTheKernelsSize(t *testing.T) {
	if got := unsafe.Sizeof(lineRequest{}); got != 592 {
		t.Errorf("gpio_v2_line_request has %d bytes, want 592", got)
	}
}

// requestLine opens one line of a GPIO chip.
func requestLine(chip string, line uint32, flags uint64) (int, error) {
	fd, err := unix.Open(chip, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	r := lineRequest{lines: 1, config: lineConfig{flags: flags}}
	r.offsets[0] = line
	copy(r.consumer[:], "labtest")
	if err := ioctl(fd, gpioGetLine, unsafe.Pointer(&r)); err != nil {
		return 0, fmt.Errorf("line %d of %s: %w", line, chip, err)
	}
	return int(r.fd), nil
}

func lineValue(line int) (bool, error) {
	v := lineValues{mask: 1}
	err := ioctl(line, gpioGetValues, unsafe.Pointer(&v))
	return v.bits&1 != 0, err
}

func setLine(line int, high bool) error {
	v := lineValues{mask: 1}
	if high {
		v.bits = 1
	}
	return ioctl(line, gpioSetValues, unsafe.Pointer(&v))
}

// waitEdge waits for an edge of a line and reads the event.
func waitEdge(line int, patience time.Duration) error {
	ready := []unix.PollFd{{Fd: int32(line), Events: unix.POLLIN}}
	for end := mono.Now() + patience; mono.Now() < end; {
		n, err := unix.Poll(ready, int(patience/time.Millisecond))
		if n == 1 {
			_, err = unix.Read(line, make([]byte, gpioEventSize))
			return err
		}
		if err != nil && err != unix.EINTR {
			return err
		}
	}
	return fmt.Errorf("no edge within %v", patience)
}

func ioctl(fd int, request uint, argument unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}

// text returns a zero-terminated string of C.
func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}
