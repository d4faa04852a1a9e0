package brakes

import (
	"math"

	"rig.example/rig/sim/tire"
)

// sense is how a wheel moves against the car.
type sense struct {
	slip float64 // how much slower than the car [m/s]
	gain float64 // acceleration against the car's [m/s²]
}

// look reads the wheels' speeds, and finds from them and from an accelerometer how fast
// the car goes.
func (a *antilock) look(wheels *[4]sense, s *State, in *Input, want *[4]float64) {
	const even, light = 5, 0.5 // a wheel that rolls along: gains or loses little [m/s²], and is braked little
	way := math.Copysign(1, in.Spin[tire.FL]+in.Spin[tire.FR])
	felt := way*in.AccelX - s.ABS.Slope
	var steady, pressed float64 // fastest wheel that rolls along [m/s], highest pressure, here or wanted [bar]
	var axles [2]float64        // fastest wheel of each [m/s]
	for i := range wheels {
		b := &s.Wheels[i]
		speed := a.read(&b.ABS, math.Abs(in.Spin[i])*a.radius[i/2])
		speed += way * in.YawRate * a.side[i] // as fast as the car's middle in a bend
		wheels[i] = sense{-speed, b.ABS.Gain - felt}
		axles[i/2], pressed = max(axles[i/2], speed), max(pressed, b.Pressure, want[i])
		if math.Abs(wheels[i].gain) < even && b.Pressure <= light*b.ABS.Lock {
			steady = max(steady, speed)
		}
	}
	if pressed == 0 {
		a.roll(&s.ABS, min(axles[0], axles[1]), felt)
	} else {
		a.refer(&s.ABS, max(axles[0], axles[1]), steady, felt)
	}
	for i := range wheels {
		wheels[i].slip += s.ABS.Reference
	}
}

// read takes a new speed of a wheel [m/s] and returns it.
func (a *antilock) read(w *ABSWheel, speed float64) float64 {
	if w.Phase == absOff {
		w.Phase, w.Speed = absFollow, speed
	}
	w.Gain += ((speed-w.Speed)*a.perDt - w.Gain) * a.smooth
	w.Speed = speed
	return speed
}

const sunk = 4 // how fast the reference comes down to wheels that all roll along below [m/s²]

// doubtful reports whether the reference has gone so long without a wheel that shows it that
// it may be wrong by much of the slip that the tires bear.
func (a *antilock) doubtful(r *ABSState) bool {
	const drift, share, least = 0.3, 0.3, 0.4 // [m/s², -, s]
	return r.Guessed > max(share*a.slip[1]/drift*r.Reference, least)
}

// roll moves the reference speed of a car that is not braked towards its slower axle, for
// the other one's wheels may spin. What the accelerometer feels beside that is the slope.
func (a *antilock) roll(r *ABSState, speed, felt float64) {
	const lag, most = 2, 4 // [s, m/s²]
	r.Guessed = 0
	was := r.Reference
	if was == 0 {
		r.Reference = speed
		return
	}
	by := (math.Abs(felt) + sunk) * a.dt
	r.Reference = min(max(speed, was-by, 0), was+by)
	wrong := felt - (r.Reference-was)*a.perDt
	r.Slope = min(max(r.Slope+wrong*a.dt/(lag+a.dt), -most), most)
}

// refer moves the reference speed of a braked car: to the fastest wheel's, but falling no
// faster than the car slows by what the accelerometer feels [m/s²], and rising no faster than
// it gains by that. A wheel that the ABS lets roll along says more.
func (a *antilock) refer(r *ABSState, fastest, steady, felt float64) {
	const doubt = 0.1 // of the accelerometer, which the body's pitch tilts [m/s²]
	const caught = 50 // how fast it comes up to a wheel that rolls along [m/s²]
	was := r.Reference
	if was == 0 {
		was = fastest
	}
	less, more := max(-felt, 0)+doubt, max(felt, 0)+doubt
	r.Guessed += a.dt
	if steady == fastest {
		r.Guessed = 0
		less, more = less+sunk, caught
	}
	r.Reference = min(max(fastest, was-less*a.dt, 0), was+more*a.dt)
}
