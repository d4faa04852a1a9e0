package drive

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/valid"
)

// follows reports whether another simulator's car moves the platform instead of the own one.
func (d *Drive) follows() bool { return d.Setup.Follower != nil }

// followSource takes what has arrived from another simulator, and puts its motion into the car's state: from there it goes to
// cueing and frame as that of the own car does. The own car is not stepped.
func (d *Drive) followSource(in *Inputs) {
	s, source := &d.State, in.Source
	if !in.StopReady {
		source.Phase = follow.Paused // its motion fades out until there is a way to stop
	}
	m := d.Setup.Follower.Step(&s.follow, &source)
	s.followed = m
	s.Input.Steer, s.Input.Throttle, s.Input.Brake, s.Input.Clutch = orZero(source.Steer), orZero(source.Throttle), orZero(source.Brake), orZero(source.Clutch)
	car := &s.Car
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

// moveFollowed counts a tick of the drive.
func (d *Drive) moveFollowed() {
	s := &d.State
	s.Car.Tick++
	s.Distance += max(s.Car.Speed, -s.Car.Speed) * d.Setup.Dt
}

// followedPose returns the pose for the other simulator's motion. Of an axis whose sign the
// operator has not confirmed it has only a part.
func (d *Drive) followedPose() cueing.Pose {
	s := &d.State
	in := d.Setup.Cue.Sense(&s.Motion, &s.Car)
	trust := s.follow.Trusted(d.Setup.FollowTrust)
	in.Roll, in.Pitch = trust[follow.Roll]*s.followed.Roll, trust[follow.Pitch]*s.followed.Pitch
	rest := [3]float64{0, 0, follow.Gravity}
	for i := range in.Force {
		in.Force[i] = rest[i] + trust[follow.Surge+i]*(in.Force[i]-rest[i])
		in.Rate[i] *= trust[follow.Roll+i]
	}
	return d.Setup.Cue.Next(&s.Motion, &in)
}

// sourceReady reports whether a drive may begin: the other simulator is live. Without a way to stop it counts as paused.
func (d *Drive) sourceReady() bool { return d.State.followed.Status == follow.Ready }

// showFollowed fills in what is known of the other simulator.
func (d *Drive) showFollowed(in *Inputs, f *frame.Frame) {
	if !d.follows() {
		return
	}
	m := &d.State.followed
	f.Follow = frame.Follow{
		On: 1, Source: uint64(in.Source.Source), Status: uint64(m.Status), Packets: in.Source.Number, Lost: m.Lost, PacketRate: m.PacketRate, Delay: m.Delay,
		Share: m.Share, Trusted: 1,
	}
	for _, share := range d.State.follow.Trusted(d.Setup.FollowTrust) {
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
