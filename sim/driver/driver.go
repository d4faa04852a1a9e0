// Package driver has driver models: Model drives round a circuit, up to the car's limit; StraightLine
// starts and shifts as well as the car allows; Preview steers through lane changes; LaneKeeper keeps to
// a straight line, and CruiseControl holds a speed.
//
// Their input is a car, its circuit or a run on a test ground, and every tick the car's state. Their
// output is the input for the next tick. Before a drive, a Model measures the limits of the car in
// short trials on its own copy. It reads no device and no clock.
package driver

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/trial"
)

// Config says how hard the driver drives: up to a share of what the car can do, and
// no harder than the accelerations.
type Config struct {
	Effort  float64 `toml:"effort" range:"0.1..1"`        // share of the car's own limits that is used
	Lateral float64 `toml:"lateral_mps2" range:"0.5..60"` // largest lateral acceleration in bends
	Braking float64 `toml:"braking_mps2" range:"0.5..60"` // largest deceleration before bends
	Driving float64 `toml:"driving_mps2" range:"0.5..60"` // largest acceleration after bends
	Fastest float64 `toml:"fastest_mps" range:"2..140"`   // highest speed
	Line    string  `toml:"line" oneof:"racing,centre"`   // line to follow: "racing" or "centre"
}

// DefaultConfig is a moderately sporty driver: 0.6 g in bends, where the car still has a reserve.
func DefaultConfig() Config {
	return Config{Effort: 0.8, Lateral: 5.9, Braking: 4.5, Driving: 3, Fastest: 50, Line: LineRacing}
}

// LapConfig drives at the car's limit.
func LapConfig() Config {
	return Config{Effort: 0.95, Lateral: 60, Braking: 60, Driving: 60, Fastest: 140, Line: LineRacing}
}

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return valid.Struct(c)
}

// Model drives a car round a circuit. It is immutable during a run.
type Model struct {
	cfg          Config
	params       sim.Params // parameters of the car
	circuit      *road.Circuit
	line         *road.Line // line that the driver follows
	plans        fadePlans  // planned speeds along the line
	grips        []float64  // grip at every metre of the line, over that of the ground of the trials
	slowestAhead []float64  // lowest planned speed within the next 300 m, for every metre of the line [m/s]
	ground       road.Flat  // ground on which the limits were measured
	dt           float64    // time between two decisions [s]
	effort       float64    // share of the limits that is used with this car
	steering     *trial.Run // converts road wheel angles to steering wheel angles
	limits       limits     // measured limits of the car
	rollingDecel float64    // deceleration by rolling resistance [m/s²]
	drag         float64    // deceleration by the air over the square of the speed [1/m]
	rearRadius   float64    // radius of the rear tires [m]
}

// Memory is the driver's state between two ticks.
type Memory struct {
	Station       float64    // distance along the circuit [m]
	LateralOffset float64    // distance to the left of the center line [m]
	LineStation   float64    // distance along the followed line [m]
	LineOffset    float64    // distance to the left of the followed line [m]
	Input         sim.Input  // last input
	curvature     float64    // wanted curvature of the path [1/m], positive to the left
	lateralAccel  float64    // smoothed lateral acceleration [m/s²]
	rearDirection float64    // smoothed direction in which the rear axle moves, against the car's heading [rad]
	yawRate       float64    // smoothed yaw rate [rad/s]
	turn          turnAround // state of turning the car round
}

// New returns a driver that decides every dt [s]. It measures the limits of the car in short simulated
// trials, which take some 20 ms of computing time, and finds the racing line, which takes a little more.
func New(cfg Config, car *sim.Car, circuit *road.Circuit, dt float64) (*Model, error) {
	if err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	p := car.Params()
	p.CGHeight = max(p.CGHeight, 0.1) // the smallest valid height; after an offset, rounding may give less
	ground := typicalGround(circuit)
	steering, err := trial.New(p, ground, trialDt, 1, assist.Switches{})
	if err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	const rolling = 0.012 // rolling resistance of tires on asphalt, over the weight
	d := &Model{
		cfg: cfg, params: p, circuit: circuit, ground: ground, dt: dt, rearRadius: p.Rear.Radius(),
		steering: steering, limits: findLimits(steering),
		rollingDecel: rolling * p.Gravity, drag: dragOf(&p),
	}
	d.effort = cfg.Effort * (1 - d.lagShare()/3)
	if err := d.chooseLine(); err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	for i, brakeForce := range fadeFactors {
		if d.plans[i], err = d.planSpeeds(brakeForce); err != nil {
			return nil, fmt.Errorf("maneuver: driver: %w", err)
		}
	}
	d.setSlowestAhead()
	return d, nil
}

// degree is one degree [rad].
const degree = math.Pi / 180

// trialDt is the time step of the trials [s]. It is coarse to make them fast.
const trialDt = 2 * sim.Dt

// dragOf returns the deceleration by the air over the square of the speed [1/m].
func dragOf(p *sim.Params) float64 {
	half := p.Air.Density / 2
	sum := half * p.DragArea
	for _, a := range p.Aero {
		sum += a.Drag + half*a.DragArea
	}
	return sum / p.Mass
}

// driverAssists returns the assists that operate clutch and gears for the driver.
func driverAssists() assist.Switches { return assist.Switches{AutoClutch: true, AutoShift: true} }

// Start returns the memory of a driver at the beginning of a drive.
func (d *Model) Start(s *sim.State) Memory {
	m := Memory{Station: math.NaN(), LineStation: math.NaN(), Input: sim.Input{Gear: 1, Assists: driverAssists()}}
	d.locate(&m, s)
	return m
}

// locate updates the position of the car along circuit and line.
func (d *Model) locate(m *Memory, s *sim.State) {
	m.Station, m.LateralOffset = d.circuit.Nearest(s.Pos, m.Station)
	m.LineStation, m.LineOffset = d.line.Nearest(s.Pos, m.LineStation)
}

// Drive returns the driver's input for the next tick and updates m. It allocates nothing.
func (d *Model) Drive(m *Memory, s *sim.State) sim.Input {
	d.locate(m, s)
	d.feel(m, s)
	last := m.Input
	in := d.targetInput(m, s)
	in.Steer = finite(d.moveWheel(last.Steer, in.Steer), last.Steer)
	in.Throttle = finite(d.movePedal(last.Throttle, in.Throttle), 0)
	in.Brake = finite(d.movePedal(last.Brake, in.Brake), 0)
	if in.Gear = 1; m.wantsReverse(s) {
		in.Gear = -1
	}
	in.Assists = driverAssists()
	m.Input = in
	return in
}

// feel updates what the driver feels of the car's motion.
func (d *Model) feel(m *Memory, s *sim.State) {
	const largest = 100.0 // [m/s², rad, rad/s]: far beyond what a car does
	motion := trial.MotionOf(s)
	follow := func(v *float64, now, smoothing float64) {
		now = min(max(finite(now, 0), -largest), largest)
		*v += (now - *v) * min(d.dt/smoothing, 1)
	}
	follow(&m.lateralAccel, s.Acc.Y, 0.05)
	follow(&m.rearDirection, rearDirection(&motion, &d.params), 0.03)
	follow(&m.yawRate, motion.YawRate, 0.1)
}

// targetInput returns the positions of steering wheel and pedals that the driver aims at.
func (d *Model) targetInput(m *Memory, s *sim.State) (in sim.Input) {
	if d.watchHeading(m, s); m.turn.direction != 0 {
		return d.turnCarAround(m, s)
	}
	in.Steer = d.steerAngle(m, s)
	in.Throttle, in.Brake = d.pedals(m, s)
	return in
}

// moveWheel moves the steering wheel [rad] with the short lag and the limited speed of a person's arms.
func (d *Model) moveWheel(last, target float64) float64 {
	const lag, fastest = 0.04, 12.0 // [s], [rad/s]
	return moveToward(last, last+(target-last)*min(d.dt/lag, 1), fastest*d.dt)
}

// movePedal moves a pedal, 0 to 1, with the limited speed of a foot, which releases faster than it presses.
func (d *Model) movePedal(last, target float64) float64 {
	const on, off = 4.0, 8.0 // [1/s]
	return min(max(target, last-off*d.dt, 0), last+on*d.dt, 1)
}

// finite returns v, or other if v is NaN or Inf.
func finite(v, other float64) float64 {
	if !valid.Finite(v) {
		return other
	}
	return v
}

// moveToward returns v moved towards target by at most maxChange, which must be >= 0.
func moveToward(v, target, maxChange float64) float64 {
	return min(max(target, v-maxChange), v+maxChange)
}
