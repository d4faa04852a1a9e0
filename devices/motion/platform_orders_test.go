package motion

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

// An open belt parks the platform, and no order moves it until it is closed.
func TestPlatformWithAnOpenInterlock(t *testing.T) {
	onBench(t, standing(center), quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.7))()
		b.waitAt(wire.AllAt(0.7))
		b.p.Interlock(true)
		b.waitState(Parked)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.p.Home(ctx); !errors.Is(err, errInterlockOpen) {
			t.Errorf("homed with an open belt: %v", err)
		}
		b.p.Interlock(false)
		time.Sleep(50 * time.Millisecond)
		if s := b.p.Status(); s.State != Parked || !s.InterlockLatched {
			t.Errorf("is %s as soon as the belt is closed, want parked and waiting", s.State)
		}
		if err := b.p.Home(ctx); err != nil {
			t.Fatal(err)
		}
		b.waitState(Active)
	})
}

func TestHomeTellsWhatIsWrong(t *testing.T) {
	onBench(t, standing(center), quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		b.p.sharedStatus.status[1].Store(uint32(wire.FaultTemperature))
		b.waitState(Fault)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.p.Home(ctx); !errors.Is(err, errFault) || !strings.Contains(err.Error(), "too hot") {
			t.Errorf("got %v", err)
		}
	})
}

// 15 bytes and a question of 5 take 0.4 ms at 500 000 bits a second: no target
// is quicker than its bytes.
func TestPlatformMeasuresItsLatency(t *testing.T) {
	onBench(t, standing(center), quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.5))()
		b.wait("measured", func() bool { return b.p.Latency().Count > 100 })
		l, s := b.p.Latency(), b.p.Status()
		if l.P50 < 300*time.Microsecond || l.P50 > l.P99 || l.P99 > l.Worst || s.Latency < 300e-6 {
			t.Errorf("%+v, newest %g s", l, s.Latency)
		}
		if s.Rate != 250 || math.Abs(s.LineShare-0.08333) > 1e-5 {
			t.Errorf("%g Hz keep %g of the line busy, want 250 and 0.08333", s.Rate, s.LineShare)
		}
	})
}
