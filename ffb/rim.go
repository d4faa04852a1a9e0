package ffb

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
)

// RimConfig says what the rim itself feels like: its dynamics beside what the car
// does to it. Shares are of the torque that the wheel may give now, so that one
// setting suits a small wheel and a large one.
type RimConfig struct {
	Cutoff   float64 `toml:"speed_filter_hz"`    // of the low-pass behind the rim's speed; its delay is 0.225 over this
	Damping  float64 `toml:"damping"`            // share of the wheel's torque against each rad/s of the rim
	Friction float64 `toml:"friction"`           // share of the wheel's torque, dry
	Inertia  float64 `toml:"inertia_kgm2"`       // more of it, or less of the wheel's own when negative
	Own      float64 `toml:"rim_inertia_kgm2"`   // of rim and motor, which every bound counts with
	OwnDrag  float64 `toml:"rim_friction_nm"`    // dry friction of motor and gears
	Delay    float64 `toml:"assumed_delay_ms"`   // of a wheel whose delay nobody measured
	Lead     float64 `toml:"delay_compensation"` // share of the wheel's delay that is made up for, 0..1
	Settle   float64 `toml:"hands_off_settling"` // damping ratio of a rim with nobody at it, on fast roads and while it swings
	Fastest  float64 `toml:"fastest_deg_per_s"`  // above it, torque that drives the rim on fades; 0 never
}

// DefaultRim settles the wheels of the stability map and is hardly felt in a bend.
func DefaultRim() RimConfig {
	return RimConfig{
		Cutoff: 60, Damping: 0.04, Friction: 0.01, Own: 0.02, OwnDrag: 0.05,
		Delay: 20, Lead: 1, Settle: 1, Fastest: 1200,
	}
}

// Validate reports every field that is out of range.
func (c RimConfig) Validate() error {
	return errors.Join(
		valid.InRange("speed_filter_hz", c.Cutoff, 10, 200),
		valid.InRange("damping", c.Damping, 0, 0.5),
		valid.InRange("friction", c.Friction, 0, 0.2),
		valid.InRange("inertia_kgm2", c.Inertia, -0.05, 0.1),
		valid.InRange("rim_inertia_kgm2", c.Own, 0.005, 0.5),
		valid.InRange("rim_friction_nm", c.OwnDrag, 0, 2),
		valid.InRange("assumed_delay_ms", c.Delay, 0, 100),
		valid.InRange("delay_compensation", c.Lead, 0, 1),
		valid.InRange("hands_off_settling", c.Settle, 0, 1.5),
		valid.InRange("fastest_deg_per_s", c.Fastest, 0, 5000),
	)
}

// rim is what the rim adds of its own.
type rim struct {
	cfg   RimConfig
	dt    float64
	speed motion
	slope slope
	lead  lead
	swing swing
	hands hands
	lock  softLock
}

// rimState is what the rim did; the zero value knows nothing.
type rimState struct {
	speed motionState
	slope slopeState
	lead  motionState // of the torque felt
	grip  bristle
	swing swingState
	hands handsState
}

func newRim(cfg RimConfig, lock LockConfig, car Car, dt float64) rim {
	return rim{
		cfg: cfg, dt: dt, speed: newMotion(cfg.Cutoff, dt), slope: newSlope(cfg.Cutoff, dt), lead: newLead(dt),
		swing: newSwing(dt), hands: newHands(cfg, dt), lock: newSoftLock(lock, car.Lock),
	}
}

// step returns what the rim adds to the torque that is felt [N·m]: damping, friction,
// inertia, the soft lock, and the lead for its delay. speed is the car's [m/s], car what
// of the torque felt is the car's, for vibrations are not to be led, and given the torque
// that the rim was given in the last tick.
func (r *rim) step(s *rimState, w Wheel, speed, car, felt, given float64, t *Trace) float64 {
	if !w.Present || !finite(w.Angle+w.Rated+w.Rate+w.Delay) || !finite(speed+car+felt+given) {
		*s = rimState{}
		t.Lead, t.Damping, t.Friction, t.Inertia, t.Lock, t.RimSpeed, t.HandsOn = 0, 0, 0, 0, 0, 0, 0
		return 0
	}
	w.Rated, w.Angle = min(max(w.Rated, 0), mostTorque), bounded(w.Angle, mostAngle)
	car, felt, given = bounded(car, mostTorque), bounded(felt, mostTorque), bounded(given, mostTorque)
	m := r.speed.next(&s.speed, w.Angle)
	late := r.late(w)
	t.RimSpeed, t.HandsOn = m.speed, r.hands.step(&s.hands, m, given, late, w.Rated)
	t.Inertia = -r.inertia() * m.accel
	t.Friction = -r.friction(&s.grip, m, w.Rated, late)
	t.Lead = r.calm(s, car, speed, late, w.Rated, t)
	t.Damping = -r.damping(w.Rated, late) * m.speed
	t.Lock = r.lock.torque(m, felt+(t.Lead+t.Damping), w.Rated, r.cfg.Own, late)
	sum := (t.Lead + t.Damping) + t.Friction + t.Inertia + t.Lock
	fast := r.tooFast(felt+sum, m.speed)
	t.Damping -= fast
	return sum - fast
}

// More than this is no steering wheel: squares of it are still numbers.
const (
	mostAngle  = 100  // [rad]
	mostTorque = 1000 // [N·m]
)

// late returns the time from the rim's motion to the torque that answers it [s]: the
// wheel's own delay, the rim's low-pass, and for reconstruction and hold of a slow
// wheel one period of its rate.
func (r *rim) late(w Wheel) float64 {
	const most = 0.1
	wait := w.Delay
	if wait <= 0 {
		wait = r.cfg.Delay * 1e-3
	}
	if w.Rate > 1 {
		wait += 1 / w.Rate
	}
	return min(wait+r.speed.delay(), most)
}

// calm returns what keeps a late rim from swinging, added to what is felt of the car [N·m].
func (r *rim) calm(s *rimState, felt, speed, late, rated float64, t *Trace) float64 {
	k := r.slope.next(&s.slope, t.RimSpeed, felt, rated)
	swings, quick := r.swing.step(&s.swing, t.RimSpeed)
	kept := r.kept(k, late, t.HandsOn, quick)
	time := r.leadTime(k*kept, late, rated, r.settle(speed, t.HandsOn, swings))
	return kept*r.lead.next(&s.lead, felt, time, rated) - (1-kept)*felt
}

// damping returns the torque against each rad/s [N·m·s/rad].
//
// Damping that comes late, J·a + c·v(t-late) = 0, swings from c = π/2·J/late on: half of
// that is the bound.
func (r *rim) damping(rated, late float64) float64 {
	return min(r.cfg.Damping*rated, math.Pi/4*r.cfg.Own/late)
}

// inertia returns what of the inertia that is asked for keeps the loop stable
// [kg·m²]: less than the rim's own whatever the delay, by the small gain theorem.
func (r *rim) inertia() float64 {
	const share = 0.5
	return min(max(r.cfg.Inertia, -share*r.cfg.Own), share*r.cfg.Own)
}

// friction returns the torque of dry friction [N·m], positive with the bristle. Late,
// its stiffness before it slides must stay below a share of J/late².
func (r *rim) friction(grip *bristle, m moved, rated, late float64) float64 {
	const least, share = 0.02, 0.15 // give [rad]
	force := r.cfg.Friction * rated
	return force * grip.next(m.speed*r.dt, max(least, force*late*late/(share*r.cfg.Own)))
}

// tooFast returns what is taken from a torque that drives on a rim which is too fast
// already [N·m]. It never turns the torque round.
func (r *rim) tooFast(torque, speed float64) float64 {
	fastest := r.cfg.Fastest * math.Pi / 180
	if fastest == 0 || torque*speed <= 0 {
		return 0
	}
	const over = 0.5 // of the limit, until all is gone
	return torque * min(max(math.Abs(speed)/fastest-1, 0)/over, 1)
}
