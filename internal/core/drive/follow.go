package drive

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// Game holds the constants of following another simulator.
type Game struct {
	Follower    *follow.Follower // follows another simulator instead of driving the own car; nil for a drive of one's own
	FollowTrust []follow.Trust   // what the operator has confirmed
}

// gameState is the state of following another simulator.
type gameState struct {
	follow follow.State  // of its packets
	motion follow.Motion // of its car in the last tick
}

// stepFollowed calculates a tick in which the platform moves as the car of another simulator. The own car is not stepped, and
// the wheel belongs to the other simulator: it needs no hands, and gets no torque.
func (d *Drive) stepFollowed(in *Inputs, out *Outputs) {
	s, game := &d.State, &d.Setup.Game
	d.applyKeys(in)
	game.receive(&s.game, in, &s.Car, &s.Input)
	d.stepGuard(in, out, s.game.isReady(), 1)
	if s.Guard.State().Moves() {
		s.Car.Tick++
		s.Distance += max(s.Car.Speed, -s.Car.Speed) * d.Setup.Dt
	}
	d.finish(in, out, 0, game.pose(&s.game, d.Setup.Cue, &s.Motion, &s.Car))
	if in.FrameWanted {
		game.show(&s.game, in, &out.Frame)
	}
}

// receive takes what has arrived from another simulator, and puts its motion into the car's state: from there it goes to
// cueing and frame as that of the own car does.
func (g *Game) receive(s *gameState, in *Inputs, car *sim.State, input *sim.Input) {
	source := in.Source
	if !in.StopReady {
		source.Phase = follow.Paused // its motion fades out until there is a way to stop
	}
	m := g.Follower.Step(&s.follow, &source)
	s.motion = m
	input.Steer, input.Throttle, input.Brake, input.Clutch = orZero(source.Steer), orZero(source.Throttle), orZero(source.Brake), orZero(source.Clutch)
	car.Pos, car.Rate, car.Acc, car.SpecificForce = vecOf(m.Pos), vecOf(m.Rate), vecOf(m.Acc), vecOf(m.SpecificForce)
	car.Att = quat.Number{Real: m.Att[0], Imag: m.Att[1], Jmag: m.Att[2], Kmag: m.Att[3]}
	car.Vel, car.Speed = vecOf(follow.ToWorld(m.Att, m.Vel)), m.Vel[0]
	car.Driveline.Gear, car.Driveline.EngineSpeed = source.Gear, orZero(source.RPM)/perMinute
	car.Driveline.Engine.Running = source.RPM > 0
	for i := range car.Wheels {
		car.Wheels[i].Travel = orZero(source.Travel[i]) * m.Share
		car.Wheels[i].Alpha = orZero(source.RearSlip) * m.Share
		car.Wheels[i].Roll.NormalizedSlip = valid.Clamp(source.Slip[i], 0, maxSlip) * m.Share
	}
}

// maxSlip limits what another simulator tells of a tire's slip, over that of its largest force.
const maxSlip = 100

// perMinute converts from rad/s to 1/min.
const perMinute = 30 / math.Pi

// pose returns the pose for the other simulator's motion. Of an axis whose sign the
// operator has not confirmed it has only a part.
func (g *Game) pose(s *gameState, cue *cueing.Cue, motion *cueing.State, car *sim.State) cueing.Pose {
	in := cue.Sense(motion, car)
	trust := s.follow.Trusted(g.FollowTrust)
	in.Roll, in.Pitch = trust[follow.Roll]*s.motion.Roll, trust[follow.Pitch]*s.motion.Pitch
	rest := [3]float64{0, 0, follow.Gravity}
	for i := range in.Force {
		in.Force[i] = rest[i] + trust[follow.Surge+i]*(in.Force[i]-rest[i])
		in.Rate[i] *= trust[follow.Roll+i]
	}
	return cue.Next(motion, &in)
}

// isReady reports whether a drive may begin: the other simulator is live. Without a way to stop it counts as paused.
func (s *gameState) isReady() bool { return s.motion.Status == follow.Ready }

// show fills in what is known of the other simulator.
func (g *Game) show(s *gameState, in *Inputs, f *frame.Frame) {
	m := &s.motion
	f.Follow = frame.Follow{
		On: 1, Source: uint64(in.Source.Source), Status: uint64(m.Status), Packets: in.Source.Number, Lost: m.Lost, PacketRate: m.PacketRate, Delay: m.Delay,
		Share: m.Share, Trusted: 1,
	}
	for _, share := range s.follow.Trusted(g.FollowTrust) {
		f.Follow.Trusted = min(f.Follow.Trusted, share)
	}
	if in.StopReady {
		f.Follow.StopReady = 1
	}
	for i, rumble := range in.Source.Rumble {
		f.Wheels[i].Rumble = valid.Clamp(rumble, 0, 1) * m.Share
	}
}

func vecOf(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

// orZero returns v, or 0 for NaN, which stands for not told.
func orZero(v float64) float64 {
	if v != v {
		return 0
	}
	return v
}
