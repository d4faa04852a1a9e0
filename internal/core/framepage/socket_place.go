package framepage

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	serviceFolder = "/run/rig" // RuntimeDirectory of the service, see systemd/rig.service
	socketName    = "page"     // file name of the socket
	lockEnding    = ".lock"    // of its lock file
)

// socketPlace is the folder and the file name of a socket. The folder is open, so that it cannot be
// replaced.
type socketPlace struct {
	folder        *os.File // opened with O_PATH
	base          string   // file name in the folder
	name          string   // full path, for messages
	owner         int      // user ID of the folder's owner
	groupReadable bool     // the folder's group may watch too
}

// locate opens the folder of the socket at path, or of the user's own rig if path is empty. create makes
// the user's folder if it does not exist.
func locate(path string, create bool) (socketPlace, error) {
	if path == "" {
		return socketFolders{service: serviceFolder, sessions: []string{os.Getenv("XDG_RUNTIME_DIR"), fmt.Sprintf("/run/user/%d", os.Geteuid())}, tempFolder: "/tmp"}.find(create)
	}
	return openFolder(filepath.Dir(path), filepath.Base(path), 0)
}

// openFolder opens a folder for the socket base in it. flags are added to those of open(2).
func openFolder(folder, base string, flags int) (socketPlace, error) {
	name := filepath.Join(folder, base)
	fd, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|flags, 0)
	if err != nil {
		return socketPlace{}, fmt.Errorf("page: %s: %w", name, err)
	}
	p := socketPlace{folder: os.NewFile(uintptr(fd), folder), base: base, name: name}
	st, err := p.stat("")
	if err != nil {
		return socketPlace{}, errors.Join(fmt.Errorf("page: %s: %w", name, err), p.folder.Close())
	}
	p.owner = int(st.Uid)
	return p, nil
}

// socketFolders holds the folders in which a user's rig may have its socket, in order of preference: the
// service's folder if the user owns it, a folder of the session, a folder of the user in tempFolder.
type socketFolders struct {
	service    string
	sessions   []string
	tempFolder string
}

func (h socketFolders) find(create bool) (socketPlace, error) {
	if isOwnFolder(h.service) {
		p, err := openFolder(h.service, socketName, unix.O_NOFOLLOW)
		if err != nil {
			return p, err
		}
		p.groupReadable = true
		return p.requirePrivate(0o022) // others may read, but not write
	}
	folder := filepath.Join(h.tempFolder, fmt.Sprintf("rig-%d", os.Geteuid()))
	for _, s := range h.sessions {
		if filepath.IsAbs(s) && isOwnFolder(s) {
			folder = filepath.Join(s, "rig")
			break
		}
	}
	if create {
		if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return socketPlace{}, fmt.Errorf("page: %w", err)
		}
	}
	p, err := openFolder(folder, socketName, unix.O_NOFOLLOW)
	if err != nil {
		return p, err
	}
	return p.requirePrivate(0o077)
}

// isOwnFolder reports whether folder is one, and the user's own.
func isOwnFolder(folder string) bool {
	var st unix.Stat_t
	return unix.Lstat(folder, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && int(st.Uid) == os.Geteuid()
}

// requirePrivate returns an error, and closes p, unless the folder is the user's and its mode has none of
// these rights.
func (p socketPlace) requirePrivate(rights uint32) (socketPlace, error) {
	st, err := p.stat("")
	if err == nil && (int(st.Uid) != os.Geteuid() || st.Mode&rights != 0) {
		err = fmt.Errorf("belongs to user %d with mode %04o: %w; it must be yours and closed to others: remove it, or set XDG_RUNTIME_DIR",
			st.Uid, st.Mode&0o7777, fs.ErrPermission)
	}
	if err != nil {
		return socketPlace{}, errors.Join(fmt.Errorf("page: %s %w", p.folder.Name(), err), p.folder.Close())
	}
	return p, nil
}

// orders returns the place of the socket for orders, in the same folder.
func (p socketPlace) orders() socketPlace {
	p.base, p.name = p.base+".orders", p.name+".orders"
	return p
}

// stat looks at a name in the folder, or at the folder itself.
func (p socketPlace) stat(base string) (st unix.Stat_t, err error) {
	err = unix.Fstatat(int(p.folder.Fd()), base, &st, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW)
	return st, err
}

// path returns a path to the socket through the open folder. It is short enough for a socket address.
func (p socketPlace) path() string { return fmt.Sprintf("/proc/self/fd/%d/%s", p.folder.Fd(), p.base) }

// lock locks the socket for this process with a lock file. The kernel releases it when the process ends.
func (p socketPlace) lock() (*os.File, error) {
	name := p.name + lockEnding
	fd, err := unix.Openat(int(p.folder.Fd()), p.base+lockEnding, unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("page: %s: %w; remove it, or have its owner do so", name, err)
	}
	f := os.NewFile(uintptr(fd), name)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() {
		f.Close()
		return nil, fmt.Errorf("page: %s is not a plain file of yours: %w; remove it", name, fs.ErrPermission)
	}
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("page: %s: %w", name, err)
		}
		return nil, fmt.Errorf("%w; stop it first: Ctrl-C in its terminal, pkill -INT -x 'rig(-headless)?', or sudo systemctl stop rig", ErrBusy)
	}
	return f, nil
}

// removeSocket removes the socket of a rig that has ended. It returns an error if the file is something
// else.
func (p socketPlace) removeSocket() error {
	st, err := p.stat(p.base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("page: %s: %w", p.name, err)
	case st.Mode&unix.S_IFMT != unix.S_IFSOCK || int(st.Uid) != os.Geteuid():
		return fmt.Errorf("page: %s is not a socket of yours: %w; remove it", p.name, fs.ErrExist)
	}
	if err := unix.Unlinkat(int(p.folder.Fd()), p.base, 0); err != nil {
		return fmt.Errorf("page: %s: %w", p.name, err)
	}
	return nil
}

// listen creates the socket and listens. Its mode is set before anybody can connect.
func (p socketPlace) listen() (net.Listener, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), p.name)
	defer f.Close()
	mode := uint32(0o600)
	if p.groupReadable {
		mode = 0o660
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: p.path()}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	if err := unix.Fchmodat(int(p.folder.Fd()), p.base, mode, 0); err != nil {
		return nil, os.NewSyscallError("chmod", err)
	}
	const backlog = 16 // connections that may wait
	if err := unix.Listen(fd, backlog); err != nil {
		return nil, os.NewSyscallError("listen", err)
	}
	return net.FileListener(f)
}
