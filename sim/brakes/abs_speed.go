package brakes

import (
	"math"

	"rig.example/rig/sim/tire"
)

// wheelMotion is the motion of a wheel relative to the car.
type wheelMotion struct {
	slip  float64 // speed of the car minus that of the wheel [m/s]
	accel float64 // acceleration of the wheel minus that of the car [m/s²]
}

// measure sets wheels to the wheels' motions relative to the car. It estimates the car's speed (the reference
// speed) from the wheels' speeds and an accelerometer.
func (a *antilock) measure(wheels *[4]wheelMotion, s *State, in *Input, want *[4]float64) {
	const steady, lowPressure = 5, 0.5 // a wheel rolls freely below this acceleration [m/s²] and this share of its locking pressure
	forward := math.Copysign(1, in.Spin[tire.FL]+in.Spin[tire.FR])
	carAccel := forward*in.AccelX - s.ABS.SlopeAccel
	// speed of the fastest freely rolling wheel [m/s], highest pressure, actual or wanted [bar]
	var rolling, pressure float64
	var axles [2]float64 // fastest wheel of each axle [m/s]
	for i := range wheels {
		b := &s.Wheels[i]
		w, speed := &b.ABS, math.Abs(in.Spin[i])*a.radius[i/2]
		if w.Phase == absOff {
			w.Phase, w.Speed = absFollow, speed
		}
		w.Accel += ((speed-w.Speed)*a.perDt - w.Accel) * a.filterGain
		w.Speed = speed
		speed += forward * in.YawRate * a.lateral[i] // speed of the car's middle in a bend
		wheels[i] = wheelMotion{-speed, w.Accel - carAccel}
		axles[i/2], pressure = max(axles[i/2], speed), max(pressure, b.Pressure, want[i])
		if math.Abs(wheels[i].accel) < steady && b.Pressure <= lowPressure*w.LockPressure {
			rolling = max(rolling, speed)
		}
	}
	if pressure == 0 {
		a.followUnbraked(&s.ABS, min(axles[0], axles[1]), carAccel)
	} else {
		a.followBraked(&s.ABS, max(axles[0], axles[1]), rolling, carAccel)
	}
	for i := range wheels {
		wheels[i].slip += s.ABS.Reference
	}
}

const catchUpDecel = 4 // additional deceleration of the reference speed towards slower wheels [m/s²]

// referenceIsStale reports whether no wheel has shown the car's speed for so long that the error of the
// reference speed may be a large part of the slip limit.
func (a *antilock) referenceIsStale(r *ABSState) bool {
	const (
		drift         = 0.3 // of the reference speed [m/s²]
		maxErrorShare = 0.3 // share of the slip limit that the error of the reference speed may reach
		minAge        = 0.4 // [s]
	)
	return r.ReferenceAge > max(maxErrorShare*a.slipLimit[1]/drift*r.Reference, minAge)
}

// followUnbraked moves the reference speed of a car that is not braked towards the speed of its slower axle
// [m/s], because the wheels of the other axle may spin. The difference between the accelerometer's reading
// and the acceleration of the reference speed is taken as the slope of the road.
func (a *antilock) followUnbraked(r *ABSState, speed, carAccel float64) {
	const lag, maxSlope = 2, 4 // [s, m/s²]
	r.ReferenceAge = 0
	before := r.Reference
	if before == 0 {
		r.Reference = speed
		return
	}
	step := (math.Abs(carAccel) + catchUpDecel) * a.dt
	r.Reference = min(max(speed, before-step, 0), before+step)
	slopeError := carAccel - (r.Reference-before)*a.perDt
	r.SlopeAccel = min(max(r.SlopeAccel+slopeError*a.dt/(lag+a.dt), -maxSlope), maxSlope)
}

// followBraked moves the reference speed of a braked car towards the speed of its fastest wheel [m/s], but
// not faster than the accelerometer allows; carAccel is its reading without the slope [m/s²]. rolling is the
// speed of the fastest freely rolling wheel [m/s]. If that wheel is the fastest of all, it shows the car's
// speed.
func (a *antilock) followBraked(r *ABSState, fastest, rolling, carAccel float64) {
	const sensorError = 0.1 // error of the accelerometer, which the body's pitch tilts [m/s²]
	const catchUpAccel = 50 // acceleration of the reference speed towards a freely rolling wheel [m/s²]
	before := r.Reference
	if before == 0 {
		before = fastest
	}
	fall, rise := max(-carAccel, 0)+sensorError, max(carAccel, 0)+sensorError
	r.ReferenceAge += a.dt
	if rolling == fastest {
		r.ReferenceAge = 0
		fall, rise = fall+catchUpDecel, catchUpAccel
	}
	r.Reference = min(max(fastest, before-fall*a.dt, 0), before+rise*a.dt)
}
