package sim

import "math"

// steerAngles are the road wheel angles [rad, positive left] and how much each
// turns for one radian of the steering wheel.
type steerAngles struct {
	angle [4]float64
	gain  [4]float64
}

// steer returns the road wheel angles of a steering wheel angle [rad].
func (c *Car) steer(wheel float64) (a steerAngles) {
	p := &c.p.Steering
	most := p.MaxSteer * math.Pi / 180
	mean := min(max(wheel/p.Ratio, -most), most)
	if mean == 0 {
		a.gain[FL], a.gain[FR] = 1/p.Ratio, 1/p.Ratio
		return a
	}
	tan := math.Tan(mean)
	half := c.p.TrackFront / 2 / c.p.Wheelbase
	a.angle[FL], a.gain[FL] = ackermann(mean, tan, half, p.Ackermann)
	a.angle[FR], a.gain[FR] = ackermann(mean, tan, -half, p.Ackermann)
	a.gain[FL] /= p.Ratio
	a.gain[FR] /= p.Ratio
	return a
}

// ackermann returns a wheel's angle, and its slope over the mean angle. side is
// the wheel's distance to the left of the middle over the wheelbase; share
// leads from parallel (0) to rolling about one common point (1):
// tan(angle) = tan(mean)/(1 - side·tan(mean)).
func ackermann(mean, tan, side, share float64) (angle, slope float64) {
	rest := 1 - side*tan
	rolling := math.Atan(tan / rest)
	grow := (1 + tan*tan) / (rest*rest + tan*tan)
	return mean + share*(rolling-mean), 1 + share*(grow-1)
}

// columnTorque returns what the front tires do to the steering column [N·m],
// positive to the left: the aligning moment and the side force on the caster
// trail, through the steering's ratio. In a left bend it is negative.
func (c *Car) columnTorque(s *State, a steerAngles) float64 {
	side := func(i int) float64 {
		w := &s.Wheels[i]
		return (w.Mz - c.p.Steering.Caster*w.Fy) * a.gain[i]
	}
	return side(FL) + side(FR)
}
