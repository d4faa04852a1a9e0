package motion

import (
	"context"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/wire"
)

// onEveryBench calls f with a platform of each protocol that runs.
func onEveryBench(t *testing.T, f func(t *testing.T, b *bench)) {
	for _, c := range simulatedControllers {
		t.Run(c.name, func(t *testing.T) {
			cfg := quickConfig("wire")
			cfg.Protocol, cfg.Baud = c.protocol, 250_000
			if c.adjust != nil {
				c.adjust(&cfg)
			}
			onBench(t, c.sim(), cfg, f)
		})
	}
}

// A whole drive on each protocol: home, follow, restart of the controller in
// mid-drive, follow again, park.
func TestProtocolsDrive(t *testing.T) {
	there, elsewhere := wire.Legs{0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.5, 0.5}, wire.AllAt(0.55)
	onEveryBench(t, func(t *testing.T, b *bench) {
		stop := b.push(there)
		b.waitAt(there)
		b.sim.Reset()
		stop()
		defer b.push(elsewhere)()
		b.waitAt(elsewhere)
		b.waitState(Active)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := b.p.Park(ctx); err != nil {
			t.Fatalf("%v; status %+v", err, b.p.Status())
		}
		if !motiontest.Near(b.sim.Positions(), wire.AllAt(0.5)) {
			t.Errorf("parked at %.3f", b.sim.Positions())
		}
	})
}

// Who closes a platform whose line takes nothing does not wait for it, and is
// told in one line that it is not parked.
func TestCloseWhileNothingIsTaken(t *testing.T) {
	onEveryBench(t, func(t *testing.T, b *bench) {
		defer b.push(wire.AllAt(0.6))()
		b.waitAt(wire.AllAt(0.6))
		b.sim.SetStalled(true)
		b.tap.FillHostOutput()
		closed := make(chan struct{})
		go func() { b.p.Close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(2 * stallLimit):
			t.Fatal("waits longer than until a line that takes nothing is given up")
		}
		if err := <-b.ran; err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("Run ended with %v, want one line that tells it is not parked", err)
		}
		if s := b.p.Status().State; s != Fault {
			t.Errorf("is %s, want fault", s)
		}
	})
}
