package rig

import (
	"math"

	"rig/devices/wheel"
	"rig/internal/evdev"
	"rig/internal/frame"
	"rig/internal/guard"
	"rig/sim"
)

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

// listen finds what is down in this tick, in the window and in the cockpit. A
// press counts though it ended before the tick did.
func (r *Rig) listen() {
	evdev.Round()
	keys, began := r.window(), uint64(0)
	if r.controls != nil {
		e := r.controls.Poll()
		began = keysOf(e.Pressed)
		keys |= keysOf(e.Down) | began
	}
	r.fresh = keys&^r.pressed | began
	r.pressed = keys
}

// handy is what the driver sets with buttons beside the car's own.
type handy struct {
	paused bool
	told   float64 // time for which a new gain is still shown [s]
}

const (
	gainStep = 0.05
	gainTold = 3 // [s]
)

// step obeys the keys that were not down a tick ago. A pause is no way out of a
// fault or a stop, nor does it outlast one, or an order to release.
func (h *handy) step(r *Rig) {
	switch s := r.guard.State(); {
	case s == guard.Fault || s == guard.Stopped || r.orders.release.Load():
		h.paused = false
	case r.fresh&frame.KeyPause != 0:
		h.paused = !h.paused
	}
	h.told = max(h.told-r.dt, 0)
	for _, k := range [...]struct {
		key  uint64
		step float64
	}{{frame.KeyGainMore, gainStep}, {frame.KeyGainLess, -gainStep}} {
		if r.fresh&k.key != 0 {
			r.force.Adjust(k.step)
			h.told = gainTold
		}
	}
}

// bite is the clutch pedal for starts [0..1]: where the clutch carries a quarter.
func bite(c sim.Clutch) float64 { return c.Bite - c.Width/4 }

// levers adds to in what buttons do to handbrake and clutch.
func (r *Rig) levers(in *sim.Input) {
	if r.down(frame.KeyHandbrake) {
		in.Handbrake = 1
	}
	if r.down(frame.KeyClutchBite) {
		in.Clutch = math.Max(in.Clutch, r.bite)
	}
}

// flags shows what the driver does with buttons.
func (h *handy) flags(r *Rig) (flags uint64) {
	for _, f := range [...]struct {
		on  bool
		bit uint64
	}{
		{h.paused, frame.Paused}, {r.down(frame.KeyLookLeft), frame.LooksLeft}, {r.down(frame.KeyLookRight), frame.LooksRight},
		{r.down(frame.KeyFlash), frame.Flashes}, {h.told > 0, frame.GainChanged},
	} {
		if f.on {
			flags |= f.bit
		}
	}
	return flags
}
