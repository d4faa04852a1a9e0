package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/internal/kit/userfile"
)

// NoDriver is no driver's name: it says that none is at the wheel.
const NoDriver = "none"

var driverName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// CheckDriverName returns an error unless name can be that of a driver.
func CheckDriverName(name string) error {
	if !driverName.MatchString(name) || name == NoDriver {
		return fmt.Errorf("%q: a driver's name must be 1 to 40 letters, digits, - or _, and not %s", name, NoDriver)
	}
	return nil
}

// driverKeys are the keys and tables that a driver's profile may set, beside those of sections; * stands for any one part.
var driverKeys = splitKeys(
	"assists", "display.camera", "display.eye_from_pivot_m", "display.fov_deg", "ffb.gain",
	"pedals.shape.*.curve", "pedals.shape.*.gamma", "pedals.shape.*.points_in", "pedals.shape.*.points_out",
	"pedals.shape.*.dead_low", "pedals.shape.*.dead_high", "pedals.shape.*.full_braking_n",
	"tuning",
)

// protectingKeys are the keys and tables that limit what can reach the driver, beside those of sections.
var protectingKeys = splitKeys(
	"guard", "wheel", "estop", "motion", "geometry", "cueing", "buttons.dead_man", "buttons.stop", "buttons.interlock",
	"ffb.max_torque_nm", "ffb.slew_nm_per_ms", "ffb.preset", "ffb.rim",
)

func splitKeys(keys ...string) (paths [][]string) {
	for _, key := range keys {
		paths = append(paths, strings.Split(key, "."))
	}
	return paths
}

// isDrivers reports whether a driver's profile may set a key.
func (c *Config) isDrivers(path []string) bool {
	return isBelow(path, driverKeys) || slices.ContainsFunc(c.sections, func(s section) bool { return isBelow(path, splitKeys(s.Driver...)) })
}

// protects reports whether a key limits what can reach the driver.
func (c *Config) protects(path []string) bool {
	return isBelow(path, protectingKeys) || slices.ContainsFunc(c.sections, func(s section) bool { return isBelow(path, splitKeys(s.Protecting...)) })
}

// isBelow reports whether a key is one of some keys, or in one of their tables.
func isBelow(path []string, keys [][]string) bool {
	return slices.ContainsFunc(keys, func(key []string) bool {
		if len(path) < len(key) {
			return false
		}
		for i, part := range key {
			if part != "*" && !strings.EqualFold(part, path[i]) {
				return false
			}
		}
		return true
	})
}

// ApplyDriver overlays the configuration by a driver's profile, whose text was read from the file name. It refuses keys
// that do not belong to a driver. With an error the configuration stays as it is.
func (c *Config) ApplyDriver(name string, text []byte) error {
	text, line, err := userfile.TOML(text, userfile.MaxKeys)
	if err != nil {
		return &Problem{name, line, 1, err.Error()}
	}
	var values map[string]any
	if toml.Unmarshal(text, &values) == nil { // else Decode says what is wrong
		if err := c.checkDriverKeys(name, text, values); err != nil {
			return err
		}
	}
	next := *c
	shape := &next.Pedals.Shape
	for _, points := range []*[]float64{ // the only lists that a profile may set; the decoder reuses their memory
		&shape.Throttle.PointsIn, &shape.Throttle.PointsOut, &shape.Brake.PointsIn, &shape.Brake.PointsOut,
		&shape.Clutch.PointsIn, &shape.Clutch.PointsOut, &shape.Handbrake.PointsIn, &shape.Handbrake.PointsOut,
	} {
		*points = slices.Clone(*points)
	}
	if err := Decode(name, text, &next); err != nil {
		return err
	}
	*c, c.driver = next, text
	return nil
}

// checkDriverKeys returns an error for each key of the configuration that is not a driver's. Decode reports unknown ones.
func (c *Config) checkDriverKeys(name string, text []byte, values map[string]any) error {
	var errs []error
	known := c.wholeType()
	for _, path := range leaves(nil, values) {
		if c.isDrivers(path) || !isKeyOf(known, path) {
			continue
		}
		key := strings.Join(path, ".")
		why := "belongs to the rig; set it in its configuration"
		if c.protects(path) {
			why = "protects the person on the rig, and no profile changes it; set it in the rig's configuration"
		}
		errs = append(errs, fmt.Errorf("%s: %s", key, why))
	}
	if len(errs) == 0 {
		return nil
	}
	return locate(name, text, errors.Join(errs...))
}

// leaves returns the paths of all values that are no tables, sorted.
func leaves(above []string, values map[string]any) (paths [][]string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		path := append(slices.Clip(above), key)
		if table, ok := values[key].(map[string]any); ok {
			paths = append(paths, leaves(path, table)...)
		} else {
			paths = append(paths, path)
		}
	}
	return paths
}

// isKeyOf reports whether a struct type has a key.
func isKeyOf(t reflect.Type, path []string) bool {
	for _, part := range path {
		within := tableType(t)
		if within == nil {
			return false
		}
		f, ok := lookUpKey(within, part)
		if !ok {
			return false
		}
		t = f.Type
	}
	return true
}

// DriverKeys returns the keys of a driver whose values differ from the defaults.
func DriverKeys(c Config) (map[string]any, error) {
	now, err := Keys(c)
	if err != nil {
		return nil, err
	}
	before := Default()
	for _, s := range c.sections {
		before.Put(s.Tables)
	}
	defaults, err := Keys(before)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for _, path := range leaves(nil, now) {
		value, _ := lookUp(now, path)
		if before, had := lookUp(defaults, path); c.isDrivers(path) && !(had && reflect.DeepEqual(before, value)) {
			out[strings.Join(path, ".")] = value
		}
	}
	return out, nil
}
