package maneuver

import (
	"math"

	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/trial"
)

// hillSlope is the slope of the hill start: height over horizontal distance.
const hillSlope = 0.12

// stallStart releases the clutch in first gear without throttle, restarts the engine, and drives off
// uphill from the hand brake.
func stallStart(t *run, r *Result, o Options) error {
	r.stall(t)
	o.Progress(0.3)
	r.restart(t)
	r.Rows = t.Out.Rows
	o.Progress(0.6)
	hill, err := newRun(t.given, newHill(math.Atan(hillSlope)), o)
	if err != nil {
		return err
	}
	r.hillStart(hill)
	return nil
}

// stall holds the car in first gear with clutch and brake pedals down, then releases first the brake and
// then the clutch, and measures whether the engine stalls.
func (r *Result) stall(t *run) {
	const settleTime, watchTime = 2.0, 5.0 // [s]
	t.PlaceAtRest(0, 0, 0)
	t.SetInput(sim.Input{Clutch: 1, Gear: 1})
	t.RunUntil(settleTime, func(now float64) { t.Input.Brake = min(1, 2*max(settleTime/2-now, 0)) })
	t.StartRecording()
	startX, stallTime := t.State.Pos.X, math.NaN()
	t.RunUntil(watchTime, func(now float64) {
		t.Input.Clutch = driver.MovePedal(t.Input.Clutch, 0, t.Dt)
		if !t.State.Driveline.Engine.Running && math.IsNaN(stallTime) {
			stallTime = now
		}
	})
	r.addVerdict("stalls", !math.IsNaN(stallTime), "the engine stops when the clutch comes up in first gear without throttle, off the brake")
	r.add("stall_time_s", stallTime, "s", "time from releasing the clutch pedal until the engine stops")
	r.add("stall_way_m", t.State.Pos.X-startX, "m", "distance that the car moves in 5 s after releasing the clutch pedal")
}

// restart stops the engine if it still runs, operates the starter until it runs, and lets it idle.
func (r *Result) restart(t *run) {
	const stopTime, maxTime, settleTime, measureTime = 3.0, 10.0, 4.0, 2.0 // [s]
	start := t.Now()
	t.RunUntil(start+stopTime, func(float64) {
		t.SetInput(sim.Input{Clutch: 1, Brake: 1, Gear: 0, IgnitionOff: t.State.Driveline.Engine.Running})
	})
	starterTime, starterUsed, runningTime := t.Now(), false, math.NaN()
	t.RunUntil(starterTime+maxTime, func(now float64) {
		if t.State.Driveline.Engine.Running && math.IsNaN(runningTime) {
			runningTime = now
		}
		starterUsed = starterUsed || math.IsNaN(runningTime)
		t.Input.IgnitionOff, t.Input.Starter = false, math.IsNaN(runningTime)
	})
	if !starterUsed {
		r.Notes = append(r.Notes, "the engine cannot be switched off; it needs no starter")
		return
	}
	r.add("restart_s", runningTime-starterTime, "s", "time of the starter until the engine runs by itself")
	r.idle(t, measureTime, settleTime)
}

// idle adds the mean and the variation of the engine speed without any input, after settleTime [s].
func (r *Result) idle(t *run, measureTime, settleTime float64) {
	start := t.Now()
	low, high, sum, n := math.Inf(1), 0.0, 0.0, 0.0
	t.RunUntil(start+settleTime+measureTime, func(now float64) {
		if now >= start+settleTime {
			rpm := t.State.RPM()
			low, high, sum, n = min(low, rpm), max(high, rpm), sum+rpm, n+1
		}
	})
	mean := sum / n
	r.add("idle_rpm", mean, "1/min", "mean speed of the idling engine")
	r.add("idle_ripple_rpm", high-low, "1/min", "difference of the largest and the smallest speed of the idling engine")
	idleSpeed := t.Params.Driveline.IdleRPM
	r.addVerdict("settles", t.State.Driveline.Engine.Running && high-low < 0.03*idleSpeed && math.Abs(mean-idleSpeed) < 0.1*idleSpeed,
		"it runs within 10 % of its idle speed, and the speed stays within 3 %")
}

// hillStart drives off on a 12 % hill from the hand brake. The hand brake is released when the clutch
// transmits enough torque to hold the car.
func (r *Result) hillStart(t *run) {
	const settleTime, maxTime, measuredDistance = 3.0, 15.0, 5.0 // [s], [s], [m]
	t.PlaceAtRest(0, 0, 0)
	t.SetInput(sim.Input{Handbrake: 1, Clutch: 1, Gear: 1})
	t.RunUntil(settleTime, func(float64) {})
	t.StartRecording()
	d := newHillDriver(t)
	start, rollback := t.State.Pos, 0.0
	moved := trial.NewLevelCrossing(measuredDistance)
	along := func() float64 {
		distance := math.Hypot(t.State.Pos.X-start.X, t.State.Pos.Z-start.Z)
		return math.Copysign(distance, t.State.Pos.X-start.X)
	}
	position, stalled := 0.0, false
	t.RunUntil(maxTime, func(float64) {
		newPosition := along()
		moved.Update(t.Now(), t.Dt, position, newPosition)
		position, rollback = newPosition, max(rollback, -newPosition)
		stalled = stalled || !t.State.Driveline.Engine.Running
		d.drive(t)
	})
	r.add("rollback_mm", rollback*1e3, "mm", "largest distance rolled backward in a start on a 12 % hill from the hand brake")
	r.add("hill_5_m_s", moved.Time, "s", "time for the first 5 m uphill, from when the clutch pedal begins to rise")
	r.addVerdict("hill_stalls", stalled, "the engine stops on the hill")
	r.Traces = append(r.Traces, Trace{"Hill start", "time [s]", "speed [km/h]", []Series{
		line("", t.Out.Rows, timeOf, 1, vxOf, 1/kph),
	}})
}

// hillDriver is a driver who starts uphill: raises the engine speed, engages the clutch until it holds the
// car, releases the hand brake, and engages the clutch fully.
type hillDriver struct {
	targetSpeed   float64 // wanted engine speed [rad/s]
	releaseTorque float64 // wheel torque at which the hand brake is released: 1.2 times what holds the car [N·m]
	handbrakeOff  bool    // the hand brake is released
}

// newHillDriver returns a driver who starts the car of t on the hill.
func newHillDriver(t *run) *hillDriver {
	const reserveFactor = 1.2
	slope := math.Atan(hillSlope)
	holdingForce := t.Params.Mass * t.Params.Gravity * math.Sin(slope)
	idle := t.Params.Driveline.IdleRPM * math.Pi / 30
	return &hillDriver{targetSpeed: 2 * idle, releaseTorque: reserveFactor * holdingForce * max(t.Params.Front.Radius(), t.Params.Rear.Radius())}
}

// drive sets the pedals of the next tick.
func (d *hillDriver) drive(t *run) {
	const clutchRate, baseThrottle, speedRange = 0.4, 0.25, 80.0 // clutch travel per second; throttle at the wanted speed; [rad/s] of error for full throttle
	s := &t.State
	wheelTorque := 0.0
	for i := range s.Driveline.Shafts {
		wheelTorque += s.Driveline.Shafts[i].Torque
	}
	d.handbrakeOff = d.handbrakeOff || wheelTorque > d.releaseTorque
	throttle := baseThrottle + (d.targetSpeed-s.Driveline.EngineSpeed)/speedRange
	t.Input.Throttle = driver.MovePedal(t.Input.Throttle, min(max(throttle, 0.05), 1), t.Dt)
	if s.Driveline.EngineSpeed > 0.6*d.targetSpeed { // else the engine is about to stall
		t.Input.Clutch = max(t.Input.Clutch-clutchRate*t.Dt, 0)
	} else if d.handbrakeOff && s.Speed < 1 {
		t.Input.Clutch = min(t.Input.Clutch+clutchRate*t.Dt, 1)
	}
	if d.handbrakeOff {
		t.Input.Handbrake = driver.MovePedal(t.Input.Handbrake, 0, t.Dt)
	}
}
