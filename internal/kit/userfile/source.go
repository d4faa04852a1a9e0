// Package userfile opens the files that the user names, and trusts none of them; the files that those name, only in their own
// folder (Beside). The input is a path and a size limit; the output is the contents, or an error with cause and remedy. It
// refuses named pipes, which could block for ever, devices, which need not end, and files above the limit of their kind. It
// does not check whether the contents are valid.
package userfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits of the kinds of files [bytes].
const (
	MaxText     = 16 << 20 // files that people write: configurations, cars, circuits, tires, profiles
	MaxDataFile = 1 << 30  // text files that programs write: inputs, trajectories
	MaxScan     = 4 << 30  // scanned grounds: the largest size that the format .glb allows
)

// BaseName returns the name of a file without folder and ending, or a name as it is.
func BaseName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// Read returns the contents of a regular file and follows links. A file larger than limit bytes is
// refused before it is read, and also if it grows beyond the limit meanwhile. Errors contain the cause
// and a remedy but not the path, which the caller adds.
func Read(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, openFlags, 0)
	return readAll(f, err, limit)
}

// readAll returns the contents of a file that was opened with openFlags, or err, and closes it.
func readAll(f *os.File, err error, limit int64) ([]byte, error) {
	size, err := examine(f, err, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, size+1) // one byte more, so that the last Read can return io.EOF
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, tooLarge(int64(len(data)), limit)
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, withoutPath(err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// Open opens a regular file for reading piece by piece. It refuses the same files as Read. size is the
// file's size when it was opened; the reader returns an error after limit bytes.
func Open(path string, limit int64) (r io.ReadCloser, size int64, err error) {
	f, err := os.OpenFile(path, openFlags, 0)
	size, err = examine(f, err, limit)
	if err != nil {
		return nil, 0, err
	}
	return struct {
		io.Reader
		io.Closer
	}{LimitReader(f, limit), f}, size, nil
}

// LimitReader returns a reader that returns an error when r has more than limit bytes. It is meant for
// streams, whose size is not known in advance.
func LimitReader(r io.Reader, limit int64) io.Reader {
	return &limited{r: r, remaining: limit, limit: limit}
}

// limited is the reader that LimitReader returns.
type limited struct {
	r                io.Reader
	remaining, limit int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.remaining < 0 {
		return 0, tooLarge(l.limit+1, l.limit)
	}
	if int64(len(p)) > l.remaining+1 {
		p = p[:l.remaining+1]
	}
	n, err := l.r.Read(p)
	if l.remaining -= int64(n); l.remaining < 0 {
		return n - 1, tooLarge(l.limit+1, l.limit)
	}
	return n, err
}

// openFlags open a file without waiting for the writer of a pipe.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// examine returns the size of a file that was opened with openFlags, or err. It closes and refuses all but regular files.
func examine(f *os.File, err error, limit int64) (int64, error) {
	if err != nil {
		return 0, withoutPath(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = checkFile(info, limit)
	}
	if err == nil {
		err = checkSparse(f, info.Size())
	}
	if err != nil {
		f.Close()
		return 0, withoutPath(err)
	}
	return info.Size(), nil
}

// checkFile returns an error unless the file is a regular one of at most limit bytes.
func checkFile(info fs.FileInfo, limit int64) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return syscall.EISDIR
	case !mode.IsRegular():
		return fmt.Errorf("it is %s, not a regular file; name a file, or copy the contents into one", kindText(mode))
	case info.Size() > limit:
		return tooLarge(info.Size(), limit)
	}
	return nil
}

// checkSparse returns an error for a file above 256 MB of which less than 1/16 is stored: the rest are holes
// of a sparse file, which would be read as gigabytes of zeros. A smaller file may be good data whose zeros
// were left out when it was copied.
func checkSparse(f *os.File, size int64) error {
	const (
		minSize    = 256 << 20 // [bytes]; smaller files are not checked
		maxRatio   = 16        // largest ratio of the file's size to its stored bytes
		maxExtents = 1000      // stored pieces of the file that are counted at most
	)
	if size <= minSize {
		return nil
	}
	var stored, dataStart, holeStart int64
	var err error
	for i := 0; i < maxExtents && err == nil; i++ {
		if dataStart, err = f.Seek(holeStart, unix.SEEK_DATA); err == nil {
			holeStart, err = f.Seek(dataStart, unix.SEEK_HOLE)
			stored += holeStart - dataStart
		}
	}
	if errors.Is(err, unix.ENXIO) && stored < size/maxRatio { // ENXIO: no more data up to the end
		return fmt.Errorf("of its %d bytes only %d are stored, the rest are holes; export it again, or if it is whole, copy it with cp --sparse=never", size, stored)
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// kindText returns the kind of a file that is neither a regular file nor a folder, for a message.
func kindText(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// errTooLarge is wrapped by the errors for files and streams above their limit.
var errTooLarge = errors.New("it is too large")

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%w: %d bytes or more, at most %d MB are read; name another file, or split it", errTooLarge, size, limit>>20)
}

// withoutPath returns the cause of a file error without its path, which the caller adds.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
