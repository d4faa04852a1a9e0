// Package rimlab closes the loop of rim, device and car by simulation, for the stability map of
// `rig ffb map`: does a rim that is pushed come to rest, or does the delay of its own forces keep
// it swinging? In go a car, its force feedback and a grid of wheels, hands, delays and speeds, out
// come a verdict for each, a picture and a table. It moves no wheel. It is as deterministic as the
// car: the same case gives the same verdict.
package rimlab

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/ffb"
	"rig.example/rig/sim"
)

// Kick is what disturbs the rim.
type Kick int

// What disturbs the rim.
const (
	Release Kick = iota // it is let go of at 0.2 rad
	Push                // 2 N·m for 100 ms
	kicks
)

func (k Kick) String() string { return [...]string{"release", "push"}[k] }

// Case is one run.
type Case struct {
	Wheel  Wheel
	Hand   Hand
	Delay  float64 // of the wheel, there and back [s]
	Secret bool    // ffb is not told the delay
	Speed  float64 // of the car, held [m/s]
	Kick   Kick
}

// Verdict is what became of the rim.
type Verdict struct {
	Settles   bool    `json:"settles"`
	Amplitude float64 `json:"amplitude_deg"` // half of what the rim sweeps in the last second
	Frequency float64 `json:"frequency_hz"`  // of its swings; 0 if it keeps still
	Most      float64 `json:"most_deg"`      // furthest from the middle of all
	After     float64 `json:"settled_s"`     // when it stays within 1° of where it ends
}

const (
	seconds = 10.0
	before  = 0.3 // the car rolls straight first [s]
)

// Run gives the rim a kick and watches it for ten seconds.
func Run(car *sim.Car, cfg ffb.Config, c Case) (Verdict, error) {
	feel, err := ffb.New(cfg, ffb.Car{Lock: car.Lock()}, sim.Dt)
	if err != nil {
		return Verdict{}, err
	}
	b := newBench(car, feel, c)
	var w watch
	for i := range int(seconds / sim.Dt) {
		b.step(c.push(float64(i) * sim.Dt))
		w.see(float64(i)*sim.Dt, b.rim.angle)
	}
	return w.verdict(), nil
}

func (c *Case) push(t float64) float64 {
	const torque, from, till = 2, 0.1, 0.2
	if c.Kick == Push && t >= from && t < till {
		return torque
	}
	return 0
}

// bench is a rim in a car.
type bench struct {
	car   *sim.Car
	state sim.State
	feel  *ffb.Feel
	force ffb.State
	rim   machine
	port  port
	wheel ffb.Wheel
	motor float64 // [N·m]
	speed float64 // held [m/s]
}

func newBench(car *sim.Car, feel *ffb.Feel, c Case) bench {
	b := bench{car: car, feel: feel, force: feel.Start(), rim: machine{w: c.Wheel, h: c.Hand}, speed: c.Speed}
	b.state = car.Underway(r3.Vec{}, 0, c.Speed, 0)
	b.wheel = ffb.Wheel{Present: true, Rated: c.Wheel.Rated, Rate: c.Wheel.Rate, Delay: c.Delay}
	if c.Secret {
		b.wheel.Delay = 0
	}
	for range int(before / sim.Dt) {
		b.roll(0)
	}
	if c.Kick == Release {
		b.rim.angle = 0.2
	}
	b.port = newPort(c.Wheel, int(math.Round(c.Delay/sim.Dt)), b.rim.angle)
	b.wheel.Angle = b.rim.angle
	return b
}

// roll moves the car by a tick; an ideal drive holds its speed.
func (b *bench) roll(steer float64) {
	const hold = 20e3 // [N·s/m]
	in := sim.Input{Steer: steer}
	if b.speed > 0 {
		in.Push = hold * (b.speed - b.state.Speed)
	}
	b.car.Step(&b.state, in)
}

// step runs one tick in the order of the rig: angle, car, torque, device, rim.
func (b *bench) step(push float64) {
	b.roll(b.wheel.Angle)
	torque := b.feel.Torque(&b.force, &b.state, b.wheel)
	b.motor, b.wheel.Angle = b.port.step(torque, b.rim.angle, sim.Dt)
	b.rim.step(b.motor, push, sim.Dt)
}

// watch keeps what the verdict needs.
type watch struct {
	low, high [bins]float64 // of each tenth of a second [rad]
	turns     [bins]int     // of direction
	most      float64
	way       float64 // of the rim
	extreme   float64 // since it turned
}

const (
	bins   = 100
	second = bins / int(seconds)
)

func (w *watch) see(t, angle float64) {
	i := min(int(t*float64(second)+1e-6), bins-1)
	if w.low[i] == 0 && w.high[i] == 0 {
		w.low[i], w.high[i] = angle, angle
	}
	w.low[i], w.high[i] = min(w.low[i], angle), max(w.high[i], angle)
	w.most = max(w.most, math.Abs(angle))
	w.turned(i, angle)
}

// turned counts where the rim turns round by more than a hundredth of a degree.
func (w *watch) turned(i int, angle float64) {
	const least = 0.01 * degree
	if w.way*(angle-w.extreme) > 0 {
		w.extreme = angle
	}
	if math.Abs(angle-w.extreme) > least {
		if w.way != 0 {
			w.turns[i]++
		}
		w.way, w.extreme = math.Copysign(1, angle-w.extreme), angle
	}
}

const degree = math.Pi / 180

// verdict: the rim settles if it sweeps less than a degree to either side in the last
// second, and less than three seconds earlier unless that is next to nothing.
func (w *watch) verdict() Verdict {
	const small, nothing = 1, 0.1 // [°]
	v := Verdict{Amplitude: w.sweep(bins - second), Most: w.most / degree, After: w.after(small * degree)}
	for _, n := range w.turns[bins-2*second:] {
		v.Frequency += float64(n) / 4
	}
	v.Settles = v.Amplitude < small && (v.Amplitude < nothing || v.Amplitude < w.sweep(bins-4*second))
	return v
}

// sweep returns half of what the rim sweeps in the second from a bin on [°].
func (w *watch) sweep(from int) float64 {
	low, high := w.low[from], w.high[from]
	for i := range second {
		low, high = min(low, w.low[from+i]), max(high, w.high[from+i])
	}
	return (high - low) / 2 / degree
}

// after returns when the rim came to stay within a distance of where it ends [s].
func (w *watch) after(within float64) float64 {
	end := (w.low[bins-1] + w.high[bins-1]) / 2
	for i := bins - 1; i >= 0; i-- {
		if w.high[i]-end > within || end-w.low[i] > within {
			return float64(i+1) / float64(second)
		}
	}
	return 0
}
