// Package network makes the network of a session for tests: one namespace of the kernel for the host and one for
// each rig, joined by a relay that delays, loses, doubles and reorders packets, can cut lines, and counts bytes.
//
// Everything of it is anonymous and belongs to the test's process, which is the relay. So nothing is left
// when the test ends or is killed: neither namespaces nor programs that it started in them. The kernel needs no module
// for disturbed networks. An ordinary user can run it where user namespaces are allowed, see Main.
//
// The tests of whole sessions are here too. `RIG_TEST=all go test -v -timeout 30m ./test/network` drives sixteen rigs,
// kills hosts, and measures the growth to 64 members; without RIG_TEST they are smaller.
package network

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Options describe a network.
type Options struct {
	Rigs     int
	Up, Down Path // of each rig's line, from it and to it; each line and direction disturbs other packets
}

// Network is a star: each rig has a line to the host, and none to other rigs.
type Network struct {
	nodes   []*Node
	start   time.Time
	mu      sync.Mutex
	relay   relay
	wake    chan struct{} // has a value if a packet is the first to arrive
	done    chan struct{}
	running sync.WaitGroup
}

// For returns a network for a test, until the test ends. It skips the test where the kernel refuses namespaces or
// TUN devices, and says why.
func For(t testing.TB, o Options) *Network {
	t.Helper()
	n, err := New(o)
	if err != nil && refusedByKernel(err) {
		t.Skipf("no network for this test: %v %s", err, noUserNamespace)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// New makes a network, until Close.
func New(o Options) (*Network, error) {
	n := &Network{start: time.Now(), wake: make(chan struct{}, 1), done: make(chan struct{})}
	n.relay.lines = make([]line, o.Rigs+1)
	for i := range n.relay.lines {
		l := &n.relay.lines[i]
		l.up.path, l.down.path = o.Up.of(uint64(2*i)), o.Down.of(uint64(2*i+1))
		node, err := newNode(i)
		if err != nil {
			n.Close()
			return nil, fmt.Errorf("network: node %d: %w", i, err)
		}
		n.nodes = append(n.nodes, node)
	}
	for i := range n.nodes {
		n.running.Go(func() { n.read(i) })
	}
	n.running.Go(n.deliver)
	return n, nil
}

// Close ends the network and all programs that were started in it.
func (n *Network) Close() {
	close(n.done)
	for _, node := range n.nodes {
		node.close()
	}
	n.running.Wait()
}

// Host returns the node of the host.
func (n *Network) Host() *Node { return n.nodes[host] }

// Rig returns the node of a rig, from 1.
func (n *Network) Rig(i int) *Node { return n.nodes[i] }

// Cut cuts a rig's line, or joins it again. A line that is cut loses what is sent on it from now on, in both directions.
func (n *Network) Cut(rig int, cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.relay.lines[rig].cut = cut
}

// Traffic returns what a rig has sent and what it was sent so far.
func (n *Network) Traffic(rig int) (up, down Traffic) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &n.relay.lines[rig]
	return l.up.Traffic, l.down.Traffic
}

// read takes all packets that a node sends.
func (n *Network) read(from int) {
	buf := make([]byte, mtu)
	for {
		size, err := n.nodes[from].tun.Read(buf)
		if err != nil {
			return // closed
		}
		n.mu.Lock()
		n.relay.take(from, append([]byte{}, buf[:size]...), time.Since(n.start))
		n.mu.Unlock()
		select {
		case n.wake <- struct{}{}:
		default:
		}
	}
}

// deliver hands each packet to its node when it is due.
func (n *Network) deliver() {
	timer := time.NewTimer(0)
	for {
		n.mu.Lock()
		now := time.Since(n.start)
		p, ok, next := n.relay.due(now)
		n.mu.Unlock()
		if ok {
			_, _ = n.nodes[p.to].tun.Write(p.data) // a packet that the node refuses is lost
			continue
		}
		if next >= 0 {
			timer.Reset(next - now)
		}
		select {
		case <-n.done:
			return
		case <-n.wake:
		case <-timer.C:
		}
	}
}

// mtu is the size of the largest packet, as on Ethernet.
const mtu = 1500

// Node is the host's or a rig's place in the network.
type Node struct {
	address netip.Addr
	tun     *os.File // gives what the node sends, and takes what it receives
	calls   chan func()
	ended   sync.WaitGroup
}

// newNode makes a namespace with one device. A thread of its own stays in the namespace until close.
func newNode(number int) (*Node, error) {
	n := &Node{address: netip.AddrFrom4(address(number)), calls: make(chan func())}
	n.ended.Go(func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		for f := range n.calls {
			f()
		}
	})
	err := n.Do(func() (err error) {
		n.tun, err = join(address(number))
		return err
	})
	if err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

func (n *Node) close() {
	if n.tun != nil {
		n.tun.Close()
	}
	close(n.calls)
	n.ended.Wait()
}

// Address returns the node's address with a port.
func (n *Node) Address(port uint16) string { return netip.AddrPortFrom(n.address, port).String() }

// Do calls f on a thread in the node's namespace. A socket that f makes stays in that namespace, and may be used
// anywhere. Programs and goroutines that f starts are not in it, except by Start.
func (n *Node) Do(f func() error) error {
	result := make(chan error)
	n.calls <- func() { result <- f() }
	return <-result
}

// Start starts a program in the node's namespace. The kernel kills it when the network or this process ends.
func (n *Node) Start(c *exec.Cmd) error {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return n.Do(c.Start)
}

// join moves the calling thread into a new namespace, and returns the device that is all of its network.
func join(address [4]byte) (*os.File, error) {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return nil, os.NewSyscallError("unshare", err)
	}
	const device, name = "/dev/net/tun", "rig0"
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: device, Err: err}
	}
	r, err := unix.NewIfreq(name)
	if err == nil {
		r.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = os.NewSyscallError("TUNSETIFF", unix.IoctlIfreq(fd, unix.TUNSETIFF, r))
	}
	if err = errors.Join(err, configure(name, address)); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), device), nil // after TUNSETIFF: the poller refuses a device that is not attached
}

// configure gives a device its address, and switches it and the loopback device on.
func configure(name string, address [4]byte) error {
	const queue = 10_000 // packets that wait while the relay is held up; in a user namespace the kernel keeps it at 500
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	defer unix.Close(s)
	for _, step := range []struct {
		name    string
		request uint
		set     func(*unix.Ifreq) error
	}{
		{name, unix.SIOCSIFTXQLEN, func(r *unix.Ifreq) error { r.SetUint32(queue); return nil }},
		{name, unix.SIOCSIFADDR, func(r *unix.Ifreq) error { return r.SetInet4Addr(address[:]) }},
		{name, unix.SIOCSIFNETMASK, func(r *unix.Ifreq) error { return r.SetInet4Addr(net.CIDRMask(prefix, 32)) }},
		{name, unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP); return nil }},
		{"lo", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) error { r.SetUint16(unix.IFF_UP); return nil }},
	} {
		r, err := unix.NewIfreq(step.name)
		if err == nil {
			err = step.set(r)
		}
		if err == nil {
			err = os.NewSyscallError("ioctl", unix.IoctlIfreq(s, step.request, r))
		}
		if err != nil && step.request != unix.SIOCSIFTXQLEN {
			return fmt.Errorf("device %s: %w", step.name, err)
		}
	}
	return nil
}
