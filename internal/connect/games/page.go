package games

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Errors of a file of shared memory that cannot be read now.
var (
	errAbsent = errors.New("is not there")
	errTorn   = errors.New("changed while it was read")
)

// page is a file of shared memory. It is read and never mapped: in a mapping, a file that somebody cuts short kills the
// process.
type page struct {
	path string
	file *os.File
	id   fileID
}

// fileID tells files of one name apart.
type fileID struct{ device, inode uint64 }

// open opens the file if it is not open. It follows no link and refuses what others could have made.
func (p *page) open() error {
	if p.file != nil {
		return nil
	}
	fd, err := unix.Open(p.path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
	switch {
	case errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR):
		return errAbsent
	case errors.Is(err, unix.EACCES):
		return fmt.Errorf("%s belongs to another user: run rig follow in the player's session", p.path)
	case err != nil:
		return fmt.Errorf("%s: %w", p.path, err)
	}
	file := os.NewFile(uintptr(fd), p.path)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || !isOwn(&st) {
		return errors.Join(fmt.Errorf("%s must be a regular file of this user or of root that others cannot write: remove it, and start the bridge again", p.path), err, file.Close())
	}
	p.file, p.id = file, fileID{uint64(st.Dev), st.Ino}
	return nil
}

func isOwn(st *unix.Stat_t) bool {
	const othersWrite = 0o002
	return st.Mode&unix.S_IFMT == unix.S_IFREG && (int(st.Uid) == os.Geteuid() || st.Uid == 0) && st.Mode&othersWrite == 0
}

// read fills b from a place in the file. It closes a file that is too short.
func (p *page) read(b []byte, at int64) error {
	if err := p.open(); err != nil {
		return err
	}
	if n, _ := p.file.ReadAt(b, at); n != len(b) {
		p.close()
		return fmt.Errorf("%s has %d bytes at %d where its layout has %d or more: another version of the bridge or of the game", p.path, n, at, len(b))
	}
	return nil
}

// readWhole reads what another process may be writing: until two reads in a row give the same. again is as long as b.
func (p *page) readWhole(b, again []byte, at int64) error {
	const tries = 4
	if err := p.read(b, at); err != nil {
		return err
	}
	for range tries {
		if err := p.read(again, at); err != nil {
			return err
		}
		if string(b) == string(again) {
			return nil
		}
		copy(b, again)
	}
	return errTorn
}

// refresh closes a file to which the path does not lead any more.
func (p *page) refresh() {
	var st unix.Stat_t
	if p.file == nil {
		return
	}
	if err := unix.Lstat(p.path, &st); err != nil || (fileID{uint64(st.Dev), st.Ino}) != p.id {
		p.close()
	}
}

func (p *page) close() {
	if p.file != nil {
		_ = p.file.Close() // it was only read
		p.file = nil
	}
}
