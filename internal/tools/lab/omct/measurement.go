package omct

import (
	"math"
	"math/cmplx"

	"rig.example/rig/cueing"
)

// measurement is the state of one measurement: a vehicle that oscillates in one axis at one frequency, and
// the platform that follows its motion.
type measurement struct {
	cue          *cueing.Cue
	state        cueing.State // state of cue
	platform     *cueing.Platform
	lastPose     cueing.Pose                   // pose of the platform at the last sample
	follow       func(cueing.Legs) cueing.Legs // converts a target to the lengths to which the actuators are sent
	targetPeriod int                           // ticks from one target to the next
	sentLegs     cueing.Legs                   // lengths to which the actuators were sent last
	minScale     float64                       // smallest factor by which the workspace's limits scaled a pose in this window, 0 to 1
	head         [3]float64

	axis      int
	omega     float64 // [rad/s]
	amplitude float64 // [m/s² or rad]
	dt        float64 // [s]
	tick      int

	periods     int // number of periods in a window
	samples     int // number of samples in a window
	sampleTicks int // ticks from one sample to the next
}

// Duration and resolution of a measurement. Its windows are repeated until the response is periodic.
const (
	minWindow           = 10.0  // least duration of a window, so that whole ticks fit the period well [s]
	maxSamplesPerPeriod = 200   // largest number of samples per period
	maxDuration         = 400.0 // longest time in which the response must become periodic [s]
	settledChange       = 1e-5  // change from window to window below which the response is periodic, over the input's amplitude
	maxUnchanged        = 4     // windows without progress after which the measurement ends: limits may prevent a periodic response
	harmonics           = 9     // highest multiple of the frequency that counts as distortion

	maxTravel = 0.05 // largest travel of the vehicle's suspension from its middle, in either direction [m]
)

// newMeasurement returns the measurement of a vehicle that oscillates in one axis at a frequency omega
// [rad/s], with a platform of its own.
func newMeasurement(p Platform, o Options, axis int, omega float64) (*measurement, error) {
	cue, err := cueing.New(p.Cueing, o.Dt)
	if err != nil {
		return nil, err
	}
	platform, err := cueing.NewPlatform(p.Geometry, p.Span)
	if err != nil {
		return nil, err
	}
	d := &measurement{cue: cue, state: cue.Start(), platform: platform, head: o.Head, axis: axis, dt: o.Dt, follow: identity, targetPeriod: 1}
	d.state.Tune(p.Tuning)
	if p.NewInterpolator != nil {
		d.follow, d.targetPeriod = p.NewInterpolator(), max(p.TargetPeriod, 1)
	}
	d.setWindow(omega)
	d.amplitude = o.Size * amplitude(axis, omega)
	return d, nil
}

// identity returns the target itself, for a platform without interpolation.
func identity(l cueing.Legs) cueing.Legs { return l }

// setWindow sets the window so that it consists of whole periods, whole samples and whole targets. For
// that it changes the frequency omega [rad/s] by less than 0.1 %.
func (d *measurement) setWindow(omega float64) {
	period := 2 * math.Pi / omega
	d.periods = int(math.Ceil(minWindow / period))
	window := float64(d.periods) * period / d.dt // [ticks]
	d.sampleTicks = max(1, int(window/float64(d.periods*maxSamplesPerPeriod)))
	sampleMultiple := d.targetPeriod // samples must be a multiple of this, so that targets are whole
	if d.sampleTicks >= d.targetPeriod {
		d.sampleTicks, sampleMultiple = d.sampleTicks-d.sampleTicks%d.targetPeriod, 1
	}
	d.samples = int(math.Round(window/float64(d.sampleTicks*sampleMultiple))) * sampleMultiple
	d.omega = 2 * math.Pi * float64(d.periods) / (float64(d.samples*d.sampleTicks) * d.dt)
}

// outcome is the result at one frequency.
type outcome struct {
	omega      float64  // [rad/s]
	amplitude  float64  // amplitude of the vehicle's motion [m/s² or rad]
	response   response // response in each axis over the amplitude of the vehicle
	distortion [axes]float64
	minScale   float64 // smallest factor by which the workspace's limits scaled a pose, 0 to 1
}

// run measures windows until the response is periodic, or the limits of duration are reached.
func (d *measurement) run() outcome {
	samples := make([]sample, d.samples)
	out := outcome{omega: d.omega, amplitude: d.amplitude}
	var last response
	smallestChange, unchanged := math.Inf(1), 0
	for unchanged < maxUnchanged && float64(d.tick)*d.dt < maxDuration {
		out.minScale = d.window(samples)
		present := respond(samples, d.periods, 1, d.omega)
		change := present.maxDifference(last)
		if last = present; change < settledChange*d.amplitude && d.tick > d.samples*d.sampleTicks {
			break
		}
		if unchanged++; change < smallestChange {
			smallestChange, unchanged = change, 0
		}
	}
	// sin is the real part of -j·exp(jωt)
	for k, v := range respond(samples, d.periods, 1, d.omega) {
		out.response[k] = v * complex(0, 1) / complex(d.amplitude, 0)
	}
	out.distortion = d.distortion(samples)
	return out
}

// window runs one window, sets the samples and returns the smallest factor by
// which the workspace's limits scaled a pose in it. If no pose is found for the
// lengths of the legs, the requested pose is used.
func (d *measurement) window(samples []sample) float64 {
	d.minScale = 1
	for i := range samples {
		requested := d.next()
		var ok bool
		d.lastPose, ok = d.platform.Pose(d.sentLegs, d.lastPose)
		reached := d.lastPose
		if !ok {
			reached = requested
		}
		samples[i] = sampleOf(reached, d.head)
		for range d.sampleTicks - 1 {
			d.next()
		}
	}
	return d.minScale
}

// next advances by one tick, with a new target every targetPeriod. It returns the requested pose.
func (d *measurement) next() cueing.Pose {
	in := d.inputs()
	requested := d.cue.Next(&d.state, &in)
	if d.tick%d.targetPeriod == 0 {
		legs, scale := d.platform.Legs(requested)
		d.sentLegs = d.follow(legs)
		d.minScale = math.Min(d.minScale, scale)
	}
	d.tick++
	return requested
}

// inputs returns the motion of the vehicle at the driver's head in this tick. A vehicle that rotates does
// so about the head, without acceleration, so that only the direction of gravity changes. A vehicle that
// heaves moves relative to its wheels within the travel of the suspension, because direct cueing reproduces
// the height of the body above the wheels.
func (d *measurement) inputs() cueing.Inputs {
	phase := d.omega * d.dt * float64(d.tick%(d.samples*d.sampleTicks))
	sin, cos := math.Sincos(phase)
	fade := d.fadeIn()
	sin, cos = sin*fade, cos*fade
	in := cueing.Inputs{Force: [3]float64{0, 0, gravity}}
	if !isRotation(d.axis) {
		in.Force[d.axis-surge] += d.amplitude * sin
		if d.axis == heave {
			compression := math.Min(d.amplitude/(d.omega*d.omega), maxTravel) * sin
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

// fadeIn returns a factor on the input that rises from 0 to 1 at the start, because an abrupt start could
// reach limits that distort the response permanently.
func (d *measurement) fadeIn() float64 {
	const duration = 3 // [s]
	x := min(float64(d.tick)*d.dt/duration, 1)
	return x * x * (3 - 2*x)
}

// distortion returns, for each axis, the amplitude of the harmonics over that of the fundamental.
func (d *measurement) distortion(samples []sample) (share [axes]float64) {
	base := respond(samples, d.periods, 1, d.omega)
	for k := 2; k <= harmonics; k++ {
		for i, v := range respond(samples, d.periods, k, d.omega) {
			share[i] = math.Hypot(share[i], cmplx.Abs(v))
		}
	}
	for i := range share {
		share[i] /= math.Max(cmplx.Abs(base[i]), settledChange*d.amplitude)
	}
	return share
}
