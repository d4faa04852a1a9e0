package maneuver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

const (
	liftShare = 0.8 // share of the largest lateral acceleration
	liftTime  = 2.0 // measured time after the throttle is released [s]
)

// liftRun is the outcome of releasing the throttle in one gear.
type liftRun struct {
	gear           int8
	rpm            float64
	decel          float64 // mean deceleration in the first second [m/s²]
	yawRatio       float64 // yaw rate after 1 s over that of the same bend at the speed then
	maxYawRatio    float64 // the largest such ratio within 2 s
	offset         float64 // distance from the bend after 1 s, positive to its outside [m]
	sideslipChange float64 // change of the sideslip angle in 1 s [rad]
	maxSideslip    float64 // largest sideslip angle within 2 s [rad]
	spun           bool
	rows           []trial.Row
}

// throttleLift releases the throttle in a steady bend (ISO 9816) of 100 m radius at 80 % of the largest
// lateral acceleration, with the steering wheel held and the clutch engaged, in each gear whose engine
// speed allows it. With Options.Speed the radius is that of the same lateral acceleration.
func throttleLift(t *run, r *Result, o Options) error {
	t.Assists.AutoShift = false // each gear has its run
	ay := liftShare * t.maxAy(max(o.Speed, 80*kph), o)
	radius := turnRadius
	if o.Speed == 0 {
		o.Speed = math.Sqrt(ay * radius)
	} else {
		radius = o.Speed * o.Speed / ay
	}
	r.Speed = o.Speed
	r.add("radius_m", radius, "m", "radius of the bend")
	r.add("ay_mps2", ay, "m/s²", "lateral acceleration of the bend, 80 % of the largest")
	runs := t.liftInEveryGear(o, radius)
	if len(runs) == 0 {
		return fmt.Errorf("speed [km/h] = %g: no gear holds it in a bend of %.0f m; choose another", o.Speed/kph, radius)
	}
	r.addLiftMetrics(runs)
	return nil
}

// maxAy measures the largest lateral acceleration at a speed [m/s²] in a slow ramp.
func (t *run) maxAy(speed float64, o Options) float64 {
	const ayRate = 0.5 // [m/s³]
	defer t.AssistsOff()()
	t.PlaceRolling(speed, 0)
	quiet := o
	quiet.Speed, quiet.Progress = speed, func(float64) {}
	t.slowRamp(quiet, min(t.RoadWheelAngleFor(ayRate, speed), t.MaxRoadWheelAngle()/10), 25)
	_, largest := untilMaxAy(t.Fine.Rows)
	o.Progress(0.3)
	return max(largest, 0.1)
}

// liftInEveryGear drives every gear whose engine speed is between idling and shifting up.
func (t *run) liftInEveryGear(o Options, radius float64) []liftRun {
	var runs []liftRun
	d := &t.Params.Driveline
	n := int8(len(d.Gears))
	for gear := int8(1); gear <= n; gear++ {
		rpm := math.Abs(t.Car.Underway(r3.Vec{}, 0, o.Speed, gear).Driveline.EngineSpeed) * 30 / math.Pi
		if n > 1 && (rpm < 1.3*d.IdleRPM || rpm > d.ShiftUpRPM) {
			continue
		}
		if l, ok := t.lift(o.Speed, radius, gear); ok && (len(runs) == 0 || runs[len(runs)-1].gear != l.gear) {
			runs = append(runs, l)
		}
		o.Progress(0.3 + 0.7*float64(gear)/float64(n))
	}
	return runs
}

// lift drives the bend with the throttle until the car is in steady state, and releases it. It reports
// whether the steady state was reached.
func (t *run) lift(speed, radius float64, gear int8) (l liftRun, ok bool) {
	const settleTime, gain, tolerance = 14.0, 1.5, 0.05 // [s], [1/s], share
	t.PlaceRolling(speed, gear)
	cruise, linearAngle := driver.CruiseControl{Base: 0.15}, t.RoadWheelAngleFor(speed*speed/radius, speed)
	angle := linearAngle
	t.RunUntil(settleTime, func(now float64) {
		if now > 2 {
			angle += linearAngle * (1 - trial.MotionOf(&t.State).YawRate/speed*radius) * gain * t.Dt
		}
		angle = min(max(angle, 0), t.MaxRoadWheelAngle())
		t.Input.Steer = t.SteeringWheelFor(min(angle, stepRate*now/4))
		t.Input.Throttle = cruise.Throttle(&t.Run, speed)
	})
	m := trial.MotionOf(&t.State)
	ok = math.Abs(m.Vx-speed) < tolerance*speed && math.Abs(m.YawRate*radius/speed-1) < tolerance
	if !ok || t.RolledOver() {
		return l, false
	}
	t.releaseThrottle(&l)
	return l, true
}

// releaseThrottle releases the throttle and writes the response of the car into l.
func (t *run) releaseThrottle(l *liftRun) {
	s := &t.State
	l.gear, l.rpm = s.Driveline.Gear, s.RPM()
	t.StartRecording()
	first := t.Fine.Rows[0]
	speed := math.Hypot(first.Vx, first.Vy)
	radius := speed / first.YawRate
	direction := math.Atan2(s.Vel.Y, s.Vel.X)
	sin, cos := math.Sincos(direction)
	center := r3.Vec{X: s.Pos.X - radius*sin, Y: s.Pos.Y + radius*cos}
	sampled := false
	t.RunUntil(liftTime, func(now float64) {
		t.Input.Throttle = driver.MovePedal(t.Input.Throttle, 0, t.Dt)
		row := trial.RowOf(t.Car, s, now)
		v := max(math.Hypot(row.Vx, row.Vy), 1e-3)
		ratio := row.YawRate / (first.YawRate * v / speed)
		l.maxYawRatio, l.maxSideslip = max(l.maxYawRatio, ratio), max(l.maxSideslip, math.Abs(row.Beta))
		if !sampled && now >= 1 {
			sampled = true
			l.decel, l.yawRatio, l.sideslipChange = (speed-v)/now, ratio, row.Beta-first.Beta
			l.offset = math.Hypot(s.Pos.X-center.X, s.Pos.Y-center.Y) - radius
		}
		l.spun = l.spun || t.Spun()
	})
	l.rows = t.Out.Rows
}

// addLiftMetrics adds the metrics of the gear that brakes most, and plots of all.
func (r *Result) addLiftMetrics(runs []liftRun) {
	hardest, spun := runs[0], false
	for _, l := range runs {
		if l.decel > hardest.decel {
			hardest = l
		}
		spun = spun || l.spun
	}
	r.Rows = hardest.rows
	r.add("gear", float64(hardest.gear), "", "gear with the largest deceleration, to which the following values belong")
	r.add("rpm", hardest.rpm, "1/min", "engine speed in the bend")
	r.add("decel_mps2", hardest.decel, "m/s²", "mean deceleration in the first second")
	r.add("yaw_ratio_1s", hardest.yawRatio, "", "yaw rate after 1 s over that of the bend at the speed then; 1 keeps the bend, more turns in")
	r.add("max_yaw_ratio", hardest.maxYawRatio, "", "largest such ratio within 2 s")
	r.add("sideslip_change_1s_deg", hardest.sideslipChange/degree, "°", "change of the sideslip angle in 1 s, positive when the tail comes in")
	r.add("max_sideslip_deg", hardest.maxSideslip/degree, "°", "largest sideslip angle within 2 s")
	r.add("aside_1s_m", hardest.offset, "m", "distance from the bend after 1 s, positive to its outside")
	for _, l := range runs {
		r.add(fmt.Sprintf("yaw_ratio_1s_gear_%d", l.gear), l.yawRatio, "", fmt.Sprintf("the same as yaw_ratio_1s in gear %d", l.gear))
	}
	r.addVerdict("spun", spun, "the car spun in one of the gears")
	overGear := func(title, label string, f func(liftRun) float64) Trace {
		s := Series{Name: "gears as points"}
		for _, l := range runs {
			s.X, s.Y = append(s.X, float64(l.gear)), append(s.Y, f(l))
		}
		return Trace{title, "gear", label, []Series{s}}
	}
	r.Traces = []Trace{
		overGear("Yaw rate after 1 s", "over that of the bend", func(l liftRun) float64 { return l.yawRatio }),
		overGear("Sideslip", "largest [°]", func(l liftRun) float64 { return l.maxSideslip / degree }),
		overGear("Deceleration", "mean of 1 s [m/s²]", func(l liftRun) float64 { return l.decel }),
	}
}
