package brakes

import "rig.example/rig/sim/tire"

// antilock is the constant part of the anti-lock brakes' control.
type antilock struct {
	dt       float64    // [s]
	perDt    float64    // 1/dt
	smooth   float64    // share of its way that the smoothed acceleration goes in a tick
	radius   [2]float64 // that the wheels of each axle roll on [m]
	side     [4]float64 // of each wheel from the car's middle, to the left [m]
	slip     [2]float64 // that each axle's tires bear, at level 5
	heavy    [2]float64 // pressure for each m/s² of a wheel's own inertia [bar·s²/m]
	release  float64    // [bar] in a tick
	build    float64    // the same
	yawDelay float64    // the same
	ahead    float64    // pressure that a front wheel may have at once beside one that locks [bar]
	leans    float64    // share of the front wheels' load that goes over for each m/s² of a bend [s²/m]
	slowest  float64    // [m/s]
}

func newAntilock(b *ABS, car *Vehicle, k *System, dt float64) antilock {
	const lag = 0.006 // of the smoothed acceleration [s]
	a := antilock{
		dt: dt, perDt: 1 / dt, smooth: dt / (lag + dt), slowest: b.Slowest,
		release: b.Release * dt, build: b.Build * dt, yawDelay: b.YawDelay * dt, ahead: 0.08 * k.full,
	}
	a.leans = 2 * car.CGHeight / (max(car.Gravity, 1) * car.Axles[0].Track)
	for axle := range a.radius {
		at := &car.Axles[axle]
		a.side[2*axle], a.side[2*axle+1] = at.Track/2, -at.Track/2
		a.radius[axle] = at.Radius
		if a.slip[axle] = b.Slip; b.Slip == 0 {
			a.slip[axle] = at.BestSlip
		}
		if k.perBar[axle] > 0 {
			a.heavy[axle] = at.Inertia / at.Radius / k.perBar[axle]
		}
	}
	return a
}

// sleep forgets everything, as electronics do that are off.
func (a *antilock) sleep(s *State) {
	s.ABS, s.Pulse = ABSState{}, 0
	for i := range s.Wheels {
		s.Wheels[i].ABS = ABSWheel{}
	}
}

// selectLow returns what the one that locks first does.
func selectLow(a, b sense) sense { return sense{max(a.slip, b.slip), min(a.gain, b.gain)} }

// control judges the wheels, and decides what each may do with its pressure in this tick
// towards what is wanted [bar].
func (a *antilock) control(s *State, in *Input, want *[4]float64) {
	var wheels [4]sense
	a.look(&wheels, s, in, want)
	rear := selectLow(wheels[tire.RL], wheels[tire.RR]) // the one that has less grip decides for both
	wheels[tire.RL], wheels[tire.RR] = rear, rear
	const makers, most = 5, 10
	lenient := 1 + 0.08*float64(makers-int(min(in.ABS, most))) // 1.32 at level 1, 0.6 at level 10
	for i := range wheels {
		b := &s.Wheels[i]
		if s.ABS.Reference < a.slowest {
			b.ABS = ABSWheel{Phase: absFollow, Speed: b.ABS.Speed, Gain: b.ABS.Gain}
			continue
		}
		const always = 0.3 // [m/s], what rough roads and bends make
		const rolls = 0.45 // share of the locking pressure that a wheel rolls along under
		limit := lenient*a.slip[i/2]*s.ABS.Reference + always
		free := i >= tire.RL && a.doubtful(&s.ABS) && b.ABS.Works() && b.Pressure > rolls*b.ABS.Lock
		a.judge(&b.ABS, wheels[i], limit, b.Pressure, want[i], i/2, free)
	}
	a.yawMomentDelay(&s.Wheels[tire.FL], &s.Wheels[tire.FR], want, in.AccelY)
	a.pulse(s)
}

// judge moves a wheel from phase to phase; limit is the slip that counts as locking [m/s].
// One that is to run free lets go in any case.
func (a *antilock) judge(w *ABSWheel, is sense, limit, pressure, want float64, axle int, free bool) {
	const calm, ahead, near = 3, 0.01, 0.8 // [m/s², s, -]
	soon := is.slip - ahead*is.gain
	leaves := is.gain < -calm && (is.slip > limit || is.slip > near*limit && soon > 1.5*limit)
	lost := is.slip > min(2*limit, 0.7*(is.slip+w.Speed)) && w.Gain < calm
	locks := leaves || lost || free
	w.Time += a.dt
	next := w.Phase
	switch {
	case w.Phase != absRelease && locks:
		next = absRelease
	case w.Phase == absRelease && !locks && is.gain > 0:
		next = absHold
	case w.Phase == absHold && a.recovered(w, is, limit, axle):
		next = absBuild
	case w.Phase == absBuild && pressure >= want:
		next = absFollow
	}
	if next != w.Phase {
		if next == absRelease && w.Phase != absHold && !free {
			w.Lock = max(pressure+min(is.gain, 0)*a.heavy[axle], 0)
		}
		if next == absFollow {
			w.Lock = 0
		}
		w.Phase, w.Time = next, 0
	}
	w.Step = a.pace(w, pressure, is.slip/limit)
}

// recovered tells whether a wheel has caught up with the car. Those behind must have
// stopped gaining speed: only wheels that roll freely show how fast the car goes.
func (a *antilock) recovered(w *ABSWheel, is sense, limit float64, axle int) bool {
	const share, calm, little, longest = 0.8, 2, 6, 0.3 // [-, m/s², m/s², s]
	slowing := is.gain - w.Gain                         // the more grip, the faster wheels are back
	settled := is.gain < calm+6*max(slowing-little, 0)
	return is.slip < share*limit && (axle == 0 || settled) || settled && w.Time > longest
}

// pace returns how much the pressure may change in this tick [bar], at a share of the slip
// that counts as locking.
func (a *antilock) pace(w *ABSWheel, pressure, share float64) float64 {
	const (
		near    = 0.95 // share of the locking pressure that is given back at once
		slowly  = 1.4  // then this share of it in a second
		least   = 10   // [bar/s]
		far     = 0.65 // share of the limit's slip, below which it grows faster
		rolling = 0.03 // [s], until that slip tells
		sooner  = 0.15 // [s], after which it grows faster: the road may have become better
	)
	switch {
	case w.Phase == absRelease:
		return a.release
	case w.Phase != absBuild:
		return 0
	case pressure < near*w.Lock:
		return a.build
	}
	late := w.Time / sooner
	early := 0.0 // the load has come to the wheel since it locked
	if w.Time >= rolling {
		early = 20 * max(far-share, 0)
	}
	return min((slowly*w.Lock+least)*(1+late*late+early)*a.dt, a.build)
}

// yawMomentDelay keeps a front wheel from building up pressure at once when the other one locks
// on worse ground, so that the driver has the time to steer against it. A bend presses
// towards its outside what it takes from the inside; aside is the acceleration that is
// felt, to the left [m/s²].
func (a *antilock) yawMomentDelay(left, right *WheelState, want *[4]float64, aside float64) {
	want[tire.FL] = a.neighbour(left, &right.ABS, want[tire.FL], a.loaded(-aside))
	want[tire.FR] = a.neighbour(right, &left.ABS, want[tire.FR], a.loaded(aside))
}

// loaded returns how many times the inner wheel's load a bend gives to the outer one; 1 for
// the inner one, from which the acceleration [m/s²] is negative.
func (a *antilock) loaded(outward float64) float64 {
	const most = 0.6 // of a wheel's load goes over
	k := min(max(a.leans*outward, 0), most)
	return (1 + k) / (1 - k)
}

// neighbour returns what a front wheel may want beside the other one [bar], whose load it has
// a few times.
func (a *antilock) neighbour(b *WheelState, other *ABSWheel, want, times float64) float64 {
	const alike = 1.5 // the wheels' grip is
	w, like := &b.ABS, times*other.Lock
	switch {
	case !other.Works() || w.Lock > 0 && w.Lock < alike*like:
		w.Most = 0
		return want
	case w.Most == 0:
		w.Most = like + a.ahead
	default:
		w.Most += a.yawDelay
	}
	if times > 1 {
		w.Most = max(w.Most, like+a.ahead)
	}
	return min(want, w.Most)
}

// hold returns a wheel's pressure a tick later [bar], which would follow the driver's to
// free.
func (w *ABSWheel) hold(pressure, free float64) float64 {
	switch w.Phase {
	case absRelease:
		return min(max(pressure-w.Step, 0), free)
	case absHold:
		return min(pressure, free)
	case absBuild:
		return min(pressure+w.Step, free)
	}
	return free
}

// pulse finds how much the pedal trembles from what valves and pump move.
func (a *antilock) pulse(s *State) {
	const lag, none = 0.05, 1e-3
	stirs := [...]float64{absBuild: 0.5, absHold: 0.3, absRelease: 1}
	at := func(i int) float64 { return stirs[s.Wheels[i].ABS.Phase] }
	sum := ((at(tire.FL) + at(tire.FR)) + (at(tire.RL) + at(tire.RR))) / 4
	s.Pulse += (sum - s.Pulse) * a.dt / (lag + a.dt)
	if sum == 0 && s.Pulse < none {
		s.Pulse = 0
	}
}
