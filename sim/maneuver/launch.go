package maneuver

import (
	"cmp"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

// launchResult is the outcome of one start.
type launchResult struct {
	times             [3]trial.LevelCrossing // times at 30, 60 and 100 km/h
	maxSlip           float64                // largest slip of a driven wheel
	clutchHeat        float64                // energy lost in the clutch up to 100 km/h [J]
	launchEngineSpeed float64                // engine speed when the brake is released [rad/s]
	rows              []trial.Row
	fine              []trial.Row
}

// launch starts twice with the same pedals, once with launch and traction control and once without. The
// brake, clutch and throttle pedals are down for two seconds; then brake and clutch are released.
func launch(t *run, r *Result, o Options) error {
	d := &driver.StraightLine{Run: &t.Run, Gears: driver.MeasureGears(&t.Run)}
	o.Progress(0.3)
	on := launchOnce(d, assist.Switches{Launch: true, Traction: cmp.Or(o.Assists.Traction, defaultAssistLevel)})
	o.Progress(0.6)
	off := launchOnce(d, assist.Switches{})
	r.Rows = on.rows
	r.addLaunchMetrics("", " with launch and traction control", on)
	r.addLaunchMetrics("_off", " without", off)
	r.Traces = []Trace{{"Start", "time [s]", "speed [km/h]", []Series{
		line("launch control", on.fine, timeOf, 1, vxOf, 1/kph),
		line("same pedals, no assists", off.fine, timeOf, 1, vxOf, 1/kph),
	}}}
	return nil
}

// launchOnce holds the car by the brake with the throttle down, releases brake and clutch, and accelerates
// to 100 km/h. Of the assists it uses only launch and traction control.
func launchOnce(d *driver.StraightLine, assists assist.Switches) (l launchResult) {
	const (
		holdTime   = 2.0  // time for which the car is held [s]
		maxTime    = 40.0 // time limit of the run [s]
		clutchTime = 0.3  // time in which the clutch pedal is released [s]
		minSpeed   = 2.0  // speed above which slip is measured [m/s]
		tolerance  = 5.0  // difference of engine and gearbox speed at which the clutch counts as engaged [rad/s]
	)
	t := d.Run
	l.times = [3]trial.LevelCrossing{trial.NewLevelCrossing(30 * kph), trial.NewLevelCrossing(60 * kph), trial.NewLevelCrossing(100 * kph)}
	d.Stage()
	t.RunUntil(holdTime, func(now float64) {
		t.SetInput(sim.Input{Gear: 1, Brake: 1, Clutch: 1})
		t.Input.Assists.Launch, t.Input.Assists.Traction = assists.Launch, assists.Traction
		t.Input.Assists.AutoClutch, t.Input.Assists.AutoShift = false, false
		t.Input.Throttle = min(max(5*(now-0.5), 0), 1)
	})
	l.launchEngineSpeed, d.ClutchClosed = t.State.Driveline.EngineSpeed, false
	t.StartRecording()
	for done := false; t.Now() < maxTime && !done && !t.RolledOver(); {
		d.ChooseGear()
		d.ClutchClosed = d.ClutchClosed || t.State.Speed > 1 && math.Abs(t.State.Driveline.EngineSpeed-t.State.Driveline.Gearbox.InputSpeed) < tolerance
		d.SteerAndSwitch()
		lastSpeed := t.State.Speed
		t.Input.Assists.Launch, t.Input.Assists.Traction = assists.Launch, assists.Traction
		t.Input.Throttle = 1
		t.Input.Brake = driver.MovePedal(t.Input.Brake, 0, t.Dt)
		t.Input.Clutch = max(t.Input.Clutch-t.Dt/clutchTime, 0)
		t.Step()
		if lastSpeed > minSpeed {
			l.maxSlip = max(l.maxSlip, driver.DrivenSlip(t))
		}
		l.clutchHeat += t.State.Driveline.Flow.Clutch * t.Dt
		for i := range l.times {
			done = l.times[i].Update(t.Now(), t.Dt, lastSpeed, t.State.Speed)
		}
	}
	l.rows, l.fine = t.Out.Rows, t.Fine.Rows
	return l
}

// addLaunchMetrics adds the metrics of a start. Their names end with suffix, their texts with how.
func (r *Result) addLaunchMetrics(suffix, how string, l launchResult) {
	r.add("t_0_30"+suffix+"_s", l.times[0].Time, "s", "0 to 30 km/h"+how)
	r.add("t_0_60"+suffix+"_s", l.times[1].Time, "s", "0 to 60 km/h"+how)
	r.add("t_0_100"+suffix+"_s", l.times[2].Time, "s", "0 to 100 km/h"+how)
	r.add("max_slip"+suffix, l.maxSlip, "", "largest slip of a driven wheel above 2 m/s"+how)
	r.add("clutch_heat"+suffix+"_kj", l.clutchHeat/1e3, "kJ", "energy lost in clutch and converter"+how)
	r.add("launch_rpm"+suffix, l.launchEngineSpeed*30/math.Pi, "1/min", "engine speed when brake and clutch are let go"+how)
}
