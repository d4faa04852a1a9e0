package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// OwnByThread makes the calling thread the only owner of the node. The thread must be locked to its
// goroutine and end with it, and must not be the first thread of the process, which never ends. Afterwards
// no other thread may use or close the node, and the calling thread can use only the node, waker and the
// standard streams, but no other file that the process has open.
//
// When a process is killed, the kernel frees its memory before it closes its files, and waits for an RCU
// grace period between two input nodes, so that the force of a killed program would last for another 10 to
// 20 ms. A thread with a file table of its own closes its files as soon as it ends.
//
// After an error nothing has changed.
func (n *Node) OwnByThread(waker *Waker) error {
	open, err := openFiles() // before anything changes, because files that cannot be listed cannot be closed either
	if err != nil {
		return err
	}
	if err := unix.Unshare(unix.CLONE_FILES); err != nil {
		return fmt.Errorf("evdev: file table of one thread: %w", err)
	}
	closed := make(chan struct{})
	go func() { // another thread must close the node in the file table that the other threads still share
		unix.Close(n.fd)
		close(closed)
	}()
	<-closed
	if now, err := openFiles(); err == nil { // other threads may have opened and closed files meanwhile
		open = now
	}
	for _, fd := range open {
		if fd != n.fd && fd != waker.fd {
			unix.Close(fd)
		}
	}
	return nil
}

// openFiles returns the descriptors in the calling thread's file table, without the standard streams and the
// descriptors that Go's runtime uses to wake itself.
func openFiles() ([]int, error) {
	const table = "/proc/thread-self/fd"
	list, err := os.ReadDir(table)
	if err != nil {
		return nil, fmt.Errorf("evdev: %w", err)
	}
	var open []int
	for _, entry := range list {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= unix.Stderr {
			continue
		}
		target, err := os.Readlink(filepath.Join(table, entry.Name()))
		isRuntimeFile := strings.Contains(target, "[eventpoll]") || strings.Contains(target, "[eventfd]")
		if err == nil && !isRuntimeFile { // an error: the descriptor of the folder itself
			open = append(open, fd)
		}
	}
	return open, nil
}
