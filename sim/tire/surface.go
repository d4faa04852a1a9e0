package tire

import (
	"fmt"
	"strings"
)

// builtinSurfaces are the built-in surfaces, the one with most grip first. Dry asphalt is 1 by
// definition.
//
// Grip: peak friction over that of dry asphalt. Wong, Theory of Ground Vehicles, table 1.3, gives peaks
// of 0.8 to 0.9 for dry asphalt and concrete, 0.5 to 0.8 for wet ones, 0.6 for gravel, 0.68 for dry and
// 0.55 for wet earth, 0.2 for hard-packed snow and 0.1 for ice; UNECE R13-H tests on 0.3 and less, which
// basalt tiles and painted lines under water have.
//
// Rolling: rolling resistance over that of asphalt, about 0.013. Wong's table 1.2 and Gillespie,
// Fundamentals of Vehicle Dynamics, table 4.1, give 0.02 for rolled gravel, 0.05 to 0.1 for unpaved and
// soft ground, and up to 0.3 for sand.
//
// Where these sources have no value (damp, cobbles, sand and grass) grip and rolling resistance are our
// estimates.
//
// Stiffness: slip stiffness over that of asphalt. Little is published: on slippery ground it falls far
// less than the grip; on loose ground, which shears under the tread, it falls as much.
var builtinSurfaces = [...]struct {
	name string
	s    Surface
}{
	{"dry", Surface{1, 1, 1}},
	{"concrete", Surface{0.95, 1, 1.1}},
	{"damp", Surface{0.85, 0.98, 1.02}},
	{"cobbles", Surface{0.75, 0.85, 1.5}},
	{"wet", Surface{0.7, 0.95, 1.1}},
	{"earth", Surface{0.7, 0.6, 4}},
	{"gravel", Surface{0.6, 0.45, 2}},
	{"sand", Surface{0.5, 0.25, 15}},
	{"grass", Surface{0.45, 0.5, 5}},
	{"wet-cobbles", Surface{0.4, 0.8, 1.6}},
	{"wet-grass", Surface{0.3, 0.4, 6}},
	{"snow", Surface{0.25, 0.4, 2}},
	{"ice", Surface{0.1, 0.4, 1.1}},
}

// SurfaceNames lists the built-in surfaces, the one with most grip first.
func SurfaceNames() []string {
	list := make([]string, len(builtinSurfaces))
	for i := range builtinSurfaces {
		list[i] = builtinSurfaces[i].name
	}
	return list
}

// IsWet reports whether water stands on the built-in surface with this name.
func IsWet(name string) bool { return name == "wet" || strings.HasPrefix(name, "wet-") }

// SurfaceNamed returns a built-in surface by its name.
func SurfaceNamed(name string) (Surface, error) {
	for i := range builtinSurfaces {
		if builtinSurfaces[i].name == name {
			return builtinSurfaces[i].s, nil
		}
	}
	return Surface{}, fmt.Errorf("tire: surface %q not found; choose %s", name, strings.Join(SurfaceNames(), ", "))
}
