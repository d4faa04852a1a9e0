package check

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/usbserial"
)

// checkPort looks at the controller's line. It does not open it: that restarts some
// controllers, which then move.
func checkPort(port string, add func(level, where, what, remedy string)) {
	wrong := func(what, remedy string) { add("error", "platform", port+": "+what, remedy) }
	var st unix.Stat_t
	err := unix.Stat(port, &st)
	switch {
	case err != nil:
		wrong(err.Error(), "plug the controller in, and name it in motion.port; present: "+present(serialNames))
		return
	case st.Mode&unix.S_IFMT != unix.S_IFCHR || !serialDevice(unix.Major(st.Rdev), unix.Minor(st.Rdev)):
		wrong("is no serial line", "name the controller's in motion.port; present: "+present(serialNames))
		return
	}
	if err := unix.Access(port, unix.R_OK|unix.W_OK); err != nil {
		remedy := "see `rig devices`"
		if errors.Is(err, unix.EACCES) {
			remedy = "join the group that owns it (dialout), and log in again; or name it in " + usbserial.RulesFile + ", see docs/motion.md"
		}
		wrong(err.Error(), remedy)
	}
	usbserial.Check("", port, add)
}

// serialNames are the names of serial lines that stay the same.
const serialNames = "/dev/serial/by-id/*"

// present lists the files that a pattern matches.
func present(pattern string) string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return "none under " + filepath.Dir(pattern)
	}
	return strings.Join(files, ", ")
}

// serialDevice reports that the kernel has a device of these numbers as a serial line or
// as the end of a pseudo-terminal. Where it does not tell, it may be one.
func serialDevice(major, minor uint32) bool {
	drivers, err := os.ReadFile("/proc/tty/drivers")
	return err != nil || serialIn(drivers, major, minor)
}

// serialIn looks for a device in the kernel's list: name, path, major number, minor numbers
// as 64 or 0-255, and kind.
func serialIn(drivers []byte, major, minor uint32) bool {
	for line := range bytes.Lines(drivers) {
		f := strings.Fields(string(line))
		if len(f) < 5 || f[2] != strconv.FormatUint(uint64(major), 10) {
			continue
		}
		kind, _, _ := strings.Cut(f[4], ":")
		if (kind == "serial" || kind == "pty") && within(f[3], minor) {
			return true
		}
	}
	return false
}

// within reports that n is in a range such as 0-255, or is the number that stands there.
func within(span string, n uint32) bool {
	first, last, two := strings.Cut(span, "-")
	if !two {
		last = first
	}
	low, err := strconv.ParseUint(first, 10, 32)
	high, err2 := strconv.ParseUint(last, 10, 32)
	return err == nil && err2 == nil && uint64(n) >= low && uint64(n) <= high
}
