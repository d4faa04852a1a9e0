package page

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// ErrBusy says that another running rig has the socket.
var ErrBusy = errors.New("in use")

// Socket is where watchers get the page of a running rig. While one is reserved no other rig
// can reserve the same.
type Socket struct {
	place    place
	lock     *os.File
	listener net.Listener
	serving  sync.WaitGroup
}

// Reserve takes the socket at path, or where a user's rig has it if path is empty, until Close.
//
// It fails with ErrBusy while another rig has it, and takes nothing that others planted there.
func Reserve(path string) (*Socket, error) {
	at, err := locate(path, true)
	if err != nil {
		return nil, err
	}
	s := &Socket{place: at}
	if s.lock, err = at.lock(); err == nil {
		err = at.vacate()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Serve gives the page to all who may watch and ask for it, until Close.
func (s *Socket) Serve(p *Page) error {
	l, err := s.place.listen()
	if err != nil {
		return fmt.Errorf("page: %s: %w", s.place.name, err)
	}
	s.listener = l
	s.serving.Go(func() { s.serve(p) })
	return nil
}

// Close ends what Serve began, and lets others have the socket.
func (s *Socket) Close() error {
	var all error
	if s.listener != nil {
		all = s.listener.Close()
		s.serving.Wait()
		all = errors.Join(all, s.place.vacate())
	}
	if s.lock != nil {
		all = errors.Join(all, s.lock.Close())
	}
	return errors.Join(all, s.place.folder.Close())
}

func (s *Socket) serve(p *Page) {
	const pause = 100 * time.Millisecond
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files
			time.Sleep(pause)
			continue
		}
		s.give(conn.(*net.UnixConn), p)
		conn.Close()
	}
}

// give hands a watcher the descriptor that cannot write. Others learn nothing.
func (s *Socket) give(conn *net.UnixConn, p *Page) {
	uid, err := peer(conn)
	if err != nil || !s.place.shared && uid != os.Geteuid() && uid != 0 {
		return
	}
	_, _, _ = conn.WriteMsgUnix([]byte{0}, unix.UnixRights(int(p.file.Fd())), nil) // whoever asked may be gone
}

// peer returns the user at the other end.
func peer(conn *net.UnixConn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) { cred, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, os.NewSyscallError("getsockopt", failed)
	}
	return int(cred.Uid), nil
}

// Open maps the page of the rig at a socket for reading. An empty path is the user's own rig,
// or else the service's.
func Open(path string) (*Page, error) {
	if path != "" {
		return open(path)
	}
	return openEither("", serviceFolder+"/"+socketName)
}

// openEither returns the page at the first socket, or else that of the service.
func openEither(own, service string) (*Page, error) {
	page, err := open(own)
	if err == nil {
		return page, nil
	}
	page, other := open(service)
	if errors.Is(other, fs.ErrPermission) {
		return nil, errors.Join(err, other)
	}
	if other != nil {
		return nil, err
	}
	return page, nil
}

func open(path string) (*Page, error) {
	at, err := locate(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; %s", err, remedy(err))
	}
	if err != nil {
		return nil, err
	}
	defer at.folder.Close()
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: at.path(), Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("page: %s: %w; %s", at.name, cause(err), remedy(err))
	}
	defer conn.Close()
	uid, err := peer(conn)
	if err != nil {
		return nil, fmt.Errorf("page: %s: %w", at.name, err)
	}
	if uid != os.Geteuid() && uid != 0 && uid != at.owner {
		return nil, fmt.Errorf("page: %s is held by user %d, who is neither you, root, nor the service: not watched; have that program ended", at.name, uid)
	}
	f, err := receive(conn)
	if err != nil {
		return nil, fmt.Errorf("page: %s: %w", at.name, err)
	}
	return watch(f, at.name)
}

// remedy says what helps against an error on the way to a socket.
func remedy(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "only who runs the rig and root may watch, and the group rig its service: sudo usermod -aG rig $USER, then log in anew"
	}
	return "is rig running?"
}

// cause leaves the path away that only this process knows.
func cause(err error) error {
	var number unix.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// receive returns the one descriptor that a rig sends.
func receive(conn *net.UnixConn) (*os.File, error) {
	const patience = 2 * time.Second
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	var b [1]byte
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := conn.ReadMsgUnix(b[:], oob)
	if err != nil {
		return nil, fmt.Errorf("the rig gave no page (%w); are you the user who runs it, or root?", err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("the rig gave no page: %w; restart both sides from one build", ErrVersion)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 { // there is room for one
		return nil, fmt.Errorf("the rig gave no page: %w; restart both sides from one build", ErrVersion)
	}
	return os.NewFile(uintptr(fds[0]), "page"), nil
}
