// Package sound turns what a car does into samples: what a driver hears, and what bass shakers do.
//
// The inputs are frames of a drive, one a tick, and the car and ground of its scene; the outputs are 48 samples for each
// tick. All of it is synthesised. It is pure and deterministic: no clock, no device, no goroutine, and no allocation
// after construction.
package sound

import "math"

// Rate is the number of samples in a second of sound.
const Rate = 48000

// TickSamples is the number of samples in a tick.
const TickSamples = Rate / 1000

// Stereo is a tick of sound: left, right, left, and so on.
type Stereo [2 * TickSamples]float32

// The groups of sounds whose volumes a driver sets.
const (
	groupEngine = iota
	groupTires
	groupRoad
	groupWind
	groupBody
	groups
)

// bus is the sum of one group's sounds.
type bus struct {
	side   [2][TickSamples]float64 // left, right
	damp   [2]biquad               // what the body lets through
	volume gain
}

// acoustics says how a group sounds inside and outside of the car.
type acoustics struct{ insideHz, insideGain, outsideGain float64 }

// groupAcoustics are estimates: sheet metal, glass and carpet let low frequencies pass.
var groupAcoustics = [groups]acoustics{{2200, 0.8, 1.2}, {3000, 0.8, 1}, {1500, 0.9, 0.6}, {4500, 0.9, 0.3}, {4000, 1, 0.8}}

const outsideHz = 16e3 // [Hz]

// Synth makes the sound of a car. Its memory is all that one tick hands to the next.
type Synth struct {
	cfg     Config
	car     Car
	engine  engine
	whine   whine
	squeal  [4]squeal
	rolling [2]rolling
	teeth   [4]teeth
	body    body
	wind    [2]wind
	buses   [groups]bus
	inside  lag
	master  gain
	block   [2]biquad // of a constant level
	limiter limiter
	scratch [2][TickSamples]float64
	assumed Sense // of a tick of which nothing is known: the one before goes on
}

// NewSynth returns a Synth of a car, silent at first.
func NewSynth(cfg Config, car Car) *Synth {
	y := &Synth{cfg: cfg, car: car, body: newBody(), limiter: newLimiter(fromDB(cfg.CeilingDB))}
	y.engine, y.whine = newEngine(&y.car), newWhine(&y.car)
	for i := range y.squeal {
		y.squeal[i], y.teeth[i] = newSqueal(i), newTeeth()
	}
	for side := range 2 {
		y.rolling[side], y.wind[side], y.block[side] = newRolling(side), newWind(side), high(25)
	}
	y.inside.value = 1
	return y
}

// Step writes the sound of a tick to out. s may be nil if nothing is known of that tick: the sound then fades away.
func (y *Synth) Step(out *Stereo, s *Sense) {
	on := s != nil && s.Audible
	if s == nil {
		s = &y.assumed
	}
	for g := range y.buses {
		y.buses[g].side = [2][TickSamples]float64{}
	}
	y.addCar(s)
	y.addWheels(s)
	y.listen(s)
	y.master.toward(when(on, y.cfg.Volume.All))
	for i := range TickSamples {
		var sum [2]float64
		for g := range y.buses {
			b := &y.buses[g]
			v := b.volume.next()
			left, right := b.damp[0].next(b.side[0][i]), b.damp[1].next(b.side[1][i])
			sum[0] += v * (left + crossTalk*right)
			sum[1] += v * (right + crossTalk*left)
		}
		m := y.master.next()
		left, right := y.limiter.next(m*y.block[0].next(sum[0]), m*y.block[1].next(sum[1]))
		out[2*i], out[2*i+1] = float32(left), float32(right)
	}
	y.assumed = s.Later(1)
}

// crossTalk is how much of one side the other ear hears.
const crossTalk = 0.35

// addCar adds what sounds in the middle: engine, drivetrain and body; and the wind on both sides.
func (y *Synth) addCar(s *Sense) {
	front, rear := &y.scratch[0], &y.scratch[1]
	*front, *rear = [TickSamples]float64{}, [TickSamples]float64{}
	y.engine.add(front, rear, s)
	y.whine.add(front, s)
	e, b := &y.buses[groupEngine], &y.buses[groupBody]
	for i := range TickSamples {
		v := front[i]*(0.6+0.4*y.inside.value) + rear[i]*(1-0.4*y.inside.value)
		e.side[0][i], e.side[1][i] = v, v
	}
	y.body.add(&b.side[0], s)
	b.side[1] = b.side[0]
	for side := range 2 {
		y.wind[side].add(&y.buses[groupWind].side[side], s)
	}
}

// addWheels adds what each wheel makes to its side.
func (y *Synth) addWheels(s *Sense) {
	for i := range s.Wheels {
		w, side, behind := &s.Wheels[i], i%2, 0.0
		m := &y.car.materials[w.Material]
		if i >= 2 {
			behind = y.car.wheelbase
		}
		y.squeal[i].add(&y.buses[groupTires].side[side], w, m, s.Rain)
		y.teeth[i].add(&y.buses[groupRoad].side[side], s, w, m, behind)
	}
	for side := range 2 {
		y.rolling[side].add(&y.buses[groupRoad].side[side], s, &y.car, side, 2+side)
	}
}

// listen sets the volumes and what the body lets through, by where the listener is.
func (y *Synth) listen(s *Sense) {
	inside := when(y.cfg.isInside(s), 1)
	share := y.inside.next(inside, 60)
	for g := range y.buses {
		b, a := &y.buses[g], &groupAcoustics[g]
		b.volume.toward(y.cfg.Volume.group(g) * (share*a.insideGain + (1-share)*a.outsideGain))
		hz := a.insideHz * math.Pow(outsideHz/a.insideHz, 1-share)
		for side := range b.damp {
			b.damp[side].setLow(hz, butterworth)
		}
	}
}
