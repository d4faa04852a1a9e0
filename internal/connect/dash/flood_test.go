package dash

import (
	"errors"
	"net"
	"net/netip"
	"runtime"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
	"rig.example/rig/test/level"
)

// Thousands of connections from one address: 64 are served, the others closed at once. Goroutines and memory stay
// bounded, and a page that was open before goes on.
func TestAFloodOfConnections(t *testing.T) {
	files := unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	unix.Setrlimit(unix.RLIMIT_NOFILE, &files) // as root; others keep their limit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	count := min(level.Pick(2000, 10_000, 10_000), int(files.Cur)-200)
	s := newTestServer(nil)
	address := unsampled(t, s, patient())
	var frames atomic.Int64
	page := openStream(t, address)
	go readStream(page, func(string, string) { frames.Add(1) })
	until(t, "the page is open", func() bool { return frames.Load() == 2 })
	goroutines, memory := runtime.NumGoroutine(), heap()
	for i := range count {
		c, err := net.Dial("tcp", address)
		switch {
		case errors.Is(err, unix.ECONNRESET): // closed before Dial returned
		case err != nil:
			t.Fatalf("connection %d: %v", i, err)
		default:
			defer c.Close()
		}
		if i%1000 == 0 {
			s.publishOne(i)
		}
	}
	until(t, "all connections were accepted", func() bool {
		open, refused := s.listener.counts()
		return open+int(refused) == count+1
	})
	if open, _ := s.listener.counts(); open != maxConnectionsPerPeer {
		t.Errorf("%d connections are served, want %d", open, maxConnectionsPerPeer)
	}
	if n := runtime.NumGoroutine() - goroutines; n > 2*maxConnectionsPerPeer {
		t.Errorf("%d more goroutines", n)
	}
	perClient := 1000 // of the test's own end of a connection [bytes]
	if n := heap() - memory; n > 8<<20+count*perClient {
		t.Errorf("%d more bytes of memory", n)
	}
	before := frames.Load()
	s.publishOne(1)
	until(t, "the page goes on", func() bool { return frames.Load() > before })
}

// heap returns the memory in use [bytes].
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapInuse + m.StackInuse)
}

func TestConnectionsAreLimitedInAllAndPerAddress(t *testing.T) {
	l := newListener(nil)
	address := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}) }
	for i := range 8 {
		admitted := 0
		for range 100 {
			if l.admit(address(i)) {
				admitted++
			}
		}
		if want := map[bool]int{true: maxConnectionsPerPeer}[i < 4]; admitted != want {
			t.Errorf("address %d: %d connections, want %d", i, admitted, want)
		}
	}
	l.release(address(2))
	if l.admit(address(1)) || !l.admit(address(5)) {
		t.Error("a place that became free does not go to another address")
	}
	for i, n := range []int{64, 64, 63, 64, 0, 1} {
		for range n {
			l.release(address(i))
		}
	}
	if open, refused := l.counts(); open != 0 || len(l.byPeer) != 0 || refused != 545 {
		t.Errorf("%d open, %d addresses, %d refused", open, len(l.byPeer), refused)
	}
}
