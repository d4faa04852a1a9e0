package omct

import (
	"math"
	"math/cmplx"

	"rig/cueing"
)

// drive is a vehicle that swings in one axis at one frequency, and the platform that
// follows it.
type drive struct {
	cue      *cueing.Cue
	platform *cueing.Platform
	head     [3]float64

	axis      int
	omega     float64 // [rad/s]
	amplitude float64 // [m/s² or rad]
	dt        float64 // [s]
	tick      int

	periods int // in a window
	samples int // in a window
	step    int // ticks from sample to sample
}

// How long is measured, and how finely.
const (
	shortest  = 10.0  // window, so that ticks and period agree [s]
	perPeriod = 200   // samples at the most
	patience  = 400.0 // for the answer to settle [s]
	settled   = 1e-5  // change from window to window, of the input's amplitude
	harmonics = 9     // up to which distortion is looked for
)

// newDrive sets the window: whole periods, whole samples. The frequency is moved a little,
// by less than one in ten thousand, for that.
func newDrive(cue *cueing.Cue, platform *cueing.Platform, head [3]float64, axis int, omega, size, dt float64) *drive {
	d := &drive{cue: cue, platform: platform, head: head, axis: axis, dt: dt}
	period := 2 * math.Pi / omega
	d.periods = int(math.Ceil(shortest / period))
	window := float64(d.periods) * period / dt // [ticks]
	d.step = max(1, int(window/float64(d.periods*perPeriod)))
	d.samples = int(math.Round(window / float64(d.step)))
	d.omega = 2 * math.Pi * float64(d.periods) / (float64(d.samples*d.step) * dt)
	d.amplitude = size * amplitude(axis, omega)
	return d
}

// outcome is what a swing at one frequency came to.
type outcome struct {
	omega      float64  // [rad/s]
	amplitude  float64  // of the vehicle [m/s² or rad]
	response   response // each axis for a vehicle that swings by 1
	distortion [axes]float64
	scale      float64 // least that the workspace left of a pose
}

// run swings until the answer repeats itself from window to window.
func (d *drive) run() outcome {
	samples := make([]sample, d.samples)
	out := outcome{omega: d.omega, amplitude: d.amplitude}
	var before response
	for windows := 0; ; windows++ {
		out.scale = d.window(samples)
		now := respond(samples, d.periods, 1, d.omega)
		if windows > 0 && now.distance(before) < settled*d.amplitude || float64(d.tick)*d.dt > patience {
			break
		}
		before = now
	}
	// sin is the real part of -j·exp(jωt)
	for k, v := range respond(samples, d.periods, 1, d.omega) {
		out.response[k] = v * complex(0, 1) / complex(d.amplitude, 0)
	}
	out.distortion = d.distortion(samples)
	return out
}

// window drives for one window and returns the least scale. A pose that is not found from
// the legs counts as the one that was asked for.
func (d *drive) window(samples []sample) (scale float64) {
	scale = 1
	for i := range samples {
		asked := d.next()
		legs := d.platform.Legs(asked)
		scale = math.Min(scale, d.platform.Scale())
		given, ok := d.platform.Pose(legs)
		if !ok {
			given = asked
		}
		samples[i] = sampleOf(given, d.head)
		for range d.step - 1 {
			d.next()
		}
	}
	return scale
}

// next is one tick.
func (d *drive) next() cueing.Pose {
	in := d.inputs()
	d.tick++
	return d.cue.Next(&in)
}

// inputs are what the driver's head feels in the vehicle in this tick. A vehicle that
// rotates does so about the head and stays where it is: it feels gravity from another
// side.
func (d *drive) inputs() cueing.Inputs {
	phase := d.omega * d.dt * float64(d.tick%(d.samples*d.step))
	sin, cos := math.Sincos(phase)
	in := cueing.Inputs{Force: [3]float64{0, 0, gravity}}
	if !rotates(d.axis) {
		in.Force[d.axis-surge] += d.amplitude * sin
		return in
	}
	angle := d.amplitude * sin
	in.Rate[d.axis-roll] = d.amplitude * d.omega * cos
	s, c := math.Sincos(angle)
	switch d.axis {
	case roll:
		in.Force, in.Roll = [3]float64{0, gravity * s, gravity * c}, angle
	case pitch:
		in.Force, in.Pitch = [3]float64{-gravity * s, 0, gravity * c}, angle
	}
	return in
}

// distortion is what swings at multiples of the frequency, as a share of what swings at
// the frequency itself.
func (d *drive) distortion(samples []sample) (share [axes]float64) {
	base := respond(samples, d.periods, 1, d.omega)
	for k := 2; k <= harmonics; k++ {
		for i, v := range respond(samples, d.periods, k, d.omega) {
			share[i] = math.Hypot(share[i], cmplx.Abs(v))
		}
	}
	for i := range share {
		share[i] /= math.Max(cmplx.Abs(base[i]), settled*d.amplitude)
	}
	return share
}
