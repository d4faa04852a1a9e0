package evdev

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Go never ends a process' first thread: no test may run on it.
func init() { runtime.LockOSThread() }

// A pipe stands in for the device: its reader sees when the last writer closes.
func TestLimpNodeKeptAloneClosesWithItsThread(t *testing.T) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC|unix.O_NONBLOCK); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(ends[0])
	closed := func() bool { // reports whether the last writer has closed
		n, err := unix.Read(ends[0], make([]byte, 1))
		return n == 0 && err == nil
	}
	waker, err := NewWaker()
	if err != nil {
		t.Fatal(err)
	}
	defer waker.Close()
	node := &Node{fd: ends[1]}
	kept := make(chan error)
	end := make(chan bool)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		kept <- node.OwnByThread(waker)
		<-end
	}()
	if err := <-kept; err != nil {
		t.Fatal(err)
	}
	if closed() {
		t.Fatal("closed while its thread lives")
	}
	end <- true
	for !closed() { // or it hangs: still open after its thread has ended
		time.Sleep(time.Millisecond)
	}
}

// If the open files cannot be listed, all threads keep the node.
func TestLimpNodeThatCannotBeKeptAloneStaysAsItWas(t *testing.T) {
	n, _ := pipeNode(t)
	waker, err := NewWaker()
	if err != nil {
		t.Fatal(err)
	}
	defer waker.Close()
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	none := unix.Rlimit{Cur: 0, Max: was.Max}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	kept := make(chan error)
	go func() {
		runtime.LockOSThread()
		kept <- n.OwnByThread(waker)
	}()
	err = <-kept
	if e := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); e != nil {
		t.Fatal(e)
	}
	if err == nil {
		t.Fatal("listed files that it could not open")
	}
	if _, err := unix.FcntlInt(uintptr(n.fd), unix.F_GETFD, 0); err != nil {
		t.Errorf("the node was taken from the others all the same: %v", err)
	}
}
