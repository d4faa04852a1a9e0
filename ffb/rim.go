package ffb

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// RimConfig says what the rim itself feels like: its dynamics beside what the car
// does to it. Shares are of the torque that the wheel may give now, so that one
// setting suits a small wheel and a large one.
type RimConfig struct {
	// Cut-off of the low-pass (2nd order, Butterworth) behind the rim's speed [Hz]. Its delay is 0.225
	// divided by this: 3.8 ms. Lower values are smoother on a coarse sensor, and later.
	SpeedFilter float64 `toml:"speed_filter_hz" range:"10..200"`
	// Oil in the rim, as a fraction of the wheel's torque for each rad/s. 0.04 is 0.09 N·m on a 2.2
	// N·m wheel, 0.32 on one of 8 N·m. Limited to π/4·J/τ (J: `rim_inertia_kgm2`, τ: delay).
	Damping float64 `toml:"damping" range:"0..0.5"`
	// Dry friction added to the rim, as a fraction of the wheel's torque: holds the rim where it is,
	// the same at any speed. It builds up over at least 0.02 rad, so it does not chatter.
	Friction float64 `toml:"friction" range:"0..0.2"`
	// Makes the rim feel heavier [kg·m²], or lighter if negative. At most half of `rim_inertia_kgm2`
	// is used, either way; more would make the rim swing because of the delay.
	AddedInertia float64 `toml:"inertia_kgm2" range:"-0.05..0.1"`
	// Inertia of your rim and motor [kg·m²]. All limits of stability count with it. Too small is safe,
	// too large is not.
	RimInertia float64 `toml:"rim_inertia_kgm2" range:"0.005..0.5"`
	// Dry friction of your motor and gears [N·m], for the estimate of hands on the rim.
	RimFriction float64 `toml:"rim_friction_nm" range:"0..2"`
	// Delay assumed for a wheel whose delay is not known [ms].
	AssumedDelay float64 `toml:"assumed_delay_ms" range:"0..100"`
	// Fraction of the delay that the phase lead compensates. 0 feels soft and late, and may swing.
	DelayCompensation float64 `toml:"delay_compensation" range:"0..1"`
	// How firmly a free rim comes to rest, as a damping ratio: nothing at 72 km/h, all of it from 144
	// km/h on. Hands at the rim halve it. Lower values make the rim livelier on fast roads.
	HandsOffDamping float64 `toml:"hands_off_settling" range:"0..1.5"`
	// Speed of the rim [°/s] from which torque that drives it on is reduced; from one and a half times
	// this there is none. Torque that brakes the rim stays. 0 is off.
	MaxSpeed float64 `toml:"fastest_deg_per_s" range:"0..5000"`
}

// DefaultRim returns the default dynamics of the rim. They keep the wheels of the stability map stable
// and are hardly felt in a bend.
func DefaultRim() RimConfig {
	return RimConfig{
		SpeedFilter: 60, Damping: 0.04, Friction: 0.01, RimInertia: 0.02, RimFriction: 0.05,
		AssumedDelay: 20, DelayCompensation: 1, HandsOffDamping: 1, MaxSpeed: 1200,
	}
}

// Validate reports every field that is out of range.
func (c RimConfig) Validate() error {
	return valid.Struct(c)
}

// rim calculates the torques of the rim itself: damping, friction, inertia, soft lock and phase lead.
type rim struct {
	cfg       RimConfig
	dt        float64
	speed     derivatives
	stiffness stiffness
	lead      lead
	swing     swingDetector
	hands     hands
	lock      softLock
}

// rimState is the state of rim; the zero value is a rim that has not moved yet.
type rimState struct {
	speed     derivativesState
	stiffness stiffnessState
	lead      derivativesState // rate of the felt torque
	friction  bristle          // deflection of the dry friction
	swing     swingState       // of the oscillation detector
	hands     handsState
}

func newRim(cfg RimConfig, lock LockConfig, car Car, dt float64) rim {
	return rim{
		cfg: cfg, dt: dt, speed: newDerivatives(cfg.SpeedFilter, dt), stiffness: newStiffness(cfg.SpeedFilter, dt), lead: newLead(dt),
		swing: newSwingDetector(dt), hands: newHands(cfg, dt), lock: newSoftLock(lock, car.Lock),
	}
}

// step returns the torque that the rim adds [N·m]: damping, friction, inertia, soft lock and phase
// lead. speed is the car's [m/s]. felt is the torque from car and effects, and car its part without
// effects, because vibrations get no phase lead. applied is the torque applied in the last tick.
func (r *rim) step(s *rimState, w Wheel, speed, car, felt, applied float64, t *Trace) float64 {
	if !w.Present || !valid.Finite(w.Angle+w.Rated+w.Rate+w.Delay) || !valid.Finite(speed+car+felt+applied) {
		*s = rimState{}
		t.Lead, t.Damping, t.Friction, t.Inertia, t.Lock, t.RimSpeed, t.HandsOn = 0, 0, 0, 0, 0, 0, 0
		return 0
	}
	w.Rated, w.Angle = min(max(w.Rated, 0), maxRimTorque), bounded(w.Angle, maxAngle)
	car, felt, applied = bounded(car, maxRimTorque), bounded(felt, maxRimTorque), bounded(applied, maxRimTorque)
	m := r.speed.next(&s.speed, w.Angle)
	delay := r.loopDelay(w)
	t.RimSpeed, t.HandsOn = m.speed, r.hands.step(&s.hands, m, applied, delay, w.Rated)
	t.Inertia = -r.inertia() * m.accel
	t.Friction = -r.friction(&s.friction, m, w.Rated, delay)
	t.Lead = r.phaseLead(s, car, speed, delay, w.Rated, t)
	t.Damping = -r.damping(w.Rated, delay, swingShare(speed, t.HandsOn, s.swing.level)) * m.speed
	t.Lock = r.lock.torque(m, felt+(t.Lead+t.Damping), w.Rated, r.cfg.RimInertia, delay)
	sum := (t.Lead + t.Damping) + t.Friction + t.Inertia + t.Lock
	overspeedReduction := r.overspeed(felt+sum, m.speed)
	t.Damping -= overspeedReduction
	return sum - overspeedReduction
}

// Bounds of what a steering wheel can do; their squares are still finite.
const (
	maxAngle     = 100  // [rad]
	maxRimTorque = 1000 // [N·m]
)

// loopDelay returns the delay from the rim's motion to the resulting torque [s]: the wheel's own delay,
// the speed filter, and one period of the wheel's rate for reconstruction and hold.
func (r *rim) loopDelay(w Wheel) float64 {
	const maxDelay = 0.1
	delay := w.Delay
	if delay <= 0 {
		delay = r.cfg.AssumedDelay * 1e-3
	}
	if w.Rate > 1 {
		delay += 1 / w.Rate
	}
	return min(delay+r.speed.delay(), maxDelay)
}

// phaseLead returns the torque that keeps a delayed rim from oscillating [N·m], to be added to felt.
func (r *rim) phaseLead(s *rimState, felt, speed, delay, rated float64, t *Trace) float64 {
	k := r.stiffness.next(&s.stiffness, t.RimSpeed, felt, rated)
	swinging, fast := r.swing.step(&s.swing, t.RimSpeed)
	gain := r.oscillationGain(k, delay, t.HandsOn, fast)
	time := r.leadTime(k*gain, s.stiffness.damping*gain, delay, rated, r.dampingRatio(speed, t.HandsOn, swinging))
	return gain*r.lead.next(&s.lead, felt, time, rated) - (1-gain)*felt
}

// damping returns the damping coefficient [N·m·s/rad]. swing, 0..1, moves it from the configured damping
// towards one that stops the rim with a time constant of 45 ms: tires at their limit push a rim on with a
// constant torque, whose rate, and so the phase lead, is 0.
//
// Delayed damping, J·a + c·v(t-delay) = 0, is unstable from c = π/2·J/delay on: the bound is half of
// that.
func (r *rim) damping(rated, delay, swing float64) float64 {
	const stopTime = 0.045 // [s]
	always := r.cfg.Damping * rated
	return min(always+swing*max(r.cfg.RimInertia/stopTime-always, 0), math.Pi/4*r.cfg.RimInertia/delay)
}

// inertia returns the added inertia, limited so that the loop is stable [kg·m²]: by the small gain
// theorem less than the rim's own inertia at any delay.
func (r *rim) inertia() float64 {
	most := maxInertiaShare * r.cfg.RimInertia
	return min(max(r.cfg.AddedInertia, -most), most)
}

// maxInertiaShare is the largest delayed inertia that the rim may get, as a fraction of its own.
const maxInertiaShare = 0.5

// friction returns the torque of dry friction [N·m], with the sign of the bristle's deflection.
// Because of the delay its stiffness before sliding must stay below a fraction of J/delay².
func (r *rim) friction(grip *bristle, m rimMotion, rated, delay float64) float64 {
	const minGive, share = 0.02, 0.15 // give [rad]
	force := r.cfg.Friction * rated
	return force * grip.next(m.speed*r.dt, max(minGive, force*delay*delay/(share*r.cfg.RimInertia)))
}

// overspeed returns the torque to subtract while torque accelerates a rim that is already too fast
// [N·m]. It never reverses the torque.
func (r *rim) overspeed(torque, speed float64) float64 {
	fastest := r.cfg.MaxSpeed * math.Pi / 180
	if fastest == 0 || torque*speed <= 0 {
		return 0
	}
	const fadeRange = 0.5 // fraction above the limit at which no torque is left
	return torque * min(max(math.Abs(speed)/fastest-1, 0)/fadeRange, 1)
}
