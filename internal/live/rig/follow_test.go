package rig

import (
	"context"
	"math"
	"strings"
	"testing"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/sim"
)

// stubSource is another simulator whose packets a test sets.
type stubSource struct {
	sample follow.Sample
	notice string
}

func (s *stubSource) Run(ctx context.Context) error { <-ctx.Done(); return nil }
func (s *stubSource) Latest(out *follow.Sample)     { *out = s.sample }
func (s *stubSource) Status() string                { return "no game is heard" }
func (s *stubSource) Notice() string                { return s.notice }

// grabbed are buttons that a game has grabbed.
type grabbed struct{}

func (grabbed) Poll() wheel.Edges       { return wheel.Edges{} }
func (grabbed) Readable() wheel.Actions { return 0 }

// follower is a rig that follows another simulator in a left turn.
func follower(t *testing.T) (*Rig, *stubSource, func(ticks int)) {
	r := withPage(t, undriven(t, config.Default()))
	source := &stubSource{}
	r.wheel, r.pedals, r.source = noWheel{}, noPedals{}, source
	r.platform, r.controls = &following{state: motion.Active}, &fingers{}
	r.drive.Setup.Follower = follow.New(follow.Config{}, sim.Dt)
	r.drive.Setup.FollowTrust = []follow.Trust{{Axes: [follow.Axes]float64{1, 1, 1, 1, 1, 1}}}
	r.orders.Start()
	count := uint64(0)
	return r, source, func(ticks int) {
		t.Helper()
		for range ticks {
			if count++; count%10 == 0 {
				n := count / 10
				source.sample = follow.Sample{Number: n, Phase: follow.Live, Att: [4]float64{1, 0, 0, 0}, Pos: [3]float64{0.2 * float64(n), 0, 0},
					Vel: [3]float64{20, 0, 0}, Acc: [3]float64{0, 3, 0}, Time: math.NaN(), RPM: 3000 + float64(n)}
			}
			run(t, r, 1)
		}
	}
}

// The legs of the platform follow the game, and nothing reaches a wheel.
func TestTheRigFollowsAGame(t *testing.T) {
	r, _, play := follower(t)
	play(7000)
	legs := r.platform.(*following).legs
	moved := 0.0
	for _, leg := range legs {
		moved = max(moved, math.Abs(leg-0.5))
	}
	if s := r.drive.State.Guard.State(); s != guard.Driving || r.out.Torque != 0 || moved < 0.01 {
		t.Errorf("state %v, torque %g, legs %v", s, r.out.Torque, legs)
	}
	r.orders.Give(operator.EmergencyStop, guard.ByCommand)
	play(2)
	if p := r.platform.(*following); p.halted == 0 {
		t.Error("an emergency stop does not halt the platform")
	}
}

// Buttons that a game has grabbed stop nothing: motion does not begin.
func TestMotionWaitsForAWayToStop(t *testing.T) {
	r, _, play := follower(t)
	r.controls = grabbed{}
	play(4000)
	if s := r.drive.State.Guard.State(); s != guard.Ready {
		t.Errorf("state %v", s)
	}
	r.estop = &cutout{}
	play(4000)
	if s := r.drive.State.Guard.State(); s != guard.Driving {
		t.Errorf("with a stop switch: state %v", s)
	}
}

// A window is a way to stop while it has the keyboard, and not while a game has it.
func TestAWindowIsAWayToStopWhileItHasTheKeyboard(t *testing.T) {
	r, _, play := follower(t)
	r.controls = grabbed{}
	with := func(keys uint64, seconds int) {
		for range 10 * seconds {
			r.page.SetKeys(keys)
			play(100)
		}
	}
	if with(0, 4); r.drive.State.Guard.State() != guard.Ready {
		t.Errorf("without the keyboard: state %v", r.drive.State.Guard.State())
	}
	if with(frame.WindowFocused, 8); r.drive.State.Guard.State() != guard.Driving || r.out.Frame.Follow.Share != 1 {
		t.Errorf("with it: state %v, share %g", r.drive.State.Guard.State(), r.out.Frame.Follow.Share)
	}
	if with(0, 1); r.out.Frame.Follow.Share != 0 {
		t.Errorf("a game takes it: share %g", r.out.Frame.Follow.Share)
	}
	r.estop = &cutout{}
	if with(0, 4); r.out.Frame.Follow.Share != 1 {
		t.Errorf("a game has it, beside a stop switch: share %g", r.out.Frame.Follow.Share)
	}
}

func TestNoticesWhileAGameIsFollowed(t *testing.T) {
	source := &stubSource{}
	d := &deviceSet{source: source}
	for _, tt := range []struct {
		f    frame.Follow
		want string
	}{
		{frame.Follow{Status: uint64(follow.Silent)}, "no game is heard"},
		{frame.Follow{Status: uint64(follow.Jumped), StopReady: 1}, "put elsewhere; motion is off"},
		{frame.Follow{Status: uint64(follow.Ready)}, "until there is a way to stop"},
		{frame.Follow{Status: uint64(follow.Ready), StopReady: 1, Trusted: 0.1}, "10 % of the motion"},
		{frame.Follow{Status: uint64(follow.Ready), StopReady: 1, Trusted: 1}, ""},
	} {
		tt.f.On = 1
		got := d.notice(&frame.Frame{State: uint64(guard.Driving), Follow: tt.f})
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", tt.f, got, tt.want)
		}
	}
	lost := frame.Frame{State: uint64(guard.Driving), Pictures: 9, Follow: frame.Follow{On: 1, Status: uint64(follow.NotLive)}}
	if got := d.notice(&lost); !strings.HasPrefix(got, "motion is off: another program has the keyboard, so no key stops the platform") {
		t.Errorf("with a window that lacks the keyboard: %q", got)
	}
	source.notice = "packets of another are dropped"
	if got := d.notice(&frame.Frame{State: uint64(guard.Driving), Follow: frame.Follow{On: 1, Status: uint64(follow.Ready), StopReady: 1, Trusted: 0.1}}); got != source.notice {
		t.Errorf("with another sender: %q", got)
	}
}
