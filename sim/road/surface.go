package road

import (
	"fmt"
	"strings"

	"rig/sim/tire"
)

// Surface is what a part of a ground is made of.
type Surface struct {
	Name   string             // as materials and groups of meshes are called
	Tire   tire.Surface       // factors for every tire
	Models map[string]float64 // what a tire model's grip is of that; 1 where it has no entry
	Colour [3]float64         // red, green, blue, 0..1
}

// Paved is a ground that is made of several surfaces.
type Paved interface {
	Ground
	// Surfaces lists them; Contact.Material counts in it.
	Surfaces() []Surface
}

// SurfacesOf returns what a ground is made of; nil if it does not tell.
func SurfacesOf(g Ground) []Surface {
	if p, ok := g.(Paved); ok {
		return p.Surfaces()
	}
	return nil
}

// SurfaceNames lists the built-in surfaces.
func SurfaceNames() []string {
	return []string{"tarmac", "wet", "grass", "kerb", "gravel", "ice", "paint", "cobbles"}
}

// SurfaceNamed returns a built-in surface by its name.
func SurfaceNamed(name string) (Surface, error) {
	of := map[string]string{"tarmac": "dry", "paint": "damp", "kerb": "concrete", "wet": "wet", "grass": "grass",
		"gravel": "gravel", "ice": "ice", "cobbles": "cobbles"}[name]
	s, err := tire.SurfaceNamed(of)
	if err != nil {
		return Surface{}, fmt.Errorf("road: surface %q is not known; choose %s", name, strings.Join(SurfaceNames(), ", "))
	}
	return Surface{Name: name, Tire: s, Colour: [3]float64{0.3, 0.3, 0.3}}, nil
}
