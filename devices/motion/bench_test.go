package motion

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

// quickConfig is a platform with short times, within what limits allow.
func quickConfig(port string) Config {
	c := DefaultConfig()
	c.Protocol, c.Port, c.BootWait = ProtocolSMC3, port, 0.03
	c.HomeSpeed, c.ParkSpeed = 1, 1
	c.MaxSpeed, c.MaxAccel, c.MaxJerk = wire.AllAt(1.5), wire.AllAt(20), wire.AllAt(2000)
	return c
}

// tap notes the targets that a controller reads.
type tap struct {
	*motiontest.Line
	mu    sync.Mutex
	heard []byte      // by the controller
	mute  atomic.Bool // the controller hears, but its answers are lost
}

func (t *tap) Write(b []byte) (int, error) {
	if t.mute.Load() {
		return len(b), nil
	}
	return t.Line.Write(b)
}

func (t *tap) Read(b []byte) (int, error) {
	n, err := t.Line.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard = append(t.heard, b[:max(n, 0)]...)
	return n, err
}

// targets returns the targets that a motor was sent, in counts of 0..1023.
func (t *tap) targets(motor int) (all []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for in := t.heard; len(in) >= 5; {
		if in[0] != '[' || in[4] != ']' {
			in = in[1:]
			continue
		}
		if in[1] == 'A'+byte(motor) {
			all = append(all, int(in[2])<<8|int(in[3]))
		}
		in = in[5:]
	}
	return all
}

// bench is a platform and the simulated controller it is connected to, in a
// synctest bubble: time passes only when all have done what they had to do.
type bench struct {
	t   *testing.T
	sim simulated.Controller
	tap *tap
	p   *Platform
	ran chan error // what Run returned

	alone atomic.Bool // nobody orders a platform home that waits

	plugged atomic.Pointer[motiontest.Line]
}

// onBench calls f with a platform that follows cfg and runs.
func onBench(t *testing.T, sim simulated.Controller, cfg Config, f func(t *testing.T, b *bench)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := New(cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, sim: sim, p: p, ran: make(chan error, 1)}
		p.Dial(func() (io.ReadWriteCloser, error) { return b.plugged.Load().Dial() })
		b.plug()
		go func() { b.ran <- p.Run(context.Background()) }()
		go attend(p, &b.alone)
		defer p.Close()
		defer sim.SetStalled(false) // else it could not be parked
		f(t, b)
	})
}

// attend orders a platform home whenever it waits and is not alone, until it is closed.
func attend(p *Platform, alone *atomic.Bool) {
	for p.pauseByClock(context.Background()) == nil {
		if !alone.Load() && p.waits() && !p.parkOrdered.Load() {
			p.OrderHome()
		}
	}
}

// waits reports whether nothing but an order to home is missing.
func (p *Platform) waits() bool {
	s := p.Status()
	return s.AwaitsHome && s.State != Fault && s.State != Halted && !s.InterlockLatched
}

// plug connects the controller to a new line.
func (b *bench) plug() {
	b.tap = &tap{Line: motiontest.NewLine()}
	b.plugged.Store(b.tap.Line)
	go func() { _ = simulated.Serve(b.t.Context(), b.sim, b.tap) }()
}

func (b *bench) unplug() { b.tap.Close() }

// wait fails the test if reached does not hold in time.
func (b *bench) wait(what string, reached func() bool) {
	b.t.Helper()
	for end := time.Now().Add(30 * time.Second); !reached(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("never %s; status %+v, actuators at %.3f", what, b.p.Status(), b.sim.Positions())
		}
	}
}

// waitAt waits until the actuators stand at l.
func (b *bench) waitAt(l wire.Legs) {
	b.t.Helper()
	b.wait("there", func() bool { return motiontest.Near(b.sim.Positions(), l) })
}

func (b *bench) waitState(want State) {
	b.t.Helper()
	b.wait(want.String(), func() bool { return b.p.Status().State == want })
}

// push pushes l once a millisecond until the function it returns is called.
func (b *bench) push(l wire.Legs) (stop func()) {
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

const (
	smc3Motors = 3
	smc3Counts = 1023 // of a whole stroke
)

// center is where the motors have half of their stroke, in counts.
var center = [smc3Motors]int{512, 512, 512}

// standing returns a controller that holds its motors at the counts given.
func standing(counts [smc3Motors]int) *smc3.Simulator {
	cfg := smc3.DefaultSimulatorConfig()
	for i, n := range counts {
		cfg.Start[i] = float64(n) / smc3Counts
	}
	c := smc3.NewSimulator(cfg)
	var sent []byte
	for i, n := range counts {
		sent = append(sent, '[', 'A'+byte(i), byte(n>>8), byte(n), ']')
	}
	c.Handle(sent)
	return c
}
