package tire

import (
	"slices"
	"strings"
)

// units are the sizes of the file's units in SI.
type units struct {
	length, force, angle, time, pressure float64
}

// Names of units in [UNITS], with their sizes in SI.
var (
	lengths = []unit{
		{"meter", 1}, {"meters", 1}, {"metre", 1}, {"metres", 1}, {"m", 1}, {"millimeter", 1e-3}, {"millimeters", 1e-3}, {"mm", 1e-3},
		{"centimeter", 1e-2}, {"cm", 1e-2}, {"kilometer", 1e3}, {"km", 1e3},
		{"inch", 0.0254}, {"inches", 0.0254}, {"in", 0.0254}, {"foot", 0.3048}, {"feet", 0.3048}, {"ft", 0.3048},
	}
	forces = []unit{
		{"newton", 1}, {"newtons", 1}, {"n", 1}, {"kilonewton", 1e3}, {"knewton", 1e3}, {"kn", 1e3},
		{"pound_force", 4.4482216152605}, {"lbf", 4.4482216152605}, {"kg_force", 9.80665}, {"kilogram_force", 9.80665}, {"kgf", 9.80665},
	}
	angles    = []unit{{"radian", 1}, {"radians", 1}, {"rad", 1}, {"degree", degree}, {"degrees", degree}, {"deg", degree}}
	times     = []unit{{"second", 1}, {"seconds", 1}, {"sec", 1}, {"s", 1}, {"millisecond", 1e-3}, {"ms", 1e-3}, {"minute", 60}, {"hour", 3600}}
	pressures = []unit{{"pascal", 1}, {"pascals", 1}, {"pa", 1}, {"kilopascal", 1e3}, {"kpascal", 1e3}, {"kpa", 1e3}, {"bar", 1e5}, {"mpa", 1e6}, {"psi", 6894.757293168}}
)

// unit is a unit of measurement: its name in a file and its size in SI.
type unit struct {
	name string
	size float64
}

// degree is one degree [rad].
const degree = 3.14159265358979323846 / 180

// units returns the units of [UNITS]; a missing one is SI. A missing pressure unit is the file's force
// over the square of its length.
func (f *File) units() (units, error) {
	u := units{1, 1, 1, 1, 0}
	for _, k := range f.Keys {
		if k.Section != "UNITS" {
			continue
		}
		var err error
		switch k.Name {
		case "LENGTH":
			u.length, err = f.unit(k, lengths)
		case "FORCE":
			u.force, err = f.unit(k, forces)
		case "ANGLE":
			u.angle, err = f.unit(k, angles)
		case "TIME":
			u.time, err = f.unit(k, times)
		case "PRESSURE":
			u.pressure, err = f.unit(k, pressures)
		}
		if err != nil {
			return units{}, err
		}
	}
	if u.pressure == 0 {
		u.pressure = u.force / (u.length * u.length)
	}
	return u, nil
}

// unit returns the size in SI of the unit that k names.
func (f *File) unit(k Key, known []unit) (float64, error) {
	if i := slices.IndexFunc(known, func(u unit) bool { return strings.EqualFold(u.name, k.Text) }); i >= 0 {
		return known[i].size, nil
	}
	var names []string
	for _, u := range known {
		names = append(names, u.name)
	}
	return 0, f.fault(k.Line, k.Column, "%s = %.40q: must be %s", k.Name, k.Text, strings.Join(names, ", "))
}

// factor returns the factor that converts a number of a dimension to SI, 1 for an unknown dimension.
func (u units) factor(dimension string) float64 {
	switch dimension {
	case "length":
		return u.length
	case "force":
		return u.force
	case "angle":
		return u.angle
	case "speed":
		return u.length / u.time
	case "pressure":
		return u.pressure
	case "stiffness":
		return u.force / u.length
	case "damping":
		return u.force * u.time / u.length
	}
	return 1
}
