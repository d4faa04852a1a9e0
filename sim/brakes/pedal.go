package brakes

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/curve"
)

// Pedal describes what the driver's foot presses.
type Pedal struct {
	By       string       `toml:"by"`              // force or travel: what the input counts
	Force    float64      `toml:"full_force_n"`    // of the foot at full pedal
	Leverage float64      `toml:"ratio"`           // force on the master cylinder over the foot's
	Master   float64      `toml:"master_mm"`       // diameter of the master cylinder
	Curve    []PedalPoint `toml:"curve" most:"32"` // force over travel, where travel counts; none is a straight line
}

// PedalPoint is a point of the pedal's curve, in shares of full travel and force.
type PedalPoint struct {
	Travel float64 `toml:"travel"`
	Force  float64 `toml:"force"`
}

// defaultPedal returns a passenger car's, for pedals that measure force.
func defaultPedal() Pedal {
	return Pedal{By: "force", Force: 400, Leverage: 3.5, Master: 22.2}
}

// Validate returns an error that names every parameter that is out of range.
func (p Pedal) Validate() error {
	errs := []error{
		valid.OneOf("by", p.By, "force", "travel"),
		valid.InRange("full_force_n", p.Force, 10, 5e3),
		valid.InRange("ratio", p.Leverage, 1, 20),
		valid.InRange("master_mm", p.Master, 5, 60),
		valid.InRange("number of curve points", float64(len(p.Curve)), 0, 32),
	}
	points := curve.LineRange{List: "curve", X: "travel", Least: 0, Most: 1, Gap: 1e-3, Y: "force", Low: 0, High: 1}
	errs = append(errs, points.Check(len(p.Curve), func(i int) (x, y float64) { return p.Curve[i].Travel, p.Curve[i].Force })...)
	for i := 1; i < len(p.Curve); i++ {
		if before := p.Curve[i-1].Force; p.Curve[i].Force < before {
			errs = append(errs, fmt.Errorf("curve[%d].force = %g: must not fall from the %g before", i, p.Curve[i].Force, before))
		}
	}
	if n := len(p.Curve); n > 0 && p.Curve[n-1] != (PedalPoint{1, 1}) {
		errs = append(errs, fmt.Errorf("curve[%d] = %g, %g: end with travel = 1, force = 1, the full pedal", n-1, p.Curve[n-1].Travel, p.Curve[n-1].Force))
	}
	return errors.Join(errs...)
}

// Booster describes what helps the foot by a multiple of its force, up to what its vacuum gives.
type Booster struct {
	Gain   float64 `toml:"gain"`       // help over the foot's force; 0 is no booster
	Runout float64 `toml:"runout_bar"` // line pressure from which it helps no further
}

// defaultBooster returns one that runs out beyond a full pedal of the default force.
func defaultBooster() Booster { return Booster{Gain: 3, Runout: 160} }

// Validate returns an error that names every parameter that is out of range.
func (b Booster) Validate() error {
	return errors.Join(
		valid.InRange("gain", b.Gain, 0, 20),
		valid.InRange("runout_bar", b.Runout, 1, 1e3),
	)
}

// pedal turns the driver's input into the pressure of the line.
type pedal struct {
	curve  curve.Line // share of full force; without points it is the input itself
	steep  float64    // line pressure for each share of full force, with the booster [bar]
	flat   float64    // the same once it has run out
	runout float64    // [bar]
}

func newPedal(p Pedal, b Booster) pedal {
	const pascals = 1e5 // in a bar
	area := math.Pi / 4 * p.Master * p.Master * 1e-6
	k := pedal{flat: p.Force * p.Leverage / area / pascals, runout: b.Runout}
	k.steep = k.flat * (1 + b.Gain)
	if p.By == "travel" {
		for _, at := range p.Curve {
			k.curve.Add(at.Travel, at.Force)
		}
	}
	return k
}

// line returns the line's pressure at an input of 0..1 [bar].
func (k *pedal) line(input float64) float64 {
	if len(k.curve.X) > 0 {
		input = k.curve.At(input)
	}
	pressure := k.steep * input
	if pressure <= k.runout {
		return pressure
	}
	return k.runout + k.flat*(input-k.runout/k.steep)
}
