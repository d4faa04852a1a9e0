package driveline

import "rig.example/rig/internal/valid"

// idleControl holds the speed of an engine at idle with a torque that it adds to what
// the released throttle gives: friction known beforehand, and a proportional and an
// integral part on the error. Its authority is limited: an engine can be stalled.
type idleControl struct {
	known float64 // that friction takes at idle [N·m]
	most  float64 // of all that is added [N·m]
	gain  float64 // [N·m·s/rad]
	sum   float64 // gain of the integral in a tick [N·m·s/rad]
	fades float64 // share of the integral lost in a tick well above idle
}

// newIdleControl returns the control of an engine, which may add a share of its full
// torque at idle beside friction.
//
// Gains are by its inertia: the loop has its poles at -3 and -12 1/s or is faster, where
// friction takes much, so that nothing is added 250 rpm above idle.
func (e *engine) newIdleControl(share, inertia, dt float64) idleControl {
	k := idleControl{known: max(-e.closed(e.idle), 0)}
	k.most = k.known + share*max(e.full(e.idle), 0)
	const poles, fast = 15, 60 // sums of the poles [1/s]
	k.gain = min(max(poles*inertia, k.known/(250*PerRPM)), fast*inertia)
	const damping = 1.25
	k.sum = k.gain * k.gain / (4 * damping * damping * inertia) * dt
	const fading = 0.5 // [s]
	k.fades = min(dt/fading, 1)
	return k
}

// adds returns the torque that it adds in a tick which begins slower than idle by an
// error [rad/s].
func (k *idleControl) adds(p *EngineState, err float64) float64 {
	want := k.known + k.gain*err + p.Idle
	switch {
	case want <= 0: // driven: the next idle begins anew
		p.Idle -= k.fades * p.Idle
		return 0
	case want < k.most || err < 0:
		p.Idle = min(max(p.Idle+k.sum*err, -k.known), k.most-k.known)
	}
	return min(want, k.most)
}

// limiter keeps an engine from turning too fast.
type limiter struct {
	hard, soft bool
	at         float64 // [rad/s]
	again      float64 // where the hard one lets it pull again
	time       float64 // that the hard one cuts, at least [s]
	perBand    float64 // share of the torque that the soft one takes for each rad/s
	dt         float64
}

func newLimiter(p Engine, dt float64) limiter {
	return limiter{
		hard: p.Limiter == "hard", soft: p.Limiter == "soft",
		at: p.Limit * PerRPM, again: (p.Limit - p.LimitDrop) * PerRPM, time: p.LimitCut,
		perBand: 1 / (p.LimitBand * PerRPM), dt: dt,
	}
}

// leaves returns the share of the torque that is left in this tick.
func (l *limiter) leaves(p *EngineState, speed float64) float64 {
	switch {
	case l.soft:
		return valid.Clamp((l.at-speed)*l.perBand, 0, 1)
	case !l.hard:
		return 1
	case speed > l.at:
		p.Cut = true
		p.Wait = l.time
		return 0
	case p.Cut:
		p.Wait = max(p.Wait-l.dt, 0)
		p.Cut = p.Wait > 0 || speed > l.again
	}
	if p.Cut {
		return 0
	}
	return 1
}

// turbo lets the throttle have what there is boost for.
type turbo struct {
	share float64 // of the full torque that needs boost
	turns float64 // product of the lag and the speed it holds at [rad]
	dt    float64
}

func newTurbo(t Turbo, dt float64) turbo {
	return turbo{share: t.Share, turns: t.Lag * t.At * PerRPM, dt: dt}
}

// lets returns how far a throttle counts in this tick. Boost follows what the throttle
// needs of it as of the first order, the later the slower the engine turns.
func (t *turbo) lets(p *EngineState, throttle, speed float64) float64 {
	if t.share == 0 {
		return throttle
	}
	const slowest = 50 // [rad/s]
	lag := t.turns / max(speed, slowest)
	plain := 1 - t.share // what it gives without boost
	open := min(throttle, plain+t.share*p.Boost)
	p.Boost += (max(throttle-plain, 0)/t.share - p.Boost) * t.dt / (lag + t.dt)
	return open
}
