package estop

import (
	"errors"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
)

var errNoDevice = errors.New("no such device")

// fakePin is a line of an adapter that the test plays.
type fakePin struct {
	gpio.PinIO
	mu      sync.Mutex
	level   gpio.Level
	gone    bool // the adapter was unplugged
	noEdges bool // it reports none
	hang    time.Duration
	reads   int
	armed   int
	pull    gpio.Pull
	written []gpio.Level
	edges   chan struct{}
}

func newPin(l gpio.Level) *fakePin {
	return &fakePin{PinIO: gpio.INVALID, level: l, edges: make(chan struct{}, 16)}
}

func (p *fakePin) In(pull gpio.Pull, edge gpio.Edge) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed++
	p.pull = pull
	if p.gone || p.noEdges && edge != gpio.NoEdge {
		return errNoDevice
	}
	return nil
}

// Read returns low for a line whose adapter was unplugged, as the libraries do.
func (p *fakePin) Read() gpio.Level {
	p.mu.Lock()
	hang := p.hang
	p.reads++
	l := p.level && gpio.Level(!p.gone)
	p.mu.Unlock()
	time.Sleep(hang)
	return l
}

func (p *fakePin) WaitForEdge(timeout time.Duration) bool {
	p.mu.Lock()
	gone := p.gone
	p.mu.Unlock()
	if gone {
		return false // at once, as a broken descriptor does
	}
	select {
	case <-p.edges:
		return true
	case <-time.After(timeout):
		return false
	}
}

func (p *fakePin) Out(l gpio.Level) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return errNoDevice
	}
	p.level = l
	p.written = append(p.written, l)
	return nil
}

// set gives the line a level, with the edge that comes with it.
func (p *fakePin) set(l gpio.Level) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if bool(p.level && !l) && !p.noEdges {
		select {
		case p.edges <- struct{}{}:
		default:
		}
	}
	p.level = l
}

func (p *fakePin) unplug(gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = gone
}

func (p *fakePin) now() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.level
}

// bench is a switch that the test samples itself, on a clock of its own.
type bench struct {
	*Switch
	t    *testing.T
	time time.Duration
	pins []*fakePin
	out  *fakePin
}

// newBench builds a switch with n contacts and a relay; both are released.
func newBench(t *testing.T, n int, cfg Config) *bench {
	t.Helper()
	b := &bench{t: t, time: time.Hour, out: newPin(gpio.Low)}
	var inputs []gpio.PinIn
	for range n {
		b.pins = append(b.pins, newPin(gpio.High))
		inputs = append(inputs, b.pins[len(b.pins)-1])
	}
	s, err := prepare(cfg, inputs, b.out, func() time.Duration { return b.time })
	if err != nil {
		t.Fatal(err)
	}
	b.Switch = s
	return b
}

// run lets a number of milliseconds pass, and samples every line in each.
func (b *bench) run(ms int) {
	for range ms {
		b.time += time.Millisecond
		for i := range b.pins {
			b.sample(i)
		}
		_, stop := b.State()
		b.relay.step(stop)
	}
}

// set gives both lines a level.
func (b *bench) set(first, second gpio.Level) {
	b.pins[0].set(first)
	b.pins[1].set(second)
}

// want fails the test unless the switch is in that state.
func (b *bench) want(when string, cause Cause) {
	b.t.Helper()
	stopped, got := b.State()
	if stopped != (cause != None) || got != cause {
		b.t.Errorf("%s: stopped %v, %q; want %q", when, stopped, got, cause)
	}
}
