package ffb

import "rig.example/rig/sim"

// Effect is one of those that are added to the column's torque.
type Effect int

// The effects, in the order of Trace.Effects.
const (
	Scrub       Effect = iota // tread blocks of sliding front tires
	Rear                      // slip of the rear axle
	Road                      // texture and kerbs under the front wheels
	ABS                       // cycle of the anti-lock brakes
	LockUp                    // locked front wheels
	Shift                     // gear change
	Engine                    // firing
	Limiter                   // cuts of the engine's limiter
	Jolt                      // collision
	EffectCount               // is how many there are
)

// String returns the effect's name as screens show it.
func (e Effect) String() string {
	names := [EffectCount]string{"scrub", "rear slip", "road", "ABS", "lock-up", "gear change", "engine", "limiter", "collision"}
	if e < 0 || e >= EffectCount {
		return "unknown"
	}
	return names[e]
}

// effects adds to the column's torque what tires, road, brakes, driveline and body do.
type effects struct {
	cfg     EffectsConfig
	light   lightness
	scrub   scrub
	rear    rearSlip
	road    band
	abs     band
	lock    lockUp
	shift   gearJolt
	engine  firing
	limiter band
	jolt    collision
}

// effectsState is what the effects remember; the zero value begins every one anew from 0.
type effectsState struct {
	light   float64 // share of the column's torque that is taken
	scrub   scrubState
	rear    rearSlipState
	road    bandState
	abs     bandState
	lock    vibrationState
	shift   gearJoltState
	engine  firingState
	limiter bandState
	jolt    float64 // level of the knock
}

func newEffects(cfg EffectsConfig, dt float64) effects {
	return effects{
		cfg:     cfg,
		light:   newLightness(dt),
		scrub:   newScrub(dt),
		rear:    newRearSlip(dt),
		road:    newBand(8, 80, dt),
		abs:     newBand(4, 40, dt),
		lock:    newLockUp(dt),
		shift:   newGearJolt(dt),
		engine:  newFiring(cfg.Cylinders, dt),
		limiter: newBand(4, 40, dt),
		jolt:    newCollision(dt),
	}
}

// understeer returns what is left of the column's torque [N·m] for sliding front tires. It
// never adds to it nor turns it round, and delays it by nothing; the share that it takes
// follows the tires by 10 ms.
func (e *effects) understeer(s *effectsState, car *sim.State, torque float64) float64 {
	if !finite(torque) {
		return 0
	}
	if e.cfg.Understeer == 0 {
		return torque
	}
	return torque * (1 - e.cfg.Understeer*e.light.next(&s.light, car))
}

// step finds the torque of each effect at the rim [N·m], positive left, and returns their
// sum. Those that are off are 0 and cost nothing. It is part of the loop: no allocation.
func (e *effects) step(s *effectsState, car *sim.State, out *[EffectCount]float64) (sum float64) {
	c := &e.cfg
	*out = [EffectCount]float64{}
	if c.Scrub > 0 {
		out[Scrub] = c.Scrub * e.scrub.next(&s.scrub, car)
	}
	if c.Rear > 0 {
		out[Rear] = c.Rear * e.rear.next(&s.rear, car)
	}
	if c.Road > 0 {
		out[Road] = c.Road * bend(e.road.next(&s.road, rough(car)))
	}
	if c.ABS > 0 {
		out[ABS] = c.ABS * e.abs.next(&s.abs, modulation(car))
	}
	if c.LockUp > 0 {
		out[LockUp] = c.LockUp * e.lock.next(&s.lock, car)
	}
	if c.Shift > 0 {
		out[Shift] = c.Shift * e.shift.next(&s.shift, car)
	}
	if c.Engine > 0 {
		out[Engine] = c.Engine * e.engine.next(&s.engine, car)
	}
	if c.Limiter > 0 {
		out[Limiter] = c.Limiter * e.limiter.next(&s.limiter, cuts(car))
	}
	if c.Jolt > 0 {
		out[Jolt] = c.Jolt * e.jolt.next(&s.jolt, car)
	}
	for _, torque := range out {
		sum += torque
	}
	return sum
}
