package drive

import (
	"math"
	"testing"

	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
)

// following is a drive that follows another simulator, which turns left with 3 m/s² from now on, 100 packets a second.
type following struct {
	*tester
	packets bool // they come
	count   int  // ticks so far
	edit    func(s *follow.Sample)
}

func newFollowing(t *testing.T) *following {
	r := &following{tester: seated(t, func(s *Setup) {
		s.Follower = follow.New(follow.Config{}, sim.Dt)
		s.FollowTrust = []follow.Trust{{Axes: [follow.Axes]float64{1, 1, 1, 1, 1, 1}}}
	}), packets: true}
	r.in.Wheel, r.in.Pedals, r.in.StopReady, r.in.FrameWanted = Wheel{}, Pedals{}, true, true
	return r
}

// follow runs for some seconds.
func (r *following) follow(seconds float64) {
	for range int(seconds * 1000) {
		tick := r.in.Source.Number
		if r.packets && r.count%10 == 0 {
			s := follow.Sample{Number: tick + 1, Phase: follow.Live, Att: [4]float64{1, 0, 0, 0}, Pos: [3]float64{0.2 * float64(tick), 0, 0},
				Vel: [3]float64{20, 0, 0}, Acc: [3]float64{0, 3, 0}, Time: 0.01 * float64(tick), RPM: 3000 + float64(tick), Gear: 3, Throttle: 0.4}
			if r.edit != nil {
				r.edit(&s)
			}
			r.in.Source = s
		}
		r.run(1)
		r.count++
	}
}

// The platform follows another simulator as it follows the own car, without wheel and pedals, and the rim gets no torque.
func TestThePlatformFollowsAnotherSimulator(t *testing.T) {
	r := newFollowing(t)
	r.follow(6)
	f := &r.out.Frame
	if r.out.State != guard.Driving || r.out.Torque != 0 || !r.out.Platform.Push {
		t.Fatalf("state %v, torque %g, targets %v", r.out.State, r.out.Torque, r.out.Platform.Push)
	}
	if r.out.Pose.Roll < 0.01 { // a left turn pushes to the right: the right side goes down
		t.Errorf("roll of the platform %g rad in a left turn", r.out.Pose.Roll)
	}
	if f.Speed != 20 || f.Gear != 3 || math.Abs(f.Acc[1]-3) > 1e-6 || f.Throttle != 0.4 || f.Follow.On != 1 || math.Abs(f.Follow.PacketRate-100) > 1 || f.Follow.Share != 1 {
		t.Errorf("frame: speed %g, gear %d, acceleration %v, throttle %g, %+v", f.Speed, f.Gear, f.Acc, f.Throttle, f.Follow)
	}
	r.packets = false
	if r.follow(6); r.out.State != guard.Driving || math.Abs(r.out.Pose.Roll) > 1e-3 || f.Follow.Share != 0 {
		t.Errorf("silence: state %v, roll %g rad, share %g", r.out.State, r.out.Pose.Roll, f.Follow.Share)
	}
	r.packets = true
	r.in.Operator.Stops++
	if r.follow(0.1); r.out.State != guard.Stopped || !r.out.Platform.Halt {
		t.Errorf("an emergency stop: state %v, halted %v", r.out.State, r.out.Platform.Halt)
	}
}

// The other car's slip and the surfaces below its wheels are in the frame, faded like its motion. What is not told, or cannot
// be, is 0 or the nearest that can.
func TestTheFrameHasWhatIsToldOfTiresAndSurfaces(t *testing.T) {
	r := newFollowing(t)
	nan, inf := math.NaN(), math.Inf(1)
	r.edit = func(s *follow.Sample) {
		s.Slip, s.Rumble = [4]float64{0.5, nan, inf, -1}, [4]float64{0.25, nan, inf, -1}
	}
	r.follow(6)
	slip, rumble := [4]float64{0.5, 0, maxSlip, 0}, [4]float64{0.25, 0, 1, 0}
	check := func(share float64) {
		t.Helper()
		if got := r.out.Frame.Follow.Share; got < 0.9*share || got > 1.1*share {
			t.Fatalf("share %g", got)
		}
		for i, w := range r.out.Frame.Wheels {
			if share := r.out.Frame.Follow.Share; w.NormalizedSlip != slip[i]*share || w.Rumble != rumble[i]*share {
				t.Errorf("wheel %d at a share of %g: slip %g, want %g of it; rumble %g, want %g of it", i, share, w.NormalizedSlip, slip[i], w.Rumble, rumble[i])
			}
		}
	}
	check(1)
	r.packets = false
	r.follow(0.35) // silence fades it
	check(0.5)
	r.follow(1)
	check(0)
}

// Motion begins only while the other simulator is live and there is a way to stop.
func TestFollowingBeginsOnlyWithAWayToStop(t *testing.T) {
	r := newFollowing(t)
	r.in.StopReady = false
	if r.follow(3); r.out.State != guard.Ready {
		t.Errorf("no way to stop: state %v", r.out.State)
	}
	r.in.StopReady, r.edit = true, func(s *follow.Sample) { s.Phase = follow.Paused }
	if r.follow(3); r.out.State != guard.Ready {
		t.Errorf("paused: state %v", r.out.State)
	}
	if r.edit = nil; true {
		r.follow(4)
	}
	if r.out.State != guard.Driving {
		t.Errorf("live: state %v", r.out.State)
	}
}

// A way to stop that is lost on the way ends the motion, as a pause of the other simulator does, until there is one again.
func TestMotionEndsWithTheLastWayToStop(t *testing.T) {
	r := newFollowing(t)
	if r.follow(8); r.out.Frame.Follow.Share != 1 || math.Abs(r.out.Pose.Roll) < 0.01 {
		t.Fatalf("before: share %g, roll %g rad", r.out.Frame.Follow.Share, r.out.Pose.Roll)
	}
	r.in.StopReady = false
	if r.follow(0.6); r.out.Frame.Follow.Share != 0 || r.out.Frame.Follow.StopReady != 0 {
		t.Errorf("0.6 s after it was lost: share %g", r.out.Frame.Follow.Share)
	}
	if r.follow(6); r.out.State != guard.Driving || math.Abs(r.out.Pose.Roll) > 1e-3 {
		t.Errorf("after it was lost: state %v, roll %g rad", r.out.State, r.out.Pose.Roll)
	}
	r.in.StopReady = true
	if r.follow(0.4); r.out.Frame.Follow.Share != 0 {
		t.Errorf("at once when it is back: share %g", r.out.Frame.Follow.Share)
	}
	if r.follow(6); r.out.Frame.Follow.Share != 1 {
		t.Errorf("back: share %g", r.out.Frame.Follow.Share)
	}
}

// An axis that is not confirmed gets a tenth.
func TestAnUnconfirmedAxisGetsAPart(t *testing.T) {
	whole, part := newFollowing(t), newFollowing(t)
	part.Setup.FollowTrust[0].Axes[follow.Sway] = 0.1
	whole.follow(8)
	part.follow(8)
	if ratio := part.out.Pose.Roll / whole.out.Pose.Roll; math.Abs(ratio-0.1) > 0.02 {
		t.Errorf("%g of the roll, want 0.1", ratio)
	}
	if got := part.out.Frame.Follow.Trusted; got != 0.1 {
		t.Errorf("trusted %g", got)
	}
}

// The check for hands on the rim does not apply, for the rim belongs to the game; the dead man's switch does.
func TestHandsAreTheGamesAndTheDeadManIsOurs(t *testing.T) {
	r := newFollowing(t)
	r.Setup.Guard.HandsOff, r.Setup.Guard.DeadMan = 0.5, true
	r.State.Guard = *guard.New(r.Setup.Guard, sim.Dt)
	r.in.Buttons.Down = frame.KeyDeadMan
	r.follow(8)
	if f := &r.out.Frame; f.Flags&frame.HandsOff != 0 || r.out.Pose.Roll < 0.01 {
		t.Errorf("flags %x, roll %g rad", f.Flags, r.out.Pose.Roll)
	}
	r.in.Buttons.Down = 0
	if r.follow(0.5); math.Abs(r.out.Pose.Roll) > 1e-4 {
		t.Errorf("the dead man's switch is let go: roll %g rad", r.out.Pose.Roll)
	}
}

// The same packets give the same bits.
func TestFollowingRepeats(t *testing.T) {
	a, b := newFollowing(t), newFollowing(t)
	for range 40 {
		a.follow(0.1)
		b.follow(0.1)
		if a.State.Hash() != b.State.Hash() || a.out.Hash() != b.out.Hash() {
			t.Fatal("differs")
		}
	}
}
