package maneuver

import (
	"cmp"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

// launched is what one start leaves behind.
type launched struct {
	times [3]trial.Gate // to 30, 60 and 100 km/h
	slip  float64       // largest of a driven wheel
	heat  float64       // of the clutch, until 100 km/h [J]
	revs  float64       // of the engine when the brake lets go [rad/s]
	rows  []trial.Row
	fine  []trial.Row
}

// launch starts twice by the same pedals: brake and clutch down, throttle down for two
// seconds, then both let go. With launch control and traction control, and without.
func launch(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	d := &driver.StraightLine{Run: &t.Run, Pulls: driver.MeasurePulls(&t.Run)}
	o.Progress(0.3)
	on := letGo(d, assist.Switches{Launch: true, Traction: cmp.Or(o.Assists.Traction, usualHelp)})
	o.Progress(0.6)
	off := letGo(d, assist.Switches{})
	r := &Result{Rows: on.rows}
	r.judgeLaunch("", " with launch and traction control", on)
	r.judgeLaunch("_off", " without", off)
	vx := func(q *trial.Row) float64 { return q.Vx }
	when := func(q *trial.Row) float64 { return q.T }
	r.Traces = []Trace{{"Start", "time [s]", "speed [km/h]", []Series{
		line("launch control", on.fine, when, 1, vx, 1/kph),
		line("the same pedals without", off.fine, when, 1, vx, 1/kph),
	}}}
	return r, nil
}

// letGo holds the car with the throttle down, lets go, and accelerates to 100 km/h.
func letGo(d *driver.StraightLine, help assist.Switches) (l launched) {
	const holds, longest, clutch, rolls, same = 2.0, 40.0, 0.3, 2.0, 5.0 // [s], [s], time of the pedal [s], [m/s], [rad/s]
	t := d.Run
	l.times = [3]trial.Gate{trial.NewGate(30 * kph), trial.NewGate(60 * kph), trial.NewGate(100 * kph)}
	d.Ready()
	t.Until(holds, func(now float64) {
		t.Press(sim.Input{Gear: 1, Brake: 1, Clutch: 1})
		t.Input.Assists.Launch, t.Input.Assists.Traction = help.Launch, help.Traction
		t.Input.Assists.Clutch, t.Input.Assists.Shifting = false, false
		t.Input.Throttle = min(max(5*(now-0.5), 0), 1)
	})
	l.revs, d.Closed = t.State.Driveline.Engine, false
	t.Begin()
	for done := false; t.Now() < longest && !done && !t.RolledOver(); {
		d.Shift()
		d.Closed = d.Closed || t.State.Speed > 1 && math.Abs(t.State.Driveline.Engine-t.State.Driveline.Box.Shaft) < same
		d.Hands()
		was := t.State.Speed
		t.Input.Assists.Launch, t.Input.Assists.Traction = help.Launch, help.Traction
		t.Input.Throttle = 1
		t.Input.Brake = driver.MovePedal(t.Input.Brake, 0, t.Dt)
		t.Input.Clutch = max(t.Input.Clutch-t.Dt/clutch, 0)
		t.Step()
		if was > rolls {
			l.slip = max(l.slip, driver.DrivenSlip(t))
		}
		l.heat += t.State.Driveline.Flow.Clutch * t.Dt
		for i := range l.times {
			done = l.times[i].Watch(t.Now(), t.Dt, was, t.State.Speed)
		}
	}
	l.rows, l.fine = t.Out.Rows, t.Fine.Rows
	return l
}

func (r *Result) judgeLaunch(suffix, how string, l launched) {
	r.add("t_0_30"+suffix+"_s", l.times[0].At, "s", "0 to 30 km/h"+how)
	r.add("t_0_60"+suffix+"_s", l.times[1].At, "s", "0 to 60 km/h"+how)
	r.add("t_0_100"+suffix+"_s", l.times[2].At, "s", "0 to 100 km/h"+how)
	r.add("max_slip"+suffix, l.slip, "", "largest slip of a driven wheel above 2 m/s"+how)
	r.add("clutch_heat"+suffix+"_kj", l.heat/1e3, "kJ", "energy lost in clutch and converter"+how)
	r.add("launch_rpm"+suffix, l.revs*30/math.Pi, "1/min", "engine speed when brake and clutch are let go"+how)
}
