// Package nodelock locks the nodes of devices that only one program may move, such as a wheel's or a serial port's, and
// names the program that holds a lock.
//
// The kernel keeps a lock (flock) at the node, whatever path it was opened by, for all users, and releases it when the
// process ends. An open descriptor goes in; whether it has the lock comes out. The package opens no device.
package nodelock

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Lock locks the node that is open as fd until that is closed. It reports false if another descriptor, of this process or
// another one, has the lock. A node that does not support locks counts as locked.
func Lock(fd int) bool {
	return !errors.Is(unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// Holder returns the name of the process that has locked the node at path, "another program" if it is unknown.
func Holder(path string) string {
	var st unix.Stat_t
	locks, err := os.ReadFile("/proc/locks")
	if err != nil || unix.Stat(path, &st) != nil {
		return "another program"
	}
	pid := owner(locks, fmt.Sprintf("%02x:%02x:%d", unix.Major(st.Dev), unix.Minor(st.Dev), st.Ino))
	if pid == "" {
		return "another program"
	}
	name := "a process"
	if comm, err := os.ReadFile("/proc/" + pid + "/comm"); err == nil {
		name = strings.TrimSpace(string(comm))
	}
	return name + " (process " + pid + ")"
}

// owner returns the id of the process that has locked a node according to /proc/locks, "" if
// none has. Its columns are number, kind, mode, access, process, node, range.
func owner(locks []byte, node string) string {
	for line := range bytes.Lines(locks) {
		f := strings.Fields(string(line))
		if len(f) > 5 && f[1] == "FLOCK" && f[5] == node {
			return f[4]
		}
	}
	return ""
}
