package sound

import "math"

// shakerSignals is what a shaker at its place feels in one tick.
type shakerSignals struct {
	engine      float64 // 0..1
	travelSpeed float64 // of the suspensions, as a share of a hard blow
	tooth       float64 // 0..1
	toothHz     float64 // [Hz]
	toothPhase  float64 // 0..1; NaN if the road does not tell
	slide       float64 // 0..1
	locked      float64 // 0..1

	knocks [len(Effects)]float64 // strength of a knock that begins in this tick, 0..1
}

// signalsOf returns what is felt of s where the wheels count by weights.
func signalsOf(s *Sense, weights *[4]float64, car *Car) (f shakerSignals) {
	f.toothPhase = math.NaN()
	if s.Running {
		f.engine = 0.2 + 0.8*math.Abs(s.Load)
	}
	for i := range s.Wheels {
		if weights[i] > 0 {
			f.addWheel(s, i, weights[i], car)
		}
	}
	f.locked *= smoothStep(s.Speed, 0.5, 3)
	if s.Shift {
		f.knocks[effectShift] = 0.8
	}
	if s.ABSPulse {
		f.knocks[effectABS] = 0.7
	}
	f.knocks[effectContact] = min(math.Sqrt(s.Hit/40e3), 1)
	return f
}

// addWheel takes a wheel in that counts by weight.
func (f *shakerSignals) addWheel(s *Sense, i int, weight float64, car *Car) {
	const hardBlow, fullPower = 0.6, 12e3 // [m/s, W]
	w := &s.Wheels[i]
	f.travelSpeed += weight * w.TravelSpeed / hardBlow
	share := math.Sqrt(min(weight/0.3, 1)) // one of several wheels is felt almost as much
	f.slide = max(f.slide, share*smoothStep(w.Slip, 0.8, 1.4)*math.Sqrt(min(w.SlidePower/fullPower, 1)))
	f.locked = max(f.locked, share*smoothStep(w.Locked, 0.5, 0.9))
	if w.Bottoms {
		f.knocks[effectBottoming] = 0.9
	}
	m := &car.materials[w.Material]
	if tooth := share * m.tooth * math.Sqrt(min(w.Load, 1)); m.pitch > 0 && tooth > f.tooth {
		f.tooth, f.toothHz = tooth, s.Speed/m.pitch
		at := (s.Station - float64(i/2)*car.wheelbase) / m.pitch
		f.toothPhase = at - math.Floor(at)
	}
}

// octaves is a tone that sounds some octaves lower where it is too high for its frequencies, and fades from one octave
// to the next.
type octaves struct {
	low, high float64 // [Hz]
	phase     float64 // in turns of the lowest octave's tone, 0..1
	level     gain
}

const lowestOctave = 6

// add adds the tone of a frequency [Hz] and a strength 0..1.
func (o *octaves) add(sum *[TickSamples]float64, hz, strength float64) {
	o.level.toward(strength)
	if o.level.isSilent() {
		return
	}
	var share [lowestOctave + 1]float64
	for n := range share {
		f := hz / float64(int(1)<<n)
		share[n] = smoothStep(f, 0.7*o.low, o.low) * (1 - smoothStep(f, 0.7*o.high, o.high))
		if n > 0 {
			share[n] *= smoothStep(2*f, 0.7*o.high, o.high) // what the octave above has lost
		}
	}
	step := hz / (1 << lowestOctave) / Rate
	for i := range sum {
		o.phase += step
		o.phase -= math.Floor(o.phase)
		v := 0.0
		for n, s := range share {
			if s > 0 {
				v += s * math.Sin(2*math.Pi*o.phase*float64(int(1)<<(lowestOctave-n)))
			}
		}
		sum[i] += o.level.next() * v
	}
}

// bandSignal is a signal of the ticks, a straight line from each to the next, within its frequencies.
type bandSignal struct {
	value float64
	edges [3]biquad
}

func newBandSignal(lowHz, highHz float64) bandSignal {
	return bandSignal{edges: [3]biquad{high(lowHz), low(highHz), low(highHz)}}
}

func (b *bandSignal) add(sum *[TickSamples]float64, to float64) {
	step := (to - b.value) / TickSamples
	for i := range sum {
		b.value += step
		sum[i] += b.edges[0].next(b.edges[1].next(b.edges[2].next(b.value)))
	}
}
