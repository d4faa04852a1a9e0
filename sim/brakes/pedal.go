package brakes

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Pedal describes the brake pedal with its master cylinder.
type Pedal struct {
	InputKind string  `toml:"by" oneof:"force,travel"`       // what the pedal input means: force or travel
	FullForce float64 `toml:"full_force_n" range:"10..5000"` // force of the foot at full pedal
	// force on the master cylinder over the force of the foot
	Ratio          float64 `toml:"ratio" range:"1..20"`
	MasterDiameter float64 `toml:"master_mm" range:"5..60"` // diameter of the master cylinder
	// force over travel, for `by = "travel"`: points `{ travel, force }` in shares, rising up to 1, 1; without
	// points a straight line
	Curve []PedalPoint `toml:"curve" count:"0..32"`
}

// PedalPoint is a point of the pedal's force over its travel, both as shares of their largest values.
type PedalPoint struct {
	Travel float64 `toml:"travel" range:"0..1" valid:"-"` // share of the full travel
	Force  float64 `toml:"force" range:"0..1"`            // share of the full force
}

// defaultPedal returns the pedal of a passenger car, for input devices that measure force.
func defaultPedal() Pedal {
	return Pedal{InputKind: "force", FullForce: 400, Ratio: 3.5, MasterDiameter: 22.2}
}

// Validate returns an error that names every parameter that is out of range.
func (p Pedal) Validate() error {
	errs := []error{
		valid.Struct(p),
		curve.CheckRising("curve", "travel", p.Curve, func(p PedalPoint) float64 { return p.Travel }, 1e-3),
	}
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

// Booster describes the brake booster, which adds a multiple of the foot's force, up to the limit by its
// vacuum.
type Booster struct {
	// force that the booster adds, over the force of the foot; 0 for no booster
	Gain float64 `toml:"gain" range:"0..20"`
	// line pressure above which the booster adds no further force
	RunoutPressure float64 `toml:"runout_bar" range:"1..1000"`
}

// defaultBooster returns a booster whose limit is above the line pressure at full pedal.
func defaultBooster() Booster { return Booster{Gain: 3, RunoutPressure: 160} }

// Validate returns an error that names every parameter that is out of range.
func (b Booster) Validate() error {
	return valid.Struct(b)
}

// pedal is Pedal and Booster in the form that a tick needs.
type pedal struct {
	curve         curve.Line // share of the full force over the pedal input; without points they are equal
	boostedGain   float64    // line pressure at full force if the booster had no runout [bar]
	unboostedGain float64    // line pressure at full force without the booster [bar]
	runout        float64    // line pressure above which the booster adds no further force [bar]
}

// newPedal computes the gains of pedal, booster and master cylinder for the tick.
func newPedal(p Pedal, b Booster) pedal {
	const pascalsPerBar = 1e5
	area := math.Pi / 4 * p.MasterDiameter * p.MasterDiameter * 1e-6
	k := pedal{unboostedGain: p.FullForce * p.Ratio / area / pascalsPerBar, runout: b.RunoutPressure}
	k.boostedGain = k.unboostedGain * (1 + b.Gain)
	if p.InputKind == "travel" {
		for _, at := range p.Curve {
			k.curve.Add(at.Travel, at.Force)
		}
	}
	return k
}

// linePressure returns the pressure of the brake line [bar] at a pedal input 0..1.
func (k *pedal) linePressure(input float64) float64 {
	if len(k.curve.X) > 0 {
		input = k.curve.At(input)
	}
	pressure := k.boostedGain * input
	if pressure <= k.runout {
		return pressure
	}
	return k.runout + k.unboostedGain*(input-k.runout/k.boostedGain)
}
