package export

import (
	"math"
	"strconv"
	"strings"

	"rig.example/rig/internal/files/drivelog"
)

// motecUnit is a unit as i2 spells it; a value in it is v·factor + offset.
type motecUnit struct {
	name           string
	factor, offset float64
}

const (
	standardGravity = 9.80665 // [m/s²]
	degrees         = 180 / math.Pi
	perMinute       = 60 / (2 * math.Pi) // from rad/s
)

// motecUnits has the units that i2's users expect. Other units stay as they are.
var motecUnits = map[string]motecUnit{
	"m/s":    {"km/h", 3.6, 0},
	"m/s²":   {"G", 1 / standardGravity, 0},
	"rad":    {"deg", degrees, 0},
	"rad/s":  {"deg/s", degrees, 0},
	"rad/s²": {"deg/s/s", degrees, 0},
	"°":      {"deg", 1, 0},
	"°/s":    {"deg/s", 1, 0},
	"°C":     {"C", 1, 0},
	"K":      {"C", 1, -273.15},
	"Pa":     {"kPa", 1e-3, 0},
	"N·m":    {"Nm", 1, 0},
	"W":      {"kW", 1e-3, 0},
	"L":      {"l", 1, 0},
	"1/min":  {"rpm", 1, 0},
}

// motecUnitsByName has the channels for which i2's users expect another unit: those of a unit with part in a name. The
// first match counts.
var motecUnitsByName = []struct {
	unit, part string
	motecUnit
}{
	{"m", "damper", motecUnit{"mm", 1e3, 0}},
	{"m", "susp", motecUnit{"mm", 1e3, 0}},
	{"m", "ride height", motecUnit{"mm", 1e3, 0}},
	{"m/s", "damper", motecUnit{"mm/s", 1e3, 0}},
	{"m/s", "susp", motecUnit{"mm/s", 1e3, 0}},
	{"rad/s", "rpm", motecUnit{"rpm", perMinute, 0}},
	{"rad/s", "engine", motecUnit{"rpm", perMinute, 0}},
	{"", "throttle pos", motecUnit{"%", 100, 0}},
	{"", "brake pos", motecUnit{"%", 100, 0}},
	{"", "clutch pos", motecUnit{"%", 100, 0}},
}

// motecUnitOf returns the unit of a channel in i2.
func motecUnitOf(c *drivelog.Channel) motecUnit {
	names := strings.ToLower(strings.ReplaceAll(c.MoTeC+" "+c.Name, "_", " "))
	for _, u := range motecUnitsByName {
		if c.Unit == u.unit && strings.Contains(names, u.part) {
			return u.motecUnit
		}
	}
	if u, ok := motecUnits[c.Unit]; ok {
		return u
	}
	return motecUnit{c.Unit, 1, 0}
}

var toASCII = strings.NewReplacer("·", ".", "°", "deg", "²", "2", "³", "3", "µ", "u", "Ω", "Ohm", "–", "-",
	"ä", "a", "ö", "o", "ü", "u", "ß", "ss", "é", "e", "è", "e", "ç", "c", "ã", "a", "Ä", "A", "Ö", "O", "Ü", "U")

// ascii returns s with printable ASCII characters only: the nearest ones where there are any, and otherwise _.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '_'
		}
		return r
	}, toASCII.Replace(s))
}

// labels gives channels names that differ after they are cut.
type labels struct{ names, shorts map[string]bool }

func newLabels() *labels { return &labels{map[string]bool{}, map[string]bool{}} }

// next returns the name and the short name of a channel.
func (l *labels) next(c *drivelog.Channel) (name, short string) {
	name = ascii(c.MoTeC)
	if name == "" {
		name = ascii(c.Name)
	}
	return unique(l.names, name, 31), unique(l.shorts, shorten(name, 7), 7)
}

// unique cuts name to size characters, numbers it if it is taken or empty, and takes it.
func unique(taken map[string]bool, name string, size int) string {
	cut := name[:min(len(name), size)]
	for n := 2; taken[cut] || strings.TrimSpace(cut) == ""; n++ {
		number := strconv.Itoa(n)
		cut = name[:min(len(name), size-len(number))] + number
	}
	taken[cut] = true
	return cut
}

// shorten leaves out spaces and then small vowels until name has size characters at most, and then its middle: what
// tells wheels apart is at the end.
func shorten(name string, size int) string {
	for _, unneeded := range []string{" _", " _aeiou"} {
		if len(name) <= size {
			return name
		}
		name = strings.Map(func(r rune) rune {
			if strings.ContainsRune(unneeded, r) {
				return -1
			}
			return r
		}, name)
	}
	if len(name) <= size {
		return name
	}
	return name[:size-3] + name[len(name)-3:]
}
