package brakes

import (
	"errors"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Disc describes the rotor of one brake with what shares its heat, for each wheel of an axle.
type Disc struct {
	Capacity float64     `toml:"heat_capacity_j_per_k"` // 0 sizes it by the brake's torque
	Cooling  float64     `toml:"cooling_w_per_k"`       // to the air, standing; 0 sizes it by the heat capacity
	Draught  float64     `toml:"cooling_j_per_k_m"`     // more of it for each m/s; 0 sizes it the same
	Fade     []FadePoint `toml:"fade" most:"32"`        // friction over temperature
}

// FadePoint is a point of the friction factor over the disc's temperature.
type FadePoint struct {
	Temperature float64 `toml:"temperature_c"`
	Factor      float64 `toml:"factor"` // over the cold brake's friction
}

// defaultDisc returns one that is sized by the brake's torque, and whose pads fade as those of
// road cars do.
func defaultDisc() Disc {
	return Disc{Fade: []FadePoint{{350, 1}, {500, 0.85}, {650, 0.6}, {800, 0.45}}}
}

// Validate returns an error that names every parameter that is out of range.
func (d Disc) Validate() error {
	errs := []error{
		sized("heat_capacity_j_per_k", d.Capacity, 100, 1e6),
		sized("cooling_w_per_k", d.Cooling, 1e-6, 1e3),
		sized("cooling_j_per_k_m", d.Draught, 1e-6, 100),
		valid.InRange("number of fade points", float64(len(d.Fade)), 1, 32),
	}
	points := curve.LineRange{List: "fade", X: "temperature_c", Least: -50, Most: hottest, Gap: 0.1, Y: "factor", Low: 0.05, High: 2}
	errs = append(errs, points.Check(len(d.Fade), func(i int) (x, y float64) { return d.Fade[i].Temperature, d.Fade[i].Factor })...)
	return errors.Join(errs...)
}

// sized reports a value that is out of range and is not 0, which leaves it to the program.
func sized(name string, v, low, high float64) error {
	if v == 0 {
		return nil
	}
	return valid.InRange(name, v, low, high)
}

// hottest is where a disc's temperature ends [°C]: iron melts well below.
const hottest = 2000

// rotor is the constant part of one.
type rotor struct {
	fade     curve.Line // friction over that of the cold brake
	capacity float64    // [J/K]
	perWatt  float64    // warming in a tick [K/W]
	cooling  float64    // [W/K]
	draught  float64    // [J/(K·m)]
}

// newRotor sizes what is left open by the brake's torque at full pedal [N·m]: a disc of
// 10 kg of iron goes with 3400 N·m, and cools with a time constant of a quarter of an
// hour when it stands and of 200 s at 30 m/s.
func newRotor(d Disc, torque, dt float64) rotor {
	k := rotor{capacity: d.Capacity, cooling: d.Cooling, draught: d.Draught}
	if k.capacity == 0 {
		k.capacity = max(1.4*torque, 500)
	}
	if k.cooling == 0 {
		k.cooling = k.capacity / 900
	}
	if k.draught == 0 {
		k.draught = k.capacity * (1.0/200 - 1.0/900) / 30
	}
	k.perWatt = dt / k.capacity
	for _, at := range d.Fade {
		k.fade.Add(at.Temperature, at.Factor)
	}
	return k
}

// warmed returns the temperature a tick later [°C], by the power that comes in [W] and
// what goes to the air at a speed [m/s].
func (k *rotor) warmed(temperature, power, speed, air float64) float64 {
	lost := (k.cooling + k.draught*math.Abs(speed)) * (temperature - air)
	return min(temperature+(power-lost)*k.perWatt, hottest)
}
