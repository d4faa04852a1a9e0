package port

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// OpenPty opens a pseudo-terminal: a serial line without hardware. What is written to controller
// is read from the device at path, and the other way round.
//
// Closing controller acts like unplugging a real line.
func OpenPty() (controller io.ReadWriteCloser, path string, err error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, "", fmt.Errorf("motion: /dev/ptmx: %w; is devpts mounted on /dev/pts?", err)
	}
	path, err = unlockPty(fd)
	if err != nil {
		unix.Close(fd)
		return nil, "", fmt.Errorf("motion: pseudo-terminal: %w", err)
	}
	terminal, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err == nil {
		if err = makeRaw(int(terminal.Fd())); err != nil {
			terminal.Close()
		}
	}
	if err != nil {
		unix.Close(fd)
		return nil, "", fmt.Errorf("motion: pseudo-terminal: %w", err)
	}
	return &pty{File: os.NewFile(uintptr(fd), "/dev/ptmx"), terminal: terminal}, path, nil
}

func unlockPty(fd int) (path string, err error) {
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return "", err
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	return fmt.Sprintf("/dev/pts/%d", n), err
}

// makeRaw puts a terminal into raw mode, so that it does not echo what arrives before a host has
// opened it.
func makeRaw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	return unix.IoctlSetTermios(fd, unix.TCSETS2, t)
}

// pty is the controller's end. It keeps the other end open too, so that the line persists when
// the host closes it.
type pty struct {
	*os.File
	terminal *os.File
}

func (p *pty) Close() error { return errors.Join(p.File.Close(), p.terminal.Close()) }
