package sound

import "math"

// squeal is the sound of a tire that slides on a hard road: tread blocks that stick and slip at their own frequency.
type squeal struct {
	noise   noise
	level   gain
	hz      lag
	flutter lag // slow noise of frequency and level
	tone    oscillator
}

func newSqueal(wheel int) squeal {
	return squeal{noise: newNoise(uint64(10 + wheel)), hz: lag{700}}
}

// add adds a tick of the squeal of a wheel on m; rain is Sense.Rain.
func (q *squeal) add(out *[TickSamples]float64, w *WheelSense, m *material, rain float64) {
	const fullPower = 15e3 // [W]
	slides := smoothStep(w.Slip, 0.6, 1.2)
	q.level.toward(0.3 * m.squeal * (1 - 0.9*rain) * slides * math.Sqrt(min(w.SlidePower/fullPower, 2)))
	if q.level.isSilent() {
		return
	}
	hz := q.hz.next(620+180*min(w.Load, 2)+120*smoothStep(w.SlidePower, 0, 2*fullPower), 30)
	for i := range TickSamples {
		f := q.flutter.next(q.noise.next(), 400)
		sin := q.tone.next(hz * (1 + f))
		out[i] += q.level.next() * (1 + 4*f) * (sin + 0.45*sin*sin*sin - 0.2*math.Abs(sin))
	}
}

// bands is the number of bands of the rolling noise.
const bands = 5

// bandHz are the middles of the bands [Hz].
var bandHz = [bands]float64{80, 250, 800, 1800, 4200}

// rolling is what the tires make of the road on one side of the car: noise by surface and speed, the suspensions' bumps,
// stones that hit the body, and water.
type rolling struct {
	noise      noise
	level      [bands]gain
	filter     [bands]biquad
	suspension gain // value of the suspensions' speed
	thud       biquad
	grains     float64 // stones per sample
	stone      [2]biquad
	splash     gain
	spray      biquad
}

func newRolling(side int) rolling {
	r := rolling{noise: newNoise(uint64(20 + side)), thud: band(70, 0.6), stone: [2]biquad{band(1700, 4), band(3100, 4)}, spray: high(2500)}
	for i, hz := range bandHz {
		r.filter[i] = band(hz, 0.8)
	}
	return r
}

// add adds a tick of the wheels of one side: front and rear.
func (r *rolling) add(out *[TickSamples]float64, s *Sense, car *Car, front, rear int) {
	r.setLevels(s, car, front, rear)
	for i := range TickSamples {
		n := r.noise.next()
		v := r.thud.next(r.suspension.next())
		for b := range bands {
			v += r.level[b].next() * r.filter[b].next(n)
		}
		v += r.splash.next() * r.spray.next(n)
		hit := 0.0
		if r.grains > 0 && r.noise.share() < r.grains {
			hit = r.noise.next()
		}
		out[i] += v + 0.5*r.stone[0].next(hit) + 0.35*r.stone[1].next(hit)
	}
}

// setLevels sets the levels of the tick. The noise grows with the speed by 3/2 (30 dB a decade, as in Directive
// (EU) 2015/996), spray by 2.
func (r *rolling) setLevels(s *Sense, car *Car, front, rear int) {
	const fullSpeed = 40 // [m/s]
	v := s.Speed / fullSpeed
	level, suspension, wet := [bands]float64{}, 0.0, 0.0
	r.grains = 0
	for _, i := range [...]int{front, rear} {
		w := &s.Wheels[i]
		m := &car.materials[w.Material]
		weight := math.Sqrt(w.Load) / 2
		for b := range bands {
			level[b] += 0.16 * weight * m.rolling[b] * v * math.Sqrt(v)
		}
		suspension += 0.3 * w.TravelSpeed
		wet += weight * max(m.wet, m.squeal*s.Rain) // what tires squeal on is paved
		r.grains += m.grains * (s.Speed + w.SlidePower/2000) * 20 * weight / Rate
	}
	for b := range bands {
		r.level[b].toward(level[b])
	}
	r.suspension.slope = (suspension - r.suspension.value) / TickSamples // a signal of 1 kHz, not a level
	r.splash.toward(0.25 * wet * v * v)
}

// teeth is the sound of a kerb, a rumble strip or paving stones below one wheel: a pulse for each tooth, where the road
// has it.
type teeth struct {
	phase float64 // from tooth to tooth, 0..1
	level gain
	step  float64
	body  [2]biquad
}

func newTeeth() teeth { return teeth{body: [2]biquad{band(150, 1), band(600, 1)}} }

// add adds a tick of a wheel's teeth; behind is its distance behind the front axle [m].
func (t *teeth) add(out *[TickSamples]float64, s *Sense, w *WheelSense, m *material, behind float64) {
	if m.pitch > 0 {
		t.step = s.Speed / m.pitch / Rate
		at := (s.Station - behind) / m.pitch
		if phase := at - math.Floor(at); phase == phase {
			t.phase = phase
		}
	}
	t.level.toward(when(m.pitch > 0, 0.5*m.tooth*math.Sqrt(w.Load)*smoothStep(s.Speed, 0, 15)))
	if t.level.isSilent() {
		return
	}
	for i := range TickSamples {
		t.phase += t.step
		t.phase -= math.Floor(t.phase)
		p := pulse(t.phase/0.3) - 0.17 // without its mean
		out[i] += t.level.next() * (t.body[0].next(p) + 0.6*t.body[1].next(p))
	}
}
