package road

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/sim/tire"
)

// Surface is what a part of a ground is made of.
type Surface struct {
	Name    string             // as materials and groups of meshes are called
	Tire    tire.Surface       // factors for every tire
	Models  map[string]float64 // what a tire model's grip is of that, by the name that cars choose it by; 1 where it has no entry
	Rough   Roughness          // random unevenness
	Profile Profile            // regular unevenness
	Colour  [3]float64         // red, green, blue, linear, 0..1
	Sound   string             // of rolling on it, one of Sounds; empty is none
	Texture Texture            // what the rim lets feel of it
}

// Texture is a hint for force feedback: what is finer than the ground's shape.
type Texture struct {
	Amplitude float64 // share of the strongest effect, 0..1
	Pitch     float64 // waves for each metre of way [1/m]
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

// SurfaceNames lists the built-in surfaces, in the order of the alphabet.
func SurfaceNames() []string {
	list := make([]string, 0, len(paints))
	for i := range paints {
		list = append(list, paints[i].name)
	}
	slices.Sort(list)
	return list
}

// SurfaceNamed returns a built-in surface by its name.
func SurfaceNamed(name string) (Surface, error) {
	for i := range paints {
		if paints[i].name == name {
			return paints[i].surface(), nil
		}
	}
	return Surface{}, fmt.Errorf("road: surface %q is not known; choose %s", name, strings.Join(SurfaceNames(), ", "))
}

// clone returns s with a table of its own.
func (s Surface) clone() Surface {
	s.Models = maps.Clone(s.Models)
	return s
}
