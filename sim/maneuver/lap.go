package maneuver

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/lap"
	"rig.example/rig/sim/trial"
)

const (
	lapSectors = 3     // of the same length
	lapLongest = 600.0 // [s], for both laps
)

// flyingLap drives a flying lap of a circuit at the car's limit, after one from standstill.
func flyingLap(p sim.Params, o Options) (*Result, error) { return lapBy(driver.LapConfig(), p, o) }

func lapBy(cfg driver.Config, p sim.Params, o Options) (*Result, error) {
	circuit := o.Circuit
	if circuit == nil {
		return nil, errors.New("maneuver: lap: there is no circuit to drive on")
	}
	if circuit.Roadless || !circuit.Closed() {
		return nil, fmt.Errorf("%s has no closed centre line to lap on; give it [line] with closed = true", circuit.Title)
	}
	t, err := newRun(p, circuit, o)
	if err != nil {
		return nil, err
	}
	d, err := driver.New(cfg, t.Car, circuit, o.Dt)
	if err != nil {
		return nil, err
	}
	t.RestOn(circuit.At(0))
	third := circuit.Length() / lapSectors
	clock, err := lap.NewTiming(circuit.Line, 0, []float64{third, 2 * third}, circuit.Pit)
	if err != nil {
		return nil, err
	}
	run := &lapRun{t: t, d: d, circuit: circuit, clock: clock, m: d.Start(&t.State)}
	run.drive(o.Progress)
	return run.judged(), nil
}

// lapRun is a driver on the circuit.
type lapRun struct {
	t       *run
	d       *driver.Model
	circuit *road.Circuit
	clock   *lap.Timing // of the flying lap: at standstill the front axle is beyond the line
	laps    lap.State
	m       driver.Memory
	seen    lapSeen
}

// lapSeen is what a lap is judged by.
type lapSeen struct {
	off, aside      float64 // [s], [m]
	fastest         float64 // [m/s]
	ahead, across   float64 // accelerations, smoothed [m/s²]
	most, least     float64 // of the one ahead [m/s²]
	side            float64 // of the one across, its size [m/s²]
	station         []float64
	driven, planned []float64 // speeds there [m/s]
	fuel, battery   float64   // used [L, J]
}

// drive goes from standstill to the end of the flying lap.
func (run *lapRun) drive(progress func(float64)) {
	t, length := run.t, run.circuit.Length()
	for t.State.Tick < uint64(lapLongest/t.Dt) && run.laps.Count == 0 && !t.RolledOver() {
		t.Input = run.d.Drive(&run.m, &t.State)
		t.Input.Assists = aided(t.Input.Assists, t.Assists)
		run.time()
		run.look()
		before := t.State
		t.Step()
		run.seen.fuel += before.Driveline.Fuel - t.State.Driveline.Fuel
		run.seen.battery += before.Driveline.Battery - t.State.Driveline.Battery
		if t.State.Tick%1024 == 0 {
			progress(min((length*float64(run.laps.Lap.Number)+run.laps.Far)/(2*length), 1))
		}
	}
}

// aided adds help to what a driver leaves to the car.
func aided(own, help assist.Switches) assist.Switches {
	help.Clutch, help.Shifting = own.Clutch || help.Clutch, own.Shifting || help.Shifting
	return help
}

// time looks at the clock. When the flying lap begins, so does what is noted.
func (run *lapRun) time() {
	place, before := run.t.State.Place(), run.laps.Running
	run.clock.Step(&run.laps, &place, run.t.State.Tick, run.t.Dt)
	if run.laps.Running && !before {
		run.t.Begin()
		run.seen = lapSeen{}
	}
}

// look notes what the car does in this tick.
func (run *lapRun) look() {
	const smooth = 0.1 // [s]
	seen, t, m := &run.seen, run.t, trial.MotionOf(&run.t.State)
	if run.laps.OffTrack {
		seen.off += t.Dt
	}
	seen.aside = max(seen.aside, math.Abs(run.m.Aside))
	seen.fastest = max(seen.fastest, m.Vx)
	seen.ahead += (m.Ax - seen.ahead) * min(t.Dt/smooth, 1)
	seen.across += (m.Ay - seen.across) * min(t.Dt/smooth, 1)
	seen.most, seen.least = max(seen.most, seen.ahead), min(seen.least, seen.ahead)
	seen.side = max(seen.side, math.Abs(seen.across))
	const every = 5.0 // [m]
	if run.laps.Lap.Number == 1 && run.laps.Far >= every*float64(len(seen.station)) {
		planned, _ := run.d.Speeds().At(run.m.Along)
		seen.station = append(seen.station, run.laps.Far)
		seen.driven, seen.planned = append(seen.driven, m.Vx/kph), append(seen.planned, planned/kph)
	}
}

func (run *lapRun) judged() *Result {
	r := &Result{Rows: run.t.Out.Rows}
	driven := run.laps.Last
	if run.laps.Count == 0 {
		driven.Sectors = run.laps.Lap.Sectors // as far as it went
	}
	took := reached(driven.Time)
	r.add("lap_s", took, "s", "time of the flying lap")
	for i, name := range [lapSectors]string{"sector_1_s", "sector_2_s", "sector_3_s"} {
		r.add(name, reached(driven.Sectors[i]), "s", "of that, a third of the way")
	}
	seen := &run.seen
	r.add("top_speed_kph", seen.fastest/kph, "km/h", "highest speed along the car")
	r.add("mean_speed_kph", run.circuit.Length()/took/kph, "km/h", "length of the circuit's centre line over the time")
	r.add("max_ay_mps2", seen.side, "m/s²", "largest lateral acceleration to either side, smoothed over 0.1 s")
	r.add("max_ax_mps2", seen.most, "m/s²", "largest acceleration ahead, smoothed alike")
	r.add("min_ax_mps2", seen.least, "m/s²", "hardest braking, smoothed alike")
	r.add("max_offset_m", seen.aside, "m", "largest distance from the line that the driver follows")
	if run.t.Params.Driveline.Motor.Enabled {
		r.add("energy_kwh", seen.battery/perKWh, "kWh", "taken from the battery")
	} else {
		r.add("fuel_l", seen.fuel, "L", "burned")
	}
	r.add("off_track_s", seen.off, "s", "time with more than two wheels beside the road")
	r.say("rolled_over", run.t.RolledOver(), "the car rolled over")
	r.Traces = run.traces()
	return r
}

// reached returns a time of the clock [s], NaN where there is none.
func reached(time float64) float64 {
	if time > 0 {
		return time
	}
	return math.NaN()
}

func (run *lapRun) traces() []Trace {
	seen, rows := &run.seen, run.t.Out.Rows
	speed := Trace{"Speed", "station [m]", "speed [km/h]", []Series{
		{Name: "driven", X: seen.station, Y: seen.driven},
		{Name: "planned", X: seen.station, Y: seen.planned},
	}}
	driven := line("centre of mass", rows, func(q *trial.Row) float64 { return q.X }, 1, func(q *trial.Row) float64 { return q.Y }, 1)
	left, right := run.edge("left edge", func(p *road.Point) float64 { return p.Left }), run.edge("right edge", func(p *road.Point) float64 { return -p.Right })
	path := Trace{"Path", "x [m]", "y [m]", []Series{driven, left, right}}
	return []Trace{speed, path}
}

// edge is a line beside the centre line, so far to its left [m].
func (run *lapRun) edge(name string, left func(p *road.Point) float64) Series {
	const every = 5.0 // [m]
	s := Series{Name: name}
	for at := 0.0; at <= run.circuit.Length(); at += every {
		p := run.circuit.At(at)
		on := p.Beside(left(&p))
		s.X, s.Y = append(s.X, on.X), append(s.Y, on.Y)
	}
	return s
}
