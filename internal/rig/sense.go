package rig

import (
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/switches"
)

// sense reads everything that a tick depends on, each thing once. Nothing else of the tick reads
// the outside world, but for the clock, by which act sees that a tick was held up.
func (r *Rig) sense() (in drive.Inputs) {
	r.gap.begin()
	evdev.Round()
	r.senseControls(&in)
	r.senseWheel(&in.Wheel)
	r.sensePedals(&in.Pedals)
	r.senseSwitches(&in)
	r.sensePlatform(&in.Platform)
	r.senseOperator(&in.Operator)
	in.Gap, in.Suspended = r.gap.take(r.stats, r.demo)
	in.Withheld = r.gap.stale
	if r.presets != nil {
		in.Feel = uint8(r.presets.wanted.Load())
	}
	in.Watched = r.page != nil
	in.Loop.Missed, in.Loop.Dropped = r.stats.Missed, r.stats.Dropped
	in.Loop.LateMax = r.stats.Lateness.Max().Seconds()
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
	}
}

// senseWheel reads the rim, and what the wheel can do.
func (r *Rig) senseWheel(in *drive.Wheel) {
	r.wheel.Poll(&r.hands)
	in.Present, in.Fault, in.Angle = r.hands.Present, r.hands.Fault, r.hands.Angle
	in.Rated = r.wheel.Rated()
	in.Rate = r.wheel.Rate()
	in.Delay = r.wheel.Delay()
	if r.own != nil {
		in.Room = r.own.Room()
		in.Headroom = r.own.Headroom()
		in.Own = r.own.Own()
	}
}

// sensePedals reads pedals, levers and shifter. A demo has no others than the driver model's.
func (r *Rig) sensePedals(in *drive.Pedals) {
	if r.pedals == nil {
		in.Present = true
		return
	}
	p := &r.feet
	r.pedals.Poll(p)
	in.Present, in.Fault = p.Present, p.Fault
	in.Throttle, in.Brake, in.Clutch, in.Handbrake = p.Throttle, p.Brake, p.Clutch, p.Handbrake
	in.ShiftUp, in.ShiftDown = p.Levers.ShiftUp, p.Levers.ShiftDown
	in.Gate, in.Gear = p.Levers.Gate, p.Levers.Gear
}

// senseSwitches reads the emergency stop, its relay, and the line of belt or door.
func (r *Rig) senseSwitches(in *drive.Inputs) {
	if r.estop != nil {
		stopped, failed, cause := switches.ReadStop(r.estop)
		in.Stop.Pressed, in.Stop.RelayFailed, in.Stop.Cause = stopped, failed, uint8(cause)
	}
	in.BeltOpen = r.belt.Open()
}

// watchesBelt reports whether there is a belt or a door to look at.
func (r *Rig) watchesBelt() bool { return r.belt.Line != nil || r.drive.Setup.BeltButton }

// sensePlatform reads what the platform says.
func (r *Rig) sensePlatform(in *drive.Platform) {
	in.Measured = r.gauge.last()
	in.Feedback, in.Demand, in.FollowError, in.Temperature = unknownLegs, unknownLegs, unknownLegs, unknownLegs
	if r.platform == nil {
		return
	}
	s := r.platform.Status()
	in.Configured = true
	in.Follows = s.State.Follows()
	in.Away = away(s.State)
	in.Connected = connected(&s)
	in.Parked = s.State == motion.Parked
	in.Halted = s.State == motion.Halted
	in.Final = s.Final
	in.State, in.Faults, in.Warnings = uint64(s.State), uint64(s.Faults), s.Warnings
	in.Feedback, in.Demand, in.FollowError, in.Temperature = s.Feedback, s.Demand, s.FollowError, s.Temperature
	in.Rate, in.LineShare, in.Latency = s.Rate, s.LineShare, s.Latency
}

// connected reports whether there is a platform that takes what it is sent. One that is halted,
// parked or at fault is there all the same.
func connected(s *motion.Status) bool {
	return s.State != motion.Absent && (s.State != motion.Fault || s.Faults&wire.FaultSilent == 0)
}

// away reports whether a platform in state s takes nothing at all.
func away(s motion.State) bool { return s == motion.Absent || s == motion.Fault }

// senseOperator takes the orders. A confirmation counts once.
func (r *Rig) senseOperator(in *drive.Operator) {
	in.Start = r.orders.start.Load()
	in.Release = r.orders.release.Load()
	in.Stop = r.orders.stop.Load()
	in.Clear = r.orders.clear.Swap(false)
}

// controls are the buttons of the cockpit, real or a test's.
type controls interface{ Poll() wheel.Edges }

// keyOf is the key in the window that does the same as an action.
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
	wheel.MotionGainUp: frame.KeyMotionMore, wheel.MotionGainDown: frame.KeyMotionLess, wheel.MotionNext: frame.KeyMotionNext,
	wheel.MotionCueUp: frame.KeyCueMore, wheel.MotionCueDown: frame.KeyCueLess, wheel.MotionOn: frame.KeyMotionOn,
	wheel.Interlock: frame.KeyInterlock,
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
