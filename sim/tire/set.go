package tire

import (
	"fmt"
	"slices"
	"strings"
)

// Tire is a tire model with the data that belongs to it.
type Tire struct {
	Name  string // name in the built-in set, or of the file
	Kind  string // name of the model, for example "brush" or "MF 6.1"
	Size  string // size, for example "205/55 R16"; empty if unknown
	Model Model
	Side  Side // side of the car for which the model's signs hold

	NominalLoad      float64        // [N]
	LoadMin, LoadMax float64        // range of the measured loads [N]; both 0 if unknown
	Limits           Limits         // ranges to which the model clamps its input
	Pressure         float64        // nominal inflation pressure [Pa]; 0 if the model does not depend on it
	MeasuredSpeed    float64        // speed at which it was measured [m/s]; 0 if the model does not depend on it
	Radius           float64        // unloaded [m]
	Vertical         VerticalParams // the tire as a spring; Vertical.Radius is 0 if unknown

	MissingForces []string // forces that the file does not describe; the model returns 0 for them
	Notices       []string // what the file lacks and what was assumed instead
	UnusedKeys    []string // names of numbers in the file that the model does not use
}

// Limits are the ranges to which a model clamps its input. They are all 0 for a model without ranges.
type Limits struct {
	LoadMax                  float64 // [N]
	KappaMin, KappaMax       float64
	AlphaMin, AlphaMax       float64 // [rad]
	GammaMin, GammaMax       float64 // [rad]
	PressureMin, PressureMax float64 // [Pa]; 0 for a model that does not depend on pressure
}

// Side is the side of the car on which a tire is mounted. A tire for one side is the mirror image of
// that for the other.
type Side int8

// Symmetric is the side of a tire that is its own mirror image.
const (
	Symmetric Side = iota
	Left
	Right
)

// ModelFor returns the tire's model for a side of the car.
func (t *Tire) ModelFor(side Side) Model {
	if t.Side == Symmetric || t.Side == side {
		return t.Model
	}
	return Mirrored{t.Model}
}

// builtinNames are the built-in tires: models with plausible parameters.
var builtinNames = []string{"brush", "coulomb", "curve", "dugoff", "ice", "pickup", "reference", "road", "slick", "sport"}

// Names lists the built-in tires.
func Names() []string { return slices.Clone(builtinNames) }

// Builtin returns a built-in tire by its name.
func Builtin(name string) (*Tire, error) {
	switch name {
	case "coulomb", "curve", "dugoff":
		return builtinSimple(name)
	case "ice", "pickup", "reference", "road", "slick", "sport":
		return builtinFile(name)
	case "brush":
		const radius = 0.31
		p := DefaultBrush()
		m, err := NewBrush(p, radius)
		return &Tire{Name: name, Kind: "brush", Size: "205/60 R15", Model: m, NominalLoad: p.NominalLoad, Radius: radius}, err
	}
	return nil, fmt.Errorf("tire: %q not found; choose %s, or name a file that ends with .tir", name, strings.Join(builtinNames, ", "))
}

// builtinSimple returns a built-in tire of a model without a size.
func builtinSimple(name string) (*Tire, error) {
	const radius = 0.31
	t := &Tire{Name: name, Kind: name, NominalLoad: 4000, Radius: radius}
	var err error
	switch name {
	case "coulomb":
		t.Model, err = NewCoulomb(DefaultCoulomb(), radius)
	case "curve":
		t.Model, err = NewCurve(DefaultCurve(), radius)
	case "dugoff":
		p := DefaultDugoff()
		t.NominalLoad = p.NominalLoad
		t.Model, err = NewDugoff(p, radius)
	}
	return t, err
}
