package pidwheel

import (
	"math"
	"time"
)

// wave is the magnitude of an effect that does not look at the rim, since it
// has begun.
func (e *effect) wave(since time.Duration) float64 {
	switch e.kind {
	case Constant:
		return math.Copysign(e.envelope.at(math.Abs(e.level), since, e.timing.Length), e.level)
	case Ramp:
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
	return p.Offset + e.envelope.at(p.Magnitude, since, e.timing.Length)*e.kind.shape(turns-math.Floor(turns))
}

// shape is the wave at a part of its period, 0..1.
func (t Type) shape(part float64) float64 {
	switch t {
	case Square:
		if part < 0.5 {
			return 1
		}
		return -1
	case Sine:
		return math.Sin(2 * math.Pi * part)
	case Triangle:
		return 1 - 4*math.Abs(part-0.5)
	case SawtoothUp:
		return 2*part - 1
	case SawtoothDown:
		return 1 - 2*part
	}
	return 0
}

// at is the magnitude under the envelope; length 0 has no end and so no fade.
func (v Envelope) at(magnitude float64, since, length time.Duration) float64 {
	left := length - since
	switch {
	case since < v.AttackTime:
		return v.AttackLevel + (magnitude-v.AttackLevel)*since.Seconds()/v.AttackTime.Seconds()
	case length > 0 && left < v.FadeTime:
		return v.FadeLevel + (magnitude-v.FadeLevel)*left.Seconds()/v.FadeTime.Seconds()
	}
	return magnitude
}

// metric is what a condition looks at: positive to the right.
func (t Type) metric(rim Motion) float64 {
	switch t {
	case Spring:
		return rim.Position
	case Damper:
		return rim.Speed
	case Inertia:
		return rim.Acceleration
	}
	const slow = 0.01 // friction: its force is there at any speed, without a jump at rest
	return math.Max(-1, math.Min(1, rim.Speed/slow))
}

// force pushes back, so to the left where the metric is to the right.
func (c Condition) force(metric float64) float64 {
	off := metric - c.Center
	if off > 0 {
		return math.Min(c.Right*math.Max(0, off-c.Dead), c.RightMost)
	}
	return math.Max(c.Left*math.Min(0, off+c.Dead), -c.LeftMost)
}
