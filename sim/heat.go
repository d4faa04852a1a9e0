package sim

import "rig.example/rig/sim/tire"

// warm lets temperature and wear change how a wheel stands.
func (k *corner) warm(p *patch, w *Wheel) {
	p.running = tire.Running{Spin: w.Roll.Spin, Pressure: k.pressure, Fx: w.SlowX, Fy: w.SlowY}
	if k.thermal == nil {
		return
	}
	p.running.Pressure = k.thermal.Pressure(&w.Heat, k.pressure)
	grip, stiffness := k.thermal.Grip(&w.Heat)
	p.surface.Grip *= grip
	p.surface.Stiffness *= stiffness
}

// heat warms and wears a tire by what a tick took: resist is the rolling
// resistance moment [N·m] and skid the power lost in slip [W].
func (k *corner) heat(w *Wheel, p *patch, resist, skid float64) {
	air, track := k.thermal.Outside()
	k.thermal.Step(&w.Heat, tire.HeatIn{
		Load: p.load, Speed: p.vx, Skid: skid, Rolling: max(0, -resist*w.Roll.Spin), Air: air, Track: track,
	})
}
