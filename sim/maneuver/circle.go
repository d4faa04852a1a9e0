package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// steadyCircle holds the speed and lets the steering angle grow slowly, ISO 4138's
// method of constant speed. Lateral acceleration grows by 0.25 m/s² each second,
// so that the car is in balance all along. An ideal controller holds the speed;
// the wheels are free of drive torque.
func steadyCircle(p sim.Params, o Options) (*Result, error) {
	const grows = 0.25 // [m/s³]
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	t.Roll(o.Speed, 0)
	t.slowRamp(o, min(t.RoadFor(grows, o.Speed), t.MostRoad()/10), 20)
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.judgeCircle(t)
	return r, nil
}

// slowRamp steers by a rate [rad/s at the road wheels], up to a lateral
// acceleration [m/s²], the lock, or the limit.
func (t *run) slowRamp(o Options, rate, enough float64) {
	limit := limit{enough: enough}
	for !t.RolledOver() && !limit.met(t) {
		angle := rate * t.Now()
		if angle > t.MostRoad()+rate {
			return
		}
		t.Input.Steer = t.Wheel(angle)
		t.HoldSpeed(o.Speed, 0)
		t.Step()
		if t.State.Tick%1024 == 0 {
			o.Progress(min(angle/t.MostRoad(), 1))
		}
	}
}

// limit finds the end of a ramp: lateral acceleration has reached what is enough,
// has not grown for five seconds, falls again by a tenth, or the car turns round.
type limit struct {
	enough     float64 // [m/s²]
	slow, best float64 // lateral acceleration, smoothed, and its largest [m/s²]
	grew       float64 // when it last grew [s]
}

func (l *limit) met(t *run) bool {
	const patience = 5.0 // [s]
	l.slow += (trial.MotionOf(&t.State).Ay - l.slow) * min(t.Dt/0.2, 1)
	if l.slow > 1.005*l.best {
		l.best, l.grew = l.slow, t.Now()
	}
	return l.slow > l.enough || l.slow < 0.9*l.best-0.05 || t.Now() > l.grew+patience || t.Spun()
}

// judgeCircle takes ISO 4138's figures from the part up to the largest acceleration.
func (r *Result) judgeCircle(t *run) {
	rows, most := rising(t.Fine.Rows)
	low, high := min(1, 0.2*most), min(4, 0.8*most)
	per := func(f signal) float64 { return gradient(rows, f, ayOf, low, high) * gravity }
	excess := func(q *trial.Row) float64 { return q.Steer - t.Params.Wheelbase*q.YawRate/max(q.Vx, slowest) }
	roll := func(q *trial.Row) float64 { return q.Roll }
	beta := func(q *trial.Row) float64 { return q.Beta }
	torque := func(q *trial.Row) float64 { return q.ColumnTorque }
	steer := func(q *trial.Row) float64 { return q.Steer }
	under := per(excess) / degree
	r.add("understeer_gradient_deg_per_g", under, "°/g", "understeer gradient at the road wheels, 1 to 4 m/s²")
	r.add("understeer_gradient_wheel_deg_per_g", under*t.Params.Steering.Ratio, "°/g", "the same at the steering wheel")
	r.add("roll_gradient_deg_per_g", per(roll)/degree, "°/g", "roll angle gradient, positive leans out of the bend")
	r.add("sideslip_gradient_deg_per_g", per(beta)/degree, "°/g", "sideslip angle gradient at the centre of mass, negative noses in")
	r.add("steering_torque_gradient_nm_per_g", per(torque), "N·m/g", "gradient of the tires' torque on the column, negative turns it back")
	back, _ := peak(rows, func(q *trial.Row) float64 { return -q.ColumnTorque })
	r.add("max_steering_torque_nm", back, "N·m", "largest torque with which the tires turn the column back")
	r.add("max_ay_g", most/gravity, "g", "largest lateral acceleration")
	lift := reaches(rows, func(q *trial.Row) float64 { return -min(q.Fz[tire.FL], q.Fz[tire.RL]) }, 0)
	r.add("inner_wheel_lift_g", at(rows, ayOf, lift)/gravity, "g", "lateral acceleration at which an inner wheel lifts")
	r.say("rolled_over", t.RolledOver(), "the car rolled over")
	r.Traces = append(r.Traces,
		overAy("Steering angle", "road wheels [°]", rows, steer, 1/degree),
		overAy("Understeer", "beyond the angle of the bend [°]", rows, excess, 1/degree),
		overAy("Roll angle", "roll [°]", rows, roll, 1/degree),
		overAy("Sideslip angle", "sideslip [°]", rows, beta, 1/degree),
		overAy("Steering torque", "column torque [N·m]", rows, torque, 1))
}

// rising returns the rows up to the largest lateral acceleration, by its mean over
// 0.2 s, and that [m/s²].
func rising(rows []trial.Row) ([]trial.Row, float64) {
	const span = int(0.2 * trial.FineRate)
	most, end, sum := 0.0, len(rows), 0.0
	for i := range rows {
		sum += rows[i].Ay
		if i >= span {
			sum -= rows[i-span].Ay
		}
		if now := sum / float64(span); i >= span && now > most {
			most, end = now, i+1
		}
	}
	return rows[:end], most
}

// overAy is a plot over lateral acceleration, thinned to what a plot shows.
func overAy(title, label string, rows []trial.Row, f signal, by float64) Trace {
	const points = 400
	var thin []trial.Row
	for i := 0; i < len(rows); i += max(len(rows)/points, 1) {
		thin = append(thin, rows[i])
	}
	return Trace{title, "lateral acceleration [g]", label, []Series{line("", thin, ayOf, 1/gravity, f, by)}}
}

// angleFor returns the steering wheel angle at a lateral acceleration [rad, m/s²],
// by a straight line through the ramp from a third of it to a quarter more, NaN if
// the ramp never got there.
func angleFor(t *run, rows []trial.Row, ay float64) float64 {
	rows, most := rising(rows)
	if most < ay {
		return math.NaN()
	}
	steer := func(q *trial.Row) float64 { return q.Steer }
	slope := gradient(rows, steer, ayOf, ay/3, 1.25*ay)
	var inside []trial.Row
	for i := range rows {
		if rows[i].Ay >= ay/3 && rows[i].Ay <= 1.25*ay {
			inside = append(inside, rows[i])
		}
	}
	return t.Wheel(mean(inside, steer) + slope*(ay-mean(inside, ayOf)))
}
