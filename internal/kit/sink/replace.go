package sink

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/sys/unix"
)

// Replace creates the file at path, or replaces it, atomically: other programs see the old file or the
// complete new one, never a part. fill writes the contents. The user's umask applies to mode.
//
// While it is written the file has no name, so that nothing is left of it if the program is killed. It
// has a temporary name only for the moment of replacing another file, and on file systems without unnamed
// files. If the program is killed then, the next Replace in the folder removes the temporary file.
func Replace(path string, mode fs.FileMode, fill func(*os.File) error) error {
	folder := filepath.Dir(path)
	removeLeftovers(folder)
	f, name, err := openUnnamed(folder, mode)
	if err != nil {
		f, name, err = createTemporary(folder, mode)
	}
	if err != nil {
		return err
	}
	defer f.Close() // also releases the lock
	if name != "" {
		defer os.Remove(name) // fails, which does no harm, if the file was renamed
	}
	if err := errors.Join(fill(f), f.Sync()); err != nil {
		return err
	}
	if err := publish(f, name, path); err != nil {
		return err
	}
	syncFolder(folder)
	return nil
}

// KeepBackup copies the file at path, if there is one, to its name with .bak, for a fill function that keeps the
// previous file. It does not rename the file, so that path always exists, and does not link it, which the kernel
// refuses for files of other users. The .bak before stays until the copy is complete.
func KeepBackup(path string) error {
	from, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close()
	st, err := from.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file; move it away", path)
	}
	if err != nil {
		return err
	}
	return Replace(path+".bak", st.Mode().Perm(), func(to *os.File) error { return fillLike(to, from, st) })
}

// openUnnamed opens a file without a name. It is a variable so that a test can simulate a file system that
// has no unnamed files.
var openUnnamed = func(folder string, mode fs.FileMode) (*os.File, string, error) {
	f, err := os.OpenFile(folder, os.O_WRONLY|unix.O_TMPFILE, mode)
	if err != nil {
		return nil, "", err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		_, err = os.Stat(procPath(f)) // link needs this path, which does not exist if /proc is not mounted
	}
	if err != nil {
		f.Close()
		return nil, "", err
	}
	return f, "", nil
}

// createTemporary creates a file with a temporary name and locks it, so that no other process removes it as a
// leftover. If another process did so before the lock was taken, it creates another file.
func createTemporary(folder string, mode fs.FileMode) (*os.File, string, error) {
	for {
		name := temporaryName(folder)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, "", err
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		_, statErr := os.Lstat(name)
		if !errors.Is(err, unix.EWOULDBLOCK) && statErr == nil {
			return f, name, nil // it is locked; or the file system has no locks, so removeLeftover removes nothing
		}
		f.Close()
	}
}

// publish gives a file its final name and replaces any file that already has it.
func publish(f *os.File, name, path string) error {
	if name != "" {
		return os.Rename(name, path)
	}
	err := link(f, path)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	name = temporaryName(filepath.Dir(path))
	if err := link(f, name); err != nil {
		return err
	}
	defer os.Remove(name) // fails, which does no harm, after the renaming
	return os.Rename(name, path)
}

// link gives the open file f a name.
func link(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, procPath(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}

// procPath returns the path of an open file under /proc/thread-self. /proc/self would be the program's
// first thread, which may have a different table of open files.
func procPath(f *os.File) string { return fmt.Sprintf("/proc/thread-self/fd/%d", f.Fd()) }

// temporaryName returns a random name for a file that is not complete yet.
func temporaryName(folder string) string {
	return filepath.Join(folder, fmt.Sprintf(".rig-%016x", rand.Uint64()))
}

var isTemporary = regexp.MustCompile(`^\.rig-[0-9a-f]{16}$`).MatchString

// removeLeftovers removes the temporary files that killed programs left in a folder: files of this user
// with a name from temporaryName that no process has locked.
func removeLeftovers(folder string) {
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // with an error it returns the names read so far
	for _, name := range names {
		if isTemporary(name) {
			removeLeftover(filepath.Join(folder, name))
		}
	}
}

// removeLeftover removes one file if it is a leftover.
func removeLeftover(name string) {
	f, err := os.OpenFile(name, os.O_WRONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer f.Close()
	var st unix.Stat_t
	if unix.Fstat(int(f.Fd()), &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() {
		return
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		_ = os.Remove(name) // fails if another process removed it first
	}
}

// syncFolder writes the folder's entries to the disk, so that the new name survives a power failure. An
// error is ignored, because the file is complete in any case.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
