package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	turnAy         = 5.0               // lateral acceleration in the bend [m/s²]
	turnRadius     = 100.0             // least radius of the bend [m]
	brakeTurnSpeed = 22.36067977499790 // √(turnAy·turnRadius)
	turnSettles    = 8.0               // in the bend [s]
	brakeEnds      = 10.0              // after the brakes come on [s]
)

// brakeRun is what one pedal left behind.
type brakeRun struct {
	pedal  float64
	slows  float64 // mean deceleration from 0.2 s to 1 s [m/s²]
	yaw    float64 // yaw rate after 1 s over that of the bend at the speed then
	aside  float64 // from the bend after 1 s, positive to its outside [m]
	beta   float64 // largest sideslip angle [rad]
	length float64 // way to a standstill [m]
	rows   []trial.Row
}

// brakeInTurn brakes out of a steady bend (ISO 7975): 100 m radius at 5 m/s², wider
// at a higher speed, so that the lateral acceleration stays. The steering wheel is
// held; the pedal takes 0.2 s; the car is in neutral. One run after another takes
// a tenth of the pedal more.
func brakeInTurn(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	radius := max(turnRadius, o.Speed*o.Speed/turnAy)
	t.intoBend(o.Speed, radius)
	start := *t
	var runs []brakeRun
	for i := 1; i <= 10; i++ {
		*t = start
		t.Begin()
		runs = append(runs, t.brakeRun(float64(i)/10, radius))
		o.Progress(float64(i) / 10)
	}
	r := &Result{Speed: o.Speed}
	r.judgeBraking(runs)
	return r, nil
}

// intoBend steers until the path has the radius [m] and the car is in balance; an
// ideal controller holds the speed.
func (t *run) intoBend(speed, radius float64) {
	const quick = 1.5 // [1/s]
	t.Roll(speed, 0)
	base := t.RoadFor(speed*speed/radius, speed)
	angle := base
	t.Until(turnSettles, func(now float64) {
		bend := trial.MotionOf(&t.State).YawRate / speed
		if now > 1 {
			angle += base * (1 - bend*radius) * quick * t.Dt
		}
		angle = min(max(angle, 0), t.MostRoad())
		t.Input.Steer = t.Wheel(min(angle, stepRate*now))
		t.HoldSpeed(speed, 0)
	})
	t.Input.Push = 0
}

// brakeRun brakes with a pedal from where the car is, until it stands.
func (t *run) brakeRun(pedal, radius float64) brakeRun {
	s := &t.State
	from, course := s.Pos, math.Atan2(s.Vel.Y, s.Vel.X)
	sin, cos := math.Sincos(course)
	middle := r3.Vec{X: from.X - radius*sin, Y: from.Y + radius*cos}
	m := trial.MotionOf(s)
	speed, yaw := math.Hypot(m.Vx, m.Vy), m.YawRate
	b := brakeRun{pedal: pedal}
	noted := false
	for t.Now() < brakeEnds && !t.RolledOver() && math.Hypot(s.Vel.X, s.Vel.Y) > 0.05 {
		t.Input.Brake = pedal * min(t.Now()/0.2, 1)
		before := s.Pos
		t.Step()
		b.length += r3.Norm(r3.Sub(s.Pos, before))
		now := trial.RowOf(t.Car, s, t.Now())
		if t.Now() <= 2 && now.Vx > 2 {
			b.beta = max(b.beta, math.Abs(now.Beta))
		}
		if !noted && t.Now() >= 1 {
			noted = true
			v := math.Hypot(now.Vx, now.Vy)
			b.slows = (speedAt(t.Fine.Rows, 0.2) - v) / (t.Now() - 0.2)
			b.yaw = now.YawRate / (yaw * v / speed)
			b.aside = math.Hypot(s.Pos.X-middle.X, s.Pos.Y-middle.Y) - radius
		}
	}
	b.rows = t.Out.Rows
	return b
}

func speedAt(rows []trial.Row, when float64) float64 {
	return at(rows, func(q *trial.Row) float64 { return math.Hypot(q.Vx, q.Vy) }, when)
}

// judgeBraking gives the figures of the run that slows nearest to 4 m/s², and what
// the full pedal does.
func (r *Result) judgeBraking(runs []brakeRun) {
	const usual = 4.0 // [m/s²]
	pick, hardest := runs[0], runs[0]
	for _, b := range runs {
		if math.Abs(b.slows-usual) < math.Abs(pick.slows-usual) {
			pick = b
		}
		if b.slows > hardest.slows && b.beta < 15*degree {
			hardest = b
		}
	}
	full := runs[len(runs)-1]
	r.Rows = pick.rows
	r.add("decel_mps2", pick.slows, "m/s²", "mean deceleration of the run nearest to 4 m/s², from 0.2 s to 1 s")
	r.add("yaw_ratio_1s", pick.yaw, "", "yaw rate after 1 s over that of the bend at the speed then; 1 keeps the bend")
	r.add("aside_1s_m", pick.aside, "m", "from the bend after 1 s, positive to its outside")
	r.add("max_sideslip_deg", pick.beta/degree, "°", "largest sideslip angle within 2 s")
	r.add("hardest_stable_mps2", hardest.slows, "m/s²", "largest deceleration with less than 15° of sideslip")
	r.add("full_decel_mps2", full.slows, "m/s²", "deceleration with the full pedal")
	r.add("full_yaw_ratio_1s", full.yaw, "", "its yaw rate after 1 s over that of the bend")
	r.add("full_max_sideslip_deg", full.beta/degree, "°", "its largest sideslip angle within 2 s")
	r.add("full_stopping_distance_m", full.length, "m", "its way to a standstill, or in 10 s")
	x := func(f func(brakeRun) float64) (s Series) {
		for _, b := range runs {
			s.X, s.Y = append(s.X, b.slows), append(s.Y, f(b))
		}
		s.Name = "a tenth of the pedal more each"
		return s
	}
	const label = "mean deceleration [m/s²]"
	r.Traces = []Trace{
		{"Yaw rate after 1 s", label, "over that of the bend", []Series{x(func(b brakeRun) float64 { return b.yaw })}},
		{"Displacement after 1 s", label, "to the outside [m]", []Series{x(func(b brakeRun) float64 { return b.aside })}},
		{"Sideslip", label, "largest [°]", []Series{x(func(b brakeRun) float64 { return b.beta / degree })}},
	}
}
