// Package port opens the serial port of a motion controller.
//
// In goes a device and a bit rate, out comes an open Line whose reads give up after a
// moment and whose writes never wait. It locks the port against a second rig, refuses
// one that keeps another bit rate, and leaves DTR alone, so that closing restarts no
// controller. OpenPty makes a line without wire for simulated controllers. It knows no
// protocol.
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
)

// readPause bounds one read, so that the reader notices that it shall end.
const readPause = 20 * time.Millisecond

// Line is an open serial port. Its Read returns 0 and no error after a moment without
// bytes; its Write takes what there is room for and never waits.
//
// The serial library opens, reads and writes it. A second descriptor of our
// own does what the library cannot: keep the controller from restarting when
// the port closes, read back the bit rate, lock the port, tell what waits in it,
// and drop what a dead controller does not take.
type Line struct {
	serial.Port
	control int
	Baud    int // bits a second, as the port reports it
}

// Open opens the port at path with 8 data bits, no parity and one stop bit.
func Open(path string, baud int) (*Line, error) {
	control, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, openError(path, err)
	}
	l := &Line{control: control}
	if err = lockPort(path, control); err == nil {
		err = l.setUp(path, baud)
	}
	if err != nil {
		unix.Close(control)
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
		remedy = portHolder(path) + " has it open: end that first"
	}
	return fmt.Errorf("motion: open %s: %w; %s", path, err, remedy)
}

func (l *Line) setUp(path string, baud int) error {
	// Only a first opening may restart the controller: DTR stays as it is when
	// the port closes. Pseudo-terminals and some adapters know no DTR.
	if t, err := unix.IoctlGetTermios(l.control, unix.TCGETS2); err == nil {
		t.Cflag &^= unix.HUPCL
		_ = unix.IoctlSetTermios(l.control, unix.TCSETS2, t)
	}
	port, err := openPort(path, baud)
	if err != nil {
		return openError(path, err)
	}
	if err := port.SetReadTimeout(readPause); err != nil {
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

// checkBaud refuses a port that keeps another rate without saying so, as a
// 16550 does: what it sends would be noise to the controller.
func (l *Line) checkBaud(path string, want int) error {
	const tolerance = 0.03 // what a start bit still puts right
	t, err := unix.IoctlGetTermios(l.control, unix.TCGETS2)
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

// openPort opens the library's descriptor and puts right what the library
// leaves: a child process such as the display would inherit the line and hold
// it open, and a write would block for ever on a controller that takes nothing.
func openPort(path string, baud int) (serial.Port, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	port, err := serial.Open(path, &serial.Mode{BaudRate: baud})
	if err != nil {
		return nil, err
	}
	if err := claim(path); err != nil {
		port.Close()
		return nil, err
	}
	return port, nil
}

// claim makes every descriptor of this process that is the device at path
// close-on-exec and non-blocking.
func claim(path string) error {
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

// Unsent returns how many bytes the kernel holds that the port has not sent [bytes]. A
// driver that cannot tell says 0.
func (l *Line) Unsent() int {
	n, err := unix.IoctlGetInt(l.control, unix.TIOCOUTQ)
	if err != nil {
		return 0
	}
	return n
}

// Close lets go of the port. Closing can hang for half a minute on output that
// nobody takes: it goes on in the background after a moment.
func (l *Line) Close() error {
	_ = unix.IoctlSetInt(l.control, unix.TCFLSH, unix.TCOFLUSH) // fails on a port that is gone, where nothing is left to drop
	_ = unix.Flock(l.control, unix.LOCK_UN)                     // nothing is sent any more, however long closing takes
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = l.Port.Close() // of a port that vanished: there is nobody to tell
		unix.Close(l.control)
	}()
	select {
	case <-closed:
	case <-time.After(200 * time.Millisecond):
	}
	return nil
}
