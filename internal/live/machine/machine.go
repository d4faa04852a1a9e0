// Package machine looks for what this computer lacks or has set so that a drive suffers: groups of the user, the
// kernel and its drivers, processors, power saving of USB devices. The input is a folder that stands for /, from
// which it reads /sys, /proc and files of /etc; the output are problems with their remedies. What a machine does
// not show, such as a container without /sys, is no problem. It changes nothing.
package machine

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Report is called with each problem: the name of the check that found it, the part of the rig, what is wrong, and
// what to do. A remedy that a command carries out ends with it, in backquotes after a colon and a space.
type Report = func(check, where, what, remedy string)

// KernelRelease returns the release of the running kernel, such as 6.12.48+deb13-amd64.
func KernelRelease() string {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return ""
	}
	return unix.ByteSliceToString(name.Release[:])
}

// text returns the contents of a small file without spaces at its ends, "" if it cannot be read.
func text(elements ...string) string {
	b, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// numbers returns the numbers of a list of the kernel, such as 0-2,5.
func numbers(list string) map[int]bool {
	const most = 1 << 16 // no machine has more processors
	set := map[int]bool{}
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil {
			continue
		}
		for n := max(from, 0); n <= min(to, most); n++ {
			set[n] = true
		}
	}
	return set
}
