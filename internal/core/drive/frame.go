package drive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
)

// This does not compile unless a frame has room for all effects and tuning factors.
var (
	_ [frame.MaxEffects - ffb.EffectCount]struct{}
	_ [frame.MaxTunings - Tunings]struct{}
	_ [frame.MaxTuned + 1 - factorCount]struct{}
)

// This does not compile unless there is a factor for each share of the cueing.
var _ [cueing.ShareCount]struct{} = [factorCount - MotionFilter]struct{}{}

// show fills the frame of this tick.
func (d *Drive) show(in *Inputs, out *Outputs) {
	f, s := &out.Frame, &d.State
	f.Flags = s.deviceFlags(in, d.Setup.model != nil) | assistFlags(&s.Car) | s.Laps.flags() | s.buttonFlags() | s.torqueFlags(in, &d.Setup) | s.Cockpit.tuner.flags() |
		s.confirmFlags(in, &d.Setup)
	f.State, f.By = uint64(s.Guard.State()), uint64(s.orders.orderedBy)
	showCar(f, &s.Car, d.Setup.Car)
	showInput(f, &s.Input)
	d.tank.show(f, &s.Car)
	f.GripLoss, f.Gain, f.Tuned = s.Cockpit.Rain.gripLoss(), s.Rim.Force.Gain(), s.tuned(&d.Setup)
	s.showForce(in, out, &d.Setup.Rim)
	s.showMotion(in, out, d.Setup.Platform.Axes())
	f.Station, f.Distance, f.Impulse = s.Station, s.Distance, s.Impulse
	s.Laps.show(f, d.timing)
	f.Missed, f.Dropped, f.LateMax, f.TickCost = in.Loop.Missed, in.Loop.Dropped, in.Loop.LateMax, in.Loop.Cost
	f.Pictures = s.Cockpit.window.lastPictures
}

func showCar(f *frame.Frame, s *sim.State, car *sim.Car) {
	f.Tick = s.Tick
	f.Pos, f.Vel, f.Rate, f.Acc = vecArray(s.Pos), vecArray(s.Vel), vecArray(s.Rate), vecArray(s.Acc)
	f.Att = [4]float64{s.Att.Real, s.Att.Imag, s.Att.Jmag, s.Att.Kmag}
	f.BrakePulse = s.Brakes.PedalPulse
	f.Speed, f.Gear, f.RPM = s.Speed, int64(s.Driveline.Gear), s.RPM()
	f.EngineTorque, f.Boost = s.Driveline.Engine.Torque, s.Driveline.Engine.Boost
	if s.Driveline.Gear == 0 {
		f.Gear = int64(s.Driveline.Gearbox.NextGear)
	}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		f.Wheels[i] = frame.Wheel{
			Pos: vecArray(w.Hub), Steer: w.Steer, Rotation: w.Rotation, Load: w.Load, SlipRatio: w.Kappa, SlipAngle: w.Alpha, Travel: w.Travel,
			Spin: w.Roll.Spin, TravelSpeed: w.TravelSpeed, LongitudinalForce: w.Fx, LateralForce: w.Fy, NormalizedSlip: w.Roll.NormalizedSlip,
			TireTemperature: orNaN(w.Heat.Surface) - zeroCelsius, TirePressure: orNaN(car.TirePressure(s, i)), TireWear: w.Heat.Wear,
			BrakeTemperature: s.Brakes.Wheels[i].Temperature, Material: uint64(w.Material),
			SlipEnergy: w.Roll.SlipEnergy,
		}
	}
}

func showInput(f *frame.Frame, in *sim.Input) {
	f.Steer, f.Throttle, f.Brake, f.Clutch, f.Handbrake = in.Steer, in.Throttle, in.Brake, in.Clutch, in.Handbrake
	f.ABS, f.Traction, f.Stability = uint64(in.Assists.ABS), uint64(in.Assists.Traction), uint64(in.Assists.Stability)
}

// zeroCelsius is 0 °C [K].
const zeroCelsius = 273.15

// orNaN returns v, or NaN if it is 0, which stands for unknown.
func orNaN(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

func vecArray(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// showForce fills in the stages of the torque.
func (s *State) showForce(in *Inputs, out *Outputs, rim *Rim) {
	f, t, maxTorque := &out.Frame, s.Rim.Force.Trace(), s.Guard.MaxTorque()
	torque := math.Abs(out.Torque)
	total := torque + in.Wheel.OwnEffectsNow
	f.RimTorque, f.AskedTorque, f.RatedTorque = out.Torque, t.Asked, min(in.Wheel.Rated, maxTorque-rim.ownEffectsMax(&s.Rim, &in.Wheel, maxTorque))
	f.Force = frame.Force{
		Column: t.Column, Gained: t.Gained, Felt: t.Felt, Lead: t.Lead, Damping: t.Damping, Friction: t.Friction, Inertia: t.Inertia,
		Lock: t.Lock, Limited: t.Limited, Slewed: t.Slewed, Sent: t.Sent, Peak: t.Peak, Scale: t.Scale, Clipped: t.Clipped,
		RimSpeed: t.RimSpeed, HandsOn: t.HandsOn, Delay: t.Delay, Rate: in.Wheel.Rate,
		OwnEffects: total - torque, Total: total,
	}
	copy(f.Force.Effects[:], t.Effects[:])
}

// showMotion fills in the target of a platform with a number of legs, its feedback and the stages of the cueing.
func (s *State) showMotion(in *Inputs, out *Outputs, legs int) {
	f := &out.Frame
	f.Pose, f.Legs = FramePose(&out.Pose), out.Platform.Legs
	m, t, p := &f.Motion, s.Motion.Trace(), &in.Platform
	m.LegCount, m.Scale, m.GuardShare, m.Measured = uint64(legs), out.Scale, s.Guard.MotionShare(), p.Measured
	m.Force, m.AngularRate, m.Limits = t.Force, t.Rate, uint64(t.Limits)
	copy(m.Translation[frame.Surge:], t.Translation[:])
	copy(m.Tilt[frame.Roll:], t.Tilt[:])
	copy(m.Rotation[frame.Roll:], t.Rotation[:])
	m.Extra = FramePose(&t.Extra)
	for i, v := range Factors(&s.Cockpit.tuner.current) {
		m.Tuning[i] = *v
	}
	m.TuningIndex = uint64(s.Cockpit.tuner.selected)
	f.LegsFeedback, m.Target, m.FollowError, m.Temperature = p.Feedback, p.Target, p.FollowError, p.Temperature
	m.State, m.Faults, m.Warnings = p.State, p.Faults, p.Warnings
	m.Rate, m.LineShare, m.Latency = p.Rate, p.LineShare, p.Latency
}

// FramePose converts a pose to a frame's.
func FramePose(p *cueing.Pose) frame.Pose {
	return frame.Pose{p.Surge, p.Sway, p.Heave, p.Roll, p.Pitch, p.Yaw, p.Slide, p.Belt}
}

// flag is a bit of frame.Frame.Flags, and whether it is set.
type flag struct {
	on  bool
	bit uint64
}

func flagBits(list ...flag) (flags uint64) {
	for _, f := range list {
		if f.on {
			flags |= f.bit
		}
	}
	return flags
}

// deviceFlags returns the flags of devices and car; model says that a driver model drives.
func (s *State) deviceFlags(in *Inputs, model bool) uint64 {
	assists := &s.Input.Assists
	return flagBits(
		flag{in.Wheel.Present, frame.WheelPresent},
		flag{in.Pedals.Present, frame.PedalsPresent},
		flag{in.Platform.Connected, frame.PlatformPresent},
		flag{s.Rim.Force.Clipping(), frame.Clipping},
		flag{model, frame.Demo},
		flag{model && s.Cockpit.keyboard.active(), frame.KeysDrive},
		flag{s.Car.Driveline.Engine.Running, frame.EngineRunning},
		flag{assists.AutoShift, frame.AutoGears},
		flag{s.Car.Driveline.Gearbox.Grind > 0, frame.GearsGrinding},
		flag{assists.AutoClutch, frame.AutoClutch},
		flag{assists.PitLimiter, frame.PitLimiterOn},
		flag{assists.Launch, frame.LaunchOn},
		flag{s.Input.Starter && !s.Car.Driveline.Engine.Running, frame.StarterTurns},
	)
}

// buttonFlags returns the flags of the driver's buttons.
func (s *State) buttonFlags() uint64 {
	return flagBits(
		flag{s.Cockpit.Paused, frame.Paused},
		flag{s.Cockpit.keys.isDown(frame.KeyLookLeft), frame.LookLeft},
		flag{s.Cockpit.keys.isDown(frame.KeyLookRight), frame.LookRight},
		flag{s.Cockpit.keys.isDown(frame.KeyFlash), frame.HeadlightFlash},
		flag{s.Rim.gainShownTime > 0, frame.GainChanged},
	)
}

// assistFlags returns the flags of the driving aids that act in this tick.
func assistFlags(s *sim.State) uint64 {
	a, abs := &s.Assist, false
	for i := range s.Brakes.Wheels {
		abs = abs || s.Brakes.Wheels[i].ABS.IsActive()
	}
	return flagBits(
		flag{abs, frame.ABSActive},
		flag{a.Traction.IsActive(), frame.TractionActive},
		flag{a.Stability.IsActive(), frame.StabilityActive},
		flag{a.Launch.Phase != assist.LaunchReady, frame.LaunchActive},
		flag{a.Pit.Active != 0, frame.PitLimiterActive},
	)
}

// confirmFlags returns the flags of an open interlock and of those latched causes that the driver must confirm.
func (s *State) confirmFlags(in *Inputs, setup *Setup) uint64 {
	cause := s.Guard.LatchedCause()
	return flagBits(
		flag{setup.interlockOpen(in, &s.Cockpit.keys), frame.InterlockOpen},
		flag{cause == guard.InterlockOpen, frame.ConfirmInterlock},
		flag{cause == guard.LoopStalled || cause == guard.Suspended, frame.ConfirmAfterGap},
		flag{cause == guard.WindowLost, frame.ConfirmWindowLost},
		flag{in.Platform.AwaitsHome, frame.ConfirmPlatform},
	)
}

// torqueFlags returns the flags about limits of the torque.
func (s *State) torqueFlags(in *Inputs, setup *Setup) uint64 {
	allowed := s.Guard.HighTorqueAllowed()
	return flagBits(
		flag{allowed, frame.HighTorque},
		flag{!allowed && min(in.Wheel.Rated, setup.Rim.chain(&s.Rim).Limit(), setup.Guard.MaxTorque) > guard.SafeTorque, frame.TorqueLimited},
		flag{setup.Guard.DeadMan && !s.Cockpit.keys.isDown(frame.KeyDeadMan), frame.DeadManReleased},
		flag{s.Guard.HandsOff(), frame.HandsOff},
	)
}
