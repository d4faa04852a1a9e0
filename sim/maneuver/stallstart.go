package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
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
	r.Rows = t.out.rows
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
	t.rest(0, 0, 0)
	t.press(sim.Input{Clutch: 1, Gear: 1})
	t.until(waits, func(now float64) { t.in.Brake = min(1, 2*max(waits/2-now, 0)) })
	t.begin()
	from, when := t.s.Pos.X, math.NaN()
	t.until(ends, func(now float64) {
		t.in.Clutch = foot(t.in.Clutch, 0, t.dt)
		if !t.s.Driveline.Power.Running && math.IsNaN(when) {
			when = now
		}
	})
	r.say("stalls", !math.IsNaN(when), "the engine stops when the clutch comes up in first gear without throttle, off the brake")
	r.add("stall_time_s", when, "s", "from when the clutch pedal is let go")
	r.add("stall_way_m", t.s.Pos.X-from, "m", "way of the car in the 5 s from then")
}

// restart stops an engine that still runs, turns the starter until it runs, and lets it
// idle.
func (r *Result) restart(t *run) {
	const stops, longest, settles, looks = 3.0, 10.0, 4.0, 2.0 // [s]
	start := t.now()
	t.until(start+stops, func(float64) {
		t.press(sim.Input{Clutch: 1, Brake: 1, Gear: 0, Off: t.s.Driveline.Power.Running})
	})
	started, turned, when := t.now(), false, math.NaN()
	t.until(started+longest, func(now float64) {
		if t.s.Driveline.Power.Running && math.IsNaN(when) {
			when = now
		}
		turned = turned || math.IsNaN(when)
		t.in.Off, t.in.Start = false, math.IsNaN(when)
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
	from := t.now()
	low, high, sum, n := math.Inf(1), 0.0, 0.0, 0.0
	t.until(from+settles+looks, func(now float64) {
		if now >= from+settles {
			rpm := t.s.RPM()
			low, high, sum, n = min(low, rpm), max(high, rpm), sum+rpm, n+1
		}
	})
	mean := sum / n
	r.add("idle_rpm", mean, "1/min", "mean of the idling engine after that")
	r.add("idle_ripple_rpm", high-low, "1/min", "between its least and largest speed")
	wanted := t.p.Driveline.Idle
	r.say("settles", t.s.Driveline.Power.Running && high-low < 0.03*wanted && math.Abs(mean-wanted) < 0.1*wanted,
		"it runs within 10 % of its idle speed, and the speed stays within 3 %")
}

// hillStart drives off on a 12 % hill: from the hand brake, with the clutch let in to
// where the car would hold, as a driver does.
func (r *Result) hillStart(t *run) {
	const waits, ends, far = 3.0, 15.0, 5.0 // [s], [s], [m]
	t.rest(0, 0, 0)
	t.press(sim.Input{Handbrake: 1, Clutch: 1, Gear: 1})
	t.until(waits, func(float64) {})
	t.begin()
	d := newHillDriver(t)
	from, back := t.s.Pos, 0.0
	moved := newGate(far)
	along := func() float64 {
		way := math.Hypot(t.s.Pos.X-from.X, t.s.Pos.Z-from.Z)
		return math.Copysign(way, t.s.Pos.X-from.X)
	}
	was, stalled := 0.0, false
	t.until(ends, func(float64) {
		now := along()
		moved.watch(t.now(), t.dt, was, now)
		was, back = now, max(back, -now)
		stalled = stalled || !t.s.Driveline.Power.Running
		d.drive(t)
	})
	r.add("rollback_mm", back*1e3, "mm", "farthest backward in a start on a 12 % hill from the hand brake")
	r.add("hill_5_m_s", moved.at, "s", "for the first 5 m uphill, from when the clutch pedal begins to rise")
	r.say("hill_stalls", stalled, "the engine stops on the hill")
	r.Traces = append(r.Traces, Trace{"Hill start", "time [s]", "speed [km/h]", []Series{
		line("", t.out.rows, func(q *Row) float64 { return q.T }, 1, func(q *Row) float64 { return q.Vx }, 1/kph),
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
	pull := t.p.Mass * t.p.Gravity * math.Sin(slope)
	idle := t.p.Driveline.Idle * math.Pi / 30
	return &hillDriver{revs: 2 * idle, need: reserve * pull * max(t.p.Front.Radius(), t.p.Rear.Radius())}
}

func (d *hillDriver) drive(t *run) {
	const slowly, part, span = 0.4, 0.25, 80.0 // pedals a second; throttle at the wanted revs, and [rad/s] to one more
	s := &t.s
	carried := 0.0
	for i := range s.Driveline.Shafts {
		carried += s.Driveline.Shafts[i].Torque
	}
	d.free = d.free || carried > d.need
	want := part + (d.revs-s.Driveline.Engine)/span
	t.in.Throttle = foot(t.in.Throttle, min(max(want, 0.05), 1), t.dt)
	if s.Driveline.Engine > 0.6*d.revs { // else the engine is about to stall
		t.in.Clutch = max(t.in.Clutch-slowly*t.dt, 0)
	} else if d.free && s.Speed < 1 {
		t.in.Clutch = min(t.in.Clutch+slowly*t.dt, 1)
	}
	if d.free {
		t.in.Handbrake = foot(t.in.Handbrake, 0, t.dt)
	}
}
