package maneuver

import (
	"fmt"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const openLoop = "open-loop"

// OpenLoop drives measured or foreign inputs on level, dry asphalt. Before their
// first line the car rolls straight ahead at the start speed until it is in
// balance. Speed or Ax are held by an ideal controller that pushes the car at the
// ground, its wheels free of drive torque; without them, and without a throttle,
// the car coasts in the start's gear. A throttle without a gear, from neutral, is
// shifted automatically. Where the inputs hold the speed and the start gives none,
// it is their first.
func OpenLoop(p sim.Params, in []Input, st Start, o Options) (*Result, error) {
	r, err := openLoopOf(p, in, st, o)
	if err != nil {
		return nil, fmt.Errorf("maneuver: %s: %w", openLoop, err)
	}
	return r, nil
}

func openLoopOf(p sim.Params, in []Input, st Start, o Options) (*Result, error) {
	given, err := columnsOf(in)
	if err != nil {
		return nil, err
	}
	if given.speed && st.Speed == 0 {
		st.Speed = in[0].Speed
	}
	if err := st.validate(len(p.Driveline.Gears)); err != nil {
		return nil, err
	}
	o.Speed = 0
	if o, err = o.settled(); err != nil {
		return nil, err
	}
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	t.replay(in, given, st, o)
	r := &Result{Maneuver: openLoop, Speed: st.Speed, Rows: t.Out.Rows}
	for i := range r.Rows {
		r.Rows[i].T += in[0].T
	}
	r.judgeReplay(t)
	o.Progress(1)
	return r, nil
}

// replay drives every line.
func (t *run) replay(in []Input, given columns, st Start, o Options) {
	shifting := given.throttle && !given.gear && st.Gear == 0
	gear := int8(st.Gear)
	if shifting {
		gear = t.gearFor(st.Speed)
	}
	t.RollTo(st.X, st.Y, st.Heading, st.Speed, gear)
	t.place(st.X, st.Y)
	t.Input.Assists.Clutch = !given.clutch
	first, last := in[0].T, in[len(in)-1].T
	k := 0
	t.Until(last-first, func(now float64) {
		for k+2 < len(in) && in[k+1].T-first <= now {
			k++
		}
		t.apply(given, &in[k], &in[k+1], now+first)
		if shifting {
			t.Input.Gear, t.Input.Assists.Clutch, t.Input.Assists.Shifting = 1, true, true
		}
		if t.State.Tick%1024 == 0 {
			o.Progress(now / (last - first))
		}
	})
}

// place moves the car, on level ground.
func (t *run) place(x, y float64) {
	t.State.Pos.X, t.State.Pos.Y = x, y
	t.Begin()
}

// apply sets the input between two lines, at a time [s].
func (t *run) apply(given columns, a, b *Input, now float64) {
	part := min(max((now-a.T)/(b.T-a.T), 0), 1)
	mix := func(from, to float64) float64 { return from + part*(to-from) }
	switch {
	case given.wheel:
		t.Input.Steer = mix(a.SteerWheel, b.SteerWheel)
	case given.road:
		t.Input.Steer = t.Wheel(mix(a.SteerRoad, b.SteerRoad))
	}
	switch {
	case given.speed:
		t.HoldSpeed(mix(a.Speed, b.Speed), (b.Speed-a.Speed)/(b.T-a.T))
		return
	case given.ax:
		t.HoldAx(mix(a.Ax, b.Ax))
		return
	}
	if given.throttle {
		t.Input.Throttle = mix(a.Throttle, b.Throttle)
	}
	if given.brake {
		t.Input.Brake = mix(a.Brake, b.Brake)
	}
	if given.clutch {
		t.Input.Clutch = mix(a.Clutch, b.Clutch)
	}
	if given.handbrake {
		t.Input.Handbrake = mix(a.Handbrake, b.Handbrake)
	}
	if given.gear {
		t.Input.Gear = int8(a.Gear)
		if now >= b.T {
			t.Input.Gear = int8(b.Gear)
		}
	}
}

// gearFor returns the highest gear in which the engine turns at 2000 rpm at a speed
// [m/s], or the first.
func (t *run) gearFor(speed float64) int8 {
	const turns = 2000.0 // [1/min]
	d := &t.Params.Driveline
	wheel := speed / t.Params.Rear.Radius() * 30 / math.Pi
	for g := len(d.Gears); g > 1; g-- {
		if wheel*d.Gears[g-1]*d.Final >= turns {
			return int8(g)
		}
	}
	return 1
}

func (r *Result) judgeReplay(t *run) {
	rows := t.Fine.Rows
	size := func(f signal) float64 {
		high, _ := peak(rows, f)
		low, _ := peak(rows, func(q *trial.Row) float64 { return -f(q) })
		return max(high, low)
	}
	last := rows[len(rows)-1]
	r.add("duration_s", last.T, "s", "driven")
	r.add("end_speed_kph", last.Vx/kph, "km/h", "speed at the end")
	r.add("max_ay_mps2", size(ayOf), "m/s²", "largest lateral acceleration to either side")
	r.add("max_yaw_rate_radps", size(yawOf), "rad/s", "largest yaw rate to either side")
	r.add("max_roll_deg", size(func(q *trial.Row) float64 { return q.Roll })/degree, "°", "largest roll angle to either side")
	r.add("max_sideslip_deg", size(func(q *trial.Row) float64 { return q.Beta })/degree, "°", "largest sideslip angle to either side")
	r.say("rolled_over", t.RolledOver(), "the car rolled over, and the run ended there")
}
