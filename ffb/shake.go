package ffb

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Pattern is the regular unevenness of a surface, such as a kerb's teeth.
type Pattern struct {
	Pitch    float64 // from one tooth to the next [m]; 0 is none
	Strength float64 // share of the strongest vibration, 0..1
}

// What a wheel's own vibration can follow [Hz]: its period counts in whole ms.
const (
	slowestShake = 5
	fastestShake = 100
)

// Shake finds what shakes the rim as one sine: the anti-lock brakes, a kerb below a front
// wheel, or the engine's limiter, whichever is strongest.
//
// It never changes after NewShake: what it remembers is in a ShakeState.
type Shake struct {
	dt       float64
	patterns []Pattern
}

// ShakeState is all that one tick of a Shake hands to the next. Copying it is a snapshot. It
// begins with Shake.Start.
type ShakeState struct {
	brakes  [4]cycle
	limiter cycle
}

// NewShake returns a shake that is stepped every dt [s], on ground whose surfaces have
// those patterns, in the order that sim.Wheel.Material counts.
func NewShake(dt float64, patterns []Pattern) *Shake {
	return &Shake{dt: dt, patterns: patterns}
}

// Start is the state before the first tick: nothing was measured.
func (k *Shake) Start() (s ShakeState) {
	for i := range s.brakes {
		s.brakes[i].time = longestCycle
	}
	s.limiter.time = longestCycle
	return s
}

// tremble is a vibration: a share of the strongest one, and a frequency [Hz].
type tremble struct{ share, hz float64 }

// Step returns the vibration after a tick: its peak as a share of the strongest, 0..1, and
// its frequency [Hz]. It is part of the loop: no allocation.
func (k *Shake) Step(s *ShakeState, car *sim.State) (share, hz float64) {
	best := k.antilock(s, car)
	for _, t := range [...]tremble{k.ground(car, tire.FL), k.ground(car, tire.FR), k.revs(s, car)} {
		if t.share > best.share {
			best = t
		}
	}
	if !finite(best.share) || !finite(best.hz) || best.hz <= 0 {
		return 0, 0
	}
	// What a sine cannot follow fades: slower, the torque itself carries it; faster, the
	// rim's inertia swallows it.
	hz = min(max(best.hz, slowestShake), fastestShake)
	fade := min(best.hz/slowestShake, fastestShake/best.hz, 1)
	return min(max(best.share, 0), 1) * fade, hz
}

// antilock is what the anti-lock brakes make of the brake pedal, once for each time that
// they let a wheel's pressure go.
func (k *Shake) antilock(s *ShakeState, car *sim.State) tremble {
	var hz float64
	for i := range s.brakes {
		s.brakes[i].step(car.Brakes.Wheels[i].ABS.Releases(), k.dt)
		hz = max(hz, s.brakes[i].hz)
	}
	if hz == 0 {
		hz = firstCycle
	}
	return tremble{car.Brakes.Pulse, hz}
}

// ground is the pattern below a front wheel, at the car's speed, by how hard the wheel
// presses on it.
func (k *Shake) ground(car *sim.State, wheel int) tremble {
	w := &car.Wheels
	m := int(w[wheel].Material)
	all := (w[tire.FL].Load + w[tire.FR].Load) + (w[tire.RL].Load + w[tire.RR].Load)
	if m >= len(k.patterns) || !(k.patterns[m].Pitch > 0) || !(all > 0) {
		return tremble{}
	}
	p := k.patterns[m]
	return tremble{p.Strength * min(4*w[wheel].Load/all, 1), math.Abs(car.Speed) / p.Pitch}
}

// revs is the engine's hard limiter, which cuts the torque again and again. The soft one
// fades and shakes nothing.
func (k *Shake) revs(s *ShakeState, car *sim.State) tremble {
	const strength = 0.3 // column and rim are far from the engine's mounts
	c := &s.limiter
	c.step(car.Driveline.Power.Cut, k.dt)
	switch {
	case c.hz > 0 && c.time*c.hz < 1.5: // the next is not overdue
		return tremble{strength, c.hz}
	case car.Driveline.Power.Cut:
		return tremble{strength, firstCycle}
	}
	return tremble{}
}

const (
	longestCycle = 0.5 // [s]
	firstCycle   = 10  // frequency until a cycle was measured [Hz]
)

// cycle measures how often something begins. It is all state.
type cycle struct {
	on   bool
	time float64 // since it began last [s]
	hz   float64 // by the two beginnings before; 0 if they are too far apart
}

func (c *cycle) step(on bool, dt float64) {
	c.time = min(c.time+dt, longestCycle)
	if c.time == longestCycle {
		c.hz = 0
	}
	if on && !c.on {
		if c.time < longestCycle {
			c.hz = 1 / c.time
		}
		c.time = 0
	}
	c.on = on
}
