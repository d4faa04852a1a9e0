// Package maneuver drives cars through standard manoeuvres and open-loop inputs, and evaluates them.
//
// Do and OpenLoop take a car's parameters and Options, and return a Result: recorded rows, metrics,
// notes and plots. The package writes no file and reads no clock. The driver models are in sim/driver,
// the run of a car on a test ground is in sim/trial.
package maneuver

import (
	"cmp"
	"fmt"
	"strings"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/trial"
)

// Metric is one result of a manoeuvre.
type Metric struct {
	Name  string // key in JSON
	Value any    // float64 or bool
	Unit  string // "" if it has none
	Text  string // description for users
}

// Series is one line of a plot.
type Series struct {
	Name string
	X, Y []float64
}

// Trace is a plot beside those of the recording: a characteristic curve, a frequency response, a path
// among cones.
type Trace struct {
	Title, XLabel, YLabel string
	Series                []Series
}

// Result is the outcome of a manoeuvre.
type Result struct {
	Maneuver string
	Speed    float64 // speed of the test [m/s]: at its entry, or held all the time
	Rows     []trial.Row
	Metrics  []Metric
	Notes    []string // remarks that a reader of the metrics should know
	Traces   []Trace
}

// Options say how a manoeuvre is run. The zero value follows the standard.
type Options struct {
	Speed    float64            // [m/s]; 0 takes the manoeuvre's own
	Rate     float64            // recorded rows per second; 0 is 100
	Dt       float64            // time step [s]; 0 is sim.Dt
	Progress func(done float64) // called with the share of the work that is done, 0 to 1; may be nil
	Assists  assist.Switches    // assists that are on in every run; a manoeuvre's own switches override them
	Observe  trial.Observer     // sets Row.Extra in Result.Rows; may be nil
	Circuit  *road.Circuit      // circuit of a lap; must not be nil for one
}

const (
	slowest = 0.1 / 3.6   // lowest test speed [m/s]
	fastest = 500.0 / 3.6 // highest test speed [m/s]
)

// withDefaults returns o with its defaults filled in, or an error for the first value out of range.
func (o Options) withDefaults() (Options, error) {
	var speed error
	if o.Speed != 0 {
		speed = valid.InRange("speed [m/s]", o.Speed, slowest, fastest)
	}
	if o.Rate == 0 {
		o.Rate = 100
	}
	if o.Dt == 0 {
		o.Dt = sim.Dt
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	level := func(name string, v uint8) error { return valid.InRange("assists: "+name, float64(v), 0, 10) }
	return o, cmp.Or(
		speed,
		level("abs", o.Assists.ABS), level("traction", o.Assists.Traction), level("stability", o.Assists.Stability),
		valid.InRange("dt [s]", o.Dt, 1e-5, 5e-3),
		valid.InRange("rate [1/s]", o.Rate, 0.1, 1/o.Dt),
	)
}

// maneuver is one entry of the list.
type maneuver struct {
	name        string
	description string
	speed       float64 // default of Options.Speed [m/s]; 0 if there is none, or if the manoeuvre searches for it
	noSpeed     bool    // Options.Speed must be 0
	run         func(p sim.Params, o Options) (*Result, error)
}

// onAsphalt returns the run of a manoeuvre that drives a car on level asphalt. r has the test's speed; unless drive sets
// other rows, those of the recording at its end are added.
func onAsphalt(drive func(t *run, r *Result, o Options) error) func(sim.Params, Options) (*Result, error) {
	return func(p sim.Params, o Options) (*Result, error) {
		t, err := newRun(p, road.Asphalt(), o)
		if err != nil {
			return nil, err
		}
		r := &Result{Speed: o.Speed}
		if err := drive(t, r, o); err != nil {
			return nil, err
		}
		if r.Rows == nil {
			r.Rows = t.Out.Rows
		}
		return r, nil
	}
}

// kph is 1 km/h [m/s].
const kph = 1 / 3.6

// list returns every manoeuvre except open-loop, sorted by name.
func list() []maneuver {
	return []maneuver{
		{"accelerate", "from rest at full throttle: 0 to 100 and 200 km/h, quarter mile, 60 to 100 km/h", 0, true, onAsphalt(accelerate)},
		{"brake", "from 100 km/h to rest: with and without ABS, by a practised driver, on split mu, and ten times in a row", 100 * kph, false, brake},
		{"brake-in-turn", "full and partial braking out of a bend of 100 m radius at 5 m/s² (ISO 7975)", brakeTurnSpeed, false, onAsphalt(brakeInTurn)},
		{"bump", "over a bump 5 cm high and 40 cm long, with both sides and with one", 40 * kph, false, bump},
		{"coastdown", "rolling out in neutral from 120 to 5 km/h (after ISO 10521)", 120 * kph, false, onAsphalt(coastdown)},
		{"drop", "dropped with the wheels 2 m above the ground", 0, true, onAsphalt(drop)},
		{"frequency-sweep", "gain and phase of yaw rate and lateral acceleration, 0.2 to 4 Hz (ISO 7401)", 80 * kph, false, onAsphalt(frequencySweep)},
		{"fuel", "consumption over 10 km at 90 km/h, at other speeds, and at standstill", 90 * kph, false, onAsphalt(fuel)},
		{"lap", "a flying lap of a circuit with a driver model at the car's limit", 0, true, flyingLap},
		{"launch", "from rest with launch control and without", 0, true, onAsphalt(launch)},
		{"moose", "obstacle avoidance through cones with a closed-loop driver (ISO 3888-2)", 0, false, moose},
		{"ramp-park", "held for 60 s on slopes of 8° and 20 %, up, down and across, by each brake", 0, true, rampPark},
		{"sine-dwell", "sine with dwell of 0.7 Hz, amplitude after amplitude, both ways (UN R140, FMVSS 126)", 80 * kph, false, onAsphalt(sineDwell)},
		{"stall-start", "the engine stalls and is started; a start on a 12 % hill", 0, true, onAsphalt(stallStart)},
		{"steady-circle", "constant speed, slowly growing steering angle (ISO 4138)", 80 * kph, false, onAsphalt(steadyCircle)},
		{"steer-torque", "torque at the steering wheel: at standstill, and in a slow ramp its peak compared with that of the front axle's side force",
			steerTorqueSpeed, false, onAsphalt(steerTorque)},
		{"step-steer", "a sudden steering angle that leads to 4 m/s² (ISO 7401)", 80 * kph, false, onAsphalt(stepSteer)},
		{"throttle-lift", "off the throttle in a bend at 80 % of the grip, gear after gear (ISO 9816)", 0, false, onAsphalt(throttleLift)},
		{"top-speed", "full throttle until the car gets no faster", 0, true, onAsphalt(topSpeed)},
		{"weave", "on-centre handling: a sine of 0.2 Hz to 2 m/s², its loops of angle, torque and lateral acceleration (ISO 13674-1)",
			weaveSpeed, false, onAsphalt(weave)},
	}
}

// Names returns the names of the standard manoeuvres, sorted.
func Names() []string {
	var names []string
	for _, m := range list() {
		names = append(names, m.name)
	}
	return names
}

// About returns a line of description of a manoeuvre, "" for an unknown one.
func About(name string) string {
	if name == openLoop {
		return "given inputs, measured or from another model"
	}
	m, err := findManeuver(name)
	if err != nil {
		return ""
	}
	return m.description
}

// HasSpeed reports whether a manoeuvre uses Options.Speed.
func HasSpeed(name string) bool {
	m, err := findManeuver(name)
	return err == nil && !m.noSpeed
}

// findManeuver returns the entry of the list with a name, or an error that lists the names.
func findManeuver(name string) (maneuver, error) {
	for _, m := range list() {
		if m.name == name {
			return m, nil
		}
	}
	return maneuver{}, fmt.Errorf("maneuver: %q not found; choose %s", name, strings.Join(Names(), ", "))
}

// Do drives a manoeuvre with a car and evaluates it.
func Do(name string, p sim.Params, o Options) (*Result, error) {
	m, err := findManeuver(name)
	if err != nil {
		return nil, err
	}
	r, err := m.drive(p, o)
	if err != nil {
		return nil, fmt.Errorf("maneuver: %s: %w", name, err)
	}
	r.Maneuver = name
	return r, nil
}

// drive fills in the defaults of the options, checks them and runs the manoeuvre.
func (m maneuver) drive(p sim.Params, o Options) (*Result, error) {
	if m.noSpeed && o.Speed != 0 {
		return nil, fmt.Errorf("speed [m/s] = %g: it has no speed; leave it out", o.Speed)
	}
	if o.Speed == 0 {
		o.Speed = m.speed
	}
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := m.run(p, o)
	if err != nil {
		return nil, err
	}
	o.Progress(1)
	return r, nil
}
