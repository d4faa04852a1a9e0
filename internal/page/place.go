package page

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
	serviceFolder = "/run/rig" // of the unit: RuntimeDirectory in systemd/rig.service
	socketName    = "page"
)

// place is a socket's folder, held open so that nobody can exchange it, and the name in it.
type place struct {
	folder *os.File // O_PATH
	base   string   // in the folder
	name   string   // whole, for people
	owner  int      // of the folder
	shared bool     // with the folder's group
}

// locate finds the folder of a socket, or makes that of the user's own rig where there is
// none yet.
func locate(path string, create bool) (place, error) {
	if path == "" {
		return home{service: serviceFolder, sessions: []string{os.Getenv("XDG_RUNTIME_DIR"), fmt.Sprintf("/run/user/%d", os.Geteuid())}, temp: "/tmp"}.place(create)
	}
	return at(filepath.Dir(path), filepath.Base(path), 0)
}

// at opens a folder with more flags.
func at(folder, base string, flags int) (place, error) {
	name := filepath.Join(folder, base)
	fd, err := unix.Open(folder, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|flags, 0)
	if err != nil {
		return place{}, fmt.Errorf("page: %s: %w", name, err)
	}
	p := place{folder: os.NewFile(uintptr(fd), folder), base: base, name: name}
	st, err := p.stat("")
	if err != nil {
		return place{}, errors.Join(fmt.Errorf("page: %s: %w", name, err), p.folder.Close())
	}
	p.owner = int(st.Uid)
	return p, nil
}

// home is where a user's rig may have its socket, best first: the service's folder if it is
// the user's, a folder of the session, a folder of the user's own in a temporary one.
type home struct {
	service  string
	sessions []string
	temp     string
}

func (h home) place(create bool) (place, error) {
	if owned(h.service) {
		p, err := at(h.service, socketName, unix.O_NOFOLLOW)
		if err != nil {
			return p, err
		}
		p.shared = true
		return p.closed(0o022) // others may look, but not write
	}
	folder := filepath.Join(h.temp, fmt.Sprintf("rig-%d", os.Geteuid()))
	for _, s := range h.sessions {
		if filepath.IsAbs(s) && owned(s) {
			folder = filepath.Join(s, "rig")
			break
		}
	}
	if create {
		if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return place{}, fmt.Errorf("page: %w", err)
		}
	}
	p, err := at(folder, socketName, unix.O_NOFOLLOW)
	if err != nil {
		return p, err
	}
	return p.closed(0o077)
}

// owned reports whether folder is one, and the user's own.
func owned(folder string) bool {
	var st unix.Stat_t
	return unix.Lstat(folder, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR && int(st.Uid) == os.Geteuid()
}

// closed refuses a folder of another user, or one that others have these rights to.
func (p place) closed(rights uint32) (place, error) {
	st, err := p.stat("")
	if err == nil && (int(st.Uid) != os.Geteuid() || st.Mode&rights != 0) {
		err = fmt.Errorf("belongs to user %d with mode %04o: %w; it must be yours and closed to others: remove it, or set XDG_RUNTIME_DIR",
			st.Uid, st.Mode&0o7777, fs.ErrPermission)
	}
	if err != nil {
		return place{}, errors.Join(fmt.Errorf("page: %s %w", p.folder.Name(), err), p.folder.Close())
	}
	return p, nil
}

// stat looks at a name in the folder, or at the folder itself.
func (p place) stat(base string) (st unix.Stat_t, err error) {
	err = unix.Fstatat(int(p.folder.Fd()), base, &st, unix.AT_EMPTY_PATH|unix.AT_SYMLINK_NOFOLLOW)
	return st, err
}

// path leads to the socket through the folder that is held, and is short enough for an address.
func (p place) path() string { return fmt.Sprintf("/proc/self/fd/%d/%s", p.folder.Fd(), p.base) }

// lock takes the place for this process. The kernel gives it back when the process ends.
func (p place) lock() (*os.File, error) {
	name := p.name + ".lock"
	fd, err := unix.Openat(int(p.folder.Fd()), p.base+".lock", unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
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
		return nil, fmt.Errorf("page: %s: %w by another rig; stop it first: Ctrl-C in its terminal, pkill -INT -x rig, or sudo systemctl stop rig", p.name, ErrBusy)
	}
	return f, nil
}

// vacate removes the socket of a rig that has ended, and refuses whatever else is there.
func (p place) vacate() error {
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

// listen opens the socket. Its mode is set before anybody can connect.
func (p place) listen() (net.Listener, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), p.name)
	defer f.Close()
	mode := uint32(0o600)
	if p.shared {
		mode = 0o660
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: p.path()}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	if err := unix.Fchmodat(int(p.folder.Fd()), p.base, mode, 0); err != nil {
		return nil, os.NewSyscallError("chmod", err)
	}
	const waiting = 16
	if err := unix.Listen(fd, waiting); err != nil {
		return nil, os.NewSyscallError("listen", err)
	}
	return net.FileListener(f)
}
