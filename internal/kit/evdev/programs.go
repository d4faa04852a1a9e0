package evdev

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/printable"
)

// Program is a program that has a file open.
type Program struct {
	PID    int
	Name   string // up to 15 characters
	Writes bool   // it opened the file for writing, as a program does that plays forces
}

// String returns the program's name and process number.
func (p Program) String() string { return fmt.Sprintf("%s (pid %d)", p.Name, p.PID) }

// ProgramsUsing returns the other programs that have the file at path open, in the order of their numbers, as
// far as this user may see them: those of other users are seen by root alone. root is the folder that stands for
// /, "" except in tests.
func ProgramsUsing(root, path string) (list []Program) {
	tables, _ := filepath.Glob(filepath.Join(root, "/proc/[0-9]*/fd"))
	for _, table := range tables {
		process := filepath.Dir(table)
		pid, err := strconv.Atoi(filepath.Base(process))
		if err != nil || pid == os.Getpid() {
			continue
		}
		isOpen, writes := openIn(process, path)
		if !isOpen {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(process, "comm"))
		list = append(list, Program{pid, printable.Line(strings.TrimSpace(string(name))), writes})
	}
	return list
}

// openIn reports whether a process, given by its folder in /proc, has the file at path open, and whether one of
// its descriptors may write to it.
func openIn(process, path string) (isOpen, writes bool) {
	table := filepath.Join(process, "fd")
	files, _ := os.ReadDir(table)
	for _, f := range files {
		if target, err := os.Readlink(filepath.Join(table, f.Name())); err != nil || target != path {
			continue
		}
		isOpen = true
		writes = writes || mayWrite(filepath.Join(process, "fdinfo", f.Name()))
	}
	return isOpen, writes
}

// mayWrite reports whether a descriptor was opened for writing; info is its file in /proc/PID/fdinfo (proc(5)),
// whose flags are octal.
func mayWrite(info string) bool {
	text, _ := os.ReadFile(info)
	for line := range strings.Lines(string(text)) {
		if octal, ok := strings.CutPrefix(line, "flags:"); ok {
			flags, err := strconv.ParseUint(strings.TrimSpace(octal), 8, 64)
			return err == nil && flags&unix.O_ACCMODE != unix.O_RDONLY
		}
	}
	return false
}
