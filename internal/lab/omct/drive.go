package omct

import (
	"math"
	"math/cmplx"

	"rig.example/rig/cueing"
)

// drive is a vehicle that swings in one axis at one frequency, and the platform that
// follows it.
type drive struct {
	cue      *cueing.Cue
	state    cueing.State // of the cue
	platform *cueing.Platform
	found    cueing.Pose // of the legs at the last sample
	path     func(cueing.Legs) cueing.Legs
	every    int         // ticks from demand to demand
	sent     cueing.Legs // where the actuators were sent last
	scale    float64     // least that the workspace left of a pose in this window
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
	stuck     = 4     // windows in which that becomes no less: limits at work may never repeat themselves
	harmonics = 9     // up to which distortion is looked for

	mostTravel = 0.05 // of a suspension, to either side [m]
)

// newDrive puts a vehicle that swings in one axis before a platform of its own.
func newDrive(p Platform, o Options, axis int, omega float64) (*drive, error) {
	cue, err := cueing.New(p.Cueing, o.Dt)
	if err != nil {
		return nil, err
	}
	platform, err := cueing.NewPlatform(p.Geometry, p.Span)
	if err != nil {
		return nil, err
	}
	d := &drive{cue: cue, state: cue.Start(), platform: platform, head: o.Head, axis: axis, dt: o.Dt, path: as, every: 1}
	d.state.Tune(p.Tuning)
	if p.Path != nil {
		d.path, d.every = p.Path(), max(p.Every, 1)
	}
	d.setWindow(omega)
	d.amplitude = o.Size * amplitude(axis, omega)
	return d, nil
}

// as sends the actuators to the demand itself.
func as(l cueing.Legs) cueing.Legs { return l }

// setWindow takes whole periods, whole samples and whole demands. The frequency is moved a
// little, by less than one in a thousand, for that.
func (d *drive) setWindow(omega float64) {
	period := 2 * math.Pi / omega
	d.periods = int(math.Ceil(shortest / period))
	window := float64(d.periods) * period / d.dt // [ticks]
	d.step = max(1, int(window/float64(d.periods*perPeriod)))
	whole := d.every // samples to a whole number of demands
	if d.step >= d.every {
		d.step, whole = d.step-d.step%d.every, 1
	}
	d.samples = int(math.Round(window/float64(d.step*whole))) * whole
	d.omega = 2 * math.Pi * float64(d.periods) / (float64(d.samples*d.step) * d.dt)
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
	least, worse := math.Inf(1), 0
	for worse < stuck && float64(d.tick)*d.dt < patience {
		out.scale = d.window(samples)
		now := respond(samples, d.periods, 1, d.omega)
		change := now.distance(before)
		if before = now; change < settled*d.amplitude && d.tick > d.samples*d.step {
			break
		}
		if worse++; change < least {
			least, worse = change, 0
		}
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
func (d *drive) window(samples []sample) float64 {
	d.scale = 1
	for i := range samples {
		asked := d.next()
		var ok bool
		d.found, ok = d.platform.Pose(d.sent, d.found)
		given := d.found
		if !ok {
			given = asked
		}
		samples[i] = sampleOf(given, d.head)
		for range d.step - 1 {
			d.next()
		}
	}
	return d.scale
}

// next is one tick, and in some of them a demand. It returns the pose that is asked for.
func (d *drive) next() cueing.Pose {
	in := d.inputs()
	asked := d.cue.Next(&d.state, &in)
	if d.tick%d.every == 0 {
		legs, scale := d.platform.Legs(asked)
		d.sent = d.path(legs)
		d.scale = math.Min(d.scale, scale)
	}
	d.tick++
	return asked
}

// inputs are what the driver's head feels in the vehicle in this tick. A vehicle that
// rotates does so about the head and stays where it is: it feels gravity from another
// side. One that heaves does so over wheels that stay on their level, as far as suspensions
// let it: direct mode shows the body's height over them.
func (d *drive) inputs() cueing.Inputs {
	phase := d.omega * d.dt * float64(d.tick%(d.samples*d.step))
	sin, cos := math.Sincos(phase)
	grown := d.grown()
	sin, cos = sin*grown, cos*grown
	in := cueing.Inputs{Force: [3]float64{0, 0, gravity}}
	if !rotates(d.axis) {
		in.Force[d.axis-surge] += d.amplitude * sin
		if d.axis == heave {
			compression := math.Min(d.amplitude/(d.omega*d.omega), mostTravel) * sin
			in.Travel = [4]float64{compression, compression, compression, compression}
		}
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

// grown is how far the swing has come to its size, 0..1. It begins gently: limits that a jolt
// at its start reaches would answer to that for ever.
func (d *drive) grown() float64 {
	const over = 3 // [s]
	x := min(float64(d.tick)*d.dt/over, 1)
	return x * x * (3 - 2*x)
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
