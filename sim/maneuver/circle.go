package maneuver

import (
	"math"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// steadyCircle holds the speed and increases the steering angle slowly: the constant-speed method of ISO
// 4138. The lateral acceleration grows by 0.25 m/s² per second, so that the car stays in steady state. An
// ideal controller holds the speed; the wheels are free of drive torque.
func steadyCircle(t *run, r *Result, o Options) error {
	const ayRate = 0.25 // [m/s³]
	t.PlaceRolling(o.Speed, 0)
	t.slowRamp(o, min(t.RoadWheelAngleFor(ayRate, o.Speed), t.MaxRoadWheelAngle()/10), 20)
	r.addCircleMetrics(t)
	return nil
}

// slowRamp increases the road wheel angle by a rate [rad/s], up to a lateral acceleration targetAy
// [m/s²], the lock, or the car's limit. A negative rate steers to the right.
func (t *run) slowRamp(o Options, rate, targetAy float64) {
	side, rate := math.Copysign(1, rate), math.Abs(rate)
	limit := rampLimit{side: side, targetAy: targetAy}
	for !t.RolledOver() && !limit.isReached(t) {
		angle := rate * t.Now()
		if angle > t.MaxRoadWheelAngle()+rate {
			return
		}
		t.Input.Steer = side * t.SteeringWheelFor(angle)
		t.HoldSpeed(o.Speed, 0)
		t.Step()
		if t.State.Tick%1024 == 0 {
			o.Progress(min(angle/t.MaxRoadWheelAngle(), 1))
		}
	}
}

// rampLimit detects the end of a ramp: lateral acceleration has reached the target, has not grown for
// five seconds, has fallen by a tenth, or the car spins.
type rampLimit struct {
	side       float64 // 1 for a ramp to the left, -1 to the right
	targetAy   float64 // [m/s²]
	ay, maxAy  float64 // smoothed lateral acceleration, and its largest value [m/s²]
	lastGrowth float64 // time of its last growth [s]
}

// isReached is called after each tick and reports whether the ramp ends.
func (l *rampLimit) isReached(t *run) bool {
	const maxStallTime = 5.0 // [s]
	l.ay += (l.side*trial.MotionOf(&t.State).Ay - l.ay) * min(t.Dt/0.2, 1)
	if l.ay > 1.005*l.maxAy {
		l.maxAy, l.lastGrowth = l.ay, t.Now()
	}
	return l.ay > l.targetAy || l.ay < 0.9*l.maxAy-0.05 || t.Now() > l.lastGrowth+maxStallTime || t.Spun()
}

// addCircleMetrics adds ISO 4138's metrics from the rows up to the largest lateral acceleration.
func (r *Result) addCircleMetrics(t *run) {
	rows, maxAy := untilMaxAy(t.Fine.Rows)
	low, high := min(1, 0.2*maxAy), min(4, 0.8*maxAy)
	gradientPerG := func(f signal) float64 { return gradient(rows, f, ayOf, low, high) * gravity }
	excess := func(q *trial.Row) float64 { return q.Steer - t.Params.Wheelbase*q.YawRate/max(q.Vx, slowest) }
	torque := func(q *trial.Row) float64 { return q.ColumnTorque }
	understeer := gradientPerG(excess) / degree
	r.add("understeer_gradient_deg_per_g", understeer, "°/g", "understeer gradient at the road wheels, 1 to 4 m/s²; positive understeers")
	r.add("understeer_gradient_wheel_deg_per_g", understeer*t.Params.Steering.Ratio, "°/g", "understeer gradient at the steering wheel")
	r.add("roll_gradient_deg_per_g", gradientPerG(rollOf)/degree, "°/g", "roll angle gradient, positive leans out of the bend")
	r.add("sideslip_gradient_deg_per_g", gradientPerG(betaOf)/degree, "°/g", "sideslip angle gradient at the center of mass, negative noses in")
	r.add("steering_torque_gradient_nm_per_g", gradientPerG(torque), "N·m/g", "gradient of the tires' torque on the column, negative turns it back")
	returnTorque, _ := peak(rows, func(q *trial.Row) float64 { return -q.ColumnTorque })
	r.add("max_steering_torque_nm", returnTorque, "N·m", "largest torque with which the tires turn the column back")
	r.add("max_ay_g", maxAy/gravity, "g", "largest lateral acceleration")
	liftTime := firstTime(rows, func(q *trial.Row) float64 { return -min(q.Fz[tire.FL], q.Fz[tire.RL]) }, 0)
	r.add("inner_wheel_lift_g", valueAt(rows, ayOf, liftTime)/gravity, "g", "lateral acceleration at which an inner wheel lifts")
	r.addVerdict("rolled_over", t.RolledOver(), "the car rolled over")
	r.Traces = append(r.Traces,
		overAy("Steering angle", "road wheels [°]", rows, steerOf, 1/degree),
		overAy("Understeer", "beyond the angle of the bend [°]", rows, excess, 1/degree),
		overAy("Roll angle", "roll [°]", rows, rollOf, 1/degree),
		overAy("Sideslip angle", "sideslip [°]", rows, betaOf, 1/degree),
		overAy("Steering torque", "column torque [N·m]", rows, torque, 1))
}

// untilMaxAy returns the rows up to the end of the 0.2 s with the largest mean lateral acceleration, and
// that mean [m/s²].
func untilMaxAy(rows []trial.Row) ([]trial.Row, float64) {
	const span = int(0.2 * trial.FineRate)
	largest, end, sum := 0.0, len(rows), 0.0
	for i := range rows {
		sum += rows[i].Ay
		if i >= span {
			sum -= rows[i-span].Ay
		}
		if meanAy := sum / float64(span); i >= span && meanAy > largest {
			largest, end = meanAy, i+1
		}
	}
	return rows[:end], largest
}

// overAy returns a plot of a signal, times factor, over lateral acceleration [g], with some 400 points.
func overAy(title, label string, rows []trial.Row, f signal, factor float64) Trace {
	const points = 400
	var sampled []trial.Row
	for i := 0; i < len(rows); i += max(len(rows)/points, 1) {
		sampled = append(sampled, rows[i])
	}
	return Trace{title, "lateral acceleration [g]", label, []Series{line("", sampled, ayOf, 1/gravity, f, factor)}}
}

// steeringAngleFor returns the steering wheel angle [rad] at a lateral acceleration ay [m/s²]. It is found by
// linear regression over the rows of the ramp with 1/3 to 5/4 of ay. It is NaN if the ramp did not reach
// ay.
func steeringAngleFor(t *run, rows []trial.Row, ay float64) float64 {
	rows, maxAy := untilMaxAy(rows)
	if maxAy < ay {
		return math.NaN()
	}
	slope := gradient(rows, steerOf, ayOf, ay/3, 1.25*ay)
	var inside []trial.Row
	for i := range rows {
		if rows[i].Ay >= ay/3 && rows[i].Ay <= 1.25*ay {
			inside = append(inside, rows[i])
		}
	}
	return t.SteeringWheelFor(mean(inside, steerOf) + slope*(ay-mean(inside, ayOf)))
}
