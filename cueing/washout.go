package cueing

import "math"

// washout is the classical washout of Reid and Nahon (UTIAS report 296, Flight simulation
// motion-base drive algorithms, and Nahon and Reid, J. Guidance 13, 1990) in ISO axes:
//
//	force -> gain, limit -> turned to the platform's level axes, less gravity -> high-pass,
//	                        twice integrated -> surge, sway, heave
//	force -> gain, limit -> low-pass -> angle that gravity shows it at, slowly -> tilt
//	rate  -> gain, limit -> rates of roll, pitch, yaw -> high-pass, integrated -> rotation
//	tilt + rotation -> roll, pitch, yaw
//
// Forces that the tilt shows already are no translation's any more: that is what the turn
// to level axes does. Filters that reach the end of a range are held there.
type washout struct {
	cfg      WashoutConfig
	turn     float64 // MaxTurn [rad/s]
	most     [6]float64
	moves    [3]channel // surge, sway, heave
	turns    [3]channel // roll, pitch, yaw
	tilt     tilt
	final    filter // behind rotation, if there is one
	adaptive bool
}

// washoutState is where the washout is.
type washoutState struct {
	moves, turns [3]channelState
	tilt         tiltState
	final        [3]filterState
}

func newWashout(cfg Config, dt float64) washout {
	c := cfg.Washout
	w := washout{
		cfg: c, turn: c.MaxTurn * degree, tilt: newTilt(cfg, dt), adaptive: cfg.Mode == Adaptive,
		most: [6]float64{cfg.MaxSurge, cfg.MaxSway, cfg.MaxHeave, cfg.MaxRoll * degree, cfg.MaxPitch * degree, cfg.MaxYaw * degree},
	}
	for i := range 3 {
		w.moves[i] = newChannel(newTranslation(c.HighPass[i], c.HighDamping, c.Return[i], dt))
		w.turns[i] = newChannel(c.rotation(i, dt))
	}
	if c.FinalPass > 0 {
		w.final = newLowPass(c.FinalPass, finalDamping, dt)
	}
	if w.adaptive {
		w.adapt(cfg, dt)
	}
	return w
}

// adapt lets every channel's gain adapt. What is missing counts by 1 m/s² and by 10 °/s.
func (w *washout) adapt(cfg Config, dt float64) {
	for i := range 3 {
		way := newCost(cfg.Adaptive, 1, w.most[i], cfg.MaxSpeed)
		angle := newCost(cfg.Adaptive, 10*degree, w.most[3+i], cfg.MaxRate*degree)
		w.moves[i].adapt = newAdaption(cfg.Adaptive, way, dt)
		w.turns[i].adapt = newAdaption(cfg.Adaptive, angle, dt)
	}
}

// rotation returns the filter of roll, pitch or yaw.
func (c *WashoutConfig) rotation(i int, dt float64) filter {
	if c.RotOrder == 1 {
		return newRotation1(c.Rotation[i], dt)
	}
	return newRotation(c.Rotation[i], c.RotDamping, dt)
}

// reset puts a state that is all zero to rest.
func (w *washout) reset(s *washoutState) {
	for i := range 3 {
		s.moves[i].gain = w.moves[i].adapt.start
		s.turns[i].gain = w.turns[i].adapt.start
	}
}

// next returns the pose for a platform that is at a pose now.
func (w *washout) next(s *washoutState, in *Inputs, at *Pose, t *Tuning, tr *Trace) Pose {
	a := attitudeOf(at)
	deviation := [3]float64{in.Force[0], in.Force[1], in.Force[2] - gravity}
	roll, pitch := w.tilt.next(&s.tilt, deviation[0], deviation[1], t, tr)
	w.translate(s, &deviation, &a, t, tr)
	w.rotate(s, in.Rate, &a, [3]float64{roll, pitch, 0}, t, tr)
	return Pose{
		Surge: tr.Translation[0], Sway: tr.Translation[1], Heave: tr.Translation[2],
		Roll: roll + tr.Rotation[0], Pitch: pitch + tr.Rotation[1], Yaw: tr.Rotation[2],
	}
}

// translate steps surge, sway and heave by what the specific force deviates from rest.
//
// The tilt shows Gain times its part of the force, so that it is taken away from Gain times
// the whole; not from less than the whole, for a tilt that is still on its way back when Gain
// has gone down would count as a large force.
func (w *washout) translate(s *washoutState, deviation *[3]float64, a *attitude, t *Tuning, tr *Trace) {
	var f [3]float64
	gain := max(t.Gain, 1)
	for i := range f {
		f[i] = gain * w.bent(w.cfg.ForceGain[i]*deviation[i], w.cfg.MaxForce[i], tr)
	}
	f[2] += gravity
	f = a.level(f)
	f[2] -= gravity
	factor := [3]float64{t.Gain * t.Surge, t.Gain * t.Sway, t.Gain * t.Heave}
	for i := range f {
		c := &s.moves[i]
		w.drive(&w.moves[i], c, f[i]/gain)
		c.hold(0, w.most[i], factor[i])
		tr.Translation[i] = factor[i] * c.way.x[0]
		tr.Gains[i] = c.gain
	}
}

// rotate steps roll, pitch and yaw beside the tilt.
func (w *washout) rotate(s *washoutState, rate [3]float64, a *attitude, tilt [3]float64, t *Tuning, tr *Trace) {
	for i := range rate {
		rate[i] = w.bent(w.cfg.RateGain[i]*rate[i], w.turn, tr)
	}
	rate = a.rates(rate)
	factor := [3]float64{t.Gain * t.Roll, t.Gain * t.Pitch, t.Gain * t.Yaw}
	for i := range rate {
		c := &s.turns[i]
		w.drive(&w.turns[i], c, rate[i])
		c.hold(tilt[i], w.most[3+i], factor[i])
		tr.Rotation[i] = factor[i] * c.way.x[0]
		if w.cfg.FinalPass > 0 {
			tr.Rotation[i] = w.final.next(&s.final[i], tr.Rotation[i])
		}
		tr.Gains[3+i] = c.gain
	}
}

// drive steps a channel, whose gain adapts if it shall.
func (w *washout) drive(c *channel, s *channelState, in float64) {
	if w.adaptive {
		s.gain = c.adapt.next(s, &c.f, in)
	}
	c.f.next(&s.way, s.gain*in)
}

// bent limits v, and notes it.
func (w *washout) bent(v, most float64, tr *Trace) float64 {
	b := knee(v, most, w.cfg.Knee)
	if b != v {
		tr.Limits |= LimitForce
	}
	return b
}

// channel is the high-pass of one degree of freedom with its integrations.
type channel struct {
	f     filter
	adapt adaption
}

// channelState is where a channel is.
type channelState struct {
	way    filterState // [m] or [rad]
	byGain filterState // of what the filter does, by the gain; only where that adapts
	gain   float64
}

// newChannel returns one whose gain stays 1.
func newChannel(f filter) channel { return channel{f: f, adapt: adaption{start: 1}} }

// hold keeps factor times the channel's output, beside what else moves there, within ±most.
func (s *channelState) hold(beside, most, factor float64) {
	if math.Abs(factor*s.way.x[0]+beside) <= most || factor == 0 {
		return
	}
	s.way.hold(min(-most-beside, 0)/factor, max(most-beside, 0)/factor)
}

// attitude is the platform's, as sines and cosines.
type attitude struct{ sinRoll, cosRoll, sinPitch, cosPitch, sinYaw, cosYaw float64 }

func attitudeOf(p *Pose) attitude {
	var a attitude
	a.sinRoll, a.cosRoll = math.Sincos(p.Roll)
	a.sinPitch, a.cosPitch = math.Sincos(p.Pitch)
	a.sinYaw, a.cosYaw = math.Sincos(p.Yaw)
	return a
}

// level turns a vector from the platform's axes to those it stands in when neutral: about x by
// roll, then y by pitch, then z by yaw.
func (a *attitude) level(v [3]float64) [3]float64 {
	x, y, z := v[0], v[1], v[2]
	y, z = a.cosRoll*y-a.sinRoll*z, a.sinRoll*y+a.cosRoll*z
	x, z = a.cosPitch*x+a.sinPitch*z, a.cosPitch*z-a.sinPitch*x
	x, y = a.cosYaw*x-a.sinYaw*y, a.sinYaw*x+a.cosYaw*y
	return [3]float64{x, y, z}
}

// rates turns an angular velocity into the rates of roll, pitch and yaw. Poses never get
// near a pitch of 90°.
func (a *attitude) rates(w [3]float64) [3]float64 {
	across := a.sinRoll*w[1] + a.cosRoll*w[2]
	yaw := across / a.cosPitch
	return [3]float64{w[0] + a.sinPitch*yaw, a.cosRoll*w[1] - a.sinRoll*w[2], yaw}
}
