package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

const hillSlope = 0.12 // of the hill start

// stallStart lets the clutch come up in first gear without throttle, starts the engine
// again, and drives off uphill from the hand brake.
func stallStart(p sim.Params, o Options) (*Result, error) {
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	r.stall(t)
	o.Progress(0.3)
	r.restart(t)
	r.Rows = t.Out.Rows
	o.Progress(0.6)
	hill, err := newRun(p, newHill(math.Atan(hillSlope)), o)
	if err != nil {
		return nil, err
	}
	r.hillStart(hill)
	return r, nil
}

// stall waits in first gear with the pedals of clutch and brake down, and takes the foot
// off the clutch.
func (r *Result) stall(t *run) {
	const waits, ends = 2.0, 5.0 // [s]
	t.Rest(0, 0, 0)
	t.Press(sim.Input{Clutch: 1, Gear: 1})
	t.Until(waits, func(now float64) { t.Input.Brake = min(1, 2*max(waits/2-now, 0)) })
	t.Begin()
	from, when := t.State.Pos.X, math.NaN()
	t.Until(ends, func(now float64) {
		t.Input.Clutch = driver.MovePedal(t.Input.Clutch, 0, t.Dt)
		if !t.State.Driveline.Power.Running && math.IsNaN(when) {
			when = now
		}
	})
	r.say("stalls", !math.IsNaN(when), "the engine stops when the clutch comes up in first gear without throttle, off the brake")
	r.add("stall_time_s", when, "s", "from when the clutch pedal is let go")
	r.add("stall_way_m", t.State.Pos.X-from, "m", "way of the car in the 5 s from then")
}

// restart stops an engine that still runs, turns the starter until it runs, and lets it
// idle.
func (r *Result) restart(t *run) {
	const stops, longest, settles, looks = 3.0, 10.0, 4.0, 2.0 // [s]
	start := t.Now()
	t.Until(start+stops, func(float64) {
		t.Press(sim.Input{Clutch: 1, Brake: 1, Gear: 0, Off: t.State.Driveline.Power.Running})
	})
	started, turned, when := t.Now(), false, math.NaN()
	t.Until(started+longest, func(now float64) {
		if t.State.Driveline.Power.Running && math.IsNaN(when) {
			when = now
		}
		turned = turned || math.IsNaN(when)
		t.Input.Off, t.Input.Start = false, math.IsNaN(when)
	})
	if !turned {
		r.Notes = append(r.Notes, "the engine cannot be stopped; it needs no starter")
		return
	}
	r.add("restart_s", when-started, "s", "of the starter until the engine runs by itself")
	r.idle(t, looks, settles)
}

// idle looks at the engine's speed while nobody touches it.
func (r *Result) idle(t *run, looks, settles float64) {
	from := t.Now()
	low, high, sum, n := math.Inf(1), 0.0, 0.0, 0.0
	t.Until(from+settles+looks, func(now float64) {
		if now >= from+settles {
			rpm := t.State.RPM()
			low, high, sum, n = min(low, rpm), max(high, rpm), sum+rpm, n+1
		}
	})
	mean := sum / n
	r.add("idle_rpm", mean, "1/min", "mean of the idling engine after that")
	r.add("idle_ripple_rpm", high-low, "1/min", "between its least and largest speed")
	wanted := t.Params.Driveline.Idle
	r.say("settles", t.State.Driveline.Power.Running && high-low < 0.03*wanted && math.Abs(mean-wanted) < 0.1*wanted,
		"it runs within 10 % of its idle speed, and the speed stays within 3 %")
}

// hillStart drives off on a 12 % hill: from the hand brake, with the clutch let in to
// where the car would hold, as a driver does.
func (r *Result) hillStart(t *run) {
	const waits, ends, far = 3.0, 15.0, 5.0 // [s], [s], [m]
	t.Rest(0, 0, 0)
	t.Press(sim.Input{Handbrake: 1, Clutch: 1, Gear: 1})
	t.Until(waits, func(float64) {})
	t.Begin()
	d := newHillDriver(t)
	from, back := t.State.Pos, 0.0
	moved := trial.NewGate(far)
	along := func() float64 {
		way := math.Hypot(t.State.Pos.X-from.X, t.State.Pos.Z-from.Z)
		return math.Copysign(way, t.State.Pos.X-from.X)
	}
	was, stalled := 0.0, false
	t.Until(ends, func(float64) {
		now := along()
		moved.Watch(t.Now(), t.Dt, was, now)
		was, back = now, max(back, -now)
		stalled = stalled || !t.State.Driveline.Power.Running
		d.drive(t)
	})
	r.add("rollback_mm", back*1e3, "mm", "farthest backward in a start on a 12 % hill from the hand brake")
	r.add("hill_5_m_s", moved.At, "s", "for the first 5 m uphill, from when the clutch pedal begins to rise")
	r.say("hill_stalls", stalled, "the engine stops on the hill")
	r.Traces = append(r.Traces, Trace{"Hill start", "time [s]", "speed [km/h]", []Series{
		line("", t.Out.Rows, func(q *trial.Row) float64 { return q.T }, 1, func(q *trial.Row) float64 { return q.Vx }, 1/kph),
	}})
}

// hillDriver starts uphill: revs up, clutch to where it carries the car, hand brake off,
// clutch in.
type hillDriver struct {
	revs float64 // wanted [rad/s]
	need float64 // torque at the wheels with which the hand brake is let go: a fifth more than holds the car [N·m]
	free bool    // the hand brake is let go
}

func newHillDriver(t *run) *hillDriver {
	const reserve = 1.2
	slope := math.Atan(hillSlope)
	pull := t.Params.Mass * t.Params.Gravity * math.Sin(slope)
	idle := t.Params.Driveline.Idle * math.Pi / 30
	return &hillDriver{revs: 2 * idle, need: reserve * pull * max(t.Params.Front.Radius(), t.Params.Rear.Radius())}
}

func (d *hillDriver) drive(t *run) {
	const slowly, part, span = 0.4, 0.25, 80.0 // pedals a second; throttle at the wanted revs, and [rad/s] to one more
	s := &t.State
	carried := 0.0
	for i := range s.Driveline.Shafts {
		carried += s.Driveline.Shafts[i].Torque
	}
	d.free = d.free || carried > d.need
	want := part + (d.revs-s.Driveline.Engine)/span
	t.Input.Throttle = driver.MovePedal(t.Input.Throttle, min(max(want, 0.05), 1), t.Dt)
	if s.Driveline.Engine > 0.6*d.revs { // else the engine is about to stall
		t.Input.Clutch = max(t.Input.Clutch-slowly*t.Dt, 0)
	} else if d.free && s.Speed < 1 {
		t.Input.Clutch = min(t.Input.Clutch+slowly*t.Dt, 1)
	}
	if d.free {
		t.Input.Handbrake = driver.MovePedal(t.Input.Handbrake, 0, t.Dt)
	}
}
