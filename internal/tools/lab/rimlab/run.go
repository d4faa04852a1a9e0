// Package rimlab simulates the closed loop of rim, wheel device and car, for the stability map of
// `rig ffb map`: does the rim come to rest after a disturbance, or does the delay of its own forces
// keep it oscillating? Its input is a car, its force feedback and a grid of wheels, hands, delays and
// speeds; its output is a verdict for each case, a picture and a table. It moves no real wheel. It is
// as deterministic as the car: the same case gives the same verdict.
package rimlab

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// Kick is the kind of disturbance that the rim gets at the start of a case.
type Kick int

// What disturbs the rim.
const (
	Release   Kick = iota // released at 0.2 rad
	Push                  // 2 N·m for 100 ms
	kickCount             // number of kicks
)

// String returns the name of the kick in results.
func (k Kick) String() string { return [...]string{"release", "push"}[k] }

// Case is one simulated run.
type Case struct {
	Wheel     Wheel
	Hand      Hand
	Delay     float64 // delay of the wheel [s]: of torque commands plus that of reported angles
	HideDelay bool    // the force feedback does not know the delay
	Speed     float64 // speed of the car, which is held constant [m/s]
	Kick      Kick
}

// Verdict is how the rim behaved after the disturbance.
type Verdict struct {
	Settles    bool    `json:"settles"`
	Amplitude  float64 `json:"amplitude_deg"` // half of the range of the rim's angle in the last second
	Frequency  float64 `json:"frequency_hz"`  // frequency of the oscillation; 0 for a rim at rest
	MaxAngle   float64 `json:"most_deg"`      // largest distance from the center
	SettleTime float64 `json:"settled_s"`     // time after which it stays within 1° of its final position
}

const (
	duration   = 10.0 // duration of a run [s]
	settleTime = 0.3  // time for which the car rolls straight ahead before the run [s]
)

// Run simulates a case for ten seconds.
func Run(car *sim.Car, cfg ffb.Config, c Case) (Verdict, error) {
	feel, err := ffb.New(cfg, ffb.CarOf(car), sim.Dt)
	if err != nil {
		return Verdict{}, err
	}
	b := newLoop(car, feel, c)
	var w recorder
	for i := range int(duration / sim.Dt) {
		b.step(c.disturbance(float64(i) * sim.Dt))
		w.add(float64(i)*sim.Dt, b.rim.angle)
	}
	return w.verdict(), nil
}

// disturbance returns the torque of the kick [N·m], positive to the left, at a time t [s].
func (c *Case) disturbance(t float64) float64 {
	const torque, start, end = 2, 0.1, 0.2
	if c.Kick == Push && t >= start && t < end {
		return torque
	}
	return 0
}

// loop is the closed loop of rim, device and car.
type loop struct {
	car         *sim.Car
	state       sim.State
	feel        *ffb.Chain // force feedback
	forceState  ffb.State
	rim         rimModel
	link        deviceLink
	wheel       ffb.Wheel
	motorTorque float64 // [N·m]
	carSpeed    float64 // constant speed of the car [m/s]; 0 applies no propulsion force
}

// newLoop returns the loop at the start of a case.
func newLoop(car *sim.Car, feel *ffb.Chain, c Case) loop {
	b := loop{car: car, feel: feel, forceState: feel.Start(), rim: rimModel{wheel: c.Wheel, hand: c.Hand}, carSpeed: c.Speed}
	b.state = car.Underway(r3.Vec{}, 0, c.Speed, 0)
	b.wheel = ffb.Wheel{Present: true, Rated: c.Wheel.RatedTorque, Rate: c.Wheel.Rate, Delay: c.Delay}
	if c.HideDelay {
		b.wheel.Delay = 0
	}
	for range int(settleTime / sim.Dt) {
		b.stepCar(0)
	}
	if c.Kick == Release {
		b.rim.angle = 0.2
	}
	b.link = newDeviceLink(c.Wheel, int(math.Round(c.Delay/sim.Dt)), b.rim.angle)
	b.wheel.Angle = b.rim.angle
	return b
}

// stepCar advances the car by a tick with a steering wheel angle [rad]. A proportional controller pushes it to
// hold carSpeed.
func (b *loop) stepCar(steer float64) {
	const gain = 20e3 // [N·s/m]
	in := sim.Input{Steer: steer}
	if b.carSpeed > 0 {
		in.PushForce = gain * (b.carSpeed - b.state.Speed)
	}
	b.car.Step(&b.state, in)
}

// step advances the loop by a tick, in the order of the rig: angle, car, torque, device, rim. push is the
// torque of the disturbance [N·m].
func (b *loop) step(push float64) {
	b.stepCar(b.wheel.Angle)
	torque := b.feel.Torque(&b.forceState, &b.state, b.wheel)
	b.motorTorque, b.wheel.Angle = b.link.step(torque, b.rim.angle, sim.Dt)
	b.rim.step(b.motorTorque, push, sim.Dt)
}

// recorder collects what the verdict needs.
type recorder struct {
	low, high [bins]float64 // range of the angle in each tenth of a second [rad]
	reversals [bins]int     // reversals of direction in each tenth of a second
	maxAngle  float64       // [rad]
	direction float64       // direction of motion: 1 left, -1 right, 0 before the first motion
	extreme   float64       // extreme angle since the last reversal [rad]
}

// The recorder divides a run into bins of a tenth of a second.
const (
	bins          = 100
	binsPerSecond = bins / int(duration)
)

// add records the angle [rad] at a time [s].
func (w *recorder) add(t, angle float64) {
	i := min(int(t*float64(binsPerSecond)+1e-6), bins-1)
	if w.low[i] == 0 && w.high[i] == 0 {
		w.low[i], w.high[i] = angle, angle
	}
	w.low[i], w.high[i] = min(w.low[i], angle), max(w.high[i], angle)
	w.maxAngle = max(w.maxAngle, math.Abs(angle))
	w.countReversals(i, angle)
}

// countReversals counts a reversal in bin i if the rim has turned back by more than a hundredth of a
// degree.
func (w *recorder) countReversals(i int, angle float64) {
	const minReversal = 0.01 * degree
	if w.direction*(angle-w.extreme) > 0 {
		w.extreme = angle
	}
	if math.Abs(angle-w.extreme) > minReversal {
		if w.direction != 0 {
			w.reversals[i]++
		}
		w.direction, w.extreme = math.Copysign(1, angle-w.extreme), angle
	}
}

// degree is one degree [rad].
const degree = math.Pi / 180

// verdict evaluates the run. The rim settles if its amplitude in the last second is below 1°, and
// smaller than three seconds earlier or below 0.1°.
func (w *recorder) verdict() Verdict {
	const settledAmplitude, negligible = 1, 0.1 // [°]
	v := Verdict{Amplitude: w.halfRange(bins - binsPerSecond), MaxAngle: w.maxAngle / degree, SettleTime: w.settledAt(settledAmplitude * degree)}
	for _, n := range w.reversals[bins-2*binsPerSecond:] {
		v.Frequency += float64(n) / 4
	}
	v.Settles = v.Amplitude < settledAmplitude && (v.Amplitude < negligible || v.Amplitude < w.halfRange(bins-4*binsPerSecond))
	return v
}

// halfRange returns half of the range of the angle in the second that begins with a bin [°].
func (w *recorder) halfRange(from int) float64 {
	low, high := w.low[from], w.high[from]
	for i := range binsPerSecond {
		low, high = min(low, w.low[from+i]), max(high, w.high[from+i])
	}
	return (high - low) / 2 / degree
}

// settledAt returns when [s] the rim began to stay within a tolerance [rad] of its final angle.
func (w *recorder) settledAt(tolerance float64) float64 {
	finalAngle := (w.low[bins-1] + w.high[bins-1]) / 2
	for i := bins - 1; i >= 0; i-- {
		if w.high[i]-finalAngle > tolerance || finalAngle-w.low[i] > tolerance {
			return float64(i+1) / float64(binsPerSecond)
		}
	}
	return 0
}
