package brakes

import (
	"errors"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Disc describes the brake disc of each wheel of an axle, with all parts that share its heat.
type Disc struct {
	// heat capacity of each disc; 0 sizes it by the brake's torque: 1.4 J/K for each N·m at the wheel, 500 J/K
	// at least
	HeatCapacity float64 `toml:"heat_capacity_j_per_k" range:"0 (by the brake) or 100..1000000"`
	// cooling by the air at standstill; 0 sizes it by the heat capacity: a time constant of 900 s
	StillCooling float64 `toml:"cooling_w_per_k" range:"0 (by the heat capacity) or 1e-6..1000"`
	// further cooling for each m/s of the car's speed; 0 sizes it by the heat capacity: a time constant of 200
	// s at 30 m/s
	AirflowCooling float64 `toml:"cooling_j_per_k_m" range:"0 (by the heat capacity) or 1e-6..100"`
	// friction over disc temperature, relative to the cold brake: points `{ temperature_c, factor }`. By
	// default 1 at 350 °C, 0.85 at 500, 0.6 at 650, 0.45 at 800
	Fade []FadePoint `toml:"fade" count:"1..32"`
}

// FadePoint is a point of the friction factor over the disc's temperature, which is linear between the points.
type FadePoint struct {
	Temperature float64 `toml:"temperature_c" range:"-50..2000" valid:"-"` // temperature of the disc
	// friction over that of the cold brake
	Factor float64 `toml:"factor" range:"0.05..2"`
}

// defaultDisc returns a disc that suits the brake's torque, with the fade of the pads of road cars.
func defaultDisc() Disc {
	return Disc{Fade: []FadePoint{{350, 1}, {500, 0.85}, {650, 0.6}, {800, 0.45}}}
}

// Validate returns an error that names every parameter that is out of range.
func (d Disc) Validate() error {
	return errors.Join(
		valid.Struct(d),
		curve.CheckRising("fade", "temperature_c", d.Fade, func(p FadePoint) float64 { return p.Temperature }, 0.1),
	)
}

// hottest is the upper limit of a disc's temperature [°C]; iron melts at a lower one.
const hottest = 2000

// rotor is a Disc in the form that a tick needs.
type rotor struct {
	fade           curve.Line // friction as a share of that of the cold brake, over temperature [°C]
	capacity       float64    // heat capacity [J/K]
	kelvinPerWatt  float64    // rise of the temperature in a tick for each W [K/W]
	stillCooling   float64    // heat flow to the air at standstill [W/K]
	airflowCooling float64    // further heat flow for each m/s of speed [J/(K·m)]
}

// newRotor returns a disc for the tick. For values of 0 it chooses those that suit the brake's torque at full
// pedal [N·m]: for 3400 N·m a disc of 10 kg of iron, which cools with a time constant of 15 minutes at
// standstill and of 200 s at 30 m/s.
func newRotor(d Disc, torque, dt float64) rotor {
	k := rotor{capacity: d.HeatCapacity, stillCooling: d.StillCooling, airflowCooling: d.AirflowCooling}
	if k.capacity == 0 {
		k.capacity = max(1.4*torque, 500)
	}
	if k.stillCooling == 0 {
		k.stillCooling = k.capacity / 900
	}
	if k.airflowCooling == 0 {
		k.airflowCooling = k.capacity * (1.0/200 - 1.0/900) / 30
	}
	k.kelvinPerWatt = dt / k.capacity
	for _, at := range d.Fade {
		k.fade.Add(at.Temperature, at.Factor)
	}
	return k
}

// nextTemperature returns the temperature of the disc after this tick [°C]. power heats it [W]; air of the
// temperature air [°C] cools it at the car's speed [m/s].
func (k *rotor) nextTemperature(temperature, power, speed, air float64) float64 {
	cooling := (k.stillCooling + k.airflowCooling*math.Abs(speed)) * (temperature - air)
	return min(temperature+(power-cooling)*k.kelvinPerWatt, hottest)
}
