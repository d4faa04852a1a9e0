// Package maneuver drives the car: standard manoeuvres, open-loop inputs, and driver models.
package maneuver

import (
	"errors"
	"fmt"
	"math"

	"rig/sim"
	"rig/sim/road"
)

// Config says how hard the driver drives.
type Config struct {
	Lateral float64 `toml:"lateral_mps2"` // acceleration aimed at in bends
	Braking float64 `toml:"braking_mps2"` // before them
	Fastest float64 `toml:"fastest_mps"`  // anywhere
}

// DefaultConfig is a moderately sporty driver: 0.6 g in bends.
func DefaultConfig() Config { return Config{Lateral: 5.9, Braking: 4.5, Fastest: 50} }

// Validate reports every field that is out of range.
func (c Config) Validate() error {
	return errors.Join(
		inRange("lateral_mps2", c.Lateral, 0.5, 15),
		inRange("braking_mps2", c.Braking, 0.5, 12),
		inRange("fastest_mps", c.Fastest, 2, 90),
	)
}

// Driver steers a car round a circuit. It never changes during a run.
type Driver struct {
	cfg     Config
	car     *sim.Car
	circuit *road.Circuit
	dt      float64
	under   float64   // understeer: extra road wheel angle for each m/s² [rad·s²/m]
	base    float64   // wheelbase [m]
	ratio   float64   // steering wheel angle over road wheel angle
	most    float64   // steering wheel angle [rad]
	front   float64   // share of the drive torque in front
	step    float64   // between the entries of allowed [m]
	allowed []float64 // speed at each place of the circuit [m/s]
}

// Memory is what the driver keeps from tick to tick.
type Memory struct {
	Station float64 // along the circuit [m]
	Lateral float64 // to the left of the centre line [m]
	Wish    sim.Input
}

// NewDriver returns a driver who decides every dt [s].
func NewDriver(cfg Config, car *sim.Car, circuit *road.Circuit, dt float64) (*Driver, error) {
	if err := errors.Join(cfg.Validate(), inRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("maneuver: driver: %w", err)
	}
	p := car.Params()
	d := &Driver{
		cfg: cfg, car: car, circuit: circuit, dt: dt,
		under: car.Understeer(),
		base:  p.Wheelbase,
		ratio: p.Steering.Ratio,
		front: p.Driveline.FrontShare,
		most:  p.Steering.Ratio * p.Steering.MaxSteer * math.Pi / 180,
	}
	d.plan()
	return d, nil
}

// plan finds the speed allowed at every metre: what the bend allows, and what
// the brakes can take off before the next one.
func (d *Driver) plan() {
	n := int(math.Ceil(d.circuit.Length()))
	d.step = d.circuit.Length() / float64(n)
	d.allowed = make([]float64, n)
	for i := range d.allowed {
		bend := math.Abs(d.circuit.At(float64(i) * d.step).Curvature)
		d.allowed[i] = min(d.cfg.Fastest, math.Sqrt(d.cfg.Lateral/max(bend, 1e-6)))
	}
	for i := 2*n - 1; i >= 0; i-- { // twice round, as the line is closed
		next := d.allowed[(i+1)%n]
		bend := math.Abs(d.circuit.At(float64(i+1) * d.step).Curvature)
		used := min(next*next*bend/d.cfg.Lateral, 1) // share of the grip that the bend takes
		braking := d.cfg.Braking * math.Sqrt(1-used*used)
		d.allowed[i%n] = min(d.allowed[i%n], math.Sqrt(next*next+2*braking*d.step))
	}
}

// Start returns the memory of a driver who has just taken the wheel.
func (d *Driver) Start(s *sim.State) Memory {
	station, lateral := d.circuit.Nearest(s.Pos, math.NaN())
	return Memory{Station: station, Lateral: lateral, Wish: sim.Input{Gear: 1}}
}

// Drive returns what the driver wants for the next tick and remembers it in m.
// It is part of the loop: no allocation.
func (d *Driver) Drive(m *Memory, s *sim.State) sim.Input {
	m.Station, m.Lateral = d.circuit.Nearest(s.Pos, m.Station)
	was := m.Wish
	throttle, brake := d.pedals(m, s)
	m.Wish = sim.Input{
		Steer:    toward(was.Steer, d.steer(m, s), 9*d.dt),
		Throttle: toward(was.Throttle, throttle, 4*d.dt),
		Brake:    toward(was.Brake, brake, 5*d.dt),
		Gear:     d.car.AutoGear(s, max(was.Gear, 1)),
	}
	return m.Wish
}

// steer returns the steering wheel angle [rad] for the bend a moment ahead,
// corrected by where the car would come to lie beside the line.
func (d *Driver) steer(m *Memory, s *sim.State) float64 {
	const reaction, preview, least = 0.12, 0.55, 4.0 // [s], [s], [m]
	speed := max(s.Speed, 0)
	here := d.circuit.At(m.Station)
	bend := d.circuit.At(m.Station + reaction*speed).Curvature
	ahead := least + preview*speed
	beside := m.Lateral + ahead*math.Sin(course(s)-here.Heading)
	bend -= 2 * beside / (ahead * ahead) // the arc that leads back to the line
	angle := bend * (d.base + d.under*speed*speed)
	return min(max(angle*d.ratio, -d.most), d.most)
}

// course returns the direction of travel [rad], or the heading when slow.
func course(s *sim.State) float64 {
	if s.Speed > 3 {
		return math.Atan2(s.Vel.Y, s.Vel.X)
	}
	return s.Yaw()
}

// pedals returns throttle and brake for the planned speed.
func (d *Driver) pedals(m *Memory, s *sim.State) (throttle, brake float64) {
	const reaction = 0.25 // [s]
	ahead := d.circuit.Length() + m.Station + reaction*max(s.Speed, 0)
	want := d.allowed[int(ahead/d.step)%len(d.allowed)]
	missing := want - s.Speed
	if missing < -0.4 {
		return 0, min(-0.25*missing, 0.7)
	}
	return min(max(0.15+0.35*missing, 0), d.traction(s)), 0
}

// traction returns the throttle that the driven tires can take: less in bends,
// and none when they spin.
func (d *Driver) traction(s *sim.State) float64 {
	bend := min(math.Abs(s.Rate.Z*s.Speed)/8, 0.95)
	spin := 0.0
	if d.front > 0 {
		spin = max(s.Wheels[sim.FL].Kappa, s.Wheels[sim.FR].Kappa)
	}
	if d.front < 1 {
		spin = max(spin, s.Wheels[sim.RL].Kappa, s.Wheels[sim.RR].Kappa)
	}
	return 0.9 * (1 - bend*bend) * min(max(1.5-spin/0.08, 0), 1)
}

// toward moves v to target by at most by.
func toward(v, target, by float64) float64 {
	return min(max(target, v-by), v+by)
}

func inRange(name string, v, low, high float64) error {
	if v >= low && v <= high { // false for NaN
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", name, v, low, high)
}
