package assist

import "rig.example/rig/sim/driveline"

// PitState is the state of the pit limiter.
type PitState struct {
	ThrottleIntegral float64 // integral part of the throttle at the limit, 0..1
	Active           int8    // 1 while it limits the throttle
}

// limitPitSpeed limits the throttle so that the car does not exceed the speed limit of the pit lane. It
// predicts the speed from the acceleration, so that the speed settles without overshoot. It never brakes.
func (e *Electronics) limitPitSpeed(p *PitState, d *driveline.State, in *Sensors, o *Orders) {
	if !in.Switches.PitLimiter || d.Gear < 0 {
		*p = PitState{}
		return
	}
	const gain, integral, ahead, integrateWithin = 1.0, 0.6, 0.25, 1.0 // [1/(m/s)], [1/s], [s], [m/s]
	speedError := e.pitLimit - in.Speed
	predicted := speedError - ahead*in.Accel
	if speedError < integrateWithin {
		p.ThrottleIntegral = min(max(p.ThrottleIntegral+gain*integral*e.dt*speedError, 0), 1)
	}
	limit := min(max(p.ThrottleIntegral+gain*predicted, 0), 1)
	p.Active = 0
	if limit < o.Throttle {
		o.Throttle, p.Active = limit, 1
	}
}
