// Package sink writes results to the place that the user names: a file, a pipe, a device or stdout. The
// input is a path and a function that writes; the output is the file, or an error that names it. A regular
// file is replaced atomically and never left half written. Waiting for the reader of a pipe ends
// when the command is interrupted.
package sink

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Sink is the destination of a result.
type Sink struct {
	Command   string    // command that writes; error messages begin with it
	Path      string    // path of the file; "-" means Out
	Out       io.Writer // stdout
	Interrupt Interrupt // ends waiting for the reader of a pipe; the zero value never does
}

// Fill calls write with a writer for the destination. A regular file is replaced atomically. A pipe, a
// device or an open descriptor is written into and not replaced.
func (s Sink) Fill(write func(io.Writer) error) error {
	if s.Path == "-" {
		return write(s.stream(s.Out, "stdout"))
	}
	path, err := resolveLinks(s.Path)
	if err != nil {
		return s.writeError(s.Path, err)
	}
	st, err := os.Stat(path)
	switch {
	case isIrreplaceable(path) || err == nil && !st.Mode().IsRegular():
		return s.writeInto(path, write)
	case err == nil:
		return s.replace(path, st, write)
	case errors.Is(err, fs.ErrNotExist):
		return s.create(path, 0o666, nil, write)
	}
	return s.writeError(s.Path, err)
}

// writeInto writes into an existing pipe, device or descriptor.
func (s Sink) writeInto(path string, write func(io.Writer) error) error {
	f, err := Wait(s.Interrupt, func() (*os.File, error) { return openInto(path) })
	if err != nil {
		return s.writeError(s.Path, err)
	}
	return errors.Join(write(s.stream(f, s.Path)), f.Close())
}

// stream returns a writer to w whose errors contain name, and which stops waiting on an interrupt.
func (s Sink) stream(w io.Writer, name string) io.Writer {
	return namedWriter{Writer(s.Interrupt, w), name, s}
}

// openInto opens an existing file for writing at its end. A descriptor of this process is duplicated,
// because opening it again would start at the beginning of its file and overwrite what
// other programs with the same descriptor have written.
func openInto(path string) (*os.File, error) {
	n, err := strconv.Atoi(filepath.Base(path))
	if err != nil || filepath.Dir(path) != fmt.Sprintf("/proc/%d/fd", os.Getpid()) {
		return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	}
	fd, err := syscall.Dup(n)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// isIrreplaceable reports whether a path, whose links are resolved, is under /proc or under /dev, except /dev/shm.
// Such a file must not be replaced, even if it is a regular one.
func isIrreplaceable(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/dev/shm/")
}

// resolveLinks resolves the symbolic links of a path, whose file need not exist yet. It does not resolve the
// descriptors under /proc, which look like links.
func resolveLinks(path string) (string, error) {
	const maxLinks = 40 // the kernel's limit
	for range maxLinks {
		if strings.HasSuffix(path, "/") {
			return "", syscall.EISDIR
		}
		folder, err := filepath.Abs(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		if folder, err = filepath.EvalSymlinks(folder); err != nil {
			return "", err
		}
		path = filepath.Join(folder, filepath.Base(path))
		to, err := os.Readlink(path)
		if err != nil || strings.HasPrefix(path, "/proc/") {
			return path, nil
		}
		if path = to; !filepath.IsAbs(to) {
			path = folder + "/" + to
		}
	}
	return "", syscall.ELOOP
}

// SameFile reports whether two paths lead to the same file, whether it exists or not. Hard links count as
// different files.
func SameFile(a, b string) bool {
	a, errA := resolveLinks(a)
	b, errB := resolveLinks(b)
	return errA == nil && errB == nil && a == b
}

var errReadOnly = errors.New("it is read-only; make it writable or name another file")

// replace replaces an existing file and keeps its mode. It refuses a file that the user may not write,
// and one without any write permission even for root, who could write every file.
func (s Sink) replace(path string, old fs.FileInfo, write func(io.Writer) error) error {
	mode := old.Mode().Perm()
	if mode&0o222 == 0 {
		return s.writeError(s.Path, errReadOnly)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return s.writeError(s.Path, err)
	}
	f.Close()
	return s.create(path, mode, func(f *os.File) error { return f.Chmod(mode) }, write)
}

// create creates or replaces the file at path. finish, if not nil, is called after write with the open file.
func (s Sink) create(path string, mode fs.FileMode, finish func(*os.File) error, write func(io.Writer) error) error {
	var writeErr error // error of write or finish; errors of write already name the file
	err := Replace(path, mode, func(f *os.File) error {
		if writeErr = write(namedWriter{f, s.Path, s}); writeErr != nil || finish == nil {
			return writeErr
		}
		return finish(f)
	})
	if writeErr != nil || err == nil {
		return writeErr
	}
	return s.writeError(s.Path, err)
}

// namedWriter is a writer whose errors contain a name: "stdout", or the path as the user typed it.
type namedWriter struct {
	w    io.Writer
	name string
	sink Sink
}

// Stdout returns a writer to w whose errors start with the command's name and call w stdout.
func Stdout(command string, w io.Writer) io.Writer {
	return namedWriter{w, "stdout", Sink{Command: command}}
}

func (t namedWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if err != nil {
		err = t.sink.writeError(t.name, err)
	}
	return n, err
}

// writeError returns the error for a file that cannot be written, by the user's name for it. It drops the
// path in err, which may be that of a temporary file. An interrupt's error is returned unchanged.
func (s Sink) writeError(name string, err error) error {
	if s.Interrupt.isCauseOf(err) {
		return err
	}
	return fmt.Errorf("%s: %s cannot be written: %w", s.Command, name, WithoutPath(err))
}

// WithoutPath returns the cause of a file error, without operation and path.
func WithoutPath(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
