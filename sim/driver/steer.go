package driver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/trial"
)

// reactionTime is the preview time for the planned speed and curvature [s].
const reactionTime = 0.12

// steerAngle returns the steering wheel angle [rad]. It is the angle that the car needs for the curvature
// and lateral acceleration after the reaction time, with a correction of the predicted offset from the
// line, and with countersteer if the rear axle slides.
func (d *Model) steerAngle(m *Memory, s *sim.State) float64 {
	speed := max(s.Speed, 0)
	m.curvature = d.targetCurvature(m, s, speed)
	limit, bank := d.bankedLimit(m, speed)
	roadWheelAngle := m.curvature*d.params.Wheelbase + d.limits.understeer.at((speed*speed*m.curvature+bank)/limit)
	return d.steering.SteeringWheelFor(d.limitFrontSlip(roadWheelAngle+d.counterSteer(m, s, (m.lateralAccel+bank)/limit), s))
}

// targetCurvature returns the curvature of the path to take [1/m], positive to the left: that of the
// line, plus that of the arc which leads from the predicted offset back to the line.
func (d *Model) targetCurvature(m *Memory, s *sim.State, speed float64) float64 {
	const (
		previewTime      = 0.55    // [s]
		extraTime        = 0.1     // [s], added to the car's lag
		minPreview       = 4.0     // preview distance at standstill [m]
		offsetGain       = 3.0     // on the road, the preview distance is at least this many times the offset
		maxOffsetPreview = 12.0    // largest preview distance because of the offset [m]
		maxSine          = 0.6     // sine of the largest angle at which the car approaches the line
		maxArc           = 1.0 / 3 // largest offset to correct, over the preview distance
		lastingShare     = 0.5     // share of the lateral acceleration in excess of the line's that is expected to last
	)
	here := d.line.At(m.LineStation)
	ahead := minPreview + max(previewTime, extraTime+2*d.responseTime(speed))*speed
	if d.beyondEdge(m.Station, m.LateralOffset) < 0 {
		ahead = max(ahead, min(offsetGain*math.Abs(m.LineOffset), maxOffsetPreview))
	}
	offset := min(max(m.LineOffset, -maxSine*ahead), maxSine*ahead)
	drift := (m.lateralAccel - speed*speed*here.Curvature) / 2 // [m/s²], half
	previewDuration := ahead / max(speed, 5)                   // [s]
	predictedOffset := offset + ahead*math.Sin(travelDirection(s)-here.Heading) + lastingShare*drift*previewDuration*previewDuration
	predictedOffset = min(max(predictedOffset, -maxArc*ahead), maxArc*ahead)
	return d.line.At(m.LineStation+reactionTime*speed).Curvature - 2*predictedOffset/(ahead*ahead)
}

// responseTime returns how long the car takes to respond to steering at a speed [s]: until the rear axle
// has the slip angle for the wanted lateral acceleration.
func (d *Model) responseTime(speed float64) float64 {
	const maxTime = 1.0
	halfAy := d.limits.lateral.at(speed) / 2
	return min(max(-d.limits.rearSlip.at(0.5)/halfAy*speed, 0), maxTime)
}

// bankedLimit returns the largest lateral acceleration that the tires allow on the banked road, where a
// bend changes the wheel loads, and the lateral acceleration that the tires need to hold the car on the
// bank when it drives straight, positive to the left [m/s²].
func (d *Model) bankedLimit(m *Memory, speed float64) (limit, bank float64) {
	const minLoad, maxLoad = 0.5, 2.0 // share of the weight
	p, g := d.line.At(m.LineStation+reactionTime*speed), max(d.params.Gravity, 0.1)
	sin, cos := math.Sincos(p.Bank)
	load := min(max(cos-speed*speed*p.Curvature*sin/g, minLoad), maxLoad)
	lateral := &d.limits.lateral
	return max(d.lineGrip(m.LineStation)*(lateral.base*load+lateral.aero*speed*speed), 0.5), d.params.Gravity * sin
}

// travelDirection returns the direction of travel [rad], or the heading at low speed.
func travelDirection(s *sim.State) float64 {
	const minSpeed = 3.0 // [m/s]
	if s.Speed > minSpeed {
		return math.Atan2(s.Vel.Y, s.Vel.X)
	}
	return s.Yaw()
}

// counterSteer returns the road wheel angle [rad] to add when the rear axle moves further out than it should in the bend, or
// when the yaw rate is not that of the path. used is the signed share of the lateral grip that the bend takes up.
//
// Brakes take load and grip from the rear tires: braked hard, most cars would turn in by themselves, growing e-fold in half a
// second to two seconds. A driver who steers by the path alone cannot hold them, nor one who does not countersteer at small
// angles: the car swings to and fro in that zone. In a linear single-track model the braked pickup and wheelcollider swing with
// a damping ratio of -0.04 to -0.6 without both gains, the worse the faster, and of 0.5 to 0.2 with them.
func (d *Model) counterSteer(m *Memory, s *sim.State, used float64) float64 {
	const gain, slideGain, yawGain = 0.6, 1.2, 0.5 // on the excess angle, on its part beyond the limit, on the missing yaw rate
	_, rear := axleSlipAngles(s)
	excess := m.rearDirection - d.limits.rearDirection.at(used)
	slide := math.Copysign(d.limits.rearSlideAngle*d.rearSlide(s), rear)
	missing := d.params.Wheelbase * (m.curvature - m.yawRate/max(s.Speed, 1))
	return slipAngleWeight(s.Speed) * (gain*excess + slideGain*slide + yawGain*missing)
}

// limitFrontSlip limits the road wheel angle [rad] so that the slip angle of the front tires stays near
// its peak, because beyond the peak more steering does not turn the car further.
func (d *Model) limitFrontSlip(roadWheelAngle float64, s *sim.State) float64 {
	weight := slipAngleWeight(s.Speed)
	if weight == 0 {
		return roadWheelAngle
	}
	m := trial.MotionOf(s)
	path := math.Atan2(m.Vy+d.params.CGToFront*m.YawRate, max(m.Vx, 1)) // direction of the front axle
	limit := d.limits.frontPeakAngle * (1.1 + 3*(1-weight))             // wider where slow, and a little past the peak
	return min(max(roadWheelAngle, path-limit), path+limit)
}

// slipAngleWeight returns the weight of slip angles at a speed [m/s]: it rises from 0 at 3 m/s to 1 at
// 7 m/s, because slip angles mean little at low speed.
func slipAngleWeight(speed float64) float64 {
	const from, to = 3.0, 7.0 // [m/s]
	return min(max((speed-from)/(to-from), 0), 1)
}
