package maneuver

import (
	"math"
)

const (
	stepStart = 0.5 // start of steering [s]
	stepRate  = 0.4 // steering rate at the road wheels [rad/s]
	stepEnd   = 5.0 // end of the run [s]
	stepAy    = 4.0 // target of the lateral acceleration [m/s²]
)

// stepSteer turns the steering wheel at 0.4 rad/s of road wheel angle to an angle that leads to 4 m/s²
// (ISO 7401), found by iteration. An ideal controller holds the speed; the wheels are free of drive
// torque.
func stepSteer(t *run, r *Result, o Options) error {
	const tries, tolerance = 4, 0.2 // [m/s²]
	angle := t.RoadWheelAngleFor(stepAy, o.Speed)
	for try := 1; ; try++ {
		t.stepTo(angle, o.Speed)
		o.Progress(float64(try) / tries)
		ay := mean(rowsBetween(t.Fine.Rows, stepEnd-0.5, stepEnd), ayOf)
		next := min(angle*min(max(stepAy/max(ay, 0.1), 0.4), 2), t.MaxRoadWheelAngle())
		if try == tries || math.Abs(ay-stepAy) < tolerance || next == angle {
			break
		}
		angle = next
	}
	r.addStepMetrics(t, angle)
	return nil
}

// stepTo drives one step to a mean road wheel angle [rad] at a speed [m/s].
func (t *run) stepTo(angle, speed float64) {
	t.PlaceRolling(speed, 0)
	t.RunUntil(stepEnd, func(now float64) {
		t.Input.Steer = t.SteeringWheelFor(min(stepRate*max(now-stepStart, 0), angle))
		t.HoldSpeed(speed, 0)
	})
}

// addStepMetrics adds the metrics of the response. Times count from the start of steering; those after ISO
// 7401 count from when half of the angle is reached.
func (r *Result) addStepMetrics(t *run, angle float64) {
	rows := rowsBetween(t.Fine.Rows, stepStart, stepEnd)
	end := rowsBetween(rows, stepEnd-0.5, stepEnd)
	steer := mean(end, steerOf)
	yawRate, ay, rollAngle := mean(end, yawRateOf), mean(end, ayOf), mean(end, rollOf)
	yaw90 := firstTime(rows, yawRateOf, 0.9*yawRate) - stepStart
	ay90 := firstTime(rows, ayOf, 0.9*ay) - stepStart
	halfTime := angle / 2 / stepRate
	maxYawRate, maxYawRateTime := peak(rows, yawRateOf)
	maxRoll, _ := peak(rows, rollOf)
	r.add("yaw_gain_1ps", yawRate/steer, "1/s", "steady yaw rate over road wheel angle")
	r.add("yaw_t90_s", yaw90, "s", "until the yaw rate is at 90 %, from the start of the steering")
	r.add("ay_t90_s", ay90, "s", "until the lateral acceleration is at 90 %, from the start of the steering")
	r.add("yaw_t90_iso_s", yaw90-halfTime, "s", "until the yaw rate is at 90 %, from half of the steering (ISO 7401)")
	r.add("ay_t90_iso_s", ay90-halfTime, "s", "until the lateral acceleration is at 90 %, from half of the steering (ISO 7401)")
	r.add("yaw_overshoot_pct", 100*(maxYawRate/yawRate-1), "%", "overshoot of the yaw rate")
	r.add("yaw_peak_time_s", maxYawRateTime-stepStart, "s", "until the yaw rate's peak, from the start of the steering")
	r.add("ay_gain_mps2_per_rad", ay/steer, "m/s²/rad", "steady lateral acceleration over road wheel angle")
	r.add("ay_steady_mps2", ay, "m/s²", "steady lateral acceleration")
	r.add("steer_deg", steer/degree, "°", "final road wheel angle")
	r.add("steering_wheel_deg", t.State.Steer/degree, "°", "final steering wheel angle")
	r.add("roll_steady_deg", rollAngle/degree, "°", "steady roll angle")
	r.add("roll_overshoot_pct", 100*(maxRoll/rollAngle-1), "%", "overshoot of the roll angle")
	r.add("sideslip_steady_deg", mean(end, betaOf)/degree, "°", "steady sideslip angle")
	r.addVerdict("rolled_over", t.RolledOver(), "the car rolled over")
	if math.Abs(ay-stepAy) > 0.5 {
		r.Notes = append(r.Notes, "the car does not settle at 4 m/s² at this speed")
	}
}
