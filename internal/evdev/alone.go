package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// KeepAlone hands the node over to the calling thread, which must be locked to
// its goroutine and end with it (the process' first thread never does): from
// then on no other may use or close it. The
// thread may ring and hear keep, and have the standard streams; of what else the
// process has open it sees nothing any more.
//
// When a process is killed the kernel takes its memory away before it closes
// its files, and closes one input node after the other with a grace period of
// RCU between them: the force of a dead rig would last 10 to 20 ms. A thread
// with a table of files of its own closes them as it ends, which is at once.
//
// After an error before that, everything is as it was.
func (n *Node) KeepAlone(keep *Bell) error {
	open, err := openFiles() // before: what cannot be listed could not be closed
	if err != nil {
		return err
	}
	if err := unix.Unshare(unix.CLONE_FILES); err != nil {
		return fmt.Errorf("evdev: a table of files for one thread: %w", err)
	}
	closed := make(chan struct{})
	go func() { // on another thread: it closes the number that all the others share
		unix.Close(n.fd)
		close(closed)
	}()
	<-closed
	if now, err := openFiles(); err == nil { // others opened and closed files meanwhile
		open = now
	}
	for _, fd := range open {
		if fd != n.fd && fd != keep.fd {
			unix.Close(fd)
		}
	}
	return nil
}

// openFiles lists what the calling thread's table holds beside the standard
// streams and what Go's runtime wakes itself with.
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
		runtimes := strings.Contains(target, "[eventpoll]") || strings.Contains(target, "[eventfd]")
		if err == nil && !runtimes { // an error: it was the folder itself
			open = append(open, fd)
		}
	}
	return open, nil
}
