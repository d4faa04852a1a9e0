package maneuver

import (
	"gonum.org/v1/gonum/stat"

	"rig.example/rig/sim/trial"
)

// coastdown lets the car roll in neutral, straight ahead, down to 5 km/h, and measures the time, the
// distance and the road load that follows from the deceleration (after ISO 10521).
func coastdown(t *run, r *Result, o Options) error {
	const maxTime = 900.0 // [s]
	t.PlaceRolling(o.Speed, 0)
	end := min(5*kph, 0.5*o.Speed)
	startX := t.State.Pos.X
	for t.State.Speed > end && t.Now() < maxTime {
		t.Step()
		if t.State.Tick%4096 == 0 {
			o.Progress((o.Speed - t.State.Speed) / (o.Speed - end))
		}
	}
	r.add("time_s", t.Now(), "s", "until 5 km/h, or half of an entry speed below 10 km/h")
	r.add("distance_m", t.State.Pos.X-startX, "m", "rolled in that time")
	r.add("end_speed_kph", t.State.Speed/kph, "km/h", "speed at the end")
	if t.State.Speed > end {
		r.Notes = append(r.Notes, "still rolling after 900 s: time and distance end there")
	}
	constant, square := roadLoad(t.Fine.Rows, t.given.Mass)
	r.add("road_load_f0_n", constant, "N", "resistance at a standstill, of a fit F = f0 + f2·v²")
	r.add("road_load_f2_n_per_mps2", square, "N/(m/s)²", "growth of the resistance with the square of the speed, of the same fit")
	return nil
}

// roadLoad fits the resistance F = f0 + f2·v² [N] to mass times deceleration of a car that coasts. The
// rotational inertia of the wheels is neglected.
func roadLoad(rows []trial.Row, mass float64) (f0, f2 float64) {
	var v2, force []float64
	for i := range rows {
		v2 = append(v2, rows[i].Vx*rows[i].Vx)
		force = append(force, -mass*rows[i].Ax)
	}
	return stat.LinearRegression(v2, force, nil, false)
}
