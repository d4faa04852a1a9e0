// Package port opens the serial port of a motion controller.
//
// In go a device path and a bit rate, out comes an open Line whose reads time out and whose
// writes never wait. It locks the port against a second rig, refuses one that keeps another bit
// rate, and leaves DTR unchanged, so that closing the port restarts no controller. OpenPty opens
// a pseudo-terminal for simulated controllers. It has nothing to do with any protocol.
package port

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"syscall"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/nodelock"
)

// readTimeout limits one read, so that the reader notices when it must end.
const readTimeout = 20 * time.Millisecond

// Line is an open serial port. Its Read returns 0 and no error after a short time without
// bytes; its Write takes as many bytes as there is room for and never waits.
//
// The serial library opens, reads and writes the port. A second descriptor does what the library
// cannot: keep the controller from restarting when the port closes, read back the bit rate, lock
// the port, get the number of unsent bytes, and drop what a dead controller does not accept.
type Line struct {
	serial.Port
	controlFD int // the second descriptor
	Baud      int // bits per second, as the port reports it
}

// Open opens and locks the port at path with 8 data bits, no parity and one stop bit.
func Open(path string, baud int) (*Line, error) {
	controlFD, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, openError(path, err)
	}
	l := &Line{controlFD: controlFD}
	if nodelock.Lock(controlFD) { // no two programs send different targets to one platform; TIOCEXCL does not stop root
		err = l.configure(path, baud)
	} else {
		err = openError(path, unix.EBUSY)
	}
	if err != nil {
		unix.Close(controlFD)
		return nil, err
	}
	return l, nil
}

func openError(path string, err error) error {
	remedy := "plug the controller in, or correct motion.port"
	switch {
	case errors.Is(err, os.ErrPermission):
		remedy = "join the group that owns it (dialout), see 70-rig.rules"
	case errors.Is(err, unix.EBUSY):
		remedy = nodelock.Holder(path) + " has it open: end that first"
	}
	return fmt.Errorf("motion: open %s: %w; %s", path, err, remedy)
}

func (l *Line) configure(path string, baud int) error {
	// Without HUPCL the DTR signal does not change when the port closes, so that only
	// the first opening may restart the controller. Pseudo-terminals and some adapters have no DTR.
	if t, err := unix.IoctlGetTermios(l.controlFD, unix.TCGETS2); err == nil {
		t.Cflag &^= unix.HUPCL
		_ = unix.IoctlSetTermios(l.controlFD, unix.TCSETS2, t)
	}
	port, err := openPort(path, baud)
	if err != nil {
		return openError(path, err)
	}
	if err := port.SetReadTimeout(readTimeout); err != nil {
		port.Close()
		return fmt.Errorf("motion: %s: %w", path, err)
	}
	l.Port = port
	if err := l.checkBaud(path, baud); err != nil {
		port.Close()
		return err
	}
	return nil
}

// checkBaud reads the port's bit rate into Baud, and refuses a port that keeps another rate without an
// error, as a 16550 does: what the port sends would be noise to the controller.
func (l *Line) checkBaud(path string, want int) error {
	// Largest relative deviation of the rate. A receiver synchronizes at each start bit, so that it
	// still reads all ten bits of a byte correctly.
	const tolerance = 0.03
	t, err := unix.IoctlGetTermios(l.controlFD, unix.TCGETS2)
	if err != nil {
		return fmt.Errorf("motion: %s: read back the bit rate: %w", path, err)
	}
	l.Baud = int(t.Ospeed)
	if math.Abs(float64(l.Baud-want)) > tolerance*float64(want) {
		return fmt.Errorf("motion: %s runs at %d bits a second, not %d: %w; use an adapter that can, or set motion.baud",
			path, l.Baud, want, errBaud)
	}
	return nil
}

var errBaud = errors.New("rate refused by the port")

// openPort opens the library's descriptor and sets what the library leaves unset: without
// close-on-exec a child process such as the display would inherit the line and hold it open, and
// without non-blocking mode a write would block forever on a controller that accepts nothing.
func openPort(path string, baud int) (serial.Port, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	port, err := serial.Open(path, &serial.Mode{BaudRate: baud})
	if err != nil {
		return nil, err
	}
	if err := setCloexecNonblock(path); err != nil {
		port.Close()
		return nil, err
	}
	return port, nil
}

// setCloexecNonblock makes every descriptor of this process that is the device at path
// close-on-exec and non-blocking.
func setCloexecNonblock(path string) error {
	var device, st unix.Stat_t
	if err := unix.Stat(path, &device); err != nil {
		return err
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil || unix.Fstat(fd, &st) != nil || st.Rdev != device.Rdev || st.Mode&unix.S_IFMT != unix.S_IFCHR {
			continue
		}
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, true); err != nil {
			return err
		}
	}
	return nil
}

// Unsent returns how many bytes the kernel holds that the port has not sent; 0 if the driver
// cannot tell.
func (l *Line) Unsent() int {
	n, err := unix.IoctlGetInt(l.controlFD, unix.TIOCOUTQ)
	if err != nil {
		return 0
	}
	return n
}

// Close releases the port. Closing can take half a minute if nobody reads the output: after a
// short time it continues in the background.
func (l *Line) Close() error {
	_ = unix.IoctlSetInt(l.controlFD, unix.TCFLSH, unix.TCOFLUSH) // fails on a disconnected port, which holds nothing
	_ = unix.Flock(l.controlFD, unix.LOCK_UN)                     // another program may open the port now: nothing is sent any more, however long closing takes
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = l.Port.Close() // nothing can be done about an error of a disconnected port
		unix.Close(l.controlFD)
	}()
	select {
	case <-closed:
	case <-time.After(200 * time.Millisecond):
	}
	return nil
}
