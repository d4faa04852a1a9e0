package userfile

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Stream opens an input that is read once from start to end: a regular file, or a descriptor that the
// program inherited. Such a descriptor is named /dev/stdin or /dev/fd/N, as by a shell's <(command), and
// may be a pipe or a socket. Named pipes and devices are refused as by Open. size is -1 if it is not
// known; the reader returns an error after limit bytes.
func Stream(path string, limit int64) (r io.ReadCloser, size int64, err error) {
	fd, ok := descriptor(path)
	if !ok {
		return Open(path, limit)
	}
	duplicate, err := syscall.Dup(fd) // opening the path would block if the pipe's writer has already closed it
	if err != nil {
		return nil, 0, err
	}
	f := os.NewFile(uintptr(duplicate), path)
	info, err := f.Stat()
	size = -1
	switch {
	case err != nil:
	case info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0:
	default:
		size, err = info.Size(), checkFile(info, limit)
	}
	if err != nil {
		f.Close()
		return nil, 0, withoutPath(err)
	}
	return struct {
		io.Reader
		io.Closer
	}{LimitReader(f, limit), f}, size, nil
}

// descriptor returns the number of the descriptor that a path such as /dev/fd/3 names.
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
