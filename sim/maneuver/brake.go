package maneuver

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

const (
	defaultAssistLevel = 5    // level of an assist that the user did not set: the factory setting
	maxStopTime        = 90.0 // time limit of a stop [s]
	standstill         = 0.01 // speed below which the car counts as standing [m/s]
	fadeStops          = 10   // number of repeated stops
	speedUpRate        = 3.0  // acceleration between two stops [m/s²]
	splitGrip          = 0.3  // grip below the left wheels on split mu
)

// brake stops the car from a straight line (after ISO 21994 and UN R13-H), out of gear: with a full
// pedal and ABS, with a full pedal without ABS, and without ABS by a practised foot; then with ABS on
// split mu, and ten times in a row.
func brake(p sim.Params, o Options) (*Result, error) {
	abs := cmp.Or(o.Assists.ABS, defaultAssistLevel)
	o.Assists.ABS = 0 // each stop sets its own level
	t, err := newRun(p, road.Asphalt(), o)
	if err != nil {
		return nil, err
	}
	r := &Result{Speed: o.Speed}
	grip := t.measureGrip()
	o.Progress(0.05)
	full, locked := t.stop(o.Speed, fullPedal(abs)), t.stop(o.Speed, fullPedal(0))
	skilled := locked
	if !math.IsNaN(locked.distance) {
		skilled = t.shortestThresholdStop(o)
	}
	r.Rows = full.rows
	r.addStopMetrics(o.Speed, grip, full, locked, skilled)
	r.Traces = []Trace{stopTrace(full, locked, skilled)}
	o.Progress(0.5)
	if err := r.addSplitMuMetrics(p, o, abs); err != nil {
		return nil, err
	}
	o.Progress(0.6)
	r.addFadeMetrics(t.repeatStops(o, abs))
	return r, nil
}

// stopResult is the outcome of one stop.
type stopResult struct {
	distance, time float64     // stopping distance [m] and time [s]; NaN if the car did not stop
	heading        float64     // largest heading to either side [rad]
	offset         float64     // largest lateral displacement [m]
	discs          [2]float64  // highest temperatures in front and rear [°C]
	rows           []trial.Row // recording at trial.FineRate
	out            []trial.Row // recording at the user's rate
}

// pedalControl sets the brake pedal, and may set the level of ABS, in t.Input before a tick.
type pedalControl func(t *run)

// fullPedal returns a control that presses the pedal down fully, with a level of ABS; 0 is off.
func fullPedal(abs uint8) pedalControl {
	return func(t *run) {
		t.Input.Assists.ABS = abs
		t.Input.Brake = driver.MovePedal(t.Input.Brake, 1, t.Dt)
	}
}

// thresholdBraking holds the parameters of a practised driver without ABS, who keeps the wheels just
// below locking.
type thresholdBraking struct {
	maxPedal float64 // pedal position while no wheel is about to lock, 0 to 1
	easeSlip float64 // longitudinal slip of a wheel above which the driver eases the pedal; braking is positive
}

// control holds the pedal, and eases it while a wheel is about to lock.
func (f thresholdBraking) control(t *run) {
	const slipRange = 0.12 // slip above easeSlip at which the pedal is fully released
	slip := 0.0
	for i := range t.State.Wheels {
		slip = max(slip, -t.State.Wheels[i].Kappa)
	}
	slip *= min(t.State.Speed/3, 1) // slip means little near standstill
	ease := min(max((slip-f.easeSlip)/slipRange, 0), 1)
	t.Input.Brake = driver.MovePedal(t.Input.Brake, f.maxPedal*(1-ease), t.Dt)
}

// stop places the car at a speed [m/s], straight ahead and in neutral, and brakes it to rest.
func (t *run) stop(speed float64, press pedalControl) stopResult {
	t.PlaceRolling(speed, 0)
	return t.brakeToRest(press)
}

// brakeToRest brakes the car to rest from its present state, while a driver steers along the x axis.
func (t *run) brakeToRest(press pedalControl) (result stopResult) {
	var lane driver.LaneKeeper
	start := t.State.Pos
	for t.Now() < maxStopTime && t.State.Speed > standstill && !t.RolledOver() && !t.Spun() {
		t.Input.Steer = lane.Steer(&t.Run)
		press(t)
		t.Step()
		result.heading = max(result.heading, math.Abs(t.State.Yaw()))
		result.offset = max(result.offset, math.Abs(t.State.Pos.Y-start.Y))
		for i := range t.State.Brakes.Wheels {
			result.discs[i/2] = max(result.discs[i/2], t.State.Brakes.Wheels[i].Temperature)
		}
	}
	result.distance, result.time = math.Hypot(t.State.Pos.X-start.X, t.State.Pos.Y-start.Y), t.Now()
	result.rows, result.out = t.Fine.Rows, t.Out.Rows
	if t.State.Speed > 1 || t.RolledOver() {
		result.distance, result.time = math.NaN(), math.NaN()
	}
	return result
}

// shortestThresholdStop returns the shortest stop without ABS. It tries a grid of pedal positions and of
// slips at which the driver eases the pedal, then refines the pedal position.
func (t *run) shortestThresholdStop(o Options) stopResult {
	best, bestParams := stopResult{distance: math.NaN()}, thresholdBraking{}
	try := func(f thresholdBraking) {
		if h := t.stop(o.Speed, f.control); !(h.distance >= best.distance) {
			best, bestParams = h, f
		}
	}
	slips := []float64{0.06, 0.1, 0.16, 0.35, 2}
	for i, slip := range slips {
		for _, pedal := range []float64{0.25, 0.4, 0.55, 0.7, 0.85, 1} {
			try(thresholdBraking{pedal, slip})
		}
		o.Progress(0.05 + 0.35*float64(i+1)/float64(len(slips)))
	}
	for _, step := range []float64{0.05, 0.025, 0.0125} {
		middle := bestParams
		try(thresholdBraking{max(middle.maxPedal-step, 0), middle.easeSlip})
		try(thresholdBraking{min(middle.maxPedal+step, 1), middle.easeSlip})
	}
	return best
}

// gripEstimate holds what limits the deceleration of a car: friction, downforce and drag.
type gripEstimate struct {
	mu        float64 // largest friction coefficient of the tires
	g         float64 // gravity [m/s²]
	downforce float64 // aerodynamic downforce over the car's weight and over speed squared [s²/m²]
	drag      float64 // deceleration by air and rolling over speed squared [1/m]
}

// measureGrip estimates the grip in a stop from 110 km/h. The brake pedal goes down within 2 s and the
// hand brake within another half second, so that each wheel passes the peak of its friction at about the
// load that it has in a full stop. The mean of the wheels is weighted by those loads.
func (t *run) measureGrip() gripEstimate {
	const speed, coastTime = 110 * kph, 0.2 // [m/s], [s]
	t.PlaceRolling(speed, 0)
	weight := t.Params.Mass * t.Params.Gravity
	w := &t.State.Wheels
	lift := ((w[tire.FL].Load+w[tire.FR].Load)+(w[tire.RL].Load+w[tire.RR].Load))/weight - 1
	t.RunUntil(coastTime, func(float64) {})
	drag := (speed - t.State.Speed) / coastTime
	var peakMu, load [4]float64
	t.RunUntil(coastTime+2.5, func(now float64) {
		t.Input.Brake, t.Input.Handbrake = min((now-coastTime)/2, 1), min(max(2*(now-coastTime)-4, 0), 1)
		for i := range w {
			if w := &w[i]; w.Load > weight/40 && -w.Fx > peakMu[i]*w.Load { // lower loads occur while the wheel bounces
				peakMu[i], load[i] = -w.Fx/w.Load, w.Load
			}
		}
	})
	return gripEstimate{stat.Mean(peakMu[:], load[:]), t.Params.Gravity, lift / (speed * speed), drag / (speed * speed)}
}

// stopDistance returns the distance to rest [m] from a speed [m/s] with all tires at their peak: a =
// mu·g·(1 + downforce·v²) + drag·v², integrated.
func (g gripEstimate) stopDistance(speed float64) float64 {
	slowDecel := g.mu * g.g
	perSpeed2 := slowDecel*g.downforce + g.drag
	if perSpeed2*speed*speed < 1e-6*slowDecel {
		return speed * speed / (2 * slowDecel)
	}
	return math.Log1p(perSpeed2/slowDecel*speed*speed) / (2 * perSpeed2)
}

// addStopMetrics adds the metrics of single stops.
func (r *Result) addStopMetrics(speed float64, g gripEstimate, full, locked, skilled stopResult) {
	name := fmt.Sprintf("brake_%.0f_0", speed/kph)
	ideal := speed * speed / (2 * g.mu * g.g)
	r.add("from_kph", speed/kph, "km/h", "speed at which braking begins")
	r.add(name+"_m", full.distance, "m", "stopping distance with ABS and the full pedal, which is applied in 0.1 s")
	r.add(name+"_no_abs_m", locked.distance, "m", "the same without ABS, with locked wheels where the brakes can lock them")
	r.add(name+"_threshold_m", skilled.distance, "m", "without ABS by a driver who keeps the tires at their peak")
	r.add("time_s", full.time, "s", "time of the stop with ABS")
	r.add("peak_mu", g.mu, "", "largest friction of the tires, weighted by load, each at its peak while the pedal goes down slowly")
	r.add("ideal_m", ideal, "m", "v²/(2·mu·g): all tires at their peak at once, without drag and downforce")
	r.add("ideal_in_air_m", g.stopDistance(speed), "m", "the same with the drag and downforce of the car, which shorten the distance")
	r.add("abs_over_ideal", full.distance/ideal, "", "stopping distance with ABS over v²/(2·mu·g)")
	r.add("mean_decel_mps2", meanFullyDevelopedDecel(full.rows, speed), "m/s²", "with ABS, from 80 % to 10 % of the speed (UN R13-H)")
	r.add("max_decel_mps2", -minMeanAx(full.rows), "m/s²", "with ABS, the largest mean over 0.2 s")
	r.add("mean_decel_no_abs_mps2", meanFullyDevelopedDecel(locked.rows, speed), "m/s²", "without ABS, from 80 % to 10 % of the speed")
	r.add("disc_front_c", full.discs[0], "°C", "hottest front disc of the stop with ABS")
	r.add("disc_rear_c", full.discs[1], "°C", "hottest rear disc of the stop with ABS")
}

// meanFullyDevelopedDecel returns the mean fully developed deceleration of UN R13-H [m/s²]: over the distance
// in which the speed falls from 80 to 10 %.
func meanFullyDevelopedDecel(rows []trial.Row, speed float64) float64 {
	vx := func(q *trial.Row) float64 { return -q.Vx }
	startSpeed, endSpeed := 0.8*speed, 0.1*speed
	distance := valueAt(rows, xOf, firstTime(rows, vx, -endSpeed)) - valueAt(rows, xOf, firstTime(rows, vx, -startSpeed))
	return (startSpeed*startSpeed - endSpeed*endSpeed) / (2 * distance)
}

// minMeanAx returns the least (most negative) mean acceleration over 0.2 s [m/s²].
func minMeanAx(rows []trial.Row) float64 {
	reversed := make([]trial.Row, len(rows))
	for i := range rows {
		reversed[i].Ax = -rows[i].Ax
	}
	return -maxMeanAx(reversed)
}

// addSplitMuMetrics stops the car with ABS on split mu, little grip below the left wheels, and adds the
// metrics.
func (r *Result) addSplitMuMetrics(p sim.Params, o Options, abs uint8) error {
	t, err := newRun(p, newSplitRoad(splitGrip), o)
	if err != nil {
		return err
	}
	h := t.stop(o.Speed, fullPedal(abs))
	r.add("split_mu_m", h.distance, "m", "stopping distance with ABS on split mu: grip 0.3 left and 1 right, steered straight ahead")
	r.add("split_mu_max_yaw_deg", h.heading/degree, "°", "largest heading to either side in that stop")
	r.add("split_mu_max_offset_m", h.offset, "m", "largest displacement of the center of mass to either side in that stop")
	r.Traces = append(r.Traces, Trace{"Split mu", "distance [m]", "lateral position, to the left [m]", []Series{line("", h.out, xOf, 1, yOf, 1)}})
	return nil
}

// repeatStops brakes the car to rest ten times and accelerates it to the initial speed between two stops.
// It ends early at a stop in which the car does not come to rest.
func (t *run) repeatStops(o Options, abs uint8) []stopResult {
	var all []stopResult
	t.PlaceRolling(o.Speed, 0)
	for i := range fadeStops {
		t.StartRecording()
		all = append(all, t.brakeToRest(fullPedal(abs)))
		o.Progress(0.6 + 0.4*float64(i+1)/fadeStops)
		if math.IsNaN(all[i].distance) {
			break
		}
		t.regainSpeed(o.Speed)
	}
	return all
}

// regainSpeed pushes the car back to a speed [m/s] and lets it settle there.
func (t *run) regainSpeed(speed float64) {
	const settleTime = 1.0 // [s]
	t.StartRecording()
	start := t.State.Speed
	t.Input.Brake, t.Input.Steer = 0, 0
	t.RunUntil((speed-start)/speedUpRate+settleTime, func(now float64) {
		if v := start + speedUpRate*now; v < speed {
			t.HoldSpeed(v, speedUpRate)
		} else {
			t.HoldSpeed(speed, 0)
		}
	})
	t.Input.PushForce = 0
}

// addFadeMetrics adds the metrics of repeated stops, whose hot discs may lose friction (brake fade).
func (r *Result) addFadeMetrics(all []stopResult) {
	last := all[len(all)-1]
	if len(all) == fadeStops {
		r.add("brake_10th_m", last.distance, "m", "the tenth stop with ABS, each after gaining speed again at 3 m/s²")
		r.add("disc_front_10th_c", last.discs[0], "°C", "hottest front disc in the tenth stop")
		r.add("disc_rear_10th_c", last.discs[1], "°C", "hottest rear disc in the tenth stop")
	}
	distances, front := Series{}, Series{Name: "front discs"}
	rear := Series{Name: "rear discs"}
	for i, h := range all {
		if math.IsNaN(h.distance) {
			r.Notes = append(r.Notes, fmt.Sprintf("stop %d of ten did not come to an end", i+1))
			break
		}
		n := float64(i + 1)
		distances.X, distances.Y = append(distances.X, n), append(distances.Y, h.distance)
		front.X, front.Y = append(front.X, n), append(front.Y, h.discs[0])
		rear.X, rear.Y = append(rear.X, n), append(rear.Y, h.discs[1])
	}
	r.Traces = append(r.Traces,
		Trace{"Stop after stop", "stop", "distance [m]", []Series{distances}},
		Trace{"Discs", "stop", "hottest [°C]", []Series{front, rear}})
}

// stopTrace plots speed over distance.
func stopTrace(full, locked, skilled stopResult) Trace {
	return Trace{"Stops", "distance [m]", "speed [km/h]", []Series{
		line("ABS", full.out, xOf, 1, vxOf, 1/kph),
		line("full pedal, no ABS", locked.out, xOf, 1, vxOf, 1/kph),
		line("practised driver", skilled.out, xOf, 1, vxOf, 1/kph),
	}}
}
