package maneuver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	liftShare = 0.8 // of the largest lateral acceleration
	liftEnds  = 2.0 // after the throttle is let go [s]
)

// lifted is what one gear leaves behind.
type lifted struct {
	gear  int8
	rpm   float64
	slows float64 // mean deceleration in the first second [m/s²]
	yaw   float64 // yaw rate after 1 s over that of the bend at the speed then
	most  float64 // the largest of that within 2 s
	aside float64 // from the bend after 1 s, positive to its outside [m]
	beta  float64 // change of the sideslip angle until 1 s [rad]
	peak  float64 // largest sideslip angle within 2 s [rad]
	spun  bool
	rows  []trial.Row
}

// throttleLift lets go of the throttle in a steady bend (ISO 9816): 100 m radius at 80 %
// of the largest lateral acceleration, steering wheel held, clutch closed, in each gear
// that has the revs. At another speed the bend is wider or narrower.
func throttleLift(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	t.Assists.Shifting = false // each gear has its run
	ay := liftShare * t.mostAy(max(o.Speed, 80*kph), o)
	radius := turnRadius
	if o.Speed == 0 {
		o.Speed = math.Sqrt(ay * radius)
	} else {
		radius = o.Speed * o.Speed / ay
	}
	r := &Result{Speed: o.Speed}
	r.add("radius_m", radius, "m", "of the bend")
	r.add("ay_mps2", ay, "m/s²", "lateral acceleration of the bend, 80 % of the largest")
	runs := t.liftAll(o, radius)
	if len(runs) == 0 {
		return nil, fmt.Errorf("speed [km/h] = %g: no gear holds it in a bend of %.0f m; choose another", o.Speed/kph, radius)
	}
	r.judgeLifts(runs)
	return r, nil
}

// mostAy returns the largest lateral acceleration at a speed [m/s²], by slowly steering
// more.
func (t *run) mostAy(speed float64, o Options) float64 {
	const grows = 0.5 // [m/s³]
	defer t.Unaided()()
	t.Roll(speed, 0)
	held := o
	held.Speed, held.Progress = speed, func(float64) {}
	t.slowRamp(held, min(t.RoadFor(grows, speed), t.MostRoad()/10), 25)
	_, most := rising(t.Fine.Rows)
	o.Progress(0.3)
	return max(most, 0.1)
}

// liftAll drives every gear whose revs lie between idling and shifting up.
func (t *run) liftAll(o Options, radius float64) []lifted {
	var runs []lifted
	d := &t.Params.Driveline
	n := int8(len(d.Gears))
	for gear := int8(1); gear <= n; gear++ {
		revs := math.Abs(t.Car.Underway(r3.Vec{}, 0, o.Speed, gear).Driveline.Engine) * 30 / math.Pi
		if n > 1 && (revs < 1.3*d.Idle || revs > d.ShiftUp) {
			continue
		}
		if l, ok := t.lift(o.Speed, radius, gear); ok && (len(runs) == 0 || runs[len(runs)-1].gear != l.gear) {
			runs = append(runs, l)
		}
		o.Progress(0.3 + 0.7*float64(gear)/float64(n))
	}
	return runs
}

// lift drives into the bend by its own throttle until the car is in balance, and lets go.
func (t *run) lift(speed, radius float64, gear int8) (l lifted, ok bool) {
	const settles, quick, wrong = 14.0, 1.5, 0.05 // [s], [1/s], share
	t.Roll(speed, gear)
	pedal, base := driver.CruiseControl{Base: 0.15}, t.RoadFor(speed*speed/radius, speed)
	angle := base
	t.Until(settles, func(now float64) {
		if now > 2 {
			angle += base * (1 - trial.MotionOf(&t.State).YawRate/speed*radius) * quick * t.Dt
		}
		angle = min(max(angle, 0), t.MostRoad())
		t.Input.Steer = t.Wheel(min(angle, stepRate*now/4))
		t.Input.Throttle = pedal.Throttle(&t.Run, speed)
	})
	m := trial.MotionOf(&t.State)
	ok = math.Abs(m.Vx-speed) < wrong*speed && math.Abs(m.YawRate*radius/speed-1) < wrong
	if !ok || t.RolledOver() {
		return l, false
	}
	t.letGo(&l)
	return l, true
}

// letGo takes the foot off and watches.
func (t *run) letGo(l *lifted) {
	s := &t.State
	l.gear, l.rpm = s.Driveline.Gear, s.RPM()
	t.Begin()
	first := t.Fine.Rows[0]
	speed := math.Hypot(first.Vx, first.Vy)
	radius := speed / first.YawRate
	course := math.Atan2(s.Vel.Y, s.Vel.X)
	sin, cos := math.Sincos(course)
	middle := r3.Vec{X: s.Pos.X - radius*sin, Y: s.Pos.Y + radius*cos}
	noted := false
	t.Until(liftEnds, func(now float64) {
		t.Input.Throttle = driver.MovePedal(t.Input.Throttle, 0, t.Dt)
		row := trial.RowOf(t.Car, s, now)
		v := max(math.Hypot(row.Vx, row.Vy), 1e-3)
		ratio := row.YawRate / (first.YawRate * v / speed)
		l.most, l.peak = max(l.most, ratio), max(l.peak, math.Abs(row.Beta))
		if !noted && now >= 1 {
			noted = true
			l.slows, l.yaw, l.beta = (speed-v)/now, ratio, row.Beta-first.Beta
			l.aside = math.Hypot(s.Pos.X-middle.X, s.Pos.Y-middle.Y) - radius
		}
		l.spun = l.spun || t.Spun()
	})
	l.rows = t.Out.Rows
}

// judgeLifts gives the figures of the gear that brakes most and those of all in plots.
func (r *Result) judgeLifts(runs []lifted) {
	pick, spun := runs[0], false
	for _, l := range runs {
		if l.slows > pick.slows {
			pick = l
		}
		spun = spun || l.spun
	}
	r.Rows = pick.rows
	r.add("gear", float64(pick.gear), "", "the one that slows most; the figures below are its")
	r.add("rpm", pick.rpm, "1/min", "of the engine in the bend")
	r.add("decel_mps2", pick.slows, "m/s²", "mean deceleration in the first second")
	r.add("yaw_ratio_1s", pick.yaw, "", "yaw rate after 1 s over that of the bend at the speed then; 1 keeps the bend, more turns in")
	r.add("max_yaw_ratio", pick.most, "", "its largest within 2 s")
	r.add("sideslip_change_1s_deg", pick.beta/degree, "°", "change of the sideslip angle in 1 s, positive when the tail comes in")
	r.add("max_sideslip_deg", pick.peak/degree, "°", "largest sideslip angle within 2 s")
	r.add("aside_1s_m", pick.aside, "m", "from the bend after 1 s, positive to its outside")
	for _, l := range runs {
		r.add(fmt.Sprintf("yaw_ratio_1s_gear_%d", l.gear), l.yaw, "", fmt.Sprintf("the same as yaw_ratio_1s in gear %d", l.gear))
	}
	r.say("spun", spun, "the car turned round in one of the gears")
	over := func(title, label string, f func(lifted) float64) Trace {
		s := Series{Name: "gears as points"}
		for _, l := range runs {
			s.X, s.Y = append(s.X, float64(l.gear)), append(s.Y, f(l))
		}
		return Trace{title, "gear", label, []Series{s}}
	}
	r.Traces = []Trace{
		over("Yaw rate after 1 s", "over that of the bend", func(l lifted) float64 { return l.yaw }),
		over("Sideslip", "largest [°]", func(l lifted) float64 { return l.peak / degree }),
		over("Deceleration", "mean of 1 s [m/s²]", func(l lifted) float64 { return l.slows }),
	}
}
