package assist

import "rig.example/rig/sim/driveline"

// PitState is what the pit limiter remembers.
type PitState struct {
	Need  float64 // throttle that the limit needed lately, 0..1
	Works int8    // 1 while it holds the throttle back
}

// limit holds the throttle back so that the car gets no faster than the pit lane's limit.
// It looks ahead by the acceleration, so that the speed settles without passing it; it
// does not brake.
func (e *Electronics) limit(p *PitState, d *driveline.State, in *Sensors, o *Orders) {
	if !in.Switches.Pit || d.Gear < 0 {
		*p = PitState{}
		return
	}
	const gain, settles, ahead, close = 1.0, 0.6, 0.25, 1.0 // [1/(m/s)], [1/s], [s], [m/s]
	lacks := e.pit - in.Speed
	wish := lacks - ahead*in.Accel
	if lacks < close {
		p.Need = min(max(p.Need+gain*settles*e.dt*lacks, 0), 1)
	}
	most := min(max(p.Need+gain*wish, 0), 1)
	p.Works = 0
	if most < o.Throttle {
		o.Throttle, p.Works = most, 1
	}
}
