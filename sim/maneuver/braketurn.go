package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/trial"
)

const (
	turnAy         = 5.0               // lateral acceleration in the bend [m/s²]
	turnRadius     = 100.0             // least radius of the bend [m]
	brakeTurnSpeed = 22.36067977499790 // √(turnAy·turnRadius) [m/s]
	turnSettleTime = 8.0               // time in the bend before braking [s]
	maxBrakeTime   = 10.0              // time limit of a run, from the start of braking [s]
)

// brakeRun is the outcome of braking in the bend with one pedal position.
type brakeRun struct {
	pedal    float64 // position of the brake pedal, 0 to 1
	decel    float64 // mean deceleration from 0.2 s to 1 s [m/s²]
	yawRatio float64 // yaw rate after 1 s over that of the same bend at the speed then
	offset   float64 // distance from the bend after 1 s, positive to its outside [m]
	beta     float64 // largest sideslip angle [rad]
	distance float64 // stopping distance [m]
	rows     []trial.Row
}

// brakeInTurn brakes in a steady bend (ISO 7975): 100 m radius at 5 m/s², wider at a higher speed, so
// that the lateral acceleration is the same. The steering wheel is held; the pedal takes 0.2 s; the car
// is in neutral. Each run presses a tenth of the pedal more than the one before.
func brakeInTurn(t *run, r *Result, o Options) error {
	radius := max(turnRadius, o.Speed*o.Speed/turnAy)
	t.settleInBend(o.Speed, radius)
	start := *t
	var runs []brakeRun
	for i := 1; i <= 10; i++ {
		*t = start
		t.StartRecording()
		runs = append(runs, t.brakeRun(float64(i)/10, radius))
		o.Progress(float64(i) / 10)
	}
	r.addBrakeTurnMetrics(runs)
	return nil
}

// settleInBend steers until the path has the radius [m] and the car is in steady state; an ideal
// controller holds the speed.
func (t *run) settleInBend(speed, radius float64) {
	const gain = 1.5 // [1/s]
	t.PlaceRolling(speed, 0)
	linearAngle := t.RoadWheelAngleFor(speed*speed/radius, speed)
	angle := linearAngle
	t.RunUntil(turnSettleTime, func(now float64) {
		curvature := trial.MotionOf(&t.State).YawRate / speed
		if now > 1 {
			angle += linearAngle * (1 - curvature*radius) * gain * t.Dt
		}
		angle = min(max(angle, 0), t.MaxRoadWheelAngle())
		t.Input.Steer = t.SteeringWheelFor(min(angle, stepRate*now))
		t.HoldSpeed(speed, 0)
	})
	t.Input.PushForce = 0
}

// brakeRun brakes from the present state to rest with a pedal position of 0 to 1, and measures how far
// the car leaves the bend of this radius [m].
func (t *run) brakeRun(pedal, radius float64) brakeRun {
	s := &t.State
	start, direction := s.Pos, math.Atan2(s.Vel.Y, s.Vel.X)
	sin, cos := math.Sincos(direction)
	center := r3.Vec{X: start.X - radius*sin, Y: start.Y + radius*cos}
	m := trial.MotionOf(s)
	startSpeed, startYawRate := math.Hypot(m.Vx, m.Vy), m.YawRate
	b := brakeRun{pedal: pedal}
	sampled := false
	for t.Now() < maxBrakeTime && !t.RolledOver() && math.Hypot(s.Vel.X, s.Vel.Y) > 0.05 {
		t.Input.Brake = pedal * min(t.Now()/0.2, 1)
		before := s.Pos
		t.Step()
		b.distance += r3.Norm(r3.Sub(s.Pos, before))
		row := trial.RowOf(t.Car, s, t.Now())
		if t.Now() <= 2 && row.Vx > 2 {
			b.beta = max(b.beta, math.Abs(row.Beta))
		}
		if !sampled && t.Now() >= 1 {
			sampled = true
			v := math.Hypot(row.Vx, row.Vy)
			b.decel = (speedAt(t.Fine.Rows, 0.2) - v) / (t.Now() - 0.2)
			b.yawRatio = row.YawRate / (startYawRate * v / startSpeed)
			b.offset = math.Hypot(s.Pos.X-center.X, s.Pos.Y-center.Y) - radius
		}
	}
	b.rows = t.Out.Rows
	return b
}

// speedAt returns the horizontal speed of the center of mass [m/s] at a time [s].
func speedAt(rows []trial.Row, when float64) float64 {
	return valueAt(rows, func(q *trial.Row) float64 { return math.Hypot(q.Vx, q.Vy) }, when)
}

// addBrakeTurnMetrics adds the metrics of the run whose deceleration is nearest to 4 m/s², and those of the
// full pedal.
func (r *Result) addBrakeTurnMetrics(runs []brakeRun) {
	const usualDecel = 4.0 // [m/s²]
	pick, hardest := runs[0], runs[0]
	for _, b := range runs {
		if math.Abs(b.decel-usualDecel) < math.Abs(pick.decel-usualDecel) {
			pick = b
		}
		if b.decel > hardest.decel && b.beta < 15*degree {
			hardest = b
		}
	}
	full := runs[len(runs)-1]
	r.Rows = pick.rows
	r.add("decel_mps2", pick.decel, "m/s²", "mean deceleration of the run nearest to 4 m/s², from 0.2 s to 1 s")
	r.add("yaw_ratio_1s", pick.yawRatio, "", "yaw rate after 1 s over that of the bend at the speed then; 1 keeps the bend")
	r.add("aside_1s_m", pick.offset, "m", "distance from the bend after 1 s, positive to its outside")
	r.add("max_sideslip_deg", pick.beta/degree, "°", "largest sideslip angle within 2 s")
	r.add("hardest_stable_mps2", hardest.decel, "m/s²", "largest deceleration with less than 15° of sideslip")
	r.add("full_decel_mps2", full.decel, "m/s²", "deceleration with the full pedal")
	r.add("full_yaw_ratio_1s", full.yawRatio, "", "yaw rate after 1 s over that of the bend, with the full pedal")
	r.add("full_max_sideslip_deg", full.beta/degree, "°", "largest sideslip angle within 2 s, with the full pedal")
	r.add("full_stopping_distance_m", full.distance, "m", "stopping distance with the full pedal, or the distance in 10 s")
	overDecel := func(f func(brakeRun) float64) (s Series) {
		for _, b := range runs {
			s.X, s.Y = append(s.X, b.decel), append(s.Y, f(b))
		}
		s.Name = "a tenth of the pedal more each"
		return s
	}
	const label = "mean deceleration [m/s²]"
	r.Traces = []Trace{
		{"Yaw rate after 1 s", label, "over that of the bend", []Series{overDecel(func(b brakeRun) float64 { return b.yawRatio })}},
		{"Displacement after 1 s", label, "to the outside [m]", []Series{overDecel(func(b brakeRun) float64 { return b.offset })}},
		{"Sideslip", label, "largest [°]", []Series{overDecel(func(b brakeRun) float64 { return b.beta / degree })}},
	}
}
