// Package source opens the files that rig is told to read. Whoever wrote them is a stranger:
// a file is read only if it is a regular one, so that no pipe keeps rig waiting and no device
// goes on for ever, and only if it is no larger than its kind can be.
package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits of the kinds of files [bytes].
const (
	Text  = 16 << 20 // what people write: configurations, cars, circuits, tires, profiles
	Table = 1 << 30  // what programs write as text: inputs, trajectories
	Scan  = 4 << 30  // grounds: what a .glb can hold
)

// Read returns what a regular file holds, links followed. A file above most bytes is refused
// before it is read, and one that grows meanwhile when it passes them. Errors give the cause
// and a remedy; the caller names the file.
func Read(path string, most int64) ([]byte, error) {
	f, size, err := open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 0, size+1) // with room to see the end
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > most:
			return nil, tooLarge(int64(len(data)), most)
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, bare(err)
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// Open opens a regular file to be read bit by bit, as Read does at once. Its size is that at
// opening; the reader gives an error after most bytes.
func Open(path string, most int64) (r io.ReadCloser, size int64, err error) {
	f, size, err := open(path, most)
	if err != nil {
		return nil, 0, err
	}
	return struct {
		io.Reader
		io.Closer
	}{Limit(f, most), f}, size, nil
}

// Limit returns a reader that gives an error once r has given more than most bytes: for
// streams, whose size nobody knows before.
func Limit(r io.Reader, most int64) io.Reader { return &limited{r: r, left: most, most: most} }

type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, tooLarge(l.most+1, l.most)
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n - 1, tooLarge(l.most+1, l.most)
	}
	return n, err
}

// open opens without waiting for the writer of a pipe, and refuses what is no regular file.
func open(path string, most int64) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, 0, bare(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = fits(info, most)
	}
	if err == nil {
		err = written(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, 0, bare(err)
	}
	return f, info.Size(), nil
}

func fits(info fs.FileInfo, most int64) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return syscall.EISDIR
	case !mode.IsRegular():
		return fmt.Errorf("it is %s, not a regular file; name a file, or copy the contents into one", kind(mode))
	case info.Size() > most:
		return tooLarge(info.Size(), most)
	}
	return nil
}

// written refuses a very large file that is nearly all holes: nobody wrote it, and it would be
// read as gigabytes of zeros. Smaller ones may be good data whose zeros a copy left out.
func written(f *os.File, size int64) error {
	const small, share, extents = 256 << 20, 16, 1000
	if size <= small {
		return nil
	}
	var data, from, at int64
	var err error
	for i := 0; i < extents && err == nil; i++ {
		if from, err = f.Seek(at, unix.SEEK_DATA); err == nil {
			at, err = f.Seek(from, unix.SEEK_HOLE)
			data += at - from
		}
	}
	if errors.Is(err, unix.ENXIO) && data < size/share { // that was all of it
		return fmt.Errorf("of its %d bytes only %d are stored, the rest are holes; export it again, or if it is whole, copy it with cp --sparse=never", size, data)
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

func kind(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// errTooLarge is in the errors about files and streams above their limit.
var errTooLarge = errors.New("it is too large")

func tooLarge(size, most int64) error {
	return fmt.Errorf("%w: %d bytes or more, at most %d MB are read; name another file, or split it", errTooLarge, size, most>>20)
}

// bare is the cause of a failure, without the path that the caller names.
func bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
