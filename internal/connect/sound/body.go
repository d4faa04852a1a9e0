package sound

import "math"

// body is the sound of the car's body: wind, brakes, the valves of the ABS, gear changes, and contact with ground and walls.
type body struct {
	noise               noise
	rub, scrape         gain
	disc, metal         biquad
	knock, crash, valve burst
	thump, plate, click biquad
	squeak              gain
	squeakTone          oscillator
}

func newBody() body {
	return body{
		noise: newNoise(30), disc: band(1300, 1.5), metal: band(1900, 0.8), knock: newBurst(0.025), crash: newBurst(0.12), valve: newBurst(0.012),
		thump: band(85, 1), plate: band(420, 1.5), click: band(260, 1.2),
	}
}

// add adds a tick.
func (b *body) add(out *[TickSamples]float64, s *Sense) {
	b.events(s)
	moving := smoothStep(s.Speed, 0.2, 8)
	b.rub.toward(0.025 * s.Brake * moving)
	b.squeak.toward(when(s.Brake > 0.25, 0.02*smoothStep(s.Speed, 0.2, 0.8)*(1-smoothStep(s.Speed, 2, 4))))
	b.scrape.toward(0.3 * math.Sqrt(min(s.Contact/20e3, 1)) * moving)
	for i := range TickSamples {
		n := b.noise.next()
		v := b.rub.next()*b.disc.next(n) + b.scrape.next()*b.metal.next(n) + b.squeak.next()*b.squeakTone.next(2350)
		crash := b.crash.next()
		v += 2.5*b.thump.next(n*(b.knock.next()+1.5*crash)) + b.plate.next(n*crash) + 0.8*b.click.next(n*b.valve.next())
		out[i] += v
	}
}

// events begins the knocks of this tick: gear changes, the ABS's valves, contact, and suspensions at the end of their
// travel.
func (b *body) events(s *Sense) {
	if s.Shift {
		b.knock.hit(0.25)
	}
	if s.ABSPulse {
		b.valve.hit(0.3)
	}
	if s.Hit > 0 {
		b.crash.hit(min(math.Sqrt(s.Hit/60e3), 1))
	}
	for i := range s.Wheels {
		if s.Wheels[i].Bottoms {
			b.knock.hit(0.6)
		}
	}
}

// wind is the noise of the air. Its level grows with the speed by 5/2, its brightness with the speed.
type wind struct {
	noise   noise
	level   gain
	rush    biquad
	gust    lag
	whistle biquad
}

func newWind(side int) wind {
	return wind{noise: newNoise(uint64(40 + side)), rush: low(400), whistle: band(1500, 0.5)}
}

func (w *wind) add(out *[TickSamples]float64, s *Sense) {
	const fullSpeed = 60 // [m/s]
	v := s.Speed / fullSpeed
	w.level.toward(0.8 * v * v * math.Sqrt(v))
	if w.level.isSilent() {
		return
	}
	w.rush.setLow(250+12*s.Speed, butterworth)
	for i := range TickSamples {
		n := w.noise.next()
		out[i] += w.level.next() * (1 + 8*w.gust.next(n, 2000)) * (w.rush.next(n) + 0.15*w.whistle.next(n))
	}
}
