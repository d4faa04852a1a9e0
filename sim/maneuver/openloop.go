package maneuver

import (
	"fmt"

	"rig.example/rig/road"
	"rig.example/rig/sim"
)

// openLoop is the name of open-loop runs in results and errors.
const openLoop = "open-loop"

// OpenLoop drives the given inputs on level, dry asphalt and returns the recording and its metrics.
//
// Before the first row of inputs the car rolls straight ahead at the start speed until it is in steady
// state. If the inputs have Speed or Ax, an ideal controller holds it by pushing the car at ground level,
// and the wheels are free of drive torque. Without Speed, Ax and Throttle the car coasts in the start's
// gear. With Throttle but without Gear, from neutral, the car shifts automatically. If the inputs have
// Speed and the start speed is 0, the start speed is that of the first input.
func OpenLoop(p sim.Params, in []Input, st Start, o Options) (*Result, error) {
	r, err := openLoopOf(p, in, st, o)
	if err != nil {
		return nil, fmt.Errorf("maneuver: %s: %w", openLoop, err)
	}
	return r, nil
}

// openLoopOf is OpenLoop with errors that do not name the manoeuvre.
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
	if o, err = o.withDefaults(); err != nil {
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
	r.addReplayMetrics(t)
	o.Progress(1)
	return r, nil
}

// replay drives all rows of inputs and interpolates between them.
func (t *run) replay(in []Input, given columns, st Start, o Options) {
	shifting := given.throttle && !given.gear && st.Gear == 0
	gear := int8(st.Gear)
	if shifting {
		gear = t.Params.GearFor(st.Speed)
	}
	t.PlaceRollingAt(st.X, st.Y, st.Heading, st.Speed, gear)
	t.State.Pos.X, t.State.Pos.Y = st.X, st.Y
	t.StartRecording()
	t.Input.Assists.AutoClutch = !given.clutch
	first, last := in[0].T, in[len(in)-1].T
	row := 0
	t.RunUntil(last-first, func(now float64) {
		for row+2 < len(in) && in[row+1].T-first <= now {
			row++
		}
		t.setInput(given, &in[row], &in[row+1], now+first)
		if shifting {
			t.Input.Gear, t.Input.Assists.AutoClutch, t.Input.Assists.AutoShift = 1, true, true
		}
		if t.State.Tick%1024 == 0 {
			o.Progress(now / (last - first))
		}
	})
}

// setInput sets the input at a time [s] between the rows a and b: interpolated linearly, but the gear of a.
func (t *run) setInput(given columns, a, b *Input, now float64) {
	share := min(max((now-a.T)/(b.T-a.T), 0), 1)
	interpolated := func(from, to float64) float64 { return from + share*(to-from) }
	switch {
	case given.wheel:
		t.Input.Steer = interpolated(a.SteerWheel, b.SteerWheel)
	case given.road:
		t.Input.Steer = t.SteeringWheelFor(interpolated(a.SteerRoad, b.SteerRoad))
	}
	switch {
	case given.speed:
		t.HoldSpeed(interpolated(a.Speed, b.Speed), (b.Speed-a.Speed)/(b.T-a.T))
		return
	case given.ax:
		t.HoldAx(interpolated(a.Ax, b.Ax))
		return
	}
	if given.throttle {
		t.Input.Throttle = interpolated(a.Throttle, b.Throttle)
	}
	if given.brake {
		t.Input.Brake = interpolated(a.Brake, b.Brake)
	}
	if given.clutch {
		t.Input.Clutch = interpolated(a.Clutch, b.Clutch)
	}
	if given.handbrake {
		t.Input.Handbrake = interpolated(a.Handbrake, b.Handbrake)
	}
	if given.gear {
		t.Input.Gear = int8(a.Gear)
		if now >= b.T {
			t.Input.Gear = int8(b.Gear)
		}
	}
}

// addReplayMetrics adds the metrics of an open-loop run.
func (r *Result) addReplayMetrics(t *run) {
	rows := t.Fine.Rows
	last := rows[len(rows)-1]
	r.add("duration_s", last.T, "s", "duration of the run")
	r.add("end_speed_kph", last.Vx/kph, "km/h", "speed at the end")
	r.add("max_ay_mps2", maxAbs(rows, ayOf), "m/s²", "largest lateral acceleration to either side")
	r.add("max_yaw_rate_radps", maxAbs(rows, yawRateOf), "rad/s", "largest yaw rate to either side")
	r.add("max_roll_deg", maxAbs(rows, rollOf)/degree, "°", "largest roll angle to either side")
	r.add("max_sideslip_deg", maxAbs(rows, betaOf)/degree, "°", "largest sideslip angle to either side")
	r.addVerdict("rolled_over", t.RolledOver(), "the car rolled over, and the run ended there")
}
