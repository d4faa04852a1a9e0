package sound

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// noise is a generator of white noise, uniform in -1..1 (xorshift64*, Vigna 2016). Its zero value must be seeded.
type noise struct{ state uint64 }

func newNoise(seed uint64) noise { return noise{seed*0x9e3779b97f4a7c15 | 1} }

// next returns the next value, -1..1.
func (n *noise) next() float64 {
	n.state ^= n.state >> 12
	n.state ^= n.state << 25
	n.state ^= n.state >> 27
	return float64(int64(n.state*0x2545f4914f6cdd1d)) / (1 << 63)
}

// share returns a random number in 0..1.
func (n *noise) share() float64 { return (n.next() + 1) / 2 }

// biquad is a filter of second order in transposed direct form II, after R. Bristow-Johnson's Audio EQ Cookbook. Its state
// never decays to denormal numbers, which take a hundred times as long.
type biquad struct {
	b0, b1, b2, a1, a2 float64
	z1, z2             float64
}

func (f *biquad) next(x float64) float64 {
	y := f.b0*x + f.z1
	f.z1 = f.b1*x - f.a1*y + f.z2 + undenormal
	f.z2 = f.b2*x - f.a2*y
	return y
}

const undenormal = 1e-25

// set sets the coefficients and leaves the state.
func (f *biquad) set(b0, b1, b2, a0, a1, a2 float64) {
	f.b0, f.b1, f.b2, f.a1, f.a2 = b0/a0, b1/a0, b2/a0, a1/a0, a2/a0
}

// angles returns the cosine of a frequency's angle per sample, and the cookbook's alpha. hz is limited to what the
// sample rate can hold.
func angles(hz, q float64) (cos, alpha float64) {
	sin, cos := math.Sincos(2 * math.Pi * min(max(hz, 1), 0.45*Rate) / Rate)
	return cos, sin / (2 * q)
}

// setBand makes f a band-pass with a gain of 1 at hz.
func (f *biquad) setBand(hz, q float64) {
	cos, a := angles(hz, q)
	f.set(a, 0, -a, 1+a, -2*cos, 1-a)
}

func (f *biquad) setLow(hz, q float64) {
	cos, a := angles(hz, q)
	f.set((1-cos)/2, 1-cos, (1-cos)/2, 1+a, -2*cos, 1-a)
}

func (f *biquad) setHigh(hz, q float64) {
	cos, a := angles(hz, q)
	f.set((1+cos)/2, -(1 + cos), (1+cos)/2, 1+a, -2*cos, 1-a)
}

// setPeak makes f an equalizer with a gain of db at hz, and of 0 dB far away.
func (f *biquad) setPeak(hz, q, db float64) {
	cos, alpha := angles(hz, q)
	a := fromDB(db / 2)
	f.set(1+alpha*a, -2*cos, 1-alpha*a, 1+alpha/a, -2*cos, 1-alpha/a)
}

func band(hz, q float64) (f biquad) { f.setBand(hz, q); return f }
func low(hz float64) (f biquad)     { f.setLow(hz, butterworth); return f }
func high(hz float64) (f biquad)    { f.setHigh(hz, butterworth); return f }

const butterworth = math.Sqrt2 / 2

// lag is a low-pass of first order.
type lag struct{ value float64 }

// next follows x with a time constant of n steps.
func (l *lag) next(x, n float64) float64 {
	l.value += (x - l.value) / n
	return l.value
}

// gain is a level that changes without a step: each tick it moves a fifth of the way to its target, along a straight
// line over the samples of the tick.
type gain struct{ value, slope float64 }

const gainTicks = 5

// toward begins a tick with a target.
func (g *gain) toward(target float64) {
	if target < silent && g.value < silent {
		target, g.value = 0, 0
	}
	g.slope = (target - g.value) / (gainTicks * TickSamples)
}

// next returns the gain of the next sample.
func (g *gain) next() float64 {
	g.value += g.slope
	return g.value
}

// isSilent reports whether the gain is 0 for the whole tick.
func (g *gain) isSilent() bool { return g.value == 0 && g.slope == 0 }

// silent is a gain that nobody hears: -100 dB.
const silent = 1e-5

// pulse is the pressure of one firing or one tooth, 0..1, over its time 0..1: it rises fast and falls slowly.
func pulse(x float64) float64 {
	if x <= 0 || x >= 1 {
		return 0
	}
	return 6.75 * x * (1 - x) * (1 - x)
}

// fromDB returns the amplitude of a level [dB].
func fromDB(db float64) float64 { return math.Pow(10, db/20) }

// smoothStep rises from 0 at v = from to 1 at v = to.
func smoothStep(v, from, to float64) float64 {
	x := valid.Clamp((v-from)/(to-from), 0, 1)
	return x * x * (3 - 2*x)
}

// burst is the envelope of a knock: it rises over 5 ms and then decays.
type burst struct {
	rest  float64 // what is still to rise
	value float64
	decay float64 // factor per sample
}

func newBurst(seconds float64) burst { return burst{decay: math.Exp(-1 / (seconds * Rate))} }

const attack = 5 * TickSamples // samples

// hit begins a knock of a strength, unless a stronger one sounds.
func (b *burst) hit(strength float64) { b.rest = max(b.rest, strength-b.value) }

func (b *burst) next() float64 {
	if b.rest > 0 {
		step := min(b.rest, max(b.rest+b.value, silent)/attack)
		b.rest -= step
		b.value += step
		return b.value
	}
	if b.value *= b.decay; b.value < silent {
		b.value = 0
	}
	return b.value
}

// isSilent reports whether nothing sounds.
func (b *burst) isSilent() bool { return b.value == 0 && b.rest <= 0 }

// oscillator is a sine whose frequency may change at any time.
type oscillator struct{ phase float64 } // in turns, 0..1

// next returns the next value at a frequency [Hz].
func (o *oscillator) next(hz float64) float64 {
	o.phase += hz / Rate
	o.phase -= math.Floor(o.phase)
	return math.Sin(2 * math.Pi * o.phase)
}
