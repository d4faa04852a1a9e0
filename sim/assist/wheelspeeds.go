package assist

import (
	"math"

	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// measurement holds the values that the electronics compute from their sensors in a tick.
type measurement struct {
	wheels       [4]float64 // speed of the car's middle as it follows from each wheel [m/s]
	speed        float64    // estimated speed along the car [m/s]
	tanSteer     float64    // tangent of the mean front wheel angle, times 1 minus the rear wheels' share of it
	yawRate      float64    // yaw rate [rad/s], positive left
	lateralAccel float64    // lateral acceleration [m/s²], positive left
}

// measure computes m from the sensors and updates the reference speed, which is the integral of the
// acceleration, corrected towards the speed of freely rolling wheels.
func (e *Electronics) measure(m *measurement, s *State, in *Sensors, o *Orders) {
	m.yawRate, m.lateralAccel = in.YawRate, in.AccelY
	mean, _ := e.steering.MeanAngle(in.Steer)
	sin, cos := curve.SinCos(mean)
	m.tanSteer = sin / cos
	m.tanSteer *= 1 - e.steering.RearShare(in.Speed)
	e.carSpeeds(in, m, sin, 1/cos)
	e.updateReference(s, in, o.Throttle, m)
}

// updateReference moves the reference speed by a tick. If every wheel is driven or braked, the wheel that
// slips least corrects it, but only slowly in the direction in which this wheel may slip itself.
func (e *Electronics) updateReference(s *State, in *Sensors, throttle float64, m *measurement) {
	braking := in.Brake > 0 || in.Handbrake > 0
	wheelSpeed, anyFree := e.speedFromWheels(in, braking, &m.wheels)
	ref := &s.Reference
	if *ref == 0 { // in the first tick, and at rest
		*ref = wheelSpeed
	}
	const correctionRate, maxCorrection, minCorrection, nearlyFull = 20.0, 4.0, 0.2, 0.98 // [1/s], [m/s²], [m/s²], share of the torque
	correction := correctionRate * (wheelSpeed - *ref)
	if !anyFree {
		outward, inward := maxCorrection, maxCorrection
		if braking {
			inward = minCorrection
		} else if throttle > 0 && s.Traction.Cut < nearlyFull {
			outward = minCorrection
		}
		if wheelSpeed < 0 {
			outward, inward = inward, outward
		}
		correction = min(max(correction, -inward), outward)
	}
	*ref += e.dt * (in.Accel + correction)
	m.speed = *ref
}

// carSpeeds sets m.wheels: the speed of the car's middle as it follows from each wheel's speed, with
// corrections for the yaw rate and, in front, for the steering angle, whose sine and inverse cosine are
// given.
func (e *Electronics) carSpeeds(in *Sensors, m *measurement, sin, perCos float64) {
	yawPart := in.YawRate * e.wheelbase * sin
	front, rear := in.YawRate*e.halfTrack[0], in.YawRate*e.halfTrack[1]
	m.wheels[tire.FL] = (in.Spin[tire.FL]*e.radius[tire.FL]-yawPart)*perCos + front
	m.wheels[tire.FR] = (in.Spin[tire.FR]*e.radius[tire.FR]-yawPart)*perCos - front
	m.wheels[tire.RL] = in.Spin[tire.RL]*e.radius[tire.RL] + rear
	m.wheels[tire.RR] = in.Spin[tire.RR]*e.radius[tire.RR] - rear
}

// speedFromWheels returns the mean speed of the wheels that are neither driven nor braked [m/s], and true. If there
// are none, it returns the speed of the wheel that slips least, and false.
func (e *Electronics) speedFromWheels(in *Sensors, braking bool, wheels *[4]float64) (speed float64, anyFree bool) {
	const released = 0.005 // share of the full brake torque below which a brake counts as released
	var sums, counts [2]float64
	for i := range wheels {
		if !e.driven[i/2] && in.BrakeTorque[i] < released*e.brakeTorque[i] {
			sums[i/2] += wheels[i]
			counts[i/2]++
		}
	}
	if n := counts[0] + counts[1]; n > 0 {
		return (sums[0] + sums[1]) / n, true
	}
	front, rear := fasterOrSlower(wheels[tire.FL], wheels[tire.FR], braking), fasterOrSlower(wheels[tire.RL],
		wheels[tire.RR], braking)
	return fasterOrSlower(front, rear, braking), false
}

// fasterOrSlower returns the speed with the larger magnitude if fast is true, otherwise the one with the
// smaller magnitude.
func fasterOrSlower(a, b float64, fast bool) float64 {
	switch {
	case math.Abs(a) == math.Abs(b):
		return max(a, b)
	case (math.Abs(a) > math.Abs(b)) == fast:
		return a
	}
	return b
}
