package tire

import (
	"fmt"
	"slices"
	"strings"
)

// Tire is a model with what belongs around it.
type Tire struct {
	Name  string // of the built-in set or of the file
	Kind  string // of the model, as "brush" or "MF 6.1"
	Size  string // as "205/55 R16"; empty if it is not known
	Model Model
	Side  Side // of the car that the model's signs hold on

	Load             float64        // nominal [N]
	LoadMin, LoadMax float64        // range that it was measured in [N]; both 0 if it is not known
	Limits           Limits         // beyond which the model answers as at the limit
	Pressure         float64        // its own inflation [Pa]; 0 if the model does not ask
	Speed            float64        // that it was measured at [m/s]; 0 if the model does not ask
	Radius           float64        // unloaded [m]
	Vertical         VerticalParams // of a tire that brings its own; its radius is 0 where none is known

	Without []string // forces that its file does not describe, and that it does not give
	Notices []string // what its file left out and what was assumed
	Unused  []string // numbers of its file that the model has no use for
}

// Limits are the ranges that a model keeps to. A model without any has 0 in all.
type Limits struct {
	LoadMax                  float64 // [N]
	KappaMin, KappaMax       float64
	AlphaMin, AlphaMax       float64 // [rad]
	GammaMin, GammaMax       float64 // [rad]
	PressureMin, PressureMax float64 // [Pa]; 0 for a model that does not ask
}

// Side is where a tire is mounted. On the other one its mirror image holds.
type Side int8

// A tire that is its own mirror image has no side.
const (
	Either Side = iota
	Left
	Right
)

// On returns the tire's model for a side of the car.
func (t *Tire) On(side Side) Model {
	if t.Side == Either || t.Side == side {
		return t.Model
	}
	return Mirrored{t.Model}
}

// The built-in tires: models with plausible parameters.
var names = []string{"brush", "coulomb", "curve", "dugoff", "ice", "pickup", "reference", "road", "slick", "sport"}

// Names lists the built-in tires.
func Names() []string { return slices.Clone(names) }

// Builtin returns a built-in tire by its name.
func Builtin(name string) (*Tire, error) {
	switch name {
	case "coulomb", "curve", "dugoff":
		return simple(name)
	case "ice", "pickup", "reference", "road", "slick", "sport":
		return set(name)
	case "brush":
		const radius = 0.31
		p := Brush205()
		m, err := NewBrush(p, radius)
		return &Tire{Name: name, Kind: "brush", Size: "205/60 R15", Model: m, Load: p.NominalLoad, Radius: radius}, err
	}
	return nil, fmt.Errorf("tire: %q is not built in; choose %s, or name a file that ends with .tir", name, strings.Join(names, ", "))
}

// simple returns a built-in tire of a model that knows of no size.
func simple(name string) (*Tire, error) {
	const radius = 0.31
	t := &Tire{Name: name, Kind: name, Load: 4000, Radius: radius}
	var err error
	switch name {
	case "coulomb":
		t.Model, err = NewCoulomb(DefaultCoulomb(), radius)
	case "curve":
		t.Model, err = NewCurve(DefaultCurve(), radius)
	case "dugoff":
		p := DefaultDugoff()
		t.Load = p.NominalLoad
		t.Model, err = NewDugoff(p, radius)
	}
	return t, err
}
