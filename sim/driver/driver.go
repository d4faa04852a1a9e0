// Package driver has drivers for cars: a Model who drives round a circuit, up to the car's limit; a
// StraightLine driver who starts and shifts as well as the car allows; and hands and feet that
// keep to a line (LaneKeeper) or hold a speed (CruiseControl).
//
// In go a car, its circuit or a run on a test ground, and every tick the car's state. Out come the
// inputs for the next tick. Before a drive a Model finds by trials what its car can do; it
// changes no car but its own in those, and reads no device and no clock.
package driver

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

// Config says how hard the driver drives: up to a share of what the car can do, and
// no harder than the accelerations.
type Config struct {
	Effort  float64 `toml:"effort"`       // share of the car's own limits, 0..1
	Lateral float64 `toml:"lateral_mps2"` // acceleration aimed at in bends
	Braking float64 `toml:"braking_mps2"` // before them
	Driving float64 `toml:"driving_mps2"` // behind them
	Fastest float64 `toml:"fastest_mps"`  // anywhere
	Line    string  `toml:"line"`         // "racing" or "centre"
}

// DefaultConfig is a moderately sporty driver: 0.6 g in bends, where the car has
// something left then.
func DefaultConfig() Config {
	return Config{Effort: 0.8, Lateral: 5.9, Braking: 4.5, Driving: 3, Fastest: 50, Line: LineRacing}
}

// LapConfig drives at the car's limit.
func LapConfig() Config {
	return Config{Effort: 0.95, Lateral: 60, Braking: 60, Driving: 60, Fastest: 140, Line: LineRacing}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		valid.InRange("effort", c.Effort, 0.1, 1),
		valid.InRange("lateral_mps2", c.Lateral, 0.5, 60),
		valid.InRange("braking_mps2", c.Braking, 0.5, 60),
		valid.InRange("driving_mps2", c.Driving, 0.5, 60),
		valid.InRange("fastest_mps", c.Fastest, 2, 140),
		c.checkLine(),
	)
}

func (c Config) checkLine() error {
	if c.Line == LineRacing || c.Line == LineCentre {
		return nil
	}
	return fmt.Errorf("line = %q: choose %q or %q", c.Line, LineRacing, LineCentre)
}

// Model steers a car round a circuit. It never changes during a run.
type Model struct {
	cfg     Config
	p       sim.Params
	circuit *road.Circuit
	line    *road.Line // that is driven along
	plans   plans      // speed along it
	grips   []float64  // along it, every metre, in shares of the grip that limits are for
	slowest []float64  // of the planned speeds ahead, every metre [m/s]
	ground  road.Flat  // that limits are for
	dt      float64
	effort  float64    // share of the limits that is used with this car
	hands   *trial.Run // knows the steering wheel angle of a road wheel angle
	limits  limits     // of the car
	rolls   float64    // resistance of rolling [m/s²]
	drag    float64    // of the air, for each m²/s² of speed [1/m]
	radius  float64    // of the rear tires [m]
}

// Memory is what the driver keeps from tick to tick.
type Memory struct {
	Station float64 // along the circuit [m]
	Lateral float64 // to the left of the centre line [m]
	Along   float64 // along the line that is followed [m]
	Aside   float64 // to the left of that [m]
	Wish    sim.Input
	bend    float64 // that the driver wants to take [1/m], positive to the left
	side    float64 // lateral acceleration as it is felt [m/s²]
	turn    turn
}

// New returns a driver who decides every dt [s]. To know the car, it takes one of its own for
// some seconds of trials, which are done in some 20 ms; the racing line takes a little more.
func New(cfg Config, car *sim.Car, circuit *road.Circuit, dt float64) (*Model, error) {
	if err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	p := car.Params()
	p.CGHeight = max(p.CGHeight, 0.1) // the least, which an offset may miss by rounding
	ground := usual(circuit)
	hands, err := trial.New(p, ground, tryDt, 1, assist.Switches{})
	if err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	const rolling = 0.012 // of the weight, tires on asphalt
	d := &Model{
		cfg: cfg, p: p, circuit: circuit, ground: ground, dt: dt, radius: p.Rear.Radius(),
		hands: hands, limits: findLimits(hands),
		rolls: rolling * p.Gravity, drag: dragOf(&p),
	}
	d.effort = cfg.Effort * (1 - d.late()/3)
	if err := d.choose(); err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	for i, force := range fades {
		if d.plans[i], err = d.plan(force); err != nil {
			return nil, fmt.Errorf("maneuver: driver: %w", err)
		}
	}
	d.foresee()
	return d, nil
}

const degree = math.Pi / 180

// tryDt is the time step of the trials [s]: coarse, for they are to be done at once.
const tryDt = 2 * sim.Dt

// dragOf returns the deceleration by the air for each m²/s² of speed [1/m].
func dragOf(p *sim.Params) float64 {
	half := p.Air.Density / 2
	sum := half * p.DragArea
	for _, a := range p.Aero {
		sum += a.Drag + half*a.DragArea
	}
	return sum / p.Mass
}

// atEase is what the driver leaves to the car to look at the road.
func atEase() assist.Switches { return assist.Switches{Clutch: true, Shifting: true} }

// Start returns the memory of a driver who has just taken the wheel.
func (d *Model) Start(s *sim.State) Memory {
	m := Memory{Station: math.NaN(), Along: math.NaN(), Wish: sim.Input{Gear: 1, Assists: atEase()}}
	d.find(&m, s)
	return m
}

// find notes where the car is.
func (d *Model) find(m *Memory, s *sim.State) {
	m.Station, m.Lateral = d.circuit.Nearest(s.Pos, m.Station)
	m.Along, m.Aside = d.line.Nearest(s.Pos, m.Along)
}

// Drive returns what the driver wants for the next tick and remembers it in m.
// It is part of the loop: no allocation.
func (d *Model) Drive(m *Memory, s *sim.State) sim.Input {
	const feels, most = 0.05, 100.0 // [s], [m/s²]
	d.find(m, s)
	side := min(max(finite(s.Acc.Y, 0), -most), most)
	m.side += (side - m.side) * min(d.dt/feels, 1)
	was := m.Wish
	in := d.wish(m, s)
	in.Steer = finite(d.arms(was.Steer, in.Steer), was.Steer)
	in.Throttle = finite(d.foot(was.Throttle, in.Throttle), 0)
	in.Brake = finite(d.foot(was.Brake, in.Brake), 0)
	if in.Gear = 1; m.reverse(s) {
		in.Gear = -1
	}
	in.Assists = atEase()
	m.Wish = in
	return in
}

// wish returns where the driver wants steering wheel and pedals.
func (d *Model) wish(m *Memory, s *sim.State) (in sim.Input) {
	if d.look(m, s); m.turn.side != 0 {
		return d.turnBack(m, s)
	}
	in.Steer = d.steer(m, s)
	in.Throttle, in.Brake = d.pedals(m, s)
	return in
}

// arms moves the steering wheel [rad] as arms do: with a short lag, and no faster
// than a person can.
func (d *Model) arms(was, wish float64) float64 {
	const lag, fastest = 0.04, 12.0 // [s], [rad/s]
	return toward(was, was+(wish-was)*min(d.dt/lag, 1), fastest*d.dt)
}

// foot moves a pedal as a foot does, quicker off than on.
func (d *Model) foot(was, wish float64) float64 {
	const on, off = 4.0, 8.0 // [1/s]
	return min(max(wish, was-off*d.dt, 0), was+on*d.dt, 1)
}

// finite returns v, or another value where v is no finite number.
func finite(v, other float64) float64 {
	if v-v != 0 {
		return other
	}
	return v
}

// toward moves v to target by at most by.
func toward(v, target, by float64) float64 {
	return min(max(target, v-by), v+by)
}
