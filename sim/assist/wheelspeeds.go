package assist

import (
	"math"

	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/tire"
)

// measured is what the electronics make of their sensors in a tick: wheel speeds, yaw
// rate, accelerometer and steering wheel.
type measured struct {
	wheels [4]float64 // speed of the car by each wheel [m/s]
	speed  float64    // reference speed, along the car [m/s]
	steer  float64    // tangent of the mean road wheel angle, less what the rear wheels take of it
	yaw    float64    // rate [rad/s]
	ay     float64    // [m/s²]
}

// measure reads the sensors and follows the reference speed: the integral of the
// acceleration, which is taken to be known without the slope's part, drawn to the wheels
// that roll freely.
func (e *Electronics) measure(m *measured, s *State, in *Sensors, o *Orders) {
	m.yaw, m.ay = in.YawRate, in.AccelY
	mean, _ := e.steering.Mean(in.Steer)
	sin, cos := curve.SinCos(mean)
	m.steer = sin / cos
	m.steer *= 1 - e.steering.RearShare(in.Speed)
	e.asOne(in, m, sin, 1/cos)
	e.refer(s, in, o.Throttle, m)
}

// refer moves the reference speed on. Where every wheel is driven or braked the one that
// slips least draws it, and hardly so the way in which that one may slip itself.
func (e *Electronics) refer(s *State, in *Sensors, throttle float64, m *measured) {
	braking := in.Brake > 0 || in.Handbrake > 0
	rolled, free := e.rolled(in, braking, &m.wheels)
	ref := &s.Reference
	if *ref == 0 { // just switched on, or at rest
		*ref = rolled
	}
	const draws, most, least, idle = 20.0, 4.0, 0.2, 0.98 // [1/s], [m/s²], [m/s²], share of the torque
	draw := draws * (rolled - *ref)
	if !free {
		outward, inward := most, most
		if braking {
			inward = least
		} else if throttle > 0 && s.Traction.Cut < idle {
			outward = least
		}
		if rolled < 0 {
			outward, inward = inward, outward
		}
		draw = min(max(draw, -inward), outward)
	}
	*ref += e.dt * (in.Accel + draw)
	m.speed = *ref
}

// asOne turns each wheel's speed into the car's: without the yaw rate's part, and
// in front without what the steering angle, of a sine and one over its cosine, makes of it.
func (e *Electronics) asOne(in *Sensors, m *measured, sin, perCos float64) {
	swing := in.YawRate * e.wheelbase * sin
	front, rear := in.YawRate*e.half[0], in.YawRate*e.half[1]
	m.wheels[tire.FL] = (in.Spin[tire.FL]*e.radius[tire.FL]-swing)*perCos + front
	m.wheels[tire.FR] = (in.Spin[tire.FR]*e.radius[tire.FR]-swing)*perCos - front
	m.wheels[tire.RL] = in.Spin[tire.RL]*e.radius[tire.RL] + rear
	m.wheels[tire.RR] = in.Spin[tire.RR]*e.radius[tire.RR] - rear
}

// rolled returns the mean speed of the wheels that are neither driven nor braked, or,
// without any, that of the wheel that slips least.
func (e *Electronics) rolled(in *Sensors, braking bool, wheels *[4]float64) (speed float64, free bool) {
	const loose = 0.005 // of full pressure
	var sums, counts [2]float64
	for i := range wheels {
		if !e.driven[i/2] && in.Braking[i] < loose*e.full[i] {
			sums[i/2] += wheels[i]
			counts[i/2]++
		}
	}
	if n := counts[0] + counts[1]; n > 0 {
		return (sums[0] + sums[1]) / n, true
	}
	front, rear := beside(wheels[tire.FL], wheels[tire.FR], braking), beside(wheels[tire.RL], wheels[tire.RR], braking)
	return beside(front, rear, braking), false
}

// beside returns the faster of two speeds if fast, or the slower one, whichever way they go.
func beside(a, b float64, fast bool) float64 {
	switch {
	case math.Abs(a) == math.Abs(b):
		return max(a, b)
	case (math.Abs(a) > math.Abs(b)) == fast:
		return a
	}
	return b
}
