package drivers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/sink"
)

// Rights of new files and folders, whatever the umask: all users of a rig need to read who drives, and with which profile.
const (
	fileMode   = 0o644
	folderMode = 0o755
)

// lock keeps other programs from changing a driver's files until unlock is called.
func (s Store) lock(name string) (unlock func(), err error) {
	const wait, step = time.Minute, 5 * time.Millisecond
	path := filepath.Join(s.Dir, "."+name+".lock")
	f, err := openLock(path)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(wait); ; time.Sleep(step) {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) || time.Now().After(deadline) {
			f.Close()
			return nil, fmt.Errorf("%s: %w; another program holds it", path, err)
		}
	}
}

// openLock opens the file of a lock, and makes it if it is not there.
func openLock(path string) (*os.File, error) {
	folder, err := sink.MakeFolder(filepath.Dir(path), folderMode)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return nil, err
	}
	if err := sink.OwnLike(f, folder); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// write makes a file, or replaces what has its name.
func write(path string, text []byte) error {
	folder, err := sink.MakeFolder(filepath.Dir(path), folderMode)
	if err != nil {
		return err
	}
	return replace(path, text, fileMode, folder)
}

// rewrite replaces a file that keeps its rights and its owner. A link to it stays one.
func rewrite(path string, text []byte) error {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return write(path, text)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	return replace(real, text, info.Mode().Perm(), info)
}

// replace replaces a file by one that belongs to the owner of another.
func replace(path string, text []byte, mode fs.FileMode, like fs.FileInfo) error {
	return sink.Replace(path, mode, func(f *os.File) error {
		_, err := f.Write(text)
		return errors.Join(err, sink.OwnLike(f, like), f.Chmod(mode))
	})
}
