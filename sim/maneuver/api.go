// Package maneuver drives cars through standard manoeuvres and open-loop inputs, and judges them.
//
// In go a car's parameters and Options (Do, OpenLoop). Out comes a Result: recorded rows, figures
// by which the manoeuvre is judged, notes and plots. It writes no file and reads no clock; who
// drives is in sim/driver, what a run is in sim/trial.
package maneuver

import (
	"cmp"
	"fmt"
	"strings"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/trial"
)

// Metric is one figure that a manoeuvre is judged by.
type Metric struct {
	Name  string // key in JSON
	Value any    // float64 or bool
	Unit  string // "" where it has none
	Text  string // what it is, for people
}

// Series is one line of a plot.
type Series struct {
	Name string
	X, Y []float64
}

// Trace is a plot beside those of the recording: a characteristic, a frequency
// response, a path among cones.
type Trace struct {
	Title, XLabel, YLabel string
	Series                []Series
}

// Result is what a manoeuvre leaves behind.
type Result struct {
	Maneuver string
	Speed    float64 // at the entry, or held [m/s]
	Rows     []trial.Row
	Metrics  []Metric
	Notes    []string // what the reader should know of the figures
	Traces   []Trace
}

// Options say how a manoeuvre is run. The zero value is the standard's way.
type Options struct {
	Speed    float64            // [m/s]; 0 is the manoeuvre's own
	Rate     float64            // rows a second; 0 is 100
	Dt       float64            // time step [s]; 0 is the rig's
	Progress func(done float64) // told the share that is done, 0..1; may be nil
	Assists  assist.Switches    // on in every run; what a manoeuvre switches itself comes first
	Circuit  *road.Circuit      // of a lap
}

const (
	slowest = 0.1 / 3.6   // [m/s], allowed as a test speed
	fastest = 500.0 / 3.6 // [m/s]
)

// settled returns o with its defaults in place, or what is wrong with it.
func (o Options) settled() (Options, error) {
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
	name   string
	about  string
	speed  float64 // where Options name none [m/s], 0: it has none, or searches
	stands bool    // it has none
	run    func(p sim.Params, o Options) (*Result, error)
}

const kph = 1 / 3.6 // [m/s]

// list returns every manoeuvre but open-loop, sorted by name.
func list() []maneuver {
	return []maneuver{
		{"accelerate", "from rest at full throttle: 0 to 100 and 200 km/h, quarter mile, 60 to 100 km/h", 0, true, accelerate},
		{"brake", "from 100 km/h to rest: with and without ABS, by a good foot, on halves of unlike grip, ten times over", 100 * kph, false, brake},
		{"brake-in-turn", "full and partial braking out of a bend of 100 m radius at 5 m/s² (ISO 7975)", brakeTurnSpeed, false, brakeInTurn},
		{"bump", "over a bump 5 cm high and 40 cm long, with both sides and with one", 40 * kph, false, bump},
		{"coastdown", "rolling out in neutral from 120 to 5 km/h (after ISO 10521)", 120 * kph, false, coastdown},
		{"drop", "dropped with the wheels 2 m above the ground", 0, true, drop},
		{"frequency-sweep", "gain and phase of yaw rate and lateral acceleration, 0.2 to 4 Hz (ISO 7401)", 80 * kph, false, frequencySweep},
		{"fuel", "what 10 km at 90 km/h take, what other speeds do, and standing", 90 * kph, false, fuel},
		{"lap", "a flying lap of a circuit with a driver model at the car's limit", 0, true, flyingLap},
		{"launch", "from rest with launch control and without", 0, true, launch},
		{"moose", "obstacle avoidance through cones with a closed-loop driver (ISO 3888-2)", 0, false, moose},
		{"ramp-park", "held for 60 s on slopes of 8° and 20 %, up, down and across, by each brake", 0, true, rampPark},
		{"sine-dwell", "sine with dwell of 0.7 Hz, amplitude after amplitude (UN R140, FMVSS 126)", 80 * kph, false, sineDwell},
		{"stall-start", "the engine stalls and is started; a start on a 12 % hill", 0, true, stallStart},
		{"steady-circle", "constant speed, slowly growing steering angle (ISO 4138)", 80 * kph, false, steadyCircle},
		{"steer-torque", "the steering wheel's torque: standing, and in a slow ramp, its peak against that of the front axle's side force", steerTorqueSpeed, false, steerTorque},
		{"step-steer", "a sudden steering angle that leads to 4 m/s² (ISO 7401)", 80 * kph, false, stepSteer},
		{"throttle-lift", "off the throttle in a bend at 80 % of the grip, gear after gear (ISO 9816)", 0, false, throttleLift},
		{"top-speed", "full throttle until the car gets no faster", 0, true, topSpeed},
	}
}

// Names lists the standard manoeuvres, sorted.
func Names() []string {
	var names []string
	for _, m := range list() {
		names = append(names, m.name)
	}
	return names
}

// About says in a line what a manoeuvre is, "" for one that is not known.
func About(name string) string {
	if name == openLoop {
		return "measured or foreign inputs, driven again"
	}
	m, err := find(name)
	if err != nil {
		return ""
	}
	return m.about
}

// HasSpeed tells whether a manoeuvre takes Options.Speed.
func HasSpeed(name string) bool {
	m, err := find(name)
	return err == nil && !m.stands
}

func find(name string) (maneuver, error) {
	for _, m := range list() {
		if m.name == name {
			return m, nil
		}
	}
	return maneuver{}, fmt.Errorf("maneuver: %q is not known; choose %s", name, strings.Join(Names(), ", "))
}

// Do drives a manoeuvre with a car and judges it.
func Do(name string, p sim.Params, o Options) (*Result, error) {
	m, err := find(name)
	if err != nil {
		return nil, err
	}
	r, err := m.do(p, o)
	if err != nil {
		return nil, fmt.Errorf("maneuver: %s: %w", name, err)
	}
	r.Maneuver = name
	return r, nil
}

func (m maneuver) do(p sim.Params, o Options) (*Result, error) {
	if m.stands && o.Speed != 0 {
		return nil, fmt.Errorf("speed [m/s] = %g: it has no speed; leave it out", o.Speed)
	}
	if o.Speed == 0 {
		o.Speed = m.speed
	}
	o, err := o.settled()
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
