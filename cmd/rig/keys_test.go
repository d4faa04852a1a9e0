package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// pty returns both ends of a pseudo-terminal.
func pty(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	fd, _, errno := unix.Syscall(unix.SYS_IOCTL, master.Fd(), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY)
	if errno != 0 {
		t.Skip(errno)
	}
	slave = os.NewFile(fd, "terminal")
	t.Cleanup(func() { slave.Close() })
	return master, slave
}

func TestSingleKeysAreHeardAtOnce(t *testing.T) {
	master, slave := pty(t)
	undo := singleKeys(slave)()
	if _, err := master.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	key := make(chan byte, 1)
	go func() {
		var b [1]byte
		if n, _ := slave.Read(b[:]); n == 1 {
			key <- b[0]
		}
	}()
	if k := <-key; k != 'x' { // or it hangs, for want of Enter
		t.Errorf("heard %q, want x", k)
	}
	undo()
	if s, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS); err != nil || s.Lflag&unix.ICANON == 0 || s.Lflag&unix.ECHO == 0 {
		t.Errorf("the terminal is not as it was: %+v, %v", s, err)
	}
}

func TestNoSingleKeysWithoutATerminal(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if singleKeys(f) != nil {
		t.Error("what is no terminal was made to give keys")
	}
}
