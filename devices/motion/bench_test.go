package motion

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// quickConfig is a platform with short times, within what limits allow.
func quickConfig(port string) Config {
	c := DefaultConfig()
	c.Protocol, c.Port, c.BootWait = ProtocolSMC3, port, 0.03
	c.HomeSpeed, c.ParkSpeed = 1, 1
	c.MaxSpeed, c.MaxAccel, c.MaxJerk = all(1.5), all(20), all(2000)
	return c
}

// tap notes the demands that a controller reads.
type tap struct {
	io.ReadWriteCloser
	mu     sync.Mutex
	in     parser
	frames []frame
	mute   atomic.Bool // the controller hears, but its answers are lost
}

func (t *tap) Write(b []byte) (int, error) {
	if t.mute.Load() {
		return len(b), nil
	}
	return t.ReadWriteCloser.Write(b)
}

func (t *tap) Read(b []byte) (int, error) {
	n, err := t.ReadWriteCloser.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range b[:max(n, 0)] {
		if f, ok := t.in.feed(c); ok {
			t.frames = append(t.frames, f)
		}
	}
	return n, err
}

// demands returns the targets that a motor was sent.
func (t *tap) demands(motor int) []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var n []int
	for _, f := range t.frames {
		if f.cmd == 'A'+byte(motor) {
			n = append(n, f.value())
		}
	}
	return n
}

// bench is a platform and the simulated controller it is connected to.
type bench struct {
	t    *testing.T
	ctl  *Controller
	tap  *tap
	port string // a link, as /dev/serial/by-id has them
	line io.Closer
	p    *Platform
	ran  chan error // what Run returned
}

// newBench starts a controller and, after adjust, a platform.
func newBench(t *testing.T, ctl *Controller, adjust func(*Platform)) *bench {
	t.Helper()
	b := &bench{t: t, ctl: ctl, port: filepath.Join(t.TempDir(), "platform")}
	b.plug()
	p, err := New(quickConfig(b.port), nil)
	if err != nil {
		t.Fatal(err)
	}
	if adjust != nil {
		adjust(p)
	}
	b.p = p
	b.ran = make(chan error, 1)
	go func() { b.ran <- p.Run(context.Background()) }()
	t.Cleanup(func() {
		ctl.SetStalled(false)
		p.Close()
		b.unplug()
	})
	return b
}

// plug connects the controller to a new pseudo-terminal under the same name.
func (b *bench) plug() {
	b.t.Helper()
	rw, path, err := OpenPty()
	if err != nil {
		b.t.Fatal(err)
	}
	os.Remove(b.port)
	if err := os.Symlink(path, b.port); err != nil {
		b.t.Fatal(err)
	}
	b.tap = &tap{ReadWriteCloser: rw}
	b.line = rw
	go func() { _ = Serve(context.Background(), b.ctl, b.tap) }()
}

func (b *bench) unplug() {
	os.Remove(b.port)
	b.line.Close()
}

// wait fails the test if reached does not hold in time.
func (b *bench) wait(what string, reached func() bool) {
	b.t.Helper()
	for end := time.Now().Add(8 * time.Second); !reached(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("never %s; status %+v, motors at %.3f", what, b.p.Status(), b.ctl.Positions())
		}
	}
}

func (b *bench) waitState(want State) {
	b.t.Helper()
	b.wait(want.String(), func() bool { return b.p.Status().State == want })
}

// push demands l once a millisecond until the function it returns is called.
func (b *bench) push(l Legs) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				b.p.Push(l)
			}
		}
	}()
	return func() { close(quit); <-done }
}

// standing returns a controller that holds its motors at the counts given.
func standing(counts [motors]int) *Controller {
	cfg := DefaultControllerConfig()
	for i, n := range counts {
		cfg.Start[i] = float64(n) / fullCounts
	}
	c := NewController(cfg)
	var sent []byte
	for i, n := range counts {
		sent = appendFrame(sent, frame{'A' + byte(i), byte(n >> 8), byte(n)})
	}
	c.Handle(sent)
	return c
}
