package tirerig

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteCSV writes the sweep's rows into a file; "-" is out.
func (r *Result) WriteCSV(path string, out io.Writer) error {
	return writeTo(path, out, func(w io.Writer) error { return WriteCSV(w, r.Rows) })
}

// writeTo lets write fill the file at path, or out if path is "-". A file is
// there as a whole or not at all; what is no regular file, as a pipe, is
// written into and not replaced.
func writeTo(path string, out io.Writer, write func(io.Writer) error) error {
	if path == "-" {
		return write(out)
	}
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		return writeInto(path, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0o644)
	if err == nil {
		mode = st.Mode().Perm()
	}
	return replace(path, mode, write)
}

func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	return errors.Join(write(target{f, path}), f.Close())
}

// target is a file whose errors name the path that the user gave.
type target struct {
	f    *os.File
	path string
}

func (t target) Write(p []byte) (int, error) {
	n, err := t.f.Write(p)
	if err != nil {
		err = unwritable(t.path, err)
	}
	return n, err
}

// replace writes under another name in the same folder and renames.
func replace(path string, mode fs.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return unwritable(path, err)
	}
	defer os.Remove(f.Name()) // fails once it has been renamed
	if err := write(target{f, path}); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return unwritable(path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// unwritable says that a file cannot be written, without its temporary name.
func unwritable(path string, err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("tire: %s cannot be written: %w", path, err)
}
