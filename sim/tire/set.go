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

	Load             float64 // nominal [N]
	LoadMin, LoadMax float64 // range that it was measured in [N]; both 0 if it is not known
	Pressure         float64 // its own inflation [Pa]; 0 if the model does not ask
	Speed            float64 // that it was measured at [m/s]; 0 if the model does not ask
	Radius           float64 // unloaded [m]

	Notices []string // what its file left out and what was assumed
}

// The built-in tires: models with plausible parameters.
var names = []string{"brush"}

// Names lists the built-in tires.
func Names() []string { return slices.Clone(names) }

// Builtin returns a built-in tire by its name.
func Builtin(name string) (*Tire, error) {
	switch name {
	case "brush":
		const radius = 0.31
		p := Brush205()
		m, err := NewBrush(p, radius)
		return &Tire{Name: name, Kind: "brush", Size: "205/55 R16", Model: m, Load: p.NominalLoad, Radius: radius}, err
	}
	return nil, fmt.Errorf("tire: %q is not built in; choose %s, or name a file that ends with .tir", name, strings.Join(names, ", "))
}
