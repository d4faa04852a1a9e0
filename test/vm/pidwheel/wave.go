package pidwheel

import (
	"math"
	"time"
)

// wave returns the force of an effect that does not depend on the rim's motion, at a time since its start.
func (e *effect) wave(since time.Duration) float64 {
	switch e.kind {
	case TypeConstant:
		return math.Copysign(e.envelope.apply(math.Abs(e.level), since, e.timing.Length), e.level)
	case TypeRamp:
		if e.timing.Length == 0 {
			return e.level
		}
		return e.level + (e.levelEnd-e.level)*since.Seconds()/e.timing.Length.Seconds()
	}
	p := e.periodic
	turns := p.Phase / (2 * math.Pi)
	if p.Period > 0 {
		turns += since.Seconds() / p.Period.Seconds()
	}
	return p.Offset + e.envelope.apply(p.Magnitude, since, e.timing.Length)*e.kind.waveValue(turns-math.Floor(turns))
}

// waveValue returns the value of the wave, -1..1, at a fraction of its period, 0..1.
func (t Type) waveValue(phase float64) float64 {
	switch t {
	case TypeSquare:
		if phase < 0.5 {
			return 1
		}
		return -1
	case TypeSine:
		return math.Sin(2 * math.Pi * phase)
	case TypeTriangle:
		return 1 - 4*math.Abs(phase-0.5)
	case TypeSawtoothUp:
		return 2*phase - 1
	case TypeSawtoothDown:
		return 1 - 2*phase
	}
	return 0
}

// apply returns the magnitude with the envelope at the time since the start. An effect of length 0 has no end
// and does not fade.
func (v Envelope) apply(magnitude float64, since, length time.Duration) float64 {
	left := length - since
	switch {
	case since < v.AttackTime:
		return v.AttackLevel + (magnitude-v.AttackLevel)*since.Seconds()/v.AttackTime.Seconds()
	case length > 0 && left < v.FadeTime:
		return v.FadeLevel + (magnitude-v.FadeLevel)*left.Seconds()/v.FadeTime.Seconds()
	}
	return magnitude
}

// metric returns the motion on which a condition of this type depends: position, speed or acceleration or, for
// friction, the direction of the speed. It is positive to the right.
func (t Type) metric(rim Motion) float64 {
	switch t {
	case TypeSpring:
		return rim.Position
	case TypeDamper:
		return rim.Speed
	case TypeInertia:
		return rim.Acceleration
	}
	const slow = 0.01 // friction: the force is the same at any speed above slow, and continuous through 0
	return math.Max(-1, math.Min(1, rim.Speed/slow))
}

// force returns the force for a metric (position, speed or acceleration), positive to the left. It opposes the
// metric, which is positive to the right.
func (c Condition) force(metric float64) float64 {
	offset := metric - c.Center
	if offset > 0 {
		return math.Min(c.RightCoefficient*math.Max(0, offset-c.DeadBand), c.RightLimit)
	}
	return math.Max(c.LeftCoefficient*math.Min(0, offset+c.DeadBand), -c.LeftLimit)
}
