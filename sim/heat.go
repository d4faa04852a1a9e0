package sim

import (
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// applyHeat sets t.Running, and multiplies the grip and stiffness in t by the factors of the tire's
// temperature and wear.
func (k *wheel) applyHeat(t *suspension.Contact, w *WheelState) {
	t.Running = tire.VerticalInput{Spin: w.Roll.Spin, Pressure: k.pressure, Fx: w.FilteredFx, Fy: w.FilteredFy}
	if k.thermal == nil {
		return
	}
	t.Running.Pressure = k.thermal.Pressure(&w.Heat, k.pressure)
	grip, stiffness := k.thermal.Factors(&w.Heat)
	t.Ground.Surface.Grip *= grip
	t.Ground.Surface.Stiffness *= stiffness
}

// stepHeat moves the temperature and wear of a tire by a tick. rollingMoment is the rolling resistance moment
// [N·m], slipPower the power lost in slip [W].
func (k *wheel) stepHeat(w *WheelState, t *suspension.Contact, rollingMoment, slipPower float64) {
	air, track := k.thermal.Ambient()
	k.thermal.Step(&w.Heat, tire.HeatInput{
		Load: w.Load, Speed: t.Vx, SlipPower: slipPower, RollingPower: max(0,
			-rollingMoment*w.Roll.Spin), Air: air, Track: track,
	})
}
