package maneuver

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/road"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

const (
	lapSectors = 3     // number of sectors, of equal length
	maxLapTime = 600.0 // time limit for both laps [s]
)

// flyingLap drives a flying lap of a circuit at the car's limit, after a lap from standstill.
func flyingLap(p sim.Params, o Options) (*Result, error) { return lapWith(driver.LapConfig(), p, o) }

// lapWith drives the laps with a driver configuration.
func lapWith(cfg driver.Config, p sim.Params, o Options) (*Result, error) {
	circuit := o.Circuit
	if circuit == nil {
		return nil, errors.New("maneuver: lap: there is no circuit to drive on")
	}
	if circuit.Roadless || !circuit.Closed() {
		return nil, fmt.Errorf("%s has no closed center line to lap on; give it [line] with closed = true", circuit.Title)
	}
	t, err := newRun(p, circuit, o)
	if err != nil {
		return nil, err
	}
	d, err := driver.New(cfg, t.Car, circuit, o.Dt)
	if err != nil {
		return nil, err
	}
	t.PlaceAtRestOn(circuit.At(0))
	third := circuit.Length() / lapSectors
	clock, err := lap.NewTiming(circuit.Line, 0, []float64{third, 2 * third}, circuit.Pit)
	if err != nil {
		return nil, err
	}
	run := &lapRun{run: t, driver: d, circuit: circuit, clock: clock, memory: d.Start(&t.State)}
	run.drive(o.Progress)
	return run.result(), nil
}

// lapRun is the state of a run of two laps.
type lapRun struct {
	run     *run
	driver  *driver.Model
	circuit *road.Circuit
	clock   *lap.Timing // timing of the flying lap; at standstill the front axle is beyond the line
	lap     lap.State
	memory  driver.Memory
	record  lapRecord
}

// lapRecord holds what is measured during a lap.
type lapRecord struct {
	offTrack        float64 // time off track [s]
	offset          float64 // largest distance from the driver's line [m]
	reversals       driver.Reversals
	topSpeed        float64 // [m/s]
	ax, ay          float64 // smoothed accelerations [m/s²]
	maxAx, minAx    float64 // extremes of ax [m/s²]
	maxAy           float64 // largest absolute value of ay [m/s²]
	station         []float64
	driven, planned []float64 // speeds at each station [km/h]
	fuel, battery   float64   // consumption [L, J]
}

// drive drives from standstill to the end of the flying lap.
func (run *lapRun) drive(progress func(float64)) {
	t, length := run.run, run.circuit.Length()
	for t.State.Tick < uint64(maxLapTime/t.Dt) && run.lap.Count == 0 && !t.RolledOver() {
		t.Input = run.driver.Drive(&run.memory, &t.State)
		t.Input.Assists = withAssists(t.Input.Assists, t.Assists)
		run.updateTiming()
		run.sample()
		before := t.State
		t.Step()
		run.record.fuel += before.Driveline.Fuel - t.State.Driveline.Fuel
		run.record.battery += before.Driveline.Battery - t.State.Driveline.Battery
		if t.State.Tick%1024 == 0 {
			progress(min((length*float64(run.lap.Lap.Number)+run.lap.Distance)/(2*length), 1))
		}
	}
}

// withAssists returns the user's assists with automatic clutch and gears on where the driver uses them.
func withAssists(driverAssists, userAssists assist.Switches) assist.Switches {
	userAssists.AutoClutch, userAssists.AutoShift = driverAssists.AutoClutch || userAssists.AutoClutch, driverAssists.AutoShift || userAssists.AutoShift
	return userAssists
}

// updateTiming advances the lap timing by a tick. The start of the flying lap restarts the recording.
func (run *lapRun) updateTiming() {
	place, before := run.run.State.Place(), run.lap.Running
	run.clock.Step(&run.lap, &place, run.run.State.Tick, run.run.Dt)
	if run.lap.Running && !before {
		run.run.StartRecording()
		run.record = lapRecord{}
	}
}

// sample records the car's state of this tick.
func (run *lapRun) sample() {
	const smooth = 0.1 // [s]
	rec, t, m := &run.record, run.run, trial.MotionOf(&run.run.State)
	if run.lap.OffTrack {
		rec.offTrack += t.Dt
	}
	rec.offset = max(rec.offset, math.Abs(run.memory.LineOffset))
	rec.topSpeed = max(rec.topSpeed, m.Vx)
	line := run.driver.Line().At(run.memory.LineStation)
	rec.reversals.Add(t.Dt, t.Input.Steer, run.memory.Station, line.Curvature)
	rec.ax += (m.Ax - rec.ax) * min(t.Dt/smooth, 1)
	rec.ay += (m.Ay - rec.ay) * min(t.Dt/smooth, 1)
	rec.maxAx, rec.minAx = max(rec.maxAx, rec.ax), min(rec.minAx, rec.ax)
	rec.maxAy = max(rec.maxAy, math.Abs(rec.ay))
	const every = 5.0 // [m]
	if run.lap.Lap.Number == 1 && run.lap.Distance >= every*float64(len(rec.station)) {
		planned, _ := run.driver.PlannedSpeeds().At(run.memory.LineStation)
		rec.station = append(rec.station, run.lap.Distance)
		rec.driven, rec.planned = append(rec.driven, m.Vx/kph), append(rec.planned, planned/kph)
	}
}

// result evaluates the flying lap.
func (run *lapRun) result() *Result {
	r := &Result{Rows: run.run.Out.Rows}
	driven := run.lap.Last
	if run.lap.Count == 0 {
		driven.Sectors = run.lap.Lap.Sectors // those that were completed
	}
	lapTime := timeOrNaN(driven.Time)
	r.add("lap_s", lapTime, "s", "time of the flying lap")
	for i, name := range [lapSectors]string{"sector_1_s", "sector_2_s", "sector_3_s"} {
		r.add(name, timeOrNaN(driven.Sectors[i]), "s", "time of a sector, a third of the length")
	}
	rec := &run.record
	r.add("top_speed_kph", rec.topSpeed/kph, "km/h", "highest speed along the car")
	r.add("mean_speed_kph", run.circuit.Length()/lapTime/kph, "km/h", "length of the circuit's center line over the time")
	r.add("max_ay_mps2", rec.maxAy, "m/s²", "largest lateral acceleration to either side, smoothed over 0.1 s")
	r.add("max_ax_mps2", rec.maxAx, "m/s²", "largest acceleration ahead, smoothed alike")
	r.add("min_ax_mps2", rec.minAx, "m/s²", "hardest braking, smoothed alike")
	r.add("max_offset_m", rec.offset, "m", "largest distance from the line that the driver follows")
	r.add("reversals", float64(rec.reversals.Most), "", "most swings of the steering wheel of at least 1° within 5 s of a straight")
	if run.run.Params.Driveline.Motor.Enabled {
		r.add("energy_kwh", rec.battery/perKWh, "kWh", "energy taken from the battery")
	} else {
		r.add("fuel_l", rec.fuel, "L", "fuel burned")
	}
	r.add("off_track_s", rec.offTrack, "s", "time with more than two wheels beside the road")
	r.addVerdict("rolled_over", run.run.RolledOver(), "the car rolled over")
	r.Traces = run.traces()
	return r
}

// timeOrNaN returns a lap or sector time [s], NaN for one that was not completed.
func timeOrNaN(time float64) float64 {
	if time > 0 {
		return time
	}
	return math.NaN()
}

// traces plots speed and path.
func (run *lapRun) traces() []Trace {
	rec, rows := &run.record, run.run.Out.Rows
	speed := Trace{"Speed", "station [m]", "speed [km/h]", []Series{
		{Name: "driven", X: rec.station, Y: rec.driven},
		{Name: "planned", X: rec.station, Y: rec.planned},
	}}
	driven := line("center of mass", rows, xOf, 1, yOf, 1)
	left, right := run.edge("left edge", func(p *road.Point) float64 { return p.Left }), run.edge("right edge", func(p *road.Point) float64 { return -p.Right })
	path := Trace{"Path", "x [m]", "y [m]", []Series{driven, left, right}}
	return []Trace{speed, path}
}

// edge returns the line at a distance left(p) [m] to the left of each point p of the center line.
func (run *lapRun) edge(name string, left func(p *road.Point) float64) Series {
	const every = 5.0 // [m]
	s := Series{Name: name}
	for at := 0.0; at <= run.circuit.Length(); at += every {
		p := run.circuit.At(at)
		on := p.Offset(left(&p))
		s.X, s.Y = append(s.X, on.X), append(s.Y, on.Y)
	}
	return s
}
