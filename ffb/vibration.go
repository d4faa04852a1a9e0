package ffb

import (
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/tire"
)

// Pattern is the periodic unevenness of a surface, such as a kerb's teeth.
type Pattern struct {
	Pitch    float64 // distance from one tooth to the next [m]; 0 is none
	Strength float64 // fraction of the strongest vibration, 0..1
}

// Range of frequencies that a wheel can vibrate at [Hz]; its period is a whole number of ms.
const (
	minVibrationHz = 5
	maxVibrationHz = 100
)

// Vibration calculates the wheel's own vibration as one sine: that of the ABS, of a kerb below a front
// wheel, or of the engine's limiter, whichever is strongest.
//
// It does not change after NewVibration; its state is a VibrationState.
type Vibration struct {
	dt       float64   // duration of a tick [s]
	patterns []Pattern // by material, in the order of sim.Wheel.Material
}

// VibrationState holds what one tick of a Vibration passes to the next. A copy is a snapshot. Get it from
// Vibration.Start.
type VibrationState struct {
	absCycles [4]cycle // pressure releases of the ABS, for each wheel
	limiter   cycle    // cuts of the engine's limiter
	fault     bool     // in the last step a number was NaN, Inf or beyond any use, and was replaced
}

// Fault reports whether the last step met a number that is NaN, Inf or beyond any use.
func (s *VibrationState) Fault() bool { return s.fault }

// NewVibration returns a vibration that is stepped every dt [s]. patterns are those of the ground's
// surfaces, in the order of sim.Wheel.Material.
func NewVibration(dt float64, patterns []Pattern) *Vibration {
	return &Vibration{dt: dt, patterns: patterns}
}

// Start returns the state before the first tick.
func (k *Vibration) Start() (s VibrationState) {
	for i := range s.absCycles {
		s.absCycles[i].time = maxPeriod
	}
	s.limiter.time = maxPeriod
	return s
}

// tone is a vibration: its amplitude as a fraction of the strongest (share, 0..1), and its frequency [Hz].
type tone struct{ share, hz float64 }

// Step returns the vibration of a tick: its amplitude as a fraction of the strongest, 0..1, and its
// frequency [Hz]. It runs in every tick and allocates nothing.
func (k *Vibration) Step(s *VibrationState, car *sim.State) (share, hz float64) {
	s.repair()
	best := k.absTone(s, car)
	for _, t := range [...]tone{k.kerbTone(car, tire.FL), k.kerbTone(car, tire.FR), k.limiterTone(s, car)} {
		if t.share > best.share {
			best = t
		}
	}
	if !valid.Finite(best.share) || !valid.Finite(best.hz) || best.hz <= 0 {
		return 0, 0
	}
	// Outside of this range the vibration fades: slower ones are in the torque itself, faster ones
	// are absorbed by the rim's inertia.
	hz = min(max(best.hz, minVibrationHz), maxVibrationHz)
	fade := min(best.hz/minVibrationHz, maxVibrationHz/best.hz, 1)
	return min(max(best.share, 0), 1) * fade, hz
}

// absTone returns the pulsation of the ABS in the brake pedal, one period per release of a wheel's
// pressure.
func (k *Vibration) absTone(s *VibrationState, car *sim.State) tone {
	var hz float64
	for i := range s.absCycles {
		s.absCycles[i].step(car.Brakes.Wheels[i].ABS.IsReleasing(), k.dt)
		hz = max(hz, s.absCycles[i].hz)
	}
	if hz == 0 {
		hz = assumedHz
	}
	return tone{car.Brakes.PedalPulse, hz}
}

// kerbTone returns the vibration of the surface below a front wheel, weighted by the wheel's load.
func (k *Vibration) kerbTone(car *sim.State, wheel int) tone {
	w := &car.Wheels
	m := int(w[wheel].Material)
	all := (w[tire.FL].Load + w[tire.FR].Load) + (w[tire.RL].Load + w[tire.RR].Load)
	if m >= len(k.patterns) || !(k.patterns[m].Pitch > 0) || !(all > 0) {
		return tone{}
	}
	p := k.patterns[m]
	return tone{p.Strength * min(4*w[wheel].Load/all, 1), math.Abs(car.Speed) / p.Pitch}
}

// limiterTone returns the vibration of the engine's hard limiter, which cuts the torque again and again.
// The soft limiter does not vibrate.
func (k *Vibration) limiterTone(s *VibrationState, car *sim.State) tone {
	const strength = 0.3 // column and rim are far from the engine's mounts
	c := &s.limiter
	c.step(car.Driveline.Engine.LimiterCut, k.dt)
	switch {
	case c.hz > 0 && c.time*c.hz < 1.5: // the next cut is not overdue
		return tone{strength, c.hz}
	case car.Driveline.Engine.LimiterCut:
		return tone{strength, assumedHz}
	}
	return tone{}
}

// repair replaces cycles that cannot be, as after a fault of memory, and notes that.
func (s *VibrationState) repair() {
	s.fault = false
	for _, c := range [...]*cycle{&s.absCycles[0], &s.absCycles[1], &s.absCycles[2], &s.absCycles[3], &s.limiter} {
		const fastest = 1e4 // [Hz]
		if !(c.time >= 0 && c.time <= maxPeriod && c.hz >= 0 && c.hz <= fastest) {
			*c, s.fault = cycle{on: c.on, time: maxPeriod}, true
		}
	}
}

const (
	maxPeriod = 0.5 // longest period that counts as a vibration [s]
	assumedHz = 10  // frequency before a period was measured [Hz]
)

// cycle measures the frequency of an on/off signal by the time between two switch-ons.
type cycle struct {
	on   bool    // value in the last tick
	time float64 // time since the last switch-on, at most maxPeriod [s]
	hz   float64 // frequency by the last two switch-ons [Hz]; 0 if they were too far apart
}

func (c *cycle) step(on bool, dt float64) {
	c.time = min(c.time+dt, maxPeriod)
	if c.time == maxPeriod {
		c.hz = 0
	}
	if on && !c.on {
		if c.time < maxPeriod {
			c.hz = 1 / c.time
		}
		c.time = 0
	}
	c.on = on
}
