package maneuver

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	usualHelp = 5    // level of an assist: as its maker chose
	stopEnds  = 90.0 // [s]
	stands    = 0.01 // [m/s]
	manyStops = 10   //
	regains   = 3.0  // between them [m/s²]
	slippery  = 0.3  // grip below the left wheels, on halves
)

// brake stops the car from a straight line (after ISO 21994 and UN R13-H), out of gear:
// with a full pedal and ABS, with a full pedal alone, and by a foot that has practised;
// with ABS again where the left wheels run on a slippery half, and ten times over.
func brake(p sim.Params, o Options) (*Result, error) {
	abs := cmp.Or(o.Assists.ABS, usualHelp)
	o.Assists.ABS = 0 // each stop says whether it is on
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	r := &Result{Speed: o.Speed}
	best := t.peakGrip()
	o.Progress(0.05)
	full, locked := t.stop(o.Speed, fullPedal(abs)), t.stop(o.Speed, fullPedal(0))
	skilled := locked
	if !math.IsNaN(locked.way) {
		skilled = t.bestStop(o)
	}
	r.Rows = full.rows
	r.judgeStops(o.Speed, best, full, locked, skilled)
	r.Traces = []Trace{stopTrace(full, locked, skilled)}
	o.Progress(0.5)
	if err := r.judgeHalves(p, o, abs); err != nil {
		return nil, err
	}
	o.Progress(0.6)
	r.judgeFade(t.stopAgain(o, abs))
	return r, nil
}

// halted is what one stop leaves behind.
type halted struct {
	way, time float64     // until the car stands [m, s]
	yaw       float64     // largest heading to either side [rad]
	aside     float64     // largest displacement to either side [m]
	discs     [2]float64  // hottest in front and behind [°C]
	rows      []trial.Row // 200 a second
	out       []trial.Row // as they are recorded
}

// pedal is what a foot does in a stop: it changes t.Input.
type pedal func(t *run)

func fullPedal(abs uint8) pedal {
	return func(t *run) {
		t.Input.Assists.ABS = abs
		t.Input.Brake = driver.MovePedal(t.Input.Brake, 1, t.Dt)
	}
}

// felt is how a foot brakes without ABS.
type felt struct {
	part float64 // of the pedal
	slip float64 // of a wheel at which the pedal is eased
}

// pedal holds the pedal at its part, and eases it while a wheel is about to lock.
func (f felt) pedal(t *run) {
	const span = 0.12 // more of the slip, and the pedal is let go
	most := 0.0
	for i := range t.State.Wheels {
		most = max(most, -t.State.Wheels[i].Kappa)
	}
	most *= min(t.State.Speed/3, 1) // the last metre does not count
	ease := min(max((most-f.slip)/span, 0), 1)
	t.Input.Brake = driver.MovePedal(t.Input.Brake, f.part*(1-ease), t.Dt)
}

// stop brings the car from a speed [m/s] to rest.
func (t *run) stop(speed float64, press pedal) halted {
	t.Roll(speed, 0)
	return t.halt(press)
}

// halt brings the car to rest from where it is.
func (t *run) halt(press pedal) (h halted) {
	var hands driver.LaneKeeper
	from := t.State.Pos
	for t.Now() < stopEnds && t.State.Speed > stands && !t.RolledOver() && !t.Spun() {
		t.Input.Steer = hands.Steer(&t.Run)
		press(t)
		t.Step()
		h.yaw = max(h.yaw, math.Abs(t.State.Yaw()))
		h.aside = max(h.aside, math.Abs(t.State.Pos.Y-from.Y))
		for i := range t.State.Brakes.Wheels {
			h.discs[i/2] = max(h.discs[i/2], t.State.Brakes.Wheels[i].Temperature)
		}
	}
	h.way, h.time = math.Hypot(t.State.Pos.X-from.X, t.State.Pos.Y-from.Y), t.Now()
	h.rows, h.out = t.Fine.Rows, t.Out.Rows
	if t.State.Speed > 1 || t.RolledOver() {
		h.way, h.time = math.NaN(), math.NaN()
	}
	return h
}

// bestStop returns the shortest stop of a foot that has tried how far the pedal goes and
// how much slip the tires like, at last more finely.
func (t *run) bestStop(o Options) halted {
	best, way := halted{way: math.NaN()}, felt{}
	try := func(f felt) {
		if h := t.stop(o.Speed, f.pedal); !(h.way >= best.way) {
			best, way = h, f
		}
	}
	slips := []float64{0.06, 0.1, 0.16, 0.35, 2}
	for i, slip := range slips {
		for _, part := range []float64{0.25, 0.4, 0.55, 0.7, 0.85, 1} {
			try(felt{part, slip})
		}
		o.Progress(0.05 + 0.35*float64(i+1)/float64(len(slips)))
	}
	for _, step := range []float64{0.05, 0.025, 0.0125} {
		middle := way
		try(felt{max(middle.part-step, 0), middle.slip})
		try(felt{min(middle.part+step, 1), middle.slip})
	}
	return best
}

// grip is what can stop a car.
type grip struct {
	mu   float64 // largest friction of the tires
	g    float64 // gravity [m/s²]
	lift float64 // of the air, downwards, over the car's weight, for each (m/s)² [s²/m²]
	drag float64 // deceleration by air and rolling for each (m/s)² [1/m]
}

// peakGrip measures that, the pedal going down in 2 s and the hand brake in half a second
// more, so that each wheel passes its best under about the load of a full stop. Each counts
// by that load.
func (t *run) peakGrip() grip {
	const speed, coasts = 110 * kph, 0.2 // [m/s], [s]
	t.Roll(speed, 0)
	weight := t.Params.Mass * t.Params.Gravity
	w := &t.State.Wheels
	lift := ((w[tire.FL].Load+w[tire.FR].Load)+(w[tire.RL].Load+w[tire.RR].Load))/weight - 1
	t.Until(coasts, func(float64) {})
	drag := (speed - t.State.Speed) / coasts
	var best, load [4]float64
	t.Until(coasts+2.5, func(now float64) {
		t.Input.Brake, t.Input.Handbrake = min((now-coasts)/2, 1), min(max(2*(now-coasts)-4, 0), 1)
		for i := range w {
			if w := &w[i]; w.Load > weight/40 && -w.Fx > best[i]*w.Load { // below that it bounces
				best[i], load[i] = -w.Fx/w.Load, w.Load
			}
		}
	})
	return grip{stat.Mean(best[:], load[:]), t.Params.Gravity, lift / (speed * speed), drag / (speed * speed)}
}

// inAir returns the way to rest from a speed [m, m/s] of a car whose tires are all at their
// best: a = mu·g·(1 + lift·v²) + drag·v², integrated.
func (g grip) inAir(speed float64) float64 {
	still := g.mu * g.g
	more := still*g.lift + g.drag
	if more*speed*speed < 1e-6*still {
		return speed * speed / (2 * still)
	}
	return math.Log1p(more/still*speed*speed) / (2 * more)
}

func (r *Result) judgeStops(speed float64, g grip, full, locked, skilled halted) {
	name := fmt.Sprintf("brake_%.0f_0", speed/kph)
	ideal := speed * speed / (2 * g.mu * g.g)
	r.add("from_kph", speed/kph, "km/h", "speed at which the pedal is touched")
	r.add(name+"_m", full.way, "m", "way to rest with ABS and the full pedal, which takes 0.1 s")
	r.add(name+"_no_abs_m", locked.way, "m", "the same without ABS: wheels that can lock do")
	r.add(name+"_threshold_m", skilled.way, "m", "without ABS by a foot that holds the tires at their best")
	r.add("time_s", full.time, "s", "of the stop with ABS")
	r.add("peak_mu", g.mu, "", "largest friction of the tires, each at its best as more and more pedal is given")
	r.add("ideal_m", ideal, "m", "v²/(2·mu·g): all tires at their best at once, without drag and downforce")
	r.add("ideal_in_air_m", g.inAir(speed), "m", "the same with the car's drag and downforce, which help")
	r.add("abs_over_ideal", full.way/ideal, "", "way with ABS over that")
	r.add("mean_decel_mps2", developed(full.rows, speed), "m/s²", "with ABS, from 80 % to 10 % of the speed (UN R13-H)")
	r.add("max_decel_mps2", -hardest(full.rows), "m/s²", "with ABS, the largest mean over 0.2 s")
	r.add("mean_decel_no_abs_mps2", developed(locked.rows, speed), "m/s²", "without ABS, from 80 % to 10 % of the speed")
	r.add("disc_front_c", full.discs[0], "°C", "hottest front disc of the stop with ABS")
	r.add("disc_rear_c", full.discs[1], "°C", "hottest rear disc")
}

// developed returns the mean fully developed deceleration of UN R13-H [m/s²]: over the
// way on which the speed falls from 80 to 10 %.
func developed(rows []trial.Row, speed float64) float64 {
	vx := func(q *trial.Row) float64 { return -q.Vx }
	x := func(q *trial.Row) float64 { return q.X }
	b, e := 0.8*speed, 0.1*speed
	way := at(rows, x, reaches(rows, vx, -e)) - at(rows, x, reaches(rows, vx, -b))
	return (b*b - e*e) / (2 * way)
}

// hardest returns the least mean acceleration over 0.2 s [m/s²].
func hardest(rows []trial.Row) float64 {
	back := make([]trial.Row, len(rows))
	for i := range rows {
		back[i].Ax = -rows[i].Ax
	}
	return -steepest(back)
}

// judgeHalves stops with ABS where the left wheels have little grip.
func (r *Result) judgeHalves(p sim.Params, o Options, abs uint8) error {
	t, err := newRun(p, newHalves(slippery), o)
	if err != nil {
		return err
	}
	h := t.stop(o.Speed, fullPedal(abs))
	r.add("split_mu_m", h.way, "m", "with ABS where the left wheels have a grip of 0.3 and the right ones of 1, a driver steering straight")
	r.add("split_mu_max_yaw_deg", h.yaw/degree, "°", "largest heading to either side then")
	r.add("split_mu_max_offset_m", h.aside, "m", "largest displacement of the centre of mass to either side then")
	x := func(q *trial.Row) float64 { return q.X }
	y := func(q *trial.Row) float64 { return q.Y }
	r.Traces = append(r.Traces, Trace{"Halves of unlike grip", "way [m]", "aside, to the left [m]", []Series{line("", h.out, x, 1, y, 1)}})
	return nil
}

// stopAgain stops time after time, regaining the speed in between.
func (t *run) stopAgain(o Options, abs uint8) []halted {
	var all []halted
	t.Roll(o.Speed, 0)
	for i := range manyStops {
		t.Begin()
		all = append(all, t.halt(fullPedal(abs)))
		o.Progress(0.6 + 0.4*float64(i+1)/manyStops)
		if math.IsNaN(all[i].way) {
			break
		}
		t.regain(o.Speed)
	}
	return all
}

// regain brings the car back to a speed [m/s], pushed, and lets it settle there.
func (t *run) regain(speed float64) {
	const settles = 1.0 // [s]
	t.Begin()
	start := t.State.Speed
	t.Input.Brake, t.Input.Steer = 0, 0
	t.Until((speed-start)/regains+settles, func(now float64) {
		if v := start + regains*now; v < speed {
			t.HoldSpeed(v, regains)
		} else {
			t.HoldSpeed(speed, 0)
		}
	})
	t.Input.Push = 0
}

func (r *Result) judgeFade(all []halted) {
	last := all[len(all)-1]
	if len(all) == manyStops {
		r.add("brake_10th_m", last.way, "m", "the tenth stop with ABS, each after gaining speed again at 3 m/s²")
		r.add("disc_front_10th_c", last.discs[0], "°C", "hottest front disc in it")
		r.add("disc_rear_10th_c", last.discs[1], "°C", "hottest rear disc in it")
	}
	way, heat := Series{}, Series{Name: "front discs"}
	rear := Series{Name: "rear discs"}
	for i, h := range all {
		if math.IsNaN(h.way) {
			r.Notes = append(r.Notes, fmt.Sprintf("stop %d of ten did not come to an end", i+1))
			break
		}
		n := float64(i + 1)
		way.X, way.Y = append(way.X, n), append(way.Y, h.way)
		heat.X, heat.Y = append(heat.X, n), append(heat.Y, h.discs[0])
		rear.X, rear.Y = append(rear.X, n), append(rear.Y, h.discs[1])
	}
	r.Traces = append(r.Traces,
		Trace{"Stop after stop", "stop", "way [m]", []Series{way}},
		Trace{"Discs", "stop", "hottest [°C]", []Series{heat, rear}})
}

// stopTrace draws the speed over the way.
func stopTrace(full, locked, skilled halted) Trace {
	x := func(q *trial.Row) float64 { return q.X }
	vx := func(q *trial.Row) float64 { return q.Vx }
	return Trace{"Stops", "way [m]", "speed [km/h]", []Series{
		line("ABS", full.out, x, 1, vx, 1/kph),
		line("full pedal, no ABS", locked.out, x, 1, vx, 1/kph),
		line("a practised foot", skilled.out, x, 1, vx, 1/kph),
	}}
}
