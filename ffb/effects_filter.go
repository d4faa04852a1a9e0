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
	gain, keepHigh  float64 // of the high-pass
	share, keepLow  float64 // of the low-pass
	in, sharp, last float64 // of the last tick: in, behind the high-pass, out
}

// newBand returns a band between low and high [Hz]. Both filters are trapezoidal with their
// corner where it is asked for.
func newBand(low, high, dt float64) band {
	l, h := math.Tan(math.Pi*low*dt), math.Tan(math.Pi*min(high, mostShare/dt)*dt)
	return band{
		gain: 1 / (1 + l), keepHigh: (1 - l) / (1 + l),
		share: h / (1 + h), keepLow: (1 - h) / (1 + h),
	}
}

func (b *band) reset() { b.in, b.sharp, b.last = 0, 0, 0 }

func (b *band) next(in float64) float64 {
	sharp := settled(b.gain*(in-b.in) + b.keepHigh*b.sharp)
	b.last = settled(b.share*(sharp+b.sharp) + b.keepLow*b.last)
	b.in, b.sharp = in, sharp
	return b.last
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
	level, most float64 // share now, and the most it changes by in a tick
}

func newFader(dt float64) fader { return fader{most: dt / fading} }

func (f *fader) next(to float64) float64 {
	f.level += min(max(to-f.level, -f.most), f.most)
	return f.level
}

// vibration is a sine whose frequency and strength may change at any time.
type vibration struct {
	fader
	dt, turns float64 // [s], and turns done, 0..1
}

func newVibration(dt float64) vibration { return vibration{fader: newFader(dt), dt: dt} }

func (v *vibration) reset() { v.level, v.turns = 0, 0 }

// next returns the vibration, -1..1, at a frequency [Hz] and a strength 0..1. Frequencies
// are held to mostShare of the ticks', and slow ones fade out from 20 to 10 Hz: they would be
// felt as a torque to one side.
func (v *vibration) next(frequency, strength float64) float64 {
	const slowest = 10 // [Hz]
	frequency = min(max(frequency, 0), mostShare/v.dt)
	level := v.fader.next(strength * min(max(frequency/slowest-1, 0), 1))
	if level == 0 {
		v.turns = 0
		return 0
	}
	v.turns += frequency * v.dt
	v.turns -= math.Floor(v.turns)
	return level * math.Sin(2*math.Pi*v.turns)
}

// lag is a low-pass of the first order.
type lag struct{ value, share float64 }

// newLag returns one with a time constant [s], which is what it is late by.
func newLag(time, dt float64) lag { return lag{share: dt / (time + dt)} }

func (l *lag) next(to float64) float64 {
	l.value = settled(l.value + l.share*(to-l.value))
	return l.value
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
