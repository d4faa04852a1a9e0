// Package sink writes results to where a user wants them: into files, which are
// there as a whole or not at all, into pipes and devices, and to stdout. It gives
// up waiting for whoever reads them when it is told to.
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

// Sink is where a result goes.
type Sink struct {
	By        string // who writes, in errors: the subject
	Path      string // of a file; "-" is Out
	Out       io.Writer
	Interrupt Interrupt // gives up waiting for a reader; the zero value never does
}

// Fill lets write make the file. It is there as a whole or not at all; what is
// no regular file or is lent, as a pipe, is written into and not replaced.
func (s Sink) Fill(write func(io.Writer) error) error {
	if s.Path == "-" {
		return write(s.stream(s.Out, "stdout"))
	}
	path, err := follow(s.Path)
	if err != nil {
		return s.unwritable(s.Path, err)
	}
	st, err := os.Stat(path)
	switch {
	case lent(path) || err == nil && !st.Mode().IsRegular():
		return s.into(path, write)
	case err == nil:
		return s.replace(path, st, write)
	case errors.Is(err, fs.ErrNotExist):
		return s.create(path, 0o666, nil, write)
	}
	return s.unwritable(s.Path, err)
}

// into writes into what is there already.
func (s Sink) into(path string, write func(io.Writer) error) error {
	f, err := Wait(s.Interrupt, func() (*os.File, error) { return openInto(path) })
	if err != nil {
		return s.unwritable(s.Path, err)
	}
	return errors.Join(write(s.stream(f, s.Path)), f.Close())
}

// stream names w in its errors, and does not wait for its reader for ever.
func (s Sink) stream(w io.Writer, name string) io.Writer {
	return target{Writer(s.Interrupt, w), name, s}
}

// openInto opens what is there already. A descriptor of this process is doubled:
// opening it anew would begin at the start of the file behind it, over what the
// others who hold it have written.
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

// lent tells whether a path, its links followed, is of a device or of an open
// descriptor. Neither is ours to replace, even with a regular file behind it.
func lent(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/") && !strings.HasPrefix(path, "/dev/shm/")
}

// follow returns where a path leads through links, also to a file that is not
// there yet. It stops at the descriptors under /proc, which look like links.
func follow(path string) (string, error) {
	const mostLinks = 40 // as the kernel has it
	for range mostLinks {
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

// Same tells whether two names are of one file.
func Same(a, b string) bool {
	a, errA := follow(a)
	b, errB := follow(b)
	return errA == nil && errB == nil && a == b
}

var errReadOnly = errors.New("it is read-only; make it writable or name another file")

// replace puts a file in the place of one that might be written, and keeps its
// mode. To root every file is writable, but he meant something by its mode, too.
func (s Sink) replace(path string, old fs.FileInfo, write func(io.Writer) error) error {
	mode := old.Mode().Perm()
	if mode&0o222 == 0 {
		return s.unwritable(s.Path, errReadOnly)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return s.unwritable(s.Path, err)
	}
	f.Close()
	return s.create(path, mode, func(f *os.File) error { return f.Chmod(mode) }, write)
}

// create puts a file there, whose mode finish may set.
func (s Sink) create(path string, mode fs.FileMode, finish func(*os.File) error, write func(io.Writer) error) error {
	var failed error // by write, which names what it is about
	err := Replace(path, mode, func(f *os.File) error {
		if failed = write(target{f, s.Path, s}); failed != nil || finish == nil {
			return failed
		}
		return finish(f)
	})
	if failed != nil || err == nil {
		return failed
	}
	return s.unwritable(s.Path, err)
}

// target is a writer whose errors name what the user gave.
type target struct {
	w    io.Writer
	name string
	sink Sink
}

// Stdout returns w with errors that call it stdout.
func Stdout(by string, w io.Writer) io.Writer { return target{w, "stdout", Sink{By: by}} }

func (t target) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if err != nil {
		err = t.sink.unwritable(t.name, err)
	}
	return n, err
}

// unwritable says that a file cannot be written, without the name that it has
// until then.
func (s Sink) unwritable(name string, err error) error {
	if s.Interrupt.caused(err) {
		return err
	}
	return fmt.Errorf("%s: %s cannot be written: %w", s.By, name, Bare(err))
}

// Bare is the cause of a failure, without the path that it names.
func Bare(err error) error {
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
