package ffb

import "math"

// band is a band-pass filter: a high-pass and a low-pass, both of first order. Its phase at a frequency f
// [Hz] is
//
//	atan(low/f) - atan(f/high)
//
// which is exactly 0 at √(low·high). Its group delay is (high/(f²+high²) + low/(f²+low²))/2π [s]. For 8
// to 80 Hz the phase is 39° at 8 Hz, 0 at 25 Hz and -39° at 80 Hz; the group delay at 25 Hz is 3.6 ms.
type band struct {
	highGain, highDecay float64 // coefficients of the high-pass
	lowGain, lowDecay   float64 // coefficients of the low-pass
}

// bandState holds the input, the high-passed value and the output of the last tick.
type bandState struct{ in, highPassed, out float64 }

// newBand returns a band-pass between low and high [Hz]. Both filters use the trapezoidal rule with
// prewarped corner frequencies.
func newBand(low, high, dt float64) band {
	l, h := math.Tan(math.Pi*low*dt), math.Tan(math.Pi*min(high, maxFrequency/dt)*dt)
	return band{
		highGain: 1 / (1 + l), highDecay: (1 - l) / (1 + l),
		lowGain: h / (1 + h), lowDecay: (1 - h) / (1 + h),
	}
}

func (b *band) next(s *bandState, in float64) float64 {
	sharp := zeroIfTiny(b.highGain*(in-s.in) + b.highDecay*s.highPassed)
	s.out = zeroIfTiny(b.lowGain*(sharp+s.highPassed) + b.lowDecay*s.out)
	s.in, s.highPassed = in, sharp
	return s.out
}

// zeroIfTiny returns 0 for values too small to feel, before a decay reaches denormals, which are slow.
func zeroIfTiny(v float64) float64 {
	const tiny = 1e-9
	if math.Abs(v) < tiny {
		return 0
	}
	return v
}

// maxFrequency is the highest frequency of a vibration, as a fraction of the tick rate.
const maxFrequency = 0.4

// fadeTime is how long a fader takes from 0 to 1 [s].
const fadeTime = 0.015

// fader follows a value 0..1 at a constant rate.
type fader struct {
	maxStep float64 // largest change per tick
}

func newFader(dt float64) fader { return fader{maxStep: dt / fadeTime} }

func (f *fader) next(level *float64, to float64) float64 {
	*level += min(max(to-*level, -f.maxStep), f.maxStep)
	return *level
}

// sine is a sine oscillator whose frequency and strength may change at any time.
type sine struct {
	fader
	dt float64
}

type sineState struct {
	level float64 // present strength, 0..1
	phase float64 // phase in turns, 0..1
}

func newSine(dt float64) sine { return sine{fader: newFader(dt), dt: dt} }

// next returns the oscillation, -1..1, at a frequency [Hz] and a strength 0..1. Frequencies are
// limited to maxFrequency of the tick rate, and fade out from 20 to 10 Hz, because slow ones would feel
// like a torque to one side.
func (v *sine) next(s *sineState, frequency, strength float64) float64 {
	const minFrequency = 10 // [Hz]
	frequency = min(max(frequency, 0), maxFrequency/v.dt)
	level := v.fader.next(&s.level, strength*min(max(frequency/minFrequency-1, 0), 1))
	if level == 0 {
		s.phase = 0
		return 0
	}
	s.phase += frequency * v.dt
	s.phase -= math.Floor(s.phase)
	return level * math.Sin(2*math.Pi*s.phase)
}

// lag is a first-order low-pass.
type lag struct{ weight float64 } // weight of the new value per tick

// newLag returns a low-pass with a time constant [s], which is also its delay.
func newLag(time, dt float64) lag { return lag{weight: dt / (time + dt)} }

func (l *lag) next(value *float64, to float64) float64 {
	*value = zeroIfTiny(*value + l.weight*(to-*value))
	return *value
}

// softClip passes values up to ±1 unchanged and compresses larger ones to below ±2.
func softClip(v float64) float64 {
	size := math.Abs(v)
	if size <= 1 {
		return v
	}
	return math.Copysign(2-1/size, v)
}

// bounded clamps v to ±limit and returns 0 for NaN.
func bounded(v, limit float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, -limit), limit)
}

// smoothStep rises from 0 at v = from to 1 at v = to, with a slope of 0 at both ends.
func smoothStep(v, from, to float64) float64 {
	x := min(max((v-from)/(to-from), 0), 1)
	return x * x * (3 - 2*x)
}
