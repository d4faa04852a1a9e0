package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const (
	stepAt   = 0.5 // when the steering begins [s]
	stepRate = 0.4 // at the road wheels [rad/s]
	stepEnds = 5.0 // [s]
	stepAims = 4.0 // lateral acceleration [m/s²]
)

// stepSteer turns the steering wheel as fast as 0.4 rad/s at the road wheels to an
// angle that leads to 4 m/s² (ISO 7401), which it finds by trying. An ideal
// controller holds the speed; the wheels are free of drive torque.
func stepSteer(p sim.Params, o Options) (*Result, error) {
	const tries, near = 4, 0.2 // [m/s²]
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	angle := t.RoadFor(stepAims, o.Speed)
	for try := 1; ; try++ {
		t.stepTo(angle, o.Speed)
		o.Progress(float64(try) / tries)
		ay := mean(during(t.Fine.Rows, stepEnds-0.5, stepEnds), ayOf)
		next := min(angle*min(max(stepAims/max(ay, 0.1), 0.4), 2), t.MostRoad())
		if try == tries || math.Abs(ay-stepAims) < near || next == angle {
			break
		}
		angle = next
	}
	r := &Result{Speed: o.Speed, Rows: t.Out.Rows}
	r.judgeStep(t, angle)
	return r, nil
}

// stepTo drives one step to a mean road wheel angle [rad] at a speed [m/s].
func (t *run) stepTo(angle, speed float64) {
	t.Roll(speed, 0)
	t.Until(stepEnds, func(now float64) {
		t.Input.Steer = t.Wheel(min(stepRate*max(now-stepAt, 0), angle))
		t.HoldSpeed(speed, 0)
	})
}

// judgeStep takes the figures of the response. Times count from the start of the
// steering; ISO 7401 counts from when half of it is done, which is given beside.
func (r *Result) judgeStep(t *run, angle float64) {
	rows := during(t.Fine.Rows, stepAt, stepEnds)
	end := during(rows, stepEnds-0.5, stepEnds)
	steer := mean(end, func(q *trial.Row) float64 { return q.Steer })
	roll := func(q *trial.Row) float64 { return q.Roll }
	yaw, ay, lean := mean(end, yawOf), mean(end, ayOf), mean(end, roll)
	yaw90 := reaches(rows, yawOf, 0.9*yaw) - stepAt
	ay90 := reaches(rows, ayOf, 0.9*ay) - stepAt
	half := angle / 2 / stepRate
	top, when := peak(rows, yawOf)
	topRoll, _ := peak(rows, roll)
	r.add("yaw_gain_1ps", yaw/steer, "1/s", "steady yaw rate over road wheel angle")
	r.add("yaw_t90_s", yaw90, "s", "until the yaw rate is at 90 %, from the start of the steering")
	r.add("ay_t90_s", ay90, "s", "until the lateral acceleration is at 90 %, from the start of the steering")
	r.add("yaw_t90_iso_s", yaw90-half, "s", "the yaw rate's, from when half of the steering is done (ISO 7401)")
	r.add("ay_t90_iso_s", ay90-half, "s", "the lateral acceleration's, from when half of the steering is done (ISO 7401)")
	r.add("yaw_overshoot_pct", 100*(top/yaw-1), "%", "overshoot of the yaw rate")
	r.add("yaw_peak_time_s", when-stepAt, "s", "until the yaw rate's peak, from the start of the steering")
	r.add("ay_gain_mps2_per_rad", ay/steer, "m/s²/rad", "steady lateral acceleration over road wheel angle")
	r.add("ay_steady_mps2", ay, "m/s²", "steady lateral acceleration")
	r.add("steer_deg", steer/degree, "°", "road wheel angle")
	r.add("steering_wheel_deg", t.State.Steer/degree, "°", "steering wheel angle")
	r.add("roll_steady_deg", lean/degree, "°", "steady roll angle")
	r.add("roll_overshoot_pct", 100*(topRoll/lean-1), "%", "overshoot of the roll angle")
	r.add("sideslip_steady_deg", mean(end, func(q *trial.Row) float64 { return q.Beta })/degree, "°", "steady sideslip angle")
	r.say("rolled_over", t.RolledOver(), "the car rolled over")
	if math.Abs(ay-stepAims) > 0.5 {
		r.Notes = append(r.Notes, "the car does not settle at 4 m/s² at this speed")
	}
}
