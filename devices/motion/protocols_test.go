package motion

import (
	"context"
	"testing"
	"time"
)

// protocolBench is a platform and the simulated controller on its line.
type protocolBench struct {
	t   *testing.T
	sim Simulator
	p   *Platform
}

func newProtocolBench(t *testing.T, sim Simulator, protocol string, adjust func(*Config)) *protocolBench {
	t.Helper()
	cfg := serveOnPty(t, sim, protocol)
	cfg.Baud, cfg.HomeSpeed, cfg.ParkSpeed = 250_000, 1, 1
	cfg.MaxSpeed, cfg.MaxAccel = all(1.5), all(20)
	if adjust != nil {
		adjust(&cfg)
	}
	p, err := New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = p.Run(context.Background()) }()
	t.Cleanup(p.Close)
	return &protocolBench{t: t, sim: sim, p: p}
}

// push demands l until reached holds.
func (b *protocolBench) push(what string, l Legs, reached func() bool) {
	b.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(12 * time.Second); !reached(); <-tick.C {
		if time.Now().After(end) {
			b.t.Fatalf("never %s; status %+v, at %.3f", what, b.p.Status(), b.sim.Positions())
		}
		b.p.Push(l)
	}
}

// A whole drive on each protocol: home, follow, restart of the controller in
// mid-drive, follow again, park.
func TestProtocolsDrive(t *testing.T) {
	there, elsewhere := Legs{0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.5, 0.5}, all(0.55)
	for _, tt := range simulatedControllers {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sim := tt.sim()
			b := newProtocolBench(t, sim, tt.protocol, tt.adjust)
			at := func(l Legs) func() bool { return func() bool { return near(sim.Positions(), l) } }
			b.push("there", there, at(there))
			sim.Reset()
			b.push("elsewhere after a restart", elsewhere, at(elsewhere))
			b.push("active", elsewhere, func() bool { return b.p.Status().State == Active })
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			if err := b.p.Park(ctx); err != nil {
				t.Fatalf("%v; status %+v", err, b.p.Status())
			}
			if !near(sim.Positions(), all(0.5)) {
				t.Errorf("parked at %.3f", sim.Positions())
			}
		})
	}
}
