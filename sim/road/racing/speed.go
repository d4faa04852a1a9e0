package racing

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/road"
)

// Limits are what a car can do: accelerations that its tires bring on a level and even
// road [m/s²], by its speed [m/s], and what else works on it. A nil function is no limit.
type Limits struct {
	Gravity float64 // [m/s²]

	Side func(speed float64) float64 // most lateral acceleration, grows with downforce
	Stop func(speed float64) float64 // most braking, without what the air does
	Push func(speed float64) float64 // most that the driven tires bring to the road
	Pull func(speed float64) float64 // most that the engine gives

	Resist func(speed float64) float64 // what air and rolling take off; nil is nothing

	// Spare returns which share of Stop and Push is left where a bend takes the share used
	// of Side; nil is the friction ellipse.
	Spare func(used float64) float64
	// Grip returns the share of the grip that the road has at a station; nil is 1 all along.
	Grip func(s float64) float64

	// What a driver wants at most, however much the car could do; 0 is no limit.
	MostSide, MostStop, MostDrive float64 // [m/s²]
	Fastest                       float64 // [m/s]

	Light float64 // least share of the weight that a crest may leave, 0..1
	Start float64 // speed at the start of an open line [m/s]
}

// Speeds is a car's speed along a line.
type Speeds struct {
	step   float64 // between stations [m]
	closed bool
	speed  []float64 // [m/s]
	ahead  []float64 // acceleration from each station on [m/s²]
	time   float64   // of the whole line [s]
}

// Time returns how long the car takes along the line [s].
func (p *Speeds) Time() float64 { return p.time }

// At returns speed and acceleration at a station [m, m/s, m/s²]. It runs on round a
// closed line, and stays at the ends of an open one.
func (p *Speeds) At(s float64) (speed, ahead float64) {
	at, n := s/p.step, len(p.speed)
	if at-at != 0 {
		at = 0
	}
	if p.closed {
		at -= math.Floor(at/float64(n)) * float64(n)
	}
	at = min(max(at, 0), float64(n))
	i := min(int(at), n-1)
	next, part := p.next(i), at-float64(i)
	return p.speed[i] + part*(p.speed[next]-p.speed[i]), p.ahead[i] + part*(p.ahead[next]-p.ahead[i])
}

func (p *Speeds) next(i int) int {
	if i+1 < len(p.speed) {
		return i + 1
	}
	if p.closed {
		return 0
	}
	return i
}

// SpeedProfile returns the fastest speed along a line: what bends, crests and grip allow
// at each station, then from there backwards what the brakes take off, and forwards
// what engine and driven wheels put on. The method is that of Kapania, Subosits and Gerdes,
// A sequential two-step algorithm for fast generation of vehicle racing trajectories, Journal
// of Dynamic Systems, Measurement and Control 138 (2016); the car is a point on a road
// with banks and slopes.
func SpeedProfile(l *road.Line, lim Limits) (*Speeds, error) {
	if err := lim.check(); err != nil {
		return nil, fmt.Errorf("road: speed profile: %w", err)
	}
	const grid = 1.0 // [m]
	n := max(int(math.Ceil(l.Length()/grid)), 2)
	p := &Speeds{step: l.Length() / float64(n), closed: l.Closed()}
	if !p.closed {
		n++
	}
	way := make([]spot, n)
	for i := range way {
		way[i] = spotOf(l, float64(i)*p.step)
		if lim.Grip != nil {
			way[i].grip = min(max(lim.Grip(float64(i)*p.step), 1e-3), 10)
		}
		p.speed = append(p.speed, lim.fastest(&way[i]))
	}
	p.ahead = make([]float64, n)
	p.sweep(way, &lim)
	p.measure(way)
	return p, nil
}

const crawl = 0.1 // speed of a car that is too weak to go on [m/s]

func (lim *Limits) check() error {
	err := errors.Join(
		valid.InRange("gravity", lim.Gravity, 0, 1e3), valid.InRange("light", lim.Light, 0, 1),
		valid.InRange("start", lim.Start, 0, 1e3), valid.InRange("fastest", lim.Fastest, 0, 1e3),
		valid.InRange("most side", lim.MostSide, 0, 1e3), valid.InRange("most stop", lim.MostStop, 0, 1e3),
		valid.InRange("most drive", lim.MostDrive, 0, 1e3),
	)
	if err != nil {
		return err
	}
	if lim.Side == nil && lim.Fastest == 0 {
		return errors.New("nothing limits the speed: give Side or Fastest")
	}
	return nil
}

// sweep lowers the speeds to what brakes and engine make of them: backwards from where the
// car has to be slow, then forwards from where it was; twice round a closed line.
func (p *Speeds) sweep(way []spot, lim *Limits) {
	n := len(way)
	rounds := 2 * n
	if !p.closed {
		rounds = n - 1
		p.speed[0] = min(p.speed[0], lim.Start)
	}
	for k := rounds - 1; k >= 0; k-- {
		i := k % n
		next := p.next(i)
		v := p.speed[next]
		by := func(v float64) float64 { return lim.slows(&way[next], v) }
		p.speed[i] = min(p.speed[i], after(v, p.step*way[i].stretch, by))
	}
	if !p.closed {
		p.speed[0] = min(p.speed[0], lim.Start)
	}
	for k := range rounds {
		i := k % n
		next := p.next(i)
		by := func(v float64) float64 { return lim.gains(&way[i], v) }
		v := max(after(p.speed[i], p.step*way[i].stretch, by), min(p.speed[i], crawl))
		p.speed[next] = min(p.speed[next], v)
	}
}

// after returns the speed at the end of a way [m] along which the car gains so much [m/s²]
// by its speed, by the mean of both ends' gains (Heun's rule, in the square of the speed).
func after(v, way float64, gain func(v float64) float64) float64 {
	here := gain(v)
	there := gain(math.Sqrt(max(v*v+2*way*here, 0)))
	return math.Sqrt(max(v*v+way*(here+there), 0))
}

// measure takes acceleration and time from the speeds.
func (p *Speeds) measure(way []spot) {
	for i, v := range p.speed {
		next := p.next(i)
		if next == i {
			break // the end of an open line
		}
		ds := p.step * way[i].stretch
		w := p.speed[next]
		p.ahead[i] = (w*w - v*v) / (2 * ds)
		p.time += 2 * ds / max(v+w, crawl)
	}
}
