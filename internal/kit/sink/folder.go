package sink

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MakeFolder makes a folder and those above it if they are not there, and returns what it is.
func MakeFolder(path string, mode fs.FileMode) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if _, err := MakeFolder(filepath.Dir(path), mode); err != nil {
		return nil, err
	}
	if err := MakeOneFolder(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return os.Stat(path)
}

// MakeOneFolder makes a folder, which gets the owner of the one above if root makes it.
func MakeOneFolder(path string, mode fs.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil {
		return err
	}
	above, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return errors.Join(OwnLike(f, above), f.Chmod(mode))
}
