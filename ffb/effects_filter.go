package ffb

import "math"

// band passes what lies between two frequencies: a high-pass and a low-pass of the first
// order. In between, at √(low·high), its phase is exactly 0; elsewhere it is
//
//	atan(low/f) - atan(f/high)
//
// ahead, and a change there is late by (high/(f²+high²) + low/(f²+low²))/2π: at 8 to 80 Hz
// the phase is 39° at 8 Hz, 0 at 25 Hz, -39° at 80 Hz, and the delay at 25 Hz 3.6 ms.
type band struct {
	gain, keepHigh float64 // of the high-pass
	share, keepLow float64 // of the low-pass
}

// bandState is of the last tick: in, behind the high-pass, out.
type bandState struct{ in, sharp, last float64 }

// newBand returns a band between low and high [Hz]. Both filters are trapezoidal with their
// corner where it is asked for.
func newBand(low, high, dt float64) band {
	l, h := math.Tan(math.Pi*low*dt), math.Tan(math.Pi*min(high, mostShare/dt)*dt)
	return band{
		gain: 1 / (1 + l), keepHigh: (1 - l) / (1 + l),
		share: h / (1 + h), keepLow: (1 - h) / (1 + h),
	}
}

func (b *band) next(s *bandState, in float64) float64 {
	sharp := settled(b.gain*(in-s.in) + b.keepHigh*s.sharp)
	s.last = settled(b.share*(sharp+s.sharp) + b.keepLow*s.last)
	s.in, s.sharp = in, sharp
	return s.last
}

// settled ends a decay that nobody feels, before numbers become so small that they are slow.
func settled(v float64) float64 {
	const nothing = 1e-9
	if math.Abs(v) < nothing {
		return 0
	}
	return v
}

// mostShare is the highest frequency of a vibration over that of the ticks.
const mostShare = 0.4

// fading is how long a share takes from nothing to 1 [s].
const fading = 0.015

// fader follows a share 0..1 in a straight line, without a step.
type fader struct {
	most float64 // by which it changes in a tick
}

func newFader(dt float64) fader { return fader{most: dt / fading} }

func (f *fader) next(level *float64, to float64) float64 {
	*level += min(max(to-*level, -f.most), f.most)
	return *level
}

// vibration is a sine whose frequency and strength may change at any time.
type vibration struct {
	fader
	dt float64
}

type vibrationState struct {
	level float64 // its strength now, 0..1
	turns float64 // done, 0..1
}

func newVibration(dt float64) vibration { return vibration{fader: newFader(dt), dt: dt} }

// next returns the vibration, -1..1, at a frequency [Hz] and a strength 0..1. Frequencies
// are held to mostShare of the ticks', and slow ones fade out from 20 to 10 Hz: they would be
// felt as a torque to one side.
func (v *vibration) next(s *vibrationState, frequency, strength float64) float64 {
	const slowest = 10 // [Hz]
	frequency = min(max(frequency, 0), mostShare/v.dt)
	level := v.fader.next(&s.level, strength*min(max(frequency/slowest-1, 0), 1))
	if level == 0 {
		s.turns = 0
		return 0
	}
	s.turns += frequency * v.dt
	s.turns -= math.Floor(s.turns)
	return level * math.Sin(2*math.Pi*s.turns)
}

// lag is a low-pass of the first order.
type lag struct{ share float64 }

// newLag returns one with a time constant [s], which is what it is late by.
func newLag(time, dt float64) lag { return lag{share: dt / (time + dt)} }

func (l *lag) next(value *float64, to float64) float64 {
	*value = settled(*value + l.share*(to-*value))
	return *value
}

// bend passes what is up to 1 and bends what is more, which never gets to 2.
func bend(v float64) float64 {
	size := math.Abs(v)
	if size <= 1 {
		return v
	}
	return math.Copysign(2-1/size, v)
}

// bounded is v within ±most, and 0 for what is not a number.
func bounded(v, most float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, -most), most)
}

// rise leads from 0 to 1 with no kink while v goes from one bound to the other.
func rise(v, from, to float64) float64 {
	x := min(max((v-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}
