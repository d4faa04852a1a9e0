package motion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"rig.example/rig/devices/motion/motiontest"
	"rig.example/rig/devices/motion/smc3"
	"rig.example/rig/devices/motion/wire"
)

func TestPlatformHomesFromWhereItStands(t *testing.T) {
	from := [smc3Motors]int{200, 820, 500}
	ctl := standing(from)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		b.wait("sent to the center", func() bool { // the simulated controller reads a little later
			n := b.tap.targets(smc3Motors - 1) // the last of a target
			return len(n) > 0 && n[len(n)-1] == 512
		})

		perStep := int(math.Ceil(1.0 / 250 * smc3Counts)) // the home speed, in counts
		for motor := range smc3Motors {
			n := b.tap.targets(motor)
			if len(n) == 0 {
				t.Fatalf("motor %d got no target", motor)
			}
			if jump := max(n[0]-from[motor], from[motor]-n[0]); jump > 8 {
				t.Errorf("motor %d stood at %d and was first sent to %d", motor, from[motor], n[0])
			}
			for i := 1; i < len(n); i++ {
				if d := n[i] - n[i-1]; d > perStep || d < -perStep {
					t.Fatalf("motor %d: from %d to %d in one step, at most %d", motor, n[i-1], n[i], perStep)
				}
			}
		}
		b.waitAt(wire.Legs{0.5, 0.5, 0.5})
	})
}

// The body rolls to the right: the left leg up, the right one down.
func TestPlatformFollowsAndTheBytesShowIt(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		want := wire.Legs{0.6, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
		defer b.push(want)()
		b.waitState(Active)
		b.waitAt(want)
		if got, want := ctl.Targets(), [smc3Motors]int{0x266, 0x199, 0x200}; got != want {
			t.Errorf("controller was sent to %x, want %x", got, want)
		}
		b.wait("told so", func() bool {
			s := b.p.Status()
			return motiontest.Near([]float64{s.Feedback[0], s.Feedback[1], s.Feedback[2]}, want)
		})
		s := b.p.Status()
		if !math.IsNaN(s.Feedback[3]) || !math.IsNaN(s.Target[3]) {
			t.Errorf("a motor that is not there stands at %g, sent to %g", s.Feedback[3], s.Target[3])
		}
	})
}

func TestPlatformFeedbackLagsTheTarget(t *testing.T) {
	onBench(t, smc3.NewSimulator(smc3.DefaultSimulatorConfig()), quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.Legs{0.9, 0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5})()
		worst := 0.0
		b.wait("there", func() bool {
			s := b.p.Status()
			worst = max(worst, s.Target[0]-s.Feedback[0])
			return s.Feedback[0] > 0.88
		})
		if worst < 0.01 || worst > 0.3 {
			t.Errorf("feedback lags by at most %.3f of the stroke, want 0.01..0.3", worst)
		}
	})
}

func TestPlatformParksWhenPushesStop(t *testing.T) {
	park := wire.Legs{0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 0.5, 0.5}
	cfg := quickConfig("wire")
	cfg.ParkPosition = park
	onBench(t, smc3.NewSimulator(smc3.DefaultSimulatorConfig()), cfg, func(t *testing.T, b *bench) {
		b.waitState(Ready)
		stop := b.push(wire.Legs{0.7, 0.7, 0.7, 0.5, 0.5, 0.5, 0.5, 0.5})
		b.waitAt(wire.AllAt(0.7))
		stop()
		stopped := time.Now()
		b.waitState(Parking)
		if took := time.Since(stopped); took < 48*time.Millisecond || took > 60*time.Millisecond {
			t.Errorf("parking began %v after the last push, want about 50 ms", took)
		}
		b.waitState(Parked)
		b.waitAt(park)

		defer b.push(wire.AllAt(0.5))()
		b.waitState(Homing)
		b.waitState(Active)
	})
}

func TestPlatformParkStaysUntilHome(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.8))()
		b.waitState(Active)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.p.Park(ctx); err != nil {
			t.Fatal(err)
		}
		if got := ctl.Positions(); !motiontest.Near(got, wire.AllAt(0.5)) {
			t.Errorf("parked at %.3f, want 0.5", got)
		}
		time.Sleep(100 * time.Millisecond)
		if got := b.p.Status().State; got != Parked {
			t.Errorf("is %s although it was told to park", got)
		}
		if err := b.p.Home(ctx); err != nil {
			t.Fatal(err)
		}
		b.waitState(Active)
	})
}

func TestPlatformTakesANaNTargetForAFault(t *testing.T) {
	ctl := standing(center)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.Legs{0.7, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5})()
		b.waitAt(wire.Legs{0.7, 0.5, 0.5})
		b.p.Push(wire.Legs{math.NaN()})
		b.waitState(Fault)
		b.waitAt(wire.AllAt(0.5))
		s := b.p.Status()
		if s.State != Fault || s.BadTargets != 1 {
			t.Errorf("state %s after %d bad targets, want fault after 1", s.State, s.BadTargets)
		}
		for _, n := range b.tap.targets(0) {
			if n < 500 || n > 720 {
				t.Fatalf("a target of %d went out", n)
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := b.p.Home(ctx); err != nil {
			t.Fatal(err)
		}
		b.waitState(Active)
	})
}

func TestPlatformComesBackAfterThePortVanished(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.Legs{0.6, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5})()
		b.waitAt(wire.AllAt(0.6))
		b.unplug()
		b.waitState(Absent)
		if f := b.p.Status().Feedback[0]; !math.IsNaN(f) {
			t.Errorf("knows a position of %g without a platform", f)
		}
		if err := b.p.Park(context.Background()); !errors.Is(err, ErrAbsent) {
			t.Errorf("parked what is not there: %v", err)
		}
		b.p.parkOrdered.Store(false)
		b.plug()
		b.waitState(Homing)
		b.waitState(Active)
		first := b.tap.targets(0)[0]
		if first < 600 || first > 630 {
			t.Errorf("came back at %d, want where it stood: 614", first)
		}
		b.waitAt(wire.AllAt(0.6))
		if n := b.p.Status().LinesLost; n != 1 {
			t.Errorf("lost %d times, want 1", n)
		}
	})
}

func TestPlatformNoticesAControllerThatFellSilent(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.5))()
		b.waitState(Active)
		ctl.SetStalled(true)
		b.waitState(Fault)
		ctl.SetStalled(false)
		b.waitState(Active)
	})
}

// It may hear though it does not answer: it is sent to the park position, and
// the line is given up only then.
func TestPlatformParksAControllerThatOnlyHears(t *testing.T) {
	ctl := standing(center)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.8))()
		b.waitAt(wire.AllAt(0.8))
		b.tap.mute.Store(true)
		b.waitState(Fault)
		if n := b.p.Status().LinesLost; n != 0 {
			t.Errorf("the line was given up %d times before the platform was parked", n)
		}
		b.waitAt(wire.AllAt(0.5))
		if s := b.p.Status().State; s != Fault {
			t.Errorf("is %s while its position is unknown, want fault", s)
		}
		b.wait("given up", func() bool { return b.p.Status().LinesLost > 0 })
		b.tap.mute.Store(false)
		b.waitState(Active)
	})
}

func TestPlatformHaltHoldsUntilAnOrder(t *testing.T) {
	ctl := standing(center)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.8))()
		b.waitAt(wire.AllAt(0.8))
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		parked := make(chan error, 1)
		go func() { parked <- b.p.Park(ctx) }()
		b.waitState(Parking)
		b.p.Halt()
		if err := <-parked; !errors.Is(err, errHalted) {
			t.Errorf("the interrupted order gave %v", err)
		}
		b.waitState(Halted)
		frames, at := ctl.Frames(), ctl.Targets()
		time.Sleep(150 * time.Millisecond)
		if at[0] < 530 {
			t.Errorf("halted at %d, long after it was told", at[0])
		}
		if got := ctl.Frames() - frames; got < 3*36 { // three a target, and its questions
			t.Errorf("%d frames in 150 ms: the position is not held", got)
		}
		held := b.tap.targets(0)
		if first, last := held[len(held)-8], held[len(held)-1]; first != last {
			t.Errorf("held at %d, then at %d", first, last)
		}
		if err := b.p.Home(ctx); err != nil {
			t.Fatal(err)
		}
		b.p.Halt()
		b.waitState(Halted)
		if err := b.p.Park(ctx); err != nil {
			t.Fatal(err)
		}
		if s := b.p.Status().State; s != Parked {
			t.Errorf("is %s, want parked", s)
		}
	})
}

// Who leaves during an emergency stop leaves a platform that does not move.
func TestRunThatEndsHaltedSaysSo(t *testing.T) {
	ctl := standing(center)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		stop := b.push(wire.AllAt(0.8))
		b.waitAt(wire.AllAt(0.8))
		b.p.Halt()
		b.waitState(Halted)
		b.p.Close()
		stop()
		if err := <-b.ran; !errors.Is(err, errHalted) {
			t.Errorf("Run ended with %v, want that it was halted", err)
		}
		if s := b.p.Status(); s.State != Halted || s.LinesLost != 0 || !motiontest.Near(ctl.Positions(), wire.AllAt(0.8)) {
			t.Errorf("is %s at %.3f after %d losses, want halted at 0.8", s.State, ctl.Positions(), s.LinesLost)
		}
	})
}

func TestStateAfterRun(t *testing.T) {
	tests := []struct {
		err  error
		want State
	}{
		{errNotParked, Fault}, {wire.ErrSilent, Fault}, {wire.ErrStalled, Fault}, {errHalted, Halted}, {wire.ErrLost, Absent},
	}
	for _, tt := range tests {
		if got := stateAfterLoss(fmt.Errorf("x: %w", tt.err)); got != tt.want {
			t.Errorf("after %q it is %s, want %s", tt.err, got, tt.want)
		}
	}
}

func TestParkTimeCountsTheSlowestAxis(t *testing.T) {
	c := quickConfig("/dev/null")
	c.ParkSpeed, c.MaxSpeed, c.MaxAccel, c.MaxJerk = 0.5, wire.AllAt(1), wire.AllAt(2), wire.AllAt(20)
	c.MaxSpeed[1] = 0.1 // 10 s for the stroke, 0.05 s to brake and to speed up, each, and three times 0.1 s to change that
	p, err := New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.ParkTime(), 13400*time.Millisecond; got != want {
		t.Errorf("parking takes %v, want %v", got, want)
	}
	if none, err := New(DefaultConfig(), nil); err != nil || none.ParkTime() != 0 {
		t.Errorf("no platform: %v, %v; want 0", none.ParkTime(), err)
	}
}

// The age of a target is what the clock says, however late the writer is.
func TestTargetsAgeByTheClock(t *testing.T) {
	p, err := New(quickConfig("/dev/null"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCodec(p.cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(p, nil, c)
	p.Push(wire.AllAt(0.7))
	d := s.takePushedTarget()
	if !d.hasNew || d.newest != wire.AllAt(0.7) {
		t.Fatalf("got %+v, want what was pushed", d)
	}
	s.machine.lastStep = d.pushedAt - 10*time.Millisecond
	if o := s.machine.trajectoryInput(d.pushedAt+30*time.Millisecond, d); !o.hasNewTarget || o.age != 0.03 || o.elapsed != 0.04 {
		t.Errorf("got %+v, want a target 30 ms old in a step of 40 ms", o)
	}
	if d := s.takePushedTarget(); d.hasNew {
		t.Errorf("got %+v, want nothing fresh", d)
	}
}

// The peer stops reading until the line is full: the loop does not notice, and
// everything goes on when the peer reads again.
func TestPlatformStallDisturbsNobody(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.AllAt(0.5))()
		b.waitState(Active)
		ctl.SetStalled(true)
		b.tap.FillHostOutput()
		b.waitState(Fault)
		if n := b.p.Status().LinesLost; n != 1 {
			t.Errorf("lost %d times, want 1: a full line is a loss, silence is none", n)
		}
		began := time.Now()
		b.p.Push(wire.AllAt(0.5))
		_ = b.p.Status()
		if took := time.Since(began); took != 0 { // time passes only while somebody waits
			t.Errorf("a push took %v while the line was stuck", took)
		}
		ctl.SetStalled(false)
		b.waitState(Active)
	})
}

func TestPushAndStatusAllocateNothing(t *testing.T) {
	p, err := New(quickConfig("/dev/null"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var s Status
	if n := testing.AllocsPerRun(1000, func() {
		p.Push(wire.AllAt(0.5))
		p.Push(wire.Legs{math.Inf(1)})
		p.Halt()
		s = p.Status()
	}); n != 0 {
		t.Errorf("%g allocations, want 0", n)
	}
	if s.BadTargets != 1001 { // with the run that warms up
		t.Errorf("%d bad targets, want 1001", s.BadTargets)
	}
}

func TestPlatformSpeaksThroughNoise(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	ctl.SetNoise(true)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		if s := b.p.Status(); s.Noise == 0 || s.Answers == 0 {
			t.Errorf("%d answers and %d bytes of noise, want both", s.Answers, s.Noise)
		}
	})
}

// A controller that restarts while driving goes to the center by itself; the
// next targets take it back, and nobody falls over.
func TestPlatformSurvivesAResetOfTheController(t *testing.T) {
	ctl := smc3.NewSimulator(smc3.DefaultSimulatorConfig())
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		defer b.push(wire.Legs{0.6, 0.6, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5})()
		b.waitAt(wire.AllAt(0.6))
		ctl.Reset()
		frames := ctl.Frames()
		b.wait("heard again", func() bool { return ctl.Frames() > frames+50 })
		b.waitAt(wire.AllAt(0.6))
	})
}

func TestCloseParks(t *testing.T) {
	ctl := standing(center)
	onBench(t, ctl, quickConfig("wire"), func(t *testing.T, b *bench) {
		b.waitState(Ready)
		stop := b.push(wire.AllAt(0.8))
		b.waitAt(wire.AllAt(0.8))
		b.p.Close()
		stop()
		if got := ctl.Positions(); !motiontest.Near(got, wire.AllAt(0.5)) {
			t.Errorf("left at %.3f, want the park position 0.5", got)
		}
		if got := b.p.Status().State; got != Parked {
			t.Errorf("is %s (%s), want parked", got, b.p.Status().Faults)
		}
	})
}

func TestPlatformWithoutProtocolIsAbsentAndContent(t *testing.T) {
	t.Parallel()
	p, err := New(DefaultConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	p.Push(wire.AllAt(0.5))
	if err := p.Park(ctx); err != nil {
		t.Errorf("parking nothing: %v", err)
	}
	if s := p.Status(); s.State != Absent {
		t.Errorf("is %s, want absent", s.State)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}
