package cueing

import "math"

// washout is the classical washout of Reid and Nahon (UTIAS report 296, Flight simulation
// motion-base drive algorithms, and Nahon and Reid, J. Guidance 13, 1990) in ISO axes:
//
//	force -> gain, limit -> turned to the platform's level axes, less gravity -> high-pass,
//	                        twice integrated -> surge, sway, heave
//	force -> gain, limit -> low-pass -> angle at which gravity shows it, rate-limited -> tilt
//	rate  -> gain, limit -> rates of roll, pitch, yaw -> high-pass, integrated -> rotation
//	tilt + rotation -> roll, pitch, yaw
//
// Forces that the tilt already shows are removed from the translation by the transformation to
// level axes. The output of a filter that reaches the end of its range stays there.
type washout struct {
	cfg          WashoutConfig
	maxRate      float64    // MaxRotationRate [rad/s]
	limits       [6]float64 // of surge, sway, heave [m], roll, pitch, yaw [rad]
	translation  [3]channel // surge, sway, heave
	rotation     [3]channel // roll, pitch, yaw
	tilt         tiltCoordination
	finalLowPass filter // low-pass after rotation, if configured
	adaptive     bool
}

// washoutState is the state of the washout.
type washoutState struct {
	translation, rotation [3]channelState
	tilt                  tiltCoordinationState
	finalLowPass          [3]filterState
}

func newWashout(cfg Config, dt float64) washout {
	c := cfg.Washout
	w := washout{
		cfg: c, maxRate: c.MaxRotationRate * degree, tilt: newTiltCoordination(cfg, dt), adaptive: cfg.Mode == Adaptive,
		limits: [6]float64{cfg.MaxSurge, cfg.MaxSway, cfg.MaxHeave, cfg.MaxRoll * degree, cfg.MaxPitch * degree, cfg.MaxYaw * degree},
	}
	for i := range 3 {
		w.translation[i] = newChannel(newTranslation(c.HighPass[i], c.HighDamping, c.ReturnRate[i], dt))
		w.rotation[i] = newChannel(c.rotationFilter(i, dt))
	}
	if c.FinalLowPass > 0 {
		w.finalLowPass = newLowPass(c.FinalLowPass, finalDamping, dt)
	}
	if w.adaptive {
		w.setAdaptive(cfg, dt)
	}
	return w
}

// setAdaptive makes the gain of every channel adapt. Motion that is not shown is measured in units
// of 1 m/s² and 10 °/s.
func (w *washout) setAdaptive(cfg Config, dt float64) {
	for i := range 3 {
		linear := newCostWeights(cfg.Adaptive, 1, w.limits[i], cfg.MaxLinearSpeed)
		angular := newCostWeights(cfg.Adaptive, 10*degree, w.limits[3+i], cfg.MaxAngularRate*degree)
		w.translation[i].adaptive = newAdaptiveGain(cfg.Adaptive, linear, dt)
		w.rotation[i].adaptive = newAdaptiveGain(cfg.Adaptive, angular, dt)
	}
}

// rotationFilter returns the high-pass filter of roll, pitch or yaw.
func (c *WashoutConfig) rotationFilter(i int, dt float64) filter {
	if c.RotationOrder == 1 {
		return newFirstOrderRotation(c.RotationHighPass[i], dt)
	}
	return newRotation(c.RotationHighPass[i], c.RotationDamping, dt)
}

// reset completes a zero state to one at rest.
func (w *washout) reset(s *washoutState) {
	for i := range 3 {
		s.translation[i].gain = w.translation[i].adaptive.initial
		s.rotation[i].gain = w.rotation[i].adaptive.initial
	}
}

// next returns the pose for the inputs and for the pose that the platform has now.
func (w *washout) next(s *washoutState, in *Inputs, pose *Pose, tuning *Tuning, trace *Trace) Pose {
	attitude := attitudeOf(pose)
	deviation := [3]float64{in.Force[0], in.Force[1], in.Force[2] - gravity}
	roll, pitch := w.tilt.next(&s.tilt, deviation[0], deviation[1], tuning, trace)
	w.translate(s, &deviation, &attitude, tuning, trace)
	w.rotate(s, in.Rate, &attitude, [3]float64{roll, pitch, 0}, tuning, trace)
	return Pose{
		Surge: trace.Translation[0], Sway: trace.Translation[1], Heave: trace.Translation[2],
		Roll: roll + trace.Rotation[0], Pitch: pitch + trace.Rotation[1], Yaw: trace.Rotation[2],
	}
}

// translate steps surge, sway and heave by the deviation of the specific force from rest.
//
// The tilt shows Gain times its part of the force, so it is subtracted from Gain times the whole.
// It must not be subtracted from less: a tilt that is still returning after Gain was reduced would
// then count as a large force.
func (w *washout) translate(s *washoutState, deviation *[3]float64, a *attitude, tuning *Tuning, trace *Trace) {
	var f [3]float64
	gain := max(tuning.Gain, 1)
	for i := range f {
		f[i] = gain * w.softLimited(w.cfg.ForceGain[i]*deviation[i], w.cfg.MaxForce[i], trace)
	}
	f[2] += gravity
	f = a.toLevelAxes(f)
	f[2] -= gravity
	factor := [3]float64{tuning.Gain * tuning.Surge, tuning.Gain * tuning.Sway, tuning.Gain * tuning.Heave}
	for i := range f {
		c := &s.translation[i]
		w.stepChannel(&w.translation[i], c, f[i]/gain)
		c.clamp(0, w.limits[i], factor[i])
		trace.Translation[i] = factor[i] * c.motion.x[0]
		trace.Gains[i] = c.gain
	}
}

// rotate steps roll, pitch and yaw, in addition to the tilt.
func (w *washout) rotate(s *washoutState, rate [3]float64, a *attitude, tilt [3]float64, tuning *Tuning, trace *Trace) {
	for i := range rate {
		rate[i] = w.softLimited(w.cfg.RateGain[i]*rate[i], w.maxRate, trace)
	}
	rate = a.toEulerRates(rate)
	factor := [3]float64{tuning.Gain * tuning.Roll, tuning.Gain * tuning.Pitch, tuning.Gain * tuning.Yaw}
	for i := range rate {
		c := &s.rotation[i]
		w.stepChannel(&w.rotation[i], c, rate[i])
		c.clamp(tilt[i], w.limits[3+i], factor[i])
		trace.Rotation[i] = factor[i] * c.motion.x[0]
		if w.cfg.FinalLowPass > 0 {
			trace.Rotation[i] = w.finalLowPass.next(&s.finalLowPass[i], trace.Rotation[i])
		}
		trace.Gains[3+i] = c.gain
	}
}

// stepChannel advances a channel by one tick, and adapts its gain if the mode is Adaptive.
func (w *washout) stepChannel(c *channel, s *channelState, in float64) {
	if w.adaptive {
		s.gain = c.adaptive.next(s, &c.filter, in)
	}
	c.filter.next(&s.motion, s.gain*in)
}

// softLimited returns softLimit of v, and sets LimitForce in the trace if v was limited.
func (w *washout) softLimited(v, limit float64, trace *Trace) float64 {
	limited := softLimit(v, limit, w.cfg.Knee)
	if limited != v {
		trace.Limits |= LimitForce
	}
	return limited
}

// channel is the high-pass of one degree of freedom, combined with its integrations.
type channel struct {
	filter   filter
	adaptive adaptiveGain
}

// channelState is the state of a channel.
type channelState struct {
	motion      filterState // [m] or [rad]
	sensitivity filterState // derivative of the filter's state by the gain; used only if the gain adapts
	gain        float64
}

// newChannel returns a channel with a constant gain of 1.
func newChannel(f filter) channel { return channel{filter: f, adaptive: adaptiveGain{initial: 1}} }

// clamp limits factor times the channel's output plus offset, which is what else moves this degree
// of freedom, to ±limit.
func (s *channelState) clamp(offset, limit, factor float64) {
	if math.Abs(factor*s.motion.x[0]+offset) <= limit || factor == 0 {
		return
	}
	s.motion.clamp(min(-limit-offset, 0)/factor, max(limit-offset, 0)/factor)
}

// attitude is the platform's attitude, as sines and cosines.
type attitude struct{ sinRoll, cosRoll, sinPitch, cosPitch, sinYaw, cosYaw float64 }

func attitudeOf(p *Pose) attitude {
	var a attitude
	a.sinRoll, a.cosRoll = math.Sincos(p.Roll)
	a.sinPitch, a.cosPitch = math.Sincos(p.Pitch)
	a.sinYaw, a.cosYaw = math.Sincos(p.Yaw)
	return a
}

// toLevelAxes transforms a vector from the platform's axes to those of its neutral attitude: about x
// by roll, then y by pitch, then z by yaw.
func (a *attitude) toLevelAxes(v [3]float64) [3]float64 {
	x, y, z := v[0], v[1], v[2]
	y, z = a.cosRoll*y-a.sinRoll*z, a.sinRoll*y+a.cosRoll*z
	x, z = a.cosPitch*x+a.sinPitch*z, a.cosPitch*z-a.sinPitch*x
	x, y = a.cosYaw*x-a.sinYaw*y, a.sinYaw*x+a.cosYaw*y
	return [3]float64{x, y, z}
}

// toEulerRates transforms an angular velocity into the rates of roll, pitch and yaw. The pitch of
// poses is always far from 90°, where that is impossible.
func (a *attitude) toEulerRates(w [3]float64) [3]float64 {
	sum := a.sinRoll*w[1] + a.cosRoll*w[2]
	yaw := sum / a.cosPitch
	return [3]float64{w[0] + a.sinPitch*yaw, a.cosRoll*w[1] - a.sinRoll*w[2], yaw}
}
