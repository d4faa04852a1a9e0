package source

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Stream opens what is read once from front to end: a regular file, or a descriptor that the
// program was given, by /dev/stdin or /dev/fd/N as a shell's <(command) does, which may be a
// pipe or a socket. Named pipes and devices are refused as by Open. Its size is -1 where it is
// not known; the reader gives an error after most bytes.
func Stream(path string, most int64) (r io.ReadCloser, size int64, err error) {
	fd, ok := descriptor(path)
	if !ok {
		return Open(path, most)
	}
	own, err := syscall.Dup(fd) // opening it again would wait for the writer of a pipe that has gone
	if err != nil {
		return nil, 0, err
	}
	f := os.NewFile(uintptr(own), path)
	info, err := f.Stat()
	size = -1
	switch {
	case err != nil:
	case info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0:
	default:
		size, err = info.Size(), fits(info, most)
	}
	if err != nil {
		f.Close()
		return nil, 0, bare(err)
	}
	return struct {
		io.Reader
		io.Closer
	}{Limit(f, most), f}, size, nil
}

// descriptor returns the descriptor that a path stands for.
func descriptor(path string) (fd int, ok bool) {
	if path == "/dev/stdin" {
		return 0, true
	}
	for _, folder := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if number, found := strings.CutPrefix(path, folder); found {
			fd, err := strconv.Atoi(number)
			return fd, err == nil && fd >= 0
		}
	}
	return 0, false
}
