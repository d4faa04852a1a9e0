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

// Replace puts a file at path, new or in the place of another, that is there as a whole
// or not at all: fill makes what it holds. From the mode the kernel takes what the user's umask
// forbids, as of every new file.
//
// Until it is whole the file has no name, so that nothing is left of it whenever the program
// is killed. Only to take another file's place does it need one of its own, from one call of the
// kernel to the next; and while it is written on file systems that know no unnamed files. Whoever
// is killed then leaves it for the next who writes into the folder to remove.
func Replace(path string, mode fs.FileMode, fill func(*os.File) error) error {
	folder := filepath.Dir(path)
	removeLeftovers(folder)
	f, name, err := unnamed(folder, mode)
	if err != nil {
		f, name, err = named(folder, mode)
	}
	if err != nil {
		return err
	}
	defer f.Close() // and with it the lock
	if name != "" {
		defer os.Remove(name) // fails once it has been renamed
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

// unnamed opens a file without a name. It is a variable so that a test can be without.
var unnamed = func(folder string, mode fs.FileMode) (*os.File, string, error) {
	f, err := os.OpenFile(folder, os.O_WRONLY|unix.O_TMPFILE, mode)
	if err != nil {
		return nil, "", err
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		_, err = os.Stat(descriptor(f)) // it gets its name by this one
	}
	if err != nil {
		f.Close()
		return nil, "", err
	}
	return f, "", nil
}

// named creates a file and locks it, so that it does not count as left over. One that another
// process took for that before it was locked is given up.
func named(folder string, mode fs.FileMode) (*os.File, string, error) {
	for {
		name := temporary(folder)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return nil, "", err
		}
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		_, gone := os.Lstat(name)
		if !errors.Is(err, unix.EWOULDBLOCK) && gone == nil {
			return f, name, nil // locked, or on a file system that has no locks: there nobody removes any
		}
		f.Close()
	}
}

// publish gives a file its final name, in the place of whatever has it.
func publish(f *os.File, name, path string) error {
	if name != "" {
		return os.Rename(name, path)
	}
	err := link(f, path)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	name = temporary(filepath.Dir(path))
	if err := link(f, name); err != nil {
		return err
	}
	defer os.Remove(name) // fails once it has been renamed
	return os.Rename(name, path)
}

func link(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, descriptor(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}

// descriptor is a file's path among those that the calling thread has open. /proc/self would be
// those of the program's first thread, which may have a table of its own.
func descriptor(f *os.File) string { return fmt.Sprintf("/proc/thread-self/fd/%d", f.Fd()) }

// temporary is a name of a file that is not whole yet.
func temporary(folder string) string {
	return filepath.Join(folder, fmt.Sprintf(".rig-%016x", rand.Uint64()))
}

var isTemporary = regexp.MustCompile(`^\.rig-[0-9a-f]{16}$`).MatchString

// removeLeftovers removes the files that killed programs left in a folder: those with a name
// as temporary gives it, of this user, whose lock nobody holds.
func removeLeftovers(folder string) {
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // those that it could read
	for _, name := range names {
		if isTemporary(name) {
			removeLeftover(filepath.Join(folder, name))
		}
	}
}

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
		_ = os.Remove(name) // another one may have done it
	}
}

// syncFolder makes the file's name durable, as far as the file system can: the file is whole
// either way.
func syncFolder(folder string) {
	if f, err := os.Open(folder); err == nil {
		_ = f.Sync()
		f.Close()
	}
}
