package sound

import (
	"math"

	"rig.example/rig/internal/kit/valid"
)

// engine is the sound of a combustion engine: a pulse of pressure for each firing, half as many a turn as there are
// cylinders. Each comes 0.5 to 1.5 % of its interval late, and no two are alike. The exhaust sounds at the rear,
// the intake at the front.
type engine struct {
	car    *Car
	noise  noise
	phase  float64 // from one firing to the next, 0..1
	late   float64 // of this firing, as a share of the interval
	size   float64 // of this firing
	number int     // of the firing cylinder
	uneven [16]float64
	rpm    lag

	exhaust, intake gain
	width           lag // of a pulse, as a share of the interval
	pipe            [3]biquad
	muffler         biquad // its corner follows the load
	throat, rough   biquad
	hum             biquad
}

func newEngine(car *Car) engine {
	e := engine{car: car, noise: newNoise(1), width: lag{0.2}, throat: band(340, 1.2), rough: high(30), hum: high(25)}
	for i, hz := range [...]float64{95, 230, 520} {
		e.pipe[i] = band(hz, 1.5)
	}
	for i := range e.uneven {
		e.uneven[i] = 0.06 * e.noise.next()
	}
	e.muffler.setLow(800, butterworth)
	return e
}

// firingHz returns the frequency at which an engine fires [Hz].
func firingHz(rpm float64, cylinders int) float64 { return rpm / 60 * float64(cylinders) / 2 }

// add adds a tick of the engine: the intake ahead of the listener, the exhaust behind.
func (e *engine) add(front, rear *[TickSamples]float64, s *Sense) {
	e.setLevels(s)
	if e.car.cylinders == 0 || e.exhaust.isSilent() && e.intake.isSilent() {
		return
	}
	step := firingHz(e.rpm.next(s.RPM, 3), e.car.cylinders) / Rate
	overrun := smoothStep(-s.Load, 0.02, 0.1) * smoothStep(s.RPM, 0.4*e.car.limitRPM, 0.8*e.car.limitRPM)
	width := e.width.next(0.24-0.1*max(s.Load, 0), 20)
	for i := range TickSamples {
		if e.phase += step; e.phase >= 1 {
			e.phase -= 1
			e.fire(overrun)
		}
		x := e.phase - e.late
		p, n := e.size*pulse(x/width), e.noise.next()
		out := e.hum.next(p * (1 + 0.35*n))
		out = 0.5*out + e.pipe[0].next(out) + 0.8*e.pipe[1].next(out) + 0.6*e.pipe[2].next(out)
		rear[i] += e.exhaust.next() * e.muffler.next(out)
		in := e.rough.next(pulse(x/(2*width)) * (1 + 0.8*n))
		front[i] += e.intake.next() * (e.throat.next(in) + 0.3*in)
	}
}

// fire begins the next firing. A throttle that closes at high speed leaves fuel that burns in the exhaust.
func (e *engine) fire(overrun float64) {
	const earliest, latest = 0.005, 0.015
	e.number = (e.number + 1) % e.car.cylinders
	e.late = earliest + (latest-earliest)*e.noise.share()
	e.size = 1 + e.uneven[e.number] + 0.03*e.noise.next()
	if e.noise.share() < 0.06*overrun {
		e.size *= 4
	}
}

// setLevels sets the levels of exhaust and intake, and how much the muffler lets through.
func (e *engine) setLevels(s *Sense) {
	load, speed := max(s.Load, 0), math.Sqrt(s.RPM/e.car.limitRPM)
	exhaust, intake := 0.0, 0.0
	if s.RPM > 60 { // a starter turns it too
		exhaust, intake = 0.06, 0.02
	}
	if s.Running && s.RPM > 60 {
		exhaust = (0.16 + 0.5*load) * (0.35 + 0.65*speed)
		intake = (0.03 + 0.4*load*s.Throttle) * (0.3 + 0.7*speed)
	}
	e.exhaust.toward(exhaust)
	e.intake.toward(intake)
	e.muffler.setLow(700+5000*load*speed+1500*speed, butterworth)
}

// whine are the tones of what turns: gears, an electric motor, the starter and the turbocharger.
type whine struct {
	car                          *Car
	noise                        noise
	gears, motor, starter, turbo gain
	tone                         [6]oscillator
	rpm, boost, throttle         lag
	valve                        burst // the turbo's dump valve
	hiss                         biquad
}

func newWhine(car *Car) whine {
	return whine{car: car, noise: newNoise(2), valve: newBurst(0.12), hiss: band(3500, 0.7)}
}

// Orders are tones per turn.
const (
	gearTeeth    = 23 // of a gearbox's pair
	starterTeeth = 130
	motorOrder   = 8  // pole pairs
	motorSlots   = 24 // their third, from the inverter's six steps
)

// add adds a tick of all tones.
func (w *whine) add(out *[TickSamples]float64, s *Sense) {
	hz := w.rpm.next(s.RPM, 3) / 60
	load, fast := math.Abs(s.Load), valid.Clamp(s.RPM/w.car.limitRPM, 0, 1)
	isEngine := w.car.cylinders > 0
	w.gears.toward(when(s.Gear != 0, 0.012*load*fast+0.003*fast))
	w.motor.toward(when(!isEngine && s.Running, (0.02+0.12*load)*smoothStep(hz, 2, 15)))
	w.starter.toward(when(isEngine && s.Starter && s.RPM > 20, 0.1))
	boost := w.boost.next(s.Boost, 40)
	w.turbo.toward(when(w.car.turbo && s.Running, 0.03*boost*boost))
	if before := w.throttle.value; w.throttle.next(s.Throttle, 60) < 0.5 && before >= 0.5 && w.car.turbo {
		w.valve.hit(0.15 * boost)
	}
	if w.gears.isSilent() && w.motor.isSilent() && w.starter.isSilent() && w.turbo.isSilent() && w.valve.isSilent() {
		return
	}
	turbine := 2200 + 5200*math.Sqrt(boost)
	for i := range TickSamples {
		n := w.noise.next()
		v := w.gears.next() * (w.tone[0].next(hz*gearTeeth) + 0.4*w.tone[1].next(2*hz*gearTeeth))
		v += w.motor.next() * (w.tone[2].next(hz*motorOrder) + 0.35*w.tone[3].next(hz*motorSlots))
		v += w.starter.next() * w.tone[4].next(hz*starterTeeth)
		v += w.turbo.next()*w.tone[5].next(turbine) + w.valve.next()*w.hiss.next(n)
		out[i] += v
	}
}

// when returns v if a condition holds, else 0.
func when(holds bool, v float64) float64 {
	if !holds {
		return 0
	}
	return v
}
