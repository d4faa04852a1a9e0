package port

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// lockPort locks an open port, so that no two programs send different targets to one platform.
// TIOCEXCL does not stop root. The kernel keeps the lock at the device node, whatever path it
// was opened by, and releases it when the process ends.
func lockPort(path string, fd int) error {
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return openError(path, unix.EBUSY)
	}
	return nil // nil also if the device node does not support locks
}

// lockHolder returns the name of the process that has locked the port at path, "another program"
// if it is unknown.
func lockHolder(path string) string {
	var st unix.Stat_t
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || unix.Stat(path, &st) != nil {
		return "another program"
	}
	pid := lockOwner(locks, fmt.Sprintf("%02x:%02x:%d", unix.Major(st.Dev), unix.Minor(st.Dev), st.Ino))
	if pid == "" {
		return "another program"
	}
	name := "a process"
	if comm, err := os.ReadFile("/proc/" + pid + "/comm"); err == nil {
		name = strings.TrimSpace(string(comm))
	}
	return name + " (process " + pid + ")"
}

// lockOwner returns the id of the process that has locked a node according to /proc/locks, "" if
// none has. Its columns are number, kind, mode, access, process, node, range.
func lockOwner(locks []byte, node string) string {
	for line := range bytes.Lines(locks) {
		f := strings.Fields(string(line))
		if len(f) > 5 && f[1] == "FLOCK" && f[5] == node {
			return f[4]
		}
	}
	return ""
}
