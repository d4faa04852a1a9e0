package driveline

import "rig.example/rig/internal/kit/valid"

// idleControl holds an engine's idle speed. It adds a torque to that of the released throttle: a feed-forward
// of the friction, and a proportional and an integral part of the speed error. The torque is limited, so that
// the engine can be stalled.
type idleControl struct {
	friction     float64 // friction at idle [N·m]
	maxTorque    float64 // largest torque that it adds [N·m]
	gain         float64 // proportional gain [N·m·s/rad]
	integralGain float64 // gain of the integral part in a tick [N·m·s/rad]
	fade         float64 // share of the integral that decays in a tick well above idle
}

// newIdleControl returns the idle control of an engine. Beyond the engine's friction, it may add this share
// of the full torque at idle.
//
// The gains follow from the inertia [kg·m²]. The poles of the closed loop are at -3 and -12 1/s. With large
// friction they are faster, so that nothing is added at 250 rpm above idle.
func (e *engine) newIdleControl(share, inertia, dt float64) idleControl {
	k := idleControl{friction: max(-e.closedTorque(e.idle), 0)}
	k.maxTorque = k.friction + share*max(e.fullTorque(e.idle), 0)
	const poles, fast = 15, 60 // sums of the poles [1/s]
	k.gain = min(max(poles*inertia, k.friction/(250*PerRPM)), fast*inertia)
	const damping = 1.25
	k.integralGain = k.gain * k.gain / (4 * damping * damping * inertia) * dt
	const fading = 0.5 // [s]
	k.fade = min(dt/fading, 1)
	return k
}

// torque returns the torque to add in this tick [N·m]. err is the idle speed minus the engine's speed [rad/s].
func (k *idleControl) torque(p *EngineState, err float64) float64 {
	want := k.friction + k.gain*err + p.IdleIntegral
	switch {
	case want <= 0: // the car drives the engine: the integral decays
		p.IdleIntegral -= k.fade * p.IdleIntegral
		return 0
	case want < k.maxTorque || err < 0:
		p.IdleIntegral = min(max(p.IdleIntegral+k.integralGain*err, -k.friction), k.maxTorque-k.friction)
	}
	return min(want, k.maxTorque)
}

// limiter limits the speed of an engine.
type limiter struct {
	hard, soft  bool    // kind of the limiter; neither for none
	speed       float64 // speed of the limiter [rad/s]
	resumeSpeed float64 // speed below which the hard limiter ends its cut [rad/s]
	minCut      float64 // shortest cut of the hard limiter [s]
	perSpeed    float64 // share of the torque that the soft limiter takes for each rad/s
	dt          float64
}

// newLimiter returns the limiter of an engine.
func newLimiter(p Engine, dt float64) limiter {
	return limiter{
		hard: p.Limiter == "hard", soft: p.Limiter == "soft",
		speed: p.LimiterRPM * PerRPM, resumeSpeed: (p.LimiterRPM - p.LimiterDropRPM) * PerRPM, minCut: p.LimiterCutTime,
		perSpeed: 1 / (p.LimiterBandRPM * PerRPM), dt: dt,
	}
}

// torqueShare returns the share of the torque that the limiter leaves in this tick, 0..1.
func (l *limiter) torqueShare(p *EngineState, speed float64) float64 {
	switch {
	case l.soft:
		return valid.Clamp((l.speed-speed)*l.perSpeed, 0, 1)
	case !l.hard:
		return 1
	case speed > l.speed:
		p.LimiterCut = true
		p.LimiterWait = l.minCut
		return 0
	case p.LimiterCut:
		p.LimiterWait = max(p.LimiterWait-l.dt, 0)
		p.LimiterCut = p.LimiterWait > 0 || speed > l.resumeSpeed
	}
	if p.LimiterCut {
		return 0
	}
	return 1
}

// turbo limits the effective throttle to what the present boost allows.
type turbo struct {
	boostShare float64 // share of the full torque that needs boost; 0 without a turbo
	lagTurns   float64 // time constant times the engine speed at which it holds [rad]
	dt         float64
}

// newTurbo returns the turbo of an engine.
func newTurbo(t Turbo, dt float64) turbo {
	return turbo{boostShare: t.BoostShare, lagTurns: t.LagTime * t.LagRPM * PerRPM, dt: dt}
}

// throttle returns the effective throttle in this tick, 0..1, and moves the boost. The boost follows the
// boost that the throttle needs with a first-order lag, which is longer at lower engine speeds [rad/s].
func (t *turbo) throttle(p *EngineState, throttle, speed float64) float64 {
	if t.boostShare == 0 {
		return throttle
	}
	const slowest = 50 // [rad/s]
	lag := t.lagTurns / max(speed, slowest)
	unboosted := 1 - t.boostShare // throttle that needs no boost
	limited := min(throttle, unboosted+t.boostShare*p.Boost)
	p.Boost += (max(throttle-unboosted, 0)/t.boostShare - p.Boost) * t.dt / (lag + t.dt)
	return limited
}
