package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/live/switches"
)

// sense reads all inputs of a tick, each once. Nothing else in the tick reads devices or clocks, except
// that act reads the clock to detect a tick that took too long.
func (r *Rig) sense() (in drive.Inputs) {
	r.gap.Begin()
	evdev.PollShared()
	r.senseControls(&in)
	r.senseWheel(&in.Wheel)
	r.sensePedals(&in.Pedals)
	r.senseSwitches(&in)
	r.sensePlatform(&in.Platform)
	r.orders.Take(&in.Operator)
	r.senseSource(&in)
	in.Gap, in.Suspended = r.gap.Measure(r.stats, r.demo)
	in.TorqueWithheld = r.gap.HeldUp
	if r.presets != nil {
		in.ForceChainIndex = uint8(r.presets.chainIndex.Load())
	}
	in.FrameWanted = r.page != nil
	in.Loop.Missed, in.Loop.Dropped = r.stats.Missed, r.stats.Dropped
	in.Loop.Late, in.Loop.LateMax = r.stats.Lateness.Last().Seconds(), r.stats.Lateness.Max().Seconds()
	in.Loop.Cost = r.stats.Cost.Last().Seconds()
	return in
}

// senseControls reads the keys in the window and the buttons of the cockpit.
func (r *Rig) senseControls(in *drive.Inputs) {
	if r.page != nil {
		in.Window.Keys, in.Window.Pictures = r.page.Keys()
	}
	if r.controls != nil {
		e := r.controls.Poll()
		in.Buttons.Down, in.Buttons.Pressed = keysOf(e.Down), keysOf(e.Pressed)
		if e.Other && r.drive.Setup.AnyKeyStops {
			in.Buttons.Pressed |= frame.KeyOther
		}
	}
}

// senseWheel reads the rim's angle and the wheel's limits.
func (r *Rig) senseWheel(in *drive.Wheel) {
	r.wheel.Poll(&r.wheelSample)
	in.Present, in.Fault, in.Angle = r.wheelSample.Present, r.wheelSample.Fault, r.wheelSample.Angle
	in.Rated = r.wheel.Rated()
	in.Rate = r.wheel.UpdateRate()
	in.Delay = r.wheel.Delay()
	if r.ownEffects != nil {
		in.OwnEffectsMax = r.ownEffects.EffectReserve()
		in.VibrationMax = r.ownEffects.MaxVibration()
		in.OwnEffectsNow = r.ownEffects.EffectTorque()
	}
}

// sensePedals reads pedals, levers and shifter. In a demo the driver model's pedals are always present.
func (r *Rig) sensePedals(in *drive.Pedals) {
	if r.pedals == nil {
		in.Present = true
		return
	}
	p := &r.pedalSample
	r.pedals.Poll(p)
	in.Present, in.Fault = p.Present, p.Fault
	in.Throttle, in.Brake, in.Clutch, in.Handbrake = p.Throttle, p.Brake, p.Clutch, p.Handbrake
	in.ShiftUp, in.ShiftDown = p.Levers.ShiftUp, p.Levers.ShiftDown
	in.HasHPattern, in.Gear = p.Levers.HPattern, p.Levers.Gear
}

// senseSwitches reads the emergency stop, its relay, and the belt or door switch.
func (r *Rig) senseSwitches(in *drive.Inputs) {
	stopped, failed, cause := switches.ReadStop(r.estop)
	in.Stop.Pressed, in.Stop.RelayFailed, in.Stop.Cause = stopped, failed, uint8(cause)
	in.InterlockOpen = r.interlock.IsOpen()
}

// hasInterlock reports whether a belt or door switch or button is configured.
func (r *Rig) hasInterlock() bool { return r.interlock.Line != nil || r.drive.Setup.InterlockButton }

// sensePlatform reads the platform's status.
func (r *Rig) sensePlatform(in *drive.Platform) {
	in.Measured = r.poseSolver.latest()
	in.Feedback, in.Target, in.FollowError, in.Temperature = unknownLegs, unknownLegs, unknownLegs, unknownLegs
	if r.platform == nil {
		return
	}
	s := r.platform.Status()
	in.Configured = true
	in.Follows = s.State.Follows()
	in.Unavailable = unavailable(s.State)
	in.Connected = connected(&s)
	in.Parked = s.State == motion.Parked
	in.Halted = s.State == motion.Halted
	in.ParkDone = s.ParkDone
	in.AwaitsHome = s.AwaitsHome || s.State == motion.Fault && in.Connected
	in.State, in.Faults, in.Warnings = uint64(s.State), uint64(s.Faults), s.TargetJumps
	in.Feedback, in.Target, in.FollowError, in.Temperature = s.Feedback, s.Target, s.FollowError, s.Temperature
	in.Rate, in.LineShare, in.Latency = s.Rate, s.LineShare, s.Latency
}

// connected reports whether a platform answers, also while it is halted, parked or at fault.
func connected(s *motion.Status) bool {
	return s.State != motion.Absent && (s.State != motion.Fault || s.Faults&wire.FaultSilent == 0)
}

// unavailable reports whether a platform in state s accepts nothing.
func unavailable(s motion.State) bool { return s == motion.Absent || s == motion.Fault }

// controls are the buttons of the cockpit: the real ones, or those of a test.
type controls interface {
	Poll() wheel.Edges
	Readable() wheel.Actions // actions whose controls can be read now
}

// keyOf maps each action of a button to the window's key that does the same.
var keyOf = [...]uint64{
	wheel.ShiftUp: frame.KeyGearUp, wheel.ShiftDown: frame.KeyGearDown,
	wheel.Handbrake: frame.KeyHandbrake, wheel.ClutchBite: frame.KeyClutchBite,
	wheel.LookLeft: frame.KeyLookLeft, wheel.LookRight: frame.KeyLookRight,
	wheel.Reset: frame.KeyReset, wheel.Pause: frame.KeyPause,
	wheel.HeadlightFlash: frame.KeyFlash, wheel.PitLimiter: frame.KeyPit,
	wheel.ABSUp: frame.KeyABSMore, wheel.ABSDown: frame.KeyABSLess,
	wheel.TCUp: frame.KeyTractionMore, wheel.TCDown: frame.KeyTractionLess,
	wheel.FFBGainUp: frame.KeyGainMore, wheel.FFBGainDown: frame.KeyGainLess,
	wheel.HighTorque: frame.KeyHighTorque, wheel.DeadMan: frame.KeyDeadMan,
	wheel.Stop:         frame.KeyStop,
	wheel.MotionGainUp: frame.KeyMotionMore, wheel.MotionGainDown: frame.KeyMotionLess, wheel.MotionNext: frame.KeyCueNext,
	wheel.MotionCueUp: frame.KeyCueMore, wheel.MotionCueDown: frame.KeyCueLess, wheel.MotionOn: frame.KeyMotionToggle,
	wheel.Interlock: frame.KeyInterlock, wheel.Mark: frame.KeyMark, wheel.Confirm: frame.KeyClear,
}

// keysOf returns the keys for a set of actions.
func keysOf(set wheel.Actions) (keys uint64) {
	for a, key := range keyOf {
		if set.Has(wheel.Action(a)) {
			keys |= key
		}
	}
	return keys
}
