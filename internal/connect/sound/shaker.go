package sound

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// Mono is a tick of one shaker.
type Mono [TickSamples]float32

// Shaker makes what one bass shaker does. Its memory is all that one tick hands to the next.
type Shaker struct {
	cfg      ShakerConfig
	car      *Car
	weights  [4]float64 // of each wheel
	voices   [len(Effects)]voice
	engine   octaves
	road     bandSignal
	gain     float64
	peak     biquad // counters the resonance
	edges    [3]biquad
	master   gain
	limiter  limiter
	cooling  gain    // after the limiter, so that it counts
	heat     float64 // of the voice coil, 1 is what it stands for ever
	level    float64
	sum      [TickSamples]float64
	tone     oscillator // of Tone
	toneGain gain
	assumed  Sense // of a tick of which nothing is known: the one before goes on
}

// wheelWeights has, for each place, how much of each wheel is felt there.
var wheelWeights = map[string][4]float64{
	"seat": {0.2, 0.2, 0.3, 0.3}, "pedals": {0.5, 0.5, 0, 0},
	"front-left": {1, 0, 0, 0}, "front-right": {0, 1, 0, 0}, "rear-left": {0, 0, 1, 0}, "rear-right": {0, 0, 0, 1},
}

// NewShaker returns the shaker of a valid configuration, at rest.
func NewShaker(cfg ShakerConfig, car Car) *Shaker {
	cfg = cfg.withDefaults()
	k := &Shaker{cfg: cfg, car: &car, weights: wheelWeights[cfg.Place], gain: fromDB(cfg.GainDB), limiter: newLimiter(1), cooling: gain{value: 1}}
	for i, e := range cfg.effects() {
		low, high := e.span(&cfg)
		k.voices[i] = voice{low: low, high: high, gain: when(e.GainDB > effectOff, fromDB(e.GainDB)), burst: newBurst(burstSeconds[i])}
	}
	k.engine.low, k.engine.high = k.voices[effectEngine].low, k.voices[effectEngine].high
	k.road = newBandSignal(k.voices[effectRoad].low, k.voices[effectRoad].high)
	k.peak.setPeak(max(cfg.ResonanceHz, 1), 3, when(cfg.ResonanceHz > 0, -cfg.ResonanceDB))
	k.edges = [3]biquad{high(cfg.LowHz * 0.7), low(cfg.HighHz), low(cfg.HighHz)}
	return k
}

// Step writes a tick to out. s may be nil if nothing is known of that tick: the shaker then fades out.
func (k *Shaker) Step(out *Mono, s *Sense) {
	on := s != nil && s.Audible
	if s == nil {
		s = &k.assumed
	}
	k.sum = [TickSamples]float64{}
	k.addEffects(s)
	k.finish(out, on)
	k.assumed = s.Later(1)
}

// finish writes the sum of the effects to out: within the shaker's frequencies, limits and heat.
func (k *Shaker) finish(out *Mono, on bool) {
	k.master.toward(when(on, k.gain))
	k.cooling.toward(k.coolingGain())
	power := 0.0
	k.level = 0
	for i := range TickSamples {
		v := k.master.next() * k.peak.next(k.edges[0].next(k.edges[1].next(k.edges[2].next(k.sum[i]))))
		v, _ = k.limiter.next(v, v)
		v *= k.cooling.next()
		power += v * v
		k.level = max(k.level, math.Abs(v))
		out[i] = float32(v)
	}
	k.warm(2 * power / TickSamples)
}

// Solo leaves one effect, one of Effects, on, at its own gain.
func (k *Shaker) Solo(effect string) {
	for i, e := range k.cfg.effects() {
		k.voices[i].gain = when(Effects[i] == effect, fromDB(e.GainDB))
	}
}

// Level returns the highest level of the last tick, 0..1, and how warm the shaker is: 1 is the limit.
func (k *Shaker) Level() (peak, heat float64) { return k.level, k.heat }

// warm steps the temperature of the voice coil: of first order, relative to that of its continuous level. power is that
// of the last tick, as a share of a full-scale sine's.
func (k *Shaker) warm(power float64) {
	k.heat += (power/(k.cfg.Continuous*k.cfg.Continuous) - k.heat) * tickTime / k.cfg.ThermalTime
}

// coolingGain returns how much the shaker is turned down: from nine tenths of its heat on, so far that even a square wave
// of full scale, of twice a sine's power, keeps to the continuous level where the coil is as hot as it may be.
func (k *Shaker) coolingGain() float64 {
	return 1 + (k.cfg.Continuous/math.Sqrt2-1)*valid.Clamp((k.heat-0.9)/0.1, 0, 1)
}

// The effects in the order of Effects.
const (
	effectEngine = iota
	effectRoad
	effectKerb
	effectSlip
	effectLockUp
	effectABS
	effectShift
	effectContact
	effectBottoming
)

// burstSeconds is how fast each knock decays [s].
var burstSeconds = [len(Effects)]float64{effectABS: 0.025, effectShift: 0.06, effectContact: 0.15, effectBottoming: 0.08}

// burstHz is the frequency of each knock [Hz].
var burstHz = [len(Effects)]float64{effectABS: 60, effectShift: 45, effectContact: 32, effectBottoming: 40}

// voice is one effect: a tone or a knock within its frequencies.
type voice struct {
	low, high, gain float64 // [Hz, Hz, 1]
	level           gain
	tone            oscillator
	burst           burst
}

// addTone adds a tone of a frequency [Hz] and a strength 0..1. It keeps to the frequencies of the effect.
func (v *voice) addTone(sum *[TickSamples]float64, hz, strength float64) {
	v.level.toward(v.gain * strength)
	if v.level.isSilent() {
		return
	}
	hz = valid.Clamp(hz, v.low, v.high)
	for i := range sum {
		sum[i] += v.level.next() * v.tone.next(hz)
	}
}

// addKnock adds a knock of a frequency [Hz], which began with a hit.
func (v *voice) addKnock(sum *[TickSamples]float64, hz float64) {
	if v.burst.isSilent() {
		v.tone.phase = 0
		return
	}
	hz = valid.Clamp(hz, v.low, v.high)
	for j := range sum {
		sum[j] += v.gain * v.burst.next() * v.tone.next(hz)
	}
}

// addEffects adds all effects of a tick.
func (k *Shaker) addEffects(s *Sense) {
	f, v := signalsOf(s, &k.weights, k.car), &k.voices
	k.engine.add(&k.sum, firingHz(s.RPM, k.car.cylinders), v[effectEngine].gain*f.engine)
	k.road.add(&k.sum, v[effectRoad].gain*f.travelSpeed)
	v[effectKerb].addKerb(&k.sum, &f)
	v[effectSlip].addTone(&k.sum, 38+30*f.slide, f.slide)
	v[effectLockUp].addTone(&k.sum, 25+s.Speed, f.locked)
	for i, hz := range burstHz {
		if f.knocks[i] > 0 {
			v[i].burst.hit(f.knocks[i])
		}
		if hz > 0 {
			v[i].addKnock(&k.sum, hz)
		}
	}
}

// addKerb adds the teeth below the wheels: a wave for each tooth, in phase with them, while their frequency is one of the
// effect's.
func (v *voice) addKerb(sum *[TickSamples]float64, f *shakerSignals) {
	hz := f.toothHz
	v.level.toward(v.gain * f.tooth * smoothStep(hz, 0.5*v.low, v.low) * (1 - smoothStep(hz, v.high, 1.5*v.high)))
	if v.level.isSilent() {
		return
	}
	if f.toothPhase == f.toothPhase {
		v.tone.phase = f.toothPhase
	}
	for i := range sum {
		sum[i] += v.level.next() * v.tone.next(hz)
	}
}
