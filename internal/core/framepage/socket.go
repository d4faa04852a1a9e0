package framepage

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

// ErrBusy reports that another running rig uses the socket.
var ErrBusy = errors.New("another rig of this user is running")

// Socket is the Unix socket from which watchers get the page of a running rig. Only one rig can reserve
// a socket at a time.
type Socket struct {
	place    socketPlace
	lock     *os.File
	listener net.Listener // of the page
	orders   net.Listener // of orders
	orderers orderers
	serving  sync.WaitGroup
}

// Reserve reserves the socket at path, or the user's default socket if path is empty, until Close.
//
// It fails with ErrBusy while another rig uses it, and with an error if another user owns a file there.
func Reserve(path string) (*Socket, error) {
	at, err := locate(path, true)
	if err != nil {
		return nil, err
	}
	s := &Socket{place: at}
	if s.lock, err = at.lock(); err == nil {
		err = at.removeSocket()
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Serve sends the page to every permitted watcher that connects, until Close.
func (s *Socket) Serve(p *Page) error {
	l, err := s.place.listen()
	if err != nil {
		return fmt.Errorf("page: %s: %w", s.place.name, err)
	}
	s.listener = l
	s.serving.Go(func() { s.accept(l, func(conn *net.UnixConn) { s.sendPage(conn, p) }) })
	return nil
}

// ServeOrders accepts connections for orders beside the page, until Close, from the same users that may watch. handle serves one connection, in
// a goroutine of its own. One more than maxOrderers takes the place of the one that has been silent longest.
func (s *Socket) ServeOrders(handle func(net.Conn)) error {
	place := s.place.orders()
	if err := place.removeSocket(); err != nil {
		return err
	}
	l, err := place.listen()
	if err != nil {
		return fmt.Errorf("page: %s: %w", place.name, err)
	}
	s.orders = l
	s.serving.Go(func() {
		var handling sync.WaitGroup
		s.accept(l, func(conn *net.UnixConn) {
			if !s.permitted(conn) {
				conn.Close()
				return
			}
			c := s.orderers.add(conn)
			handling.Go(func() {
				handle(c)
				c.Close()
			})
		})
		handling.Wait()
	})
	return nil
}

// Close stops Serve and releases the socket.
func (s *Socket) Close() error {
	var all error
	for _, l := range []net.Listener{s.listener, s.orders} {
		if l != nil {
			all = errors.Join(all, l.Close())
		}
	}
	s.orderers.end()
	s.serving.Wait()
	if s.listener != nil || s.orders != nil {
		all = errors.Join(all, s.place.removeSocket(), s.place.orders().removeSocket())
	}
	if s.lock != nil {
		all = errors.Join(all, s.lock.Close())
	}
	return errors.Join(all, s.place.folder.Close())
}

// accept calls do with each connection until the listener is closed.
func (s *Socket) accept(l net.Listener, do func(*net.UnixConn)) {
	const retryDelay = 100 * time.Millisecond
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as too many open files
			time.Sleep(retryDelay)
			continue
		}
		do(conn.(*net.UnixConn))
	}
}

// permitted reports whether the user at the other end may watch and give orders.
func (s *Socket) permitted(conn *net.UnixConn) bool {
	uid, err := peerUID(conn)
	return err == nil && (s.place.groupReadable || uid == os.Geteuid() || uid == 0)
}

// sendPage sends the read-only descriptors to a permitted watcher, and nothing to other users. It closes conn.
func (s *Socket) sendPage(conn *net.UnixConn, p *Page) {
	defer conn.Close()
	if !s.permitted(conn) {
		return
	}
	fds := []int{int(p.file.Fd())}
	if p.others != nil {
		fds = append(fds, int(p.others.reading.Fd()))
	}
	_, _, _ = conn.WriteMsgUnix([]byte{0}, unix.UnixRights(fds...), nil) // the watcher may have disconnected
}

// peerUID returns the user ID of the process at the other end.
func peerUID(conn *net.UnixConn) (uid int, err error) {
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

// Open maps the page of a running rig for reading, from the socket at path. An empty path means the
// user's own rig, or the service if that does not run.
func Open(path string) (*Page, error) {
	if path != "" {
		return open(path)
	}
	return userOrService("", servicePath, open)
}

// Runs reports whether an error of Open or DialOrders leaves it possible that a rig runs at the socket at path: it may take
// no orders yet, or not from this user.
func Runs(path string, err error) bool {
	if errors.Is(err, fs.ErrPermission) || !isAbsent(err) {
		return true
	}
	at, err := locate(path, false)
	if err != nil {
		return false
	}
	defer at.folder.Close()
	fd, err := unix.Openat(int(at.folder.Fd()), at.base+lockEnding, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	return errors.Is(unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// isAbsent reports whether err of a connection says that nobody serves the socket.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ECONNREFUSED)
}

// Orders is a connection that gives orders to a running rig.
type Orders struct {
	net.Conn
	Page *Page // of the rig; nil for a command without a drive
}

// Close closes the connection and the page.
func (o Orders) Close() error {
	if o.Page == nil {
		return o.Conn.Close()
	}
	return errors.Join(o.Conn.Close(), o.Page.Close())
}

// DialOrders connects to a running rig to give it orders, and opens its page. path is as for Open.
func DialOrders(path string) (Orders, error) {
	if path != "" {
		return dialOrders(path)
	}
	return userOrService("", servicePath, dialOrders)
}

func dialOrders(path string) (Orders, error) {
	conn, _, err := dial(path, socketPlace.orders)
	if err != nil {
		return Orders{}, err
	}
	p, err := open(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Orders{}, errors.Join(err, conn.Close())
	}
	return Orders{conn, p}, nil
}

const servicePath = serviceFolder + "/" + socketName

// userOrService opens something at the user's socket, or at the service's if no rig of the user runs.
func userOrService[T any](userPath, servicePath string, open func(path string) (T, error)) (T, error) {
	found, err := open(userPath)
	if err == nil || !isAbsent(err) {
		return found, err
	}
	ofService, serviceErr := open(servicePath)
	if errors.Is(serviceErr, fs.ErrPermission) {
		return found, errors.Join(err, serviceErr)
	}
	if serviceErr != nil {
		return found, err
	}
	return ofService, nil
}

func open(path string) (*Page, error) {
	conn, name, err := dial(path, nil)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	state, others, err := receiveDescriptors(conn)
	if err != nil {
		return nil, fmt.Errorf("page: %s: %w", name, err)
	}
	p, err := mapPage(state, name)
	if others == nil {
		return p, err
	}
	if err != nil {
		return nil, errors.Join(err, others.Close())
	}
	return p.withOthers(others)
}

// dial connects to the socket at path, or to the one that beside gives if that is not nil, and returns its name. It is
// an error if another user than this one, root and the owner of its folder holds it.
func dial(path string, beside func(socketPlace) socketPlace) (*net.UnixConn, string, error) {
	at, err := locate(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("%w; %s", err, remedy(err))
	}
	if err != nil {
		return nil, "", err
	}
	defer at.folder.Close()
	if beside != nil {
		at = beside(at)
	}
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: at.path(), Net: "unix"})
	if err != nil {
		return nil, "", fmt.Errorf("page: %s: %w; %s", at.name, errnoOf(err), remedy(err))
	}
	uid, err := peerUID(conn)
	if err == nil && uid != os.Geteuid() && uid != 0 && uid != at.owner {
		err = fmt.Errorf("is held by user %d, who is neither you, root, nor the service; end that program", uid)
	}
	if err != nil {
		conn.Close()
		return nil, "", fmt.Errorf("page: %s %w", at.name, err)
	}
	return conn, at.name, nil
}

// remedy returns what to do about an error while connecting to a socket.
func remedy(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "only the user who runs the rig and root may watch, and the group rig may watch the service: sudo usermod -aG rig $USER, then log in again"
	}
	return "is rig running?"
}

// errnoOf returns the error without its path, which has a meaning only in this process.
func errnoOf(err error) error {
	var number unix.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// receiveDescriptors receives the descriptors that a rig sends: the page, and in a session the other cars, which are nil without one.
func receiveDescriptors(conn *net.UnixConn) (state, others *os.File, err error) {
	const timeout = 2 * time.Second
	if err := conn.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return nil, nil, err
	}
	var b [1]byte
	oob := make([]byte, unix.CmsgSpace(2*4))
	_, n, _, _, err := conn.ReadMsgUnix(b[:], oob)
	if err != nil {
		return nil, nil, fmt.Errorf("the rig sent no page (%w); are you the user who runs it, or root?", err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return nil, nil, fmt.Errorf("the rig sent no page: %w; restart both sides from one build", ErrVersion)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 { // there is room for two
		return nil, nil, fmt.Errorf("the rig sent no page: %w; restart both sides from one build", ErrVersion)
	}
	if len(fds) > 1 {
		others = os.NewFile(uintptr(fds[1]), "others")
	}
	return os.NewFile(uintptr(fds[0]), "page"), others, nil
}
