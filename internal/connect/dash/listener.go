package dash

import (
	"net"
	"net/netip"
	"sync"
)

const (
	maxConnections        = 256
	maxConnectionsPerPeer = 64
)

// limitedListener is a listener that closes connections at once if there are too many, in all or from one address.
type limitedListener struct {
	net.Listener

	mu      sync.Mutex
	open    int
	byPeer  map[netip.Addr]int
	refused uint64
}

func newListener(ln net.Listener) *limitedListener {
	return &limitedListener{Listener: ln, byPeer: map[netip.Addr]int{}}
}

// Accept returns the next connection that is within the limits.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		peer := addressOf(c.RemoteAddr().String())
		if l.admit(peer) {
			return &limitedConn{Conn: c, closed: sync.OnceFunc(func() { l.release(peer) })}, nil
		}
		if tcp, ok := c.(*net.TCPConn); ok {
			tcp.SetLinger(0) // leaves nothing behind in the kernel
		}
		c.Close()
	}
}

func (l *limitedListener) admit(peer netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= maxConnections || l.byPeer[peer] >= maxConnectionsPerPeer {
		l.refused++
		return false
	}
	l.open++
	l.byPeer[peer]++
	return true
}

func (l *limitedListener) release(peer netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	if l.byPeer[peer]--; l.byPeer[peer] == 0 {
		delete(l.byPeer, peer)
	}
}

// counts returns the number of open connections, and of those that were refused so far.
func (l *limitedListener) counts() (open int, refused uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open, l.refused
}

// limitedConn tells its listener that it was closed.
type limitedConn struct {
	net.Conn
	closed func()
}

// Close closes the connection. It may be called several times.
func (c *limitedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// addressOf returns the IP address of an address with a port, or the zero Addr.
func addressOf(addressPort string) netip.Addr {
	ap, err := netip.ParseAddrPort(addressPort)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}
