package driver

import (
	"math"

	"rig.example/rig/sim/trial"
)

// LaneKeeper steers a car along the world's x axis.
type LaneKeeper struct {
	steadyAngle float64 // integral part, which corrects a steady pull to one side [rad at the road wheels]
}

// Steer returns the steering wheel angle [rad] for the next tick. It follows the arc that leads back to
// the axis at the preview distance, and countersteers if the heading leaves the direction of travel.
func (h *LaneKeeper) Steer(t *trial.Run) float64 {
	const (
		minPreview, previewTime   = 2.0, 0.5 // preview distance [m] and time [s]
		sideslipGain, yawRateGain = 2.0, 0.1 // gains on the sideslip angle and on the yaw rate [s]
		integralGain              = 0.3      // [1/s]
		maxRate                   = 600.0    // [°/s]
	)
	m, direction := trial.MotionOf(&t.State), travelDirection(&t.State)
	ahead := minPreview + previewTime*max(m.Vx, 0)
	direction += sideslipGain*math.Remainder(t.State.Yaw()-direction, 2*math.Pi) + yawRateGain*m.YawRate
	curvature := -2 * (t.State.Pos.Y + ahead*math.Sin(direction)) / (ahead * ahead)
	arc := curvature * (t.Params.Wheelbase + max(t.Car.Understeer(), 0)*m.Vx*m.Vx)
	maxAngle := t.MaxRoadWheelAngle() / 2
	h.steadyAngle = min(max(h.steadyAngle+integralGain*arc*t.Dt, -maxAngle), maxAngle)
	return moveToward(t.Input.Steer, t.SteeringWheelFor(h.steadyAngle+arc), maxRate*degree*t.Dt)
}

// MovePedal returns the position of a pedal, 0 to 1, after it moved from position towards target for dt
// [s]. A foot takes 0.1 s for the whole travel.
func MovePedal(position, target, dt float64) float64 {
	const speed = 10.0 // full pedal travels per second
	return moveToward(position, target, speed*dt)
}

// CruiseControl holds a speed with the throttle.
type CruiseControl struct {
	Base float64 // integral part: throttle that holds the speed, 0 to 1; the initial value may be a guess
}

// Throttle returns the throttle for a wanted speed [m/s].
func (c *CruiseControl) Throttle(t *trial.Run, speed float64) float64 {
	const proportional, integral = 0.25, 0.12 // proportional gain [s/m], integral gain [1/m]
	speedError := min(max(speed-trial.MotionOf(&t.State).Vx, -2), 2)
	c.Base = min(max(c.Base+integral*speedError*t.Dt, 0), 1)
	return min(max(c.Base+proportional*speedError, 0), 1)
}
