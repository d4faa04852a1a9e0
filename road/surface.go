package road

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/sim/tire"
)

// Surface is the material of a part of a ground.
type Surface struct {
	Name      string             // name of the material or group in mesh files
	Tire      tire.Surface       // factors for every tire
	ModelGrip map[string]float64 // factor on Tire's grip by the name of the tire model; 1 for models without an entry
	Roughness Roughness          // random unevenness
	Profile   Profile            // regular unevenness
	Colour    [3]float64         // red, green, blue, linear, 0..1
	Sound     string             // rolling sound, one of Sounds; empty is none
	Texture   Texture            // vibration of the rim
	Wet       bool               // water stands on it
}

// Texture is a vibration for force feedback: unevenness that is finer than the shape of the ground.
type Texture struct {
	Amplitude float64 // as a fraction of the strongest vibration, 0..1
	Pitch     float64 // spatial frequency: waves per metre [1/m]
}

// MultiSurface is a ground that consists of several surfaces.
type MultiSurface interface {
	Ground
	// Surfaces lists them; Contact.Material is an index into the list.
	Surfaces() []Surface
}

// SurfacesOf returns the surfaces of a ground, or nil if it is not a MultiSurface.
func SurfacesOf(g Ground) []Surface {
	if p, ok := g.(MultiSurface); ok {
		return p.Surfaces()
	}
	return nil
}

// SurfaceList is the list of surfaces that the materials of a ground are indices into. Materials without an entry are dry
// asphalt.
type SurfaceList struct{ surfaces []Surface }

// SetSurfaces sets the list.
func (l *SurfaceList) SetSurfaces(list []Surface) { l.surfaces = list }

// Surfaces returns the list that SetSurfaces got.
func (l *SurfaceList) Surfaces() []Surface { return l.surfaces }

// TireSurface returns the tire surface of a material.
func (l *SurfaceList) TireSurface(material uint8) tire.Surface {
	if int(material) < len(l.surfaces) {
		return l.surfaces[material].Tire
	}
	return tire.Dry()
}

// SurfaceNames lists the built-in surfaces in alphabetical order.
func SurfaceNames() []string {
	list := make([]string, 0, len(builtinSurfaces))
	for i := range builtinSurfaces {
		list = append(list, builtinSurfaces[i].name)
	}
	slices.Sort(list)
	return list
}

// SurfaceNamed returns the built-in surface of that name.
func SurfaceNamed(name string) (Surface, error) {
	for i := range builtinSurfaces {
		if builtinSurfaces[i].name == name {
			return builtinSurfaces[i].surface(), nil
		}
	}
	return Surface{}, fmt.Errorf("road: surface %q not found; choose %s", name, strings.Join(SurfaceNames(), ", "))
}

// clone returns a copy of s with its own ModelGrip map.
func (s Surface) clone() Surface {
	s.ModelGrip = maps.Clone(s.ModelGrip)
	return s
}
