package motion

import (
	"context"
	"testing"
	"time"
)

// A whole drive on each protocol: home, follow, restart of the controller in
// mid-drive, follow again, park.
func TestProtocolsDrive(t *testing.T) {
	there, elsewhere := Legs{0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.5, 0.5}, all(0.55)
	for _, tt := range simulatedControllers {
		t.Run(tt.name, func(t *testing.T) {
			cfg := quickConfig("wire")
			cfg.Protocol, cfg.Baud = tt.protocol, 250_000
			if tt.adjust != nil {
				tt.adjust(&cfg)
			}
			onBench(t, tt.sim(), cfg, func(t *testing.T, b *bench) {
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
				if !near(b.sim.Positions(), all(0.5)) {
					t.Errorf("parked at %.3f", b.sim.Positions())
				}
			})
		})
	}
}
