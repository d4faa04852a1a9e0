package sim

import (
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// warm lets temperature and wear change how a wheel stands.
func (k *wheel) warm(t *suspension.Contact, w *Wheel) {
	t.Running = tire.Running{Spin: w.Roll.Spin, Pressure: k.pressure, Fx: w.SlowX, Fy: w.SlowY}
	if k.thermal == nil {
		return
	}
	t.Running.Pressure = k.thermal.Pressure(&w.Heat, k.pressure)
	grip, stiffness := k.thermal.Grip(&w.Heat)
	t.Ground.Surface.Grip *= grip
	t.Ground.Surface.Stiffness *= stiffness
}

// heat warms and wears a tire by what a tick took: resist is the rolling
// resistance moment [N·m] and skid the power lost in slip [W].
func (k *wheel) heat(w *Wheel, t *suspension.Contact, resist, skid float64) {
	air, track := k.thermal.Outside()
	k.thermal.Step(&w.Heat, tire.HeatIn{
		Load: w.Load, Speed: t.Vx, Skid: skid, Rolling: max(0, -resist*w.Roll.Spin), Air: air, Track: track,
	})
}
