package ffb

import (
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// Effect is an effect that is added to the column's torque.
type Effect int

// The effects, in the order of Trace.Effects.
const (
	Scrub       Effect = iota // tread blocks of sliding front tires
	RearSlip                  // slip of the rear axle
	Road                      // road texture and kerbs under the front wheels
	ABS                       // valve cycle of the anti-lock brakes
	LockUp                    // locked front wheels
	Shift                     // gear change
	Engine                    // firing of the engine's cylinders
	Limiter                   // torque cuts of the engine's limiter
	Collision                 // collision
	EffectCount               // number of effects
)

// String returns the effect's name as screens show it.
func (e Effect) String() string {
	names := [EffectCount]string{"scrub", "rear slip", "road", "ABS", "lock-up", "gear change", "engine", "limiter", "collision"}
	if e < 0 || e >= EffectCount {
		return "unknown"
	}
	return names[e]
}

// effects adds the effects of tires, road, brakes, driveline and body to the column's torque.
type effects struct {
	cfg       EffectsConfig
	cue       understeerCue // reduces the column's torque
	scrub     scrub
	rearSlip  rearSlip
	road      band
	abs       band
	lockUp    lockUp
	shift     shiftKnock
	engine    firing
	limiter   band
	collision collision
}

// effectsState is the state of the effects; the zero value starts all of them at 0.
type effectsState struct {
	understeer float64 // fraction by which the column's torque is reduced
	scrub      scrubState
	rearSlip   rearSlipState
	road       bandState
	abs        bandState
	lockUp     sineState
	shift      shiftKnockState
	engine     firingState
	limiter    bandState
	collision  float64 // level of the collision's knock
}

func newEffects(cfg EffectsConfig, dt float64) effects {
	return effects{
		cfg:       cfg,
		cue:       newUndersteerCue(dt),
		scrub:     newScrub(dt),
		rearSlip:  newRearSlip(dt),
		road:      newBand(8, 80, dt),
		abs:       newBand(4, 40, dt),
		lockUp:    newLockUp(dt),
		shift:     newShiftKnock(dt),
		engine:    newFiring(cfg.Cylinders, dt),
		limiter:   newBand(4, 40, dt),
		collision: newCollision(dt),
	}
}

// understeer returns the column's torque [N·m], reduced while the front tires slide. It never increases
// or reverses the torque and does not delay it; the reduction follows the tires with a delay of 10 ms.
func (e *effects) understeer(s *effectsState, car *sim.State, torque float64) float64 {
	if !valid.Finite(torque) {
		return 0
	}
	if e.cfg.Understeer == 0 {
		return torque
	}
	return torque * (1 - e.cfg.Understeer*e.cue.next(&s.understeer, car))
}

// step calculates the torque of each effect at the rim [N·m], positive left, times a factor, and returns their
// sum. Effects that are off are 0 and take no time. It runs in every tick and allocates nothing.
func (e *effects) step(s *effectsState, car *sim.State, factor float64, out *[EffectCount]float64) (sum float64) {
	c := &e.cfg
	*out = [EffectCount]float64{}
	if c.Scrub > 0 {
		out[Scrub] = c.Scrub * e.scrub.next(&s.scrub, car)
	}
	if c.RearSlip > 0 {
		out[RearSlip] = c.RearSlip * e.rearSlip.next(&s.rearSlip, car)
	}
	if c.Road > 0 {
		out[Road] = c.Road * softClip(e.road.next(&s.road, bumpDifference(car)))
	}
	if c.ABS > 0 {
		out[ABS] = c.ABS * e.abs.next(&s.abs, absCycle(car))
	}
	if c.LockUp > 0 {
		out[LockUp] = c.LockUp * e.lockUp.next(&s.lockUp, car)
	}
	if c.Shift > 0 {
		out[Shift] = c.Shift * e.shift.next(&s.shift, car)
	}
	if c.Engine > 0 {
		out[Engine] = c.Engine * e.engine.next(&s.engine, car)
	}
	if c.Limiter > 0 {
		out[Limiter] = c.Limiter * e.limiter.next(&s.limiter, limiterCuts(car))
	}
	if c.Collision > 0 {
		out[Collision] = c.Collision * e.collision.next(&s.collision, car)
	}
	for i := range out {
		out[i] *= factor
		sum += out[i]
	}
	return sum
}
