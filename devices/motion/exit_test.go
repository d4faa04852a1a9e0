package motion

import (
	"context"
	"errors"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/thanos"
	"rig.example/rig/devices/motion/wire"
)

// An order to park ends as soon as it is certain that nothing comes of it, and so does Run.
func TestAnOrderToParkEndsWhenNothingCanComeOfIt(t *testing.T) {
	hears := func(b *bench, a wire.Answer) { b.p.sharedStatus.store(a, b.p.clock()) }
	for _, tt := range []struct {
		name    string
		trouble func(b *bench)
		want    error
		most    time.Duration // from the order to its error
		close   time.Duration // from there until Run has ended
		state   State
	}{
		{"the controller is silent", func(b *bench) { b.tap.mute.Store(true) }, wire.ErrSilent, 1600 * time.Millisecond, 200 * time.Millisecond, Fault},
		{"the port takes nothing", func(b *bench) { b.sim.SetStalled(true); b.tap.FillHostOutput() }, wire.ErrStalled, 600 * time.Millisecond, 100 * time.Millisecond, Fault},
		{"the controller is off line", func(b *bench) { hears(b, wire.Answer{Axis: 7, Kind: wire.AnswerStatus, Fault: wire.FaultOffline}) }, errOffline, 1600 * time.Millisecond, 200 * time.Millisecond, Fault},
		{"its emergency stop is pressed", func(b *bench) { hears(b, wire.Answer{Axis: -1, Kind: wire.AnswerFault, Fault: wire.FaultStop}) }, errFault, 300 * time.Millisecond, 100 * time.Millisecond, Halted},
		{"it is halted meanwhile", func(b *bench) {
			go func() { time.Sleep(50 * time.Millisecond); b.p.Halt() }()
		}, errHalted, 100 * time.Millisecond, 200 * time.Millisecond, Halted},
		{"unplugged", func(b *bench) { b.unplug() }, ErrAbsent, 100 * time.Millisecond, 100 * time.Millisecond, Absent},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := quickConfig("wire")
			cfg.ParkPosition = wire.AllAt(0.1)
			onBench(t, standing(center), cfg, func(t *testing.T, b *bench) {
				b.waitState(Ready)
				stop := b.push(wire.AllAt(0.8))
				b.waitAt(wire.AllAt(0.8))
				stop()
				if b.p.Status().ParkDone {
					t.Error("nothing can come of an order, while it follows")
				}
				tt.trouble(b)
				began := time.Now()
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
				defer cancel()
				err := b.p.Park(ctx)
				if took := time.Since(began); !errors.Is(err, tt.want) || took > tt.most {
					t.Errorf("%v after %v, want %v within %v", err, took, tt.want, tt.most)
				}
				b.wait("final", func() bool { return b.p.Status().ParkDone })
				at := b.p.Status()
				began = time.Now()
				b.p.Close()
				if took := time.Since(began); took > tt.close {
					t.Errorf("closed within %v, want %v", took, tt.close)
				}
				left := b.p.Status()
				if left.State != tt.state || !(left.LastFeedback[0] > 0.1) || left.LastFeedback[0] != at.LastFeedback[0] && tt.state == Absent || !left.Moved() {
					t.Errorf("left %v, heard last at %.2f, then at %.2f", left.State, at.LastFeedback[0], left.LastFeedback[0])
				}
			})
		})
	}
}

// A controller that was silent for less than an order to park waits parks after all.
func TestAnOrderToParkOutlivesAShortSilence(t *testing.T) {
	cfg := quickConfig("wire")
	cfg.ParkPosition, cfg.BootWait = wire.AllAt(0.1), 2
	onBench(t, standing(center), cfg, func(t *testing.T, b *bench) {
		b.waitState(Ready)
		b.tap.mute.Store(true)
		time.AfterFunc(1300*time.Millisecond, func() { b.tap.mute.Store(false) })
		if err := b.p.Park(context.Background()); err != nil || b.p.Status().State != Parked || !motiontest.Near(b.sim.Positions(), wire.AllAt(0.1)) {
			t.Errorf("%v, %v at %.2f", err, b.p.Status().State, b.sim.Positions())
		}
	})
}

// A halt that parks leaves a platform that is parked.
func TestAHaltThatParksLeavesItParked(t *testing.T) {
	cfg := quickConfig("wire")
	cfg.ParkPosition, cfg.StopAction = wire.AllAt(0.1), StopPark
	onBench(t, standing(center), cfg, func(t *testing.T, b *bench) {
		b.waitState(Ready)
		b.p.Halt()
		b.wait("final", func() bool { return b.p.Status().ParkDone })
		if !motiontest.Near(b.sim.Positions(), wire.AllAt(0.1)) {
			t.Errorf("nothing can come of an order to park, and it stands at %.2f", b.sim.Positions())
		}
		b.p.Close()
		if err := <-b.ran; err != nil || b.p.Status().State != Parked {
			t.Errorf("ended with %v, %v", err, b.p.Status().State)
		}
	})
}

func TestAPlatformThatNeverMovedIsFinal(t *testing.T) {
	cfg := quickConfig("wire")
	cfg.BootWait = 2
	onBench(t, standing(center), cfg, func(t *testing.T, b *bench) {
		b.waitState(Opening)
		if s := b.p.Status(); !s.ParkDone || s.Moved() {
			t.Errorf("%+v", s)
		}
		b.waitState(Ready)
		if s := b.p.Status(); s.ParkDone || !s.Moved() {
			t.Errorf("%+v", s)
		}
	})
}

// A controller without feedback whose port takes nothing is waited for, but not by who wants
// to park it or to leave.
func TestNobodyWaitsToParkAPortThatTakesNothing(t *testing.T) {
	cfg := quickConfig("wire")
	cfg.Protocol, cfg.Baud = ProtocolThanos, 250000
	sim := thanos.NewSimulator(thanos.DefaultSimulatorConfig())
	onBench(t, sim, cfg, func(t *testing.T, b *bench) {
		b.waitState(Ready)
		sim.SetStalled(true)
		b.tap.FillHostOutput()
		b.wait("fault", func() bool { return b.p.Status().Faults&wire.FaultSilent != 0 })
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := b.p.Park(ctx); !errors.Is(err, wire.ErrStalled) || time.Since(began) > 2*time.Second {
			t.Errorf("%v after %v, want %v within 2 s", err, time.Since(began), wire.ErrStalled)
		}
		if !b.p.Status().ParkDone {
			t.Error("who leaves would go on waiting")
		}
	})
}
