package maneuver

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/sim/trial"
)

const (
	weaveSpeed = 100 * kph
	weaveFreq  = 0.2 // frequency of the steering [Hz]
	weaveAy    = 2.0 // target of the peak lateral acceleration [m/s²]
)

// weave is the test of the handling on centre after ISO 13674-1: a steering wheel sine of 0.2 Hz whose
// amplitude, found by iteration, leads to a peak of 2 m/s². The figures are those of three cycles after a
// first one. An ideal controller holds the speed; the wheels are free of drive torque.
func weave(t *run, r *Result, o Options) error {
	cycle, ok := t.weave(t.weaveAmplitude(o), o.Speed, 3)
	if !ok {
		return errors.New("the car spins or rolls over at this speed: choose a lower one")
	}
	r.addWeaveMetrics(&cycle)
	return nil
}

// weaveAmplitude returns the steering wheel angle [rad] that leads to the target. For a car that does not
// reach it, it is the lock, or the angle from which on more of it adds nothing.
func (t *run) weaveAmplitude(o Options) float64 {
	const tries, tolerance, minGrowth = 8, 0.005, 1.02
	angle := t.SteeringWheelFor(t.RoadWheelAngleFor(weaveAy, o.Speed))
	goodAngle, goodPeak := angle, 0.0
	for try := 1; try <= tries; try++ {
		cycle, ok := t.weave(angle, o.Speed, 1)
		o.Progress(float64(try) / (tries + 2))
		if !ok {
			angle = (goodAngle*min(goodPeak, 1) + angle) / 2 // a half of it while no angle was good
			continue
		}
		peakAy := cycle.peakAy()
		if angle > goodAngle && peakAy < minGrowth*goodPeak && peakAy < weaveAy {
			break
		}
		goodAngle, goodPeak = angle, peakAy
		angle = min(angle*min(max(weaveAy/max(peakAy, 1e-9), 0.4), 2.5), t.Lock)
		if math.Abs(peakAy-weaveAy) < tolerance*weaveAy || angle == goodAngle {
			break
		}
	}
	return goodAngle
}

// weave steers a sine with an amplitude [rad at the steering wheel] at a speed [m/s], and returns the mean
// of a number of cycles after a first one. ok is false if the car spins or rolls over.
func (t *run) weave(amplitude, speed float64, cycles int) (mean weaveCycle, ok bool) {
	ticks := int(math.Round(1 / (weaveFreq * t.Dt)))
	mean = newWeaveCycle()
	t.PlaceRolling(speed, 0)
	for i := range (1 + cycles) * ticks {
		phase := i % ticks
		t.Input.Steer = amplitude * math.Sin(2*math.Pi*float64(phase)/float64(ticks))
		t.HoldSpeed(speed, 0)
		t.Step()
		if t.RolledOver() || t.Spun() {
			return mean, false
		}
		if i >= ticks {
			mean.take(t, phase*weaveSamples/ticks)
		}
	}
	mean.divide()
	return mean, true
}

// weaveSamples is the number of samples of a cycle.
const weaveSamples = 500

// weaveCycle is the mean of some cycles of the weave. Its last sample is followed by its first.
type weaveCycle struct {
	angle  []float64 // steering wheel angle [rad], positive to the left
	torque []float64 // torque of the driver on the steering wheel [N·m], positive where he turns it left
	ay     []float64 // lateral acceleration [m/s²]
	yaw    []float64 // yaw rate [rad/s]
	ticks  []float64 // number of ticks in each sample
}

// newWeaveCycle returns a cycle of zeros.
func newWeaveCycle() weaveCycle {
	zeros := func() []float64 { return make([]float64, weaveSamples) }
	return weaveCycle{zeros(), zeros(), zeros(), zeros(), zeros()}
}

// take adds the present tick to sample i.
func (c *weaveCycle) take(t *run, i int) {
	m := trial.MotionOf(&t.State)
	c.angle[i] += t.State.Steer
	c.torque[i] -= t.State.ColumnTorque // what the car does to the driver, he does to the car
	c.ay[i] += m.Ay
	c.yaw[i] += m.YawRate
	c.ticks[i]++
}

// divide makes means of the sums.
func (c *weaveCycle) divide() {
	for i, n := range c.ticks {
		c.angle[i] /= n
		c.torque[i] /= n
		c.ay[i] /= n
		c.yaw[i] /= n
	}
}

// peakAy returns half the difference of the largest and the smallest lateral acceleration [m/s²].
func (c *weaveCycle) peakAy() float64 { return amplitudeOf(c.ay) }

// addWeaveMetrics adds the figures of ISO 13674-1 and of Norman (SAE 840069) from the mean cycle. Gradients
// are by least squares, the mean of both directions of the steering. Their windows are this package's.
func (r *Result) addWeaveMetrics(c *weaveCycle) {
	r.add("peak_ay_g", c.peakAy()/gravity, "g", "peak of the lateral acceleration; the target is 0.204 g (2 m/s²)")
	r.add("wheel_amplitude_deg", amplitudeOf(c.angle)/degree, "°", "amplitude of the steering wheel angle")
	r.addWeaveResponse(c)
	r.addTorqueOverAy(c)
	r.addTorqueOverAngle(c)
	if c.peakAy() < 0.98*weaveAy {
		r.Notes = append(r.Notes, fmt.Sprintf("the car does not reach 2 m/s²: the figures are of %.3g m/s²", c.peakAy()))
	}
	if amplitudeOf(c.torque) < 0.2 {
		r.Notes = append(r.Notes, "the torque stays below 0.2 N·m, and its figures say little: front tires without aligning torque on no caster trail, much power assist, or little lateral acceleration")
	}
	r.Notes = append(r.Notes, "the torque is the driver's on the steering wheel, positive where he turns it left: that of the column with the other sign")
	r.Traces = c.traces()
}

// addWeaveResponse adds the figures of lateral acceleration and yaw rate over the steering wheel angle.
func (r *Result) addWeaveResponse(c *weaveCycle) {
	const perHundred = 100 * degree / gravity // [g for each 100°] of [m/s² for each rad]
	level := 0.1 * gravity
	r.add("sensitivity_g_per_100deg", perHundred*slope(c.angle, c.ay, c.ay, 0, level), "g/100°", "steering sensitivity: gradient of the lateral acceleration over the steering wheel angle within ±0.1 g")
	r.add("min_sensitivity_g_per_100deg", perHundred*c.minSensitivity(), "g/100°", "smallest gradient of the lateral acceleration over the angle within ±0.1 g, over windows of 0.04 g")
	atLevel := (slope(c.angle, c.ay, c.ay, level, level/4) + slope(c.angle, c.ay, c.ay, -level, level/4)) / 2
	r.add("sensitivity_0_1g_g_per_100deg", perHundred*atLevel, "g/100°", "gradient of the lateral acceleration over the angle at 0.1 g, within 0.025 g, mean of left and right")
	r.add("angle_deadband_deg", hysteresis(c.ay, c.angle)/degree, "°", "width of the loop of lateral acceleration over angle at 0 g; positive when the car is late")
	r.add("ay_hysteresis_g", -hysteresis(c.angle, c.ay)/gravity, "g", "height of the loop of lateral acceleration over angle at 0°; positive when the car is late")
	r.add("ay_lag_ms", 1e3*lag(c.angle, c.ay), "ms", "time by which the lateral acceleration is behind the angle, by their components of 0.2 Hz")
	window := amplitudeOf(c.angle) / 5
	r.add("yaw_gain_wheel_1ps", slope(c.angle, c.yaw, c.angle, 0, window), "1/s", "gradient of the yaw rate over the steering wheel angle within a fifth of its amplitude")
	r.add("yaw_deadband_deg", hysteresis(c.yaw, c.angle)/degree, "°", "width of the loop of yaw rate over angle at 0 °/s; positive when the car is late")
	r.add("yaw_hysteresis_degps", -hysteresis(c.angle, c.yaw)/degree, "°/s", "height of the loop of yaw rate over angle at 0°; positive when the car is late")
	r.add("yaw_lag_ms", 1e3*lag(c.angle, c.yaw), "ms", "time by which the yaw rate is behind the angle, by their components of 0.2 Hz")
}

// minSensitivity returns the smallest gradient of lateral acceleration over angle [m/s²/rad] among windows
// within 0.1 g.
func (c *weaveCycle) minSensitivity() float64 {
	const halfWindow, steps = 0.02 * gravity, 8 // [m/s²]; levels to each side
	smallest := math.Inf(1)
	for k := -steps; k <= steps; k++ {
		level := float64(k) * 0.01 * gravity
		smallest = min(smallest, slope(c.angle, c.ay, c.ay, level, halfWindow))
	}
	return smallest
}

// addTorqueOverAy adds the figures of the driver's torque over the lateral acceleration.
func (r *Result) addTorqueOverAy(c *weaveCycle) {
	level := 0.1 * gravity
	r.add("torque_0g_nm", hysteresis(c.ay, c.torque)/2, "N·m", "steering friction: half the height of the loop of torque over lateral acceleration at 0 g")
	r.add("torque_gradient_0g_nm_per_g", gravity*slope(c.ay, c.torque, c.ay, 0, level/2), "N·m/g", "gradient of the torque over the lateral acceleration within ±0.05 g")
	left, _ := crossings(c.ay, c.torque, level)
	_, right := crossings(c.ay, c.torque, -level)
	r.add("torque_0_1g_nm", (left-right)/2, "N·m", "torque at 0.1 g, while the lateral acceleration grows, mean of left and right")
	atLevel := (slope(c.ay, c.torque, c.ay, level, level/4) + slope(c.ay, c.torque, c.ay, -level, level/4)) / 2
	r.add("torque_gradient_0_1g_nm_per_g", gravity*atLevel, "N·m/g", "gradient of the torque over the lateral acceleration at 0.1 g, within 0.025 g, mean of left and right")
	r.add("ay_0nm_g", -hysteresis(c.torque, c.ay)/2/gravity, "g", "returnability: lateral acceleration left when the torque has gone back to 0, mean of left and right; friction makes it positive")
}

// addTorqueOverAngle adds the figures of the driver's torque over the steering wheel angle.
func (r *Result) addTorqueOverAngle(c *weaveCycle) {
	window := amplitudeOf(c.angle) / 10
	r.add("stiffness_nm_per_deg", degree*slope(c.angle, c.torque, c.angle, 0, window), "N·m/°", "steering stiffness: gradient of the torque over the angle within a tenth of its amplitude")
	r.add("friction_torque_nm", hysteresis(c.angle, c.torque)/2, "N·m", "half the height of the loop of torque over angle at 0°; friction makes it positive, a late car negative")
	r.add("angle_hysteresis_deg", -hysteresis(c.torque, c.angle)/degree, "°", "width of the loop of torque over angle at 0 N·m; friction makes it positive, a late car negative")
	out, lost := work(c.angle, c.torque)
	r.add("steering_work_j", out, "J", "work of the driver from 0° to the amplitude, mean of left and right")
	r.add("lost_work_j", lost, "J", "work of the driver in a whole cycle: friction takes it, and a late car gives some back")
}

// traces plots the loops.
func (c *weaveCycle) traces() []Trace {
	plot := func(title, xLabel, yLabel string, x []float64, byX float64, y []float64, byY float64) Trace {
		s := Series{}
		for i := range len(x) + 1 {
			at := i % len(x)
			s.X, s.Y = append(s.X, x[at]*byX), append(s.Y, y[at]*byY)
		}
		return Trace{title, xLabel, yLabel, []Series{s}}
	}
	const angle, ay, torque = "steering wheel [°]", "lateral acceleration [g]", "driver's torque [N·m]"
	return []Trace{
		plot("Lateral acceleration over angle", angle, ay, c.angle, 1/degree, c.ay, 1/gravity),
		plot("Torque over angle", angle, torque, c.angle, 1/degree, c.torque, 1),
		plot("Torque over lateral acceleration", ay, torque, c.ay, 1/gravity, c.torque, 1),
		plot("Yaw rate over angle", angle, "yaw rate [°/s]", c.angle, 1/degree, c.yaw, 1/degree),
	}
}
