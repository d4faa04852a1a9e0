package port

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// lockPort takes rig's own lock on an open port, so that no two programs send a platform
// two paths. TIOCEXCL does not hold root. The kernel keeps the lock at the device's node,
// whatever name it was opened by, and gives it back when the process dies.
func lockPort(path string, fd int) error {
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return openError(path, unix.EBUSY)
	}
	return nil // a node that knows no locks has none to respect
}

// portHolder names the process that has locked the port at path, "another program" where
// that cannot be known.
func portHolder(path string) string {
	var st unix.Stat_t
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || unix.Stat(path, &st) != nil {
		return "another program"
	}
	pid := lockedBy(locks, fmt.Sprintf("%02x:%02x:%d", unix.Major(st.Dev), unix.Minor(st.Dev), st.Ino))
	if pid == "" {
		return "another program"
	}
	name := "a process"
	if comm, err := os.ReadFile("/proc/" + pid + "/comm"); err == nil {
		name = strings.TrimSpace(string(comm))
	}
	return name + " (process " + pid + ")"
}

// lockedBy returns which process holds a node in the kernel's list of locks, "" if none
// does: number, kind, mode, access, process, node, range.
func lockedBy(locks []byte, node string) string {
	for line := range bytes.Lines(locks) {
		f := strings.Fields(string(line))
		if len(f) > 5 && f[1] == "FLOCK" && f[5] == node {
			return f[4]
		}
	}
	return ""
}
