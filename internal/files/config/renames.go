package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"rig.example/rig/ffb"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// rename is a key of an earlier version and the one that has taken its place.
type rename struct {
	from, to string // dotted; a table stands for all keys in it
	isTable  bool
	unit     string // of a value that means something else now: what it is now
	// convert returns the value that means the same now, from the values of the file, or why there is none. It is nil
	// for a value that stays.
	convert func(old float64, file map[string]any) (float64, error)
}

// renamesOfRig are the renamed keys of a rig's file.
var renamesOfRig = []rename{
	{from: "wheel.shift_up_button", to: "buttons.shift_up"},
	{from: "wheel.shift_down_button", to: "buttons.shift_down"},
	{from: "ffb.damping_nms_per_rad", to: "ffb.rim.damping", unit: "a fraction of the wheel's torque", convert: dampingShare},
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
		if len(key) >= len(from) && samePath(key[:len(from)], from) && (r.isTable || len(key) == len(from)) {
			return r
		}
	}
	return nil
}

// message says what has taken the key's place, and what to do.
func (r *rename) message() string {
	switch {
	case r.isTable:
		return fmt.Sprintf("key %q is the table [%s] now; run `rig config upgrade`, or rename it: its keys stay", r.from, r.to)
	case r.unit != "":
		return fmt.Sprintf("key %q is %q now, %s; run `rig config upgrade`, or convert its value", r.from, r.to, r.unit)
	}
	return fmt.Sprintf("key %q is %q now; run `rig config upgrade`, or move its value there", r.from, r.to)
}

// dampingShare converts a damping of the rim [N·m·s/rad] to a share of the wheel's torque, which only the file can tell.
func dampingShare(old float64, file map[string]any) (float64, error) {
	torque := 0.0
	for _, key := range []string{"wheel.max_torque_nm", "wheel.full_torque_nm"} {
		v, _ := lookUp(file, strings.Split(key, "."))
		if nm, ok := number(v); ok && nm > 0 && (torque == 0 || nm < torque) {
			torque = nm
		}
	}
	if torque == 0 {
		return 0, fmt.Errorf("the file does not say the wheel's torque; set it to %g divided by that torque in N·m", old)
	}
	const digits = 1e4
	rim := ffb.DefaultConfig().Rim
	rim.Damping = float64(int(old/torque*digits+0.5)) / digits
	if err := rim.Validate(); err != nil {
		return 0, valid.WithPrefix("ffb.rim", err)
	}
	return rim.Damping, nil
}

// number returns a decoded value as a number.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
