package check

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/usbserial"
)

// checkPort checks the controller's serial port without opening it: opening restarts some
// controllers, which then move. It returns false if the user may not use the port.
func checkPort(port string, add func(check, where, what, remedy string)) (allowed bool) {
	var st unix.Stat_t
	err := unix.Stat(port, &st)
	switch {
	case err != nil:
		add("port", "platform", port+": "+err.Error(), "plug in the controller and set motion.port; present: "+matchingFiles(serialNames))
		return true
	case st.Mode&unix.S_IFMT != unix.S_IFCHR || !isSerialDevice(unix.Major(st.Rdev), unix.Minor(st.Rdev)):
		add("port", "platform", port+": is not a serial port", "set motion.port to the controller's port; present: "+matchingFiles(serialNames))
		return true
	}
	usbserial.Check("", port, add)
	return unix.Access(port, unix.R_OK|unix.W_OK) == nil
}

// serialNames matches the stable names of serial ports.
const serialNames = "/dev/serial/by-id/*"

// matchingFiles returns the files that match a pattern as a text for a message.
func matchingFiles(pattern string) string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return "none under " + filepath.Dir(pattern)
	}
	return strings.Join(files, ", ")
}

// isSerialDevice reports whether the device with these major and minor numbers is a serial port or a
// pseudo-terminal. It also returns true if the kernel's list /proc/tty/drivers cannot be read.
func isSerialDevice(major, minor uint32) bool {
	drivers, err := os.ReadFile("/proc/tty/drivers")
	return err != nil || listsSerialDevice(drivers, major, minor)
}

// listsSerialDevice reports whether drivers, the text of /proc/tty/drivers, has the device as a serial port or
// pseudo-terminal. Its columns are name, path, major number, minor numbers (such as 64 or 0-255) and kind.
func listsSerialDevice(drivers []byte, major, minor uint32) bool {
	for line := range bytes.Lines(drivers) {
		f := strings.Fields(string(line))
		if len(f) < 5 || f[2] != strconv.FormatUint(uint64(major), 10) {
			continue
		}
		kind, _, _ := strings.Cut(f[4], ":")
		if (kind == "serial" || kind == "pty") && isInNumberRange(f[3], minor) {
			return true
		}
	}
	return false
}

// isInNumberRange reports whether n is in a range such as 0-255, or equals a single number.
func isInNumberRange(span string, n uint32) bool {
	first, last, two := strings.Cut(span, "-")
	if !two {
		last = first
	}
	low, err := strconv.ParseUint(first, 10, 32)
	high, err2 := strconv.ParseUint(last, 10, 32)
	return err == nil && err2 == nil && uint64(n) >= low && uint64(n) <= high
}
