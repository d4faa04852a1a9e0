package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"rig.example/rig/sim"
)

// rename is a key of an earlier version and the one that has taken its place.
type rename struct {
	from, to string // dotted; a table stands for all keys in it
	isTable  bool
	unit     string // of a value that means something else now: what it is now
}

// renamesOfRig are the renamed keys of a rig's file.
var renamesOfRig = []rename{
	{from: "wheel.shift_up_button", to: "buttons.shift_up"},
	{from: "wheel.shift_down_button", to: "buttons.shift_down"},
	{from: "ffb.damping_nms_per_rad", to: "ffb.rim.damping", unit: "a fraction of the wheel's torque"},
	{from: "seat", to: "geometry", isTable: true},
	{from: "cueing.roll_gain", to: "cueing.direct.roll_gain"},
	{from: "cueing.pitch_gain", to: "cueing.direct.pitch_gain"},
	{from: "cueing.smoothing_s", to: "cueing.direct.smoothing_s"},
}

// renamesOfCar are the renamed keys of a car's file.
var renamesOfCar = brushRenames()

// brushRenames returns the keys of the brush tire, which was the only one: they were those of the tire.
func brushRenames() (list []rename) {
	for _, axle := range []string{"front", "rear"} {
		for _, key := range []string{"friction", "friction_load_slope", "nominal_load_n", "slip_stiffness_n", "contact_half_length_m", "carcass_stiffness_n_per_m", "rolling_resistance"} {
			list = append(list, rename{from: axle + ".tire." + key, to: axle + ".tire.brush." + key})
		}
	}
	return list
}

// renamesOfPlatform are the renamed keys of a platform's file: those of a rig's file that lead to one of its keys.
var renamesOfPlatform = slices.DeleteFunc(slices.Clone(renamesOfRig), func(r rename) bool {
	return !isKeyOf(reflect.TypeFor[platformFile](), strings.Split(r.to, "."))
})

// renamesIn returns the renamed keys of files that are decoded into a type.
func renamesIn(known reflect.Type) []rename {
	if known.Kind() == reflect.Struct && known.Name() == "" { // a configuration with its sections
		known = known.Field(0).Type
	}
	switch known {
	case reflect.TypeFor[Config]():
		return renamesOfRig
	case reflect.TypeFor[carFile](), reflect.TypeFor[sim.Params]():
		return renamesOfCar
	case reflect.TypeFor[platformFile]():
		return renamesOfPlatform
	}
	return nil
}

// renameOf returns the rename of a key, or of the table that it is in, or nil.
func renameOf(list []rename, key []string) *rename {
	for i := range list {
		r := &list[i]
		from := strings.Split(r.from, ".")
		if len(key) >= len(from) && slices.EqualFunc(key[:len(from)], from, strings.EqualFold) && (r.isTable || len(key) == len(from)) {
			return r
		}
	}
	return nil
}

// message says what has taken the key's place, and what to do.
func (r *rename) message() string {
	switch {
	case r.isTable:
		return fmt.Sprintf("key %q was renamed to the table [%s]; rename it: its keys stay", r.from, r.to)
	case r.unit != "":
		return fmt.Sprintf("key %q was renamed to %q, %s; move it there and convert its value", r.from, r.to, r.unit)
	}
	return fmt.Sprintf("key %q was renamed to %q; move its value there", r.from, r.to)
}
