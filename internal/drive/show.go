package drive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// A frame has room for all effects and Tunings.
var (
	_ [frame.MaxEffects - ffb.EffectCount]struct{}
	_ [frame.MaxTunings - Tunings]struct{}
)

// show makes the frame of this tick.
func (d *Drive) show(in *Inputs, out *Outputs) {
	f, s := &out.Frame, &d.State
	f.Flags = d.flags(in) | helping(&s.Car) | s.Laps.flags() | s.cockpit() | d.consents(in) | s.tuner.flags() | d.waits(in)
	f.State = uint64(s.Guard.State())
	showCar(f, &s.Car)
	showInput(f, &s.Input)
	d.tank.show(f, &s.Car)
	f.Damp, f.Gain = s.Rain.damp(), s.Force.Gain()
	d.showForce(in, out)
	d.showMotion(in, out)
	f.Station = s.Station
	d.showLaps(f)
	f.Missed, f.Dropped, f.LateMax, f.TickCost = in.Loop.Missed, in.Loop.Dropped, in.Loop.LateMax, in.Loop.Cost
	f.Pictures = s.window.pictures
}

func showCar(f *frame.Frame, s *sim.State) {
	f.Tick = s.Tick
	f.Pos, f.Vel, f.Rate, f.Acc = array(s.Pos), array(s.Vel), array(s.Rate), array(s.Acc)
	f.Att = [4]float64{s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag}
	f.Pulse = s.Brakes.Pulse
	f.Speed, f.Gear, f.RPM = s.Speed, int64(s.Driveline.Gear), s.RPM()
	if s.Driveline.Gear == 0 {
		f.Gear = int64(s.Driveline.Box.Next)
	}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		f.Wheels[i] = frame.Wheel{Pos: array(w.Hub), Steer: w.Steer, Rotation: w.Rotation, Load: w.Load,
			SlipRatio: w.Kappa, SlipAngle: w.Alpha, Travel: w.Travel}
	}
}

func showInput(f *frame.Frame, in *sim.Input) {
	f.Steer, f.Throttle, f.Brake, f.Clutch, f.Hand = in.Steer, in.Throttle, in.Brake, in.Clutch, in.Handbrake
	f.ABS, f.Traction, f.Stability = uint64(in.Assists.ABS), uint64(in.Assists.Traction), uint64(in.Assists.Stability)
}

func array(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// showForce shows how the torque came to be.
func (d *Drive) showForce(in *Inputs, out *Outputs) {
	f, t := &out.Frame, d.State.Force.Trace()
	torque := math.Abs(out.Torque)
	total := torque + in.Wheel.Own
	f.RimTorque, f.AskedTorque, f.RatedTorque = out.Torque, t.Asked, min(in.Wheel.Rated, d.State.Guard.Most()-d.room(in))
	f.Force = frame.Force{
		Column: t.Column, Gained: t.Gained, Felt: t.Felt, Lead: t.Lead, Damping: t.Damping, Friction: t.Friction, Inertia: t.Inertia,
		Lock: t.Lock, Limited: t.Limited, Slewed: t.Slewed, Sent: t.Sent, Peak: t.Peak, Scale: t.Scale, Clipped: t.Clipped,
		RimSpeed: t.RimSpeed, HandsOn: t.HandsOn, Delay: t.Delay, Rate: in.Wheel.Rate,
		Own: total - torque, Total: total,
	}
	copy(f.Force.Effects[:], t.Effects[:])
}

// showMotion shows what the platform is asked to do, what it does, and how that came to be.
func (d *Drive) showMotion(in *Inputs, out *Outputs) {
	f, s := &out.Frame, &d.State
	f.Pose, f.Legs = Framed(&out.Pose), out.Platform.Legs
	m, t, p := &f.Motion, s.Motion.Trace(), &in.Platform
	m.Legs, m.Scale, m.Share, m.Measured = uint64(d.Setup.Platform.Axes()), out.Scale, s.Guard.Motion(), p.Measured
	m.Force, m.Turning, m.Limits = t.Force, t.Rate, uint64(t.Limits)
	copy(m.Translation[frame.Surge:], t.Translation[:])
	copy(m.Tilt[frame.Roll:], t.Tilt[:])
	copy(m.Rotation[frame.Roll:], t.Rotation[:])
	m.Extra = Framed(&t.Extra)
	for i, v := range Factors(&s.tuner.set) {
		m.Tuning[i] = *v
	}
	m.Chosen = uint64(s.tuner.chosen)
	f.LegsFeedback, m.Demand, m.FollowError, m.Temperature = p.Feedback, p.Demand, p.FollowError, p.Temperature
	m.State, m.Faults, m.Warnings = p.State, p.Faults, p.Warnings
	m.Rate, m.LineShare, m.Latency = p.Rate, p.LineShare, p.Latency
}

// Framed is a pose as a frame has it.
func Framed(p *cueing.Pose) frame.Pose {
	return frame.Pose{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
}

// flag is a bit of frame.Frame.Flags, and whether it is set.
type flag struct {
	on  bool
	bit uint64
}

func flagged(list ...flag) (flags uint64) {
	for _, f := range list {
		if f.on {
			flags |= f.bit
		}
	}
	return flags
}

func (d *Drive) flags(in *Inputs) uint64 {
	s := &d.State
	model, help := d.Setup.model != nil, &s.Input.Assists
	return flagged(
		flag{in.Wheel.Present, frame.WheelPresent},
		flag{in.Pedals.Present, frame.PedalsPresent},
		flag{in.Platform.Connected, frame.PlatformPresent},
		flag{s.Force.Clipping(), frame.Clipping},
		flag{model, frame.Demo},
		flag{model && s.keys.active(), frame.KeysDrive},
		flag{s.Car.Driveline.Power.Running, frame.EngineRuns},
		flag{help.Shifting, frame.AutoGears},
		flag{s.Car.Driveline.Box.Grind > 0, frame.Grinds},
		flag{help.Clutch, frame.AutoClutch},
		flag{help.Pit, frame.PitOn},
		flag{help.Launch, frame.LaunchOn},
	)
}

// cockpit shows what the driver does with buttons.
func (s *State) cockpit() uint64 {
	return flagged(
		flag{s.Paused, frame.Paused},
		flag{s.down(frame.KeyLookLeft), frame.LooksLeft},
		flag{s.down(frame.KeyLookRight), frame.LooksRight},
		flag{s.down(frame.KeyFlash), frame.Flashes},
		flag{s.gainShown > 0, frame.GainChanged},
	)
}

// helping returns the flags of the assists that work in this moment.
func helping(s *sim.State) uint64 {
	h, abs := &s.Help, false
	for i := range s.Brakes.Wheels {
		abs = abs || s.Brakes.Wheels[i].ABS.Works()
	}
	return flagged(
		flag{abs, frame.ABSWorks},
		flag{h.Traction.Works(), frame.TractionWorks},
		flag{h.Stability.Works(), frame.StabilityWorks},
		flag{h.Launch.Phase != assist.LaunchReady, frame.LaunchWorks},
		flag{h.Pit.Works != 0, frame.PitWorks},
	)
}

// waits shows what keeps a drive from going on.
func (d *Drive) waits(in *Inputs) uint64 {
	cause := d.State.Guard.Waits()
	return flagged(
		flag{d.beltOpen(in), frame.BeltOpen},
		flag{cause == guard.Unbelted, frame.Unbelted},
		flag{cause == guard.Stalled || cause == guard.Suspended, frame.Away},
		flag{cause == guard.Blind, frame.Blind},
	)
}
