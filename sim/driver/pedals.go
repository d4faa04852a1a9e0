package driver

import (
	"math"

	"rig.example/rig/sim"
)

// pedals returns the throttle and brake, 0 to 1, with which the car follows the planned speed.
func (d *Model) pedals(m *Memory, s *sim.State) (throttle, brake float64) {
	const gain, lifted = 2.5, 0.02 // of the speed error [1/s]; throttle below which the pedal counts as released
	speed := max(s.Speed, 0)
	brakeForce, later := d.brakeFade(m, s)
	target, _ := d.plans.at(m.LineStation, later)
	_, accel := d.plans.at(m.LineStation+reactionTime*speed, later)
	if cautious := d.cautiousSpeed(m, speed); cautious < target {
		target, accel = cautious, min(accel, 0)
	}
	accel = min(accel+gain*(target-speed), d.cfg.Driving)
	resistance, fullThrottleAccel := d.resistance(speed)+d.gradeDecel(m), d.driveAccel(s.Driveline.Gear, speed)
	if accel > -resistance {
		return min((accel+resistance)/max(fullThrottleAccel, 0.5), d.maxThrottle(s)), 0
	}
	if m.Input.Throttle > lifted { // one foot moves both pedals: it releases the throttle before it brakes
		return 0, 0
	}
	return 0, min((-accel-resistance)/(brakeForce*d.limits.pedalGain), d.maxBrake(s))
}

// cautiousSpeed returns the largest speed [m/s] at which the car can follow the path back to the line. It
// is lower while wheels are beside the road.
func (d *Model) cautiousSpeed(m *Memory, speed float64) float64 {
	const margin, fadeDistance, slowSpeed = 1.3, 1.0, 10.0 // share of the lateral acceleration, [m], [m/s]
	speedLimit := math.Sqrt(margin * d.targetAy(m, speed, m.curvature) / max(math.Abs(m.curvature), 1e-6))
	if distance := d.beyondEdge(m.Station, m.LateralOffset) - d.params.Width/2; distance > 0 {
		speedLimit = min(speedLimit, max(slowSpeed, speed*(1-0.3*min(distance/fadeDistance, 1))))
	}
	return max(speedLimit, 3)
}

// gradeDecel returns the deceleration by the slope [m/s²].
func (d *Model) gradeDecel(m *Memory) float64 {
	slope := d.line.At(m.LineStation).Slope
	return d.params.Gravity * slope / math.Sqrt(1+slope*slope)
}

// maxThrottle returns the throttle that the driven tires can transmit: less when they spin or the rear
// axle slides.
func (d *Model) maxThrottle(s *sim.State) float64 {
	front, rear := axleSlipRatios(s)
	spin := 0.0
	if d.params.Driveline.FrontShare > 0 {
		spin = front
	}
	if d.params.Driveline.FrontShare < 1 {
		spin = max(spin, rear)
	}
	return min(max(2-spin/d.limits.peakSlip, 0), 1) * d.pedalShare(s)
}

// maxBrake returns the largest brake pedal position, 0 to 1, at which the wheels do not lock.
func (d *Model) maxBrake(s *sim.State) float64 {
	return min(max(2-brakingSlip(s)/d.limits.peakSlip, 0), 1) * d.pedalShare(s)
}

// pedalShare returns a factor on throttle and brake, 0 to 1. It is less than 1 while the rear axle slides,
// so that the rear tires have more grip left for the side force.
func (d *Model) pedalShare(s *sim.State) float64 {
	return 1 - slipAngleWeight(s.Speed)*min(2*d.rearSlide(s), 1)
}

// rearSlide returns by how much the rear slip angle exceeds the angle at which the rear axle slides, as a
// share of that angle; 0 below it.
func (d *Model) rearSlide(s *sim.State) float64 {
	_, rear := axleSlipAngles(s)
	return max(math.Abs(rear)/d.limits.rearSlideAngle-1, 0)
}
