package assist

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
)

// yawAidMoment returns a moment about the body's z that drives the yaw rate towards that of wheels without
// slip [N·m], positive left. No real car has such an aid; games have it so that the car turns easily.
func (e *Electronics) yawAidMoment(in *Sensors) float64 {
	const fullError, fullSpeed = 0.3, 5.0 // yaw rate error with the full moment [rad/s], and speed from which the moment is not reduced [m/s]
	mean, _ := e.steering.MeanAngle(in.Steer)
	yawError := in.Speed*math.Tan(mean)/e.wheelbase - in.YawRate
	fade := min(math.Abs(in.Speed)/fullSpeed, 1)
	return valid.Clamp(in.Switches.YawAid, 0, 1) * e.fullYawMoment * fade * min(max(yawError/fullError, -1), 1)
}

// lowSpeedDrag returns the drag on the rear axle's sideways motion [N·s/m]. It is full up to 1 m/s and 0 from
// 3 m/s on. No real car has such an aid; games have it so that a car does not slide while it is parked.
func (e *Electronics) lowSpeedDrag(in *Sensors) float64 {
	const fullSpeed, zeroSpeed = 1.0, 3.0 // [m/s]
	fade := min(max((zeroSpeed-math.Sqrt(r3.Dot(in.Vel, in.Vel)))/(zeroSpeed-fullSpeed), 0), 1)
	return valid.Clamp(in.Switches.LowSpeedAid, 0, 1) * e.fullSideDrag * fade
}
