package levers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/valid"
)

// Config describes the levers and the pedals on input nodes of their own.
type Config struct {
	Extra   Extras  `toml:"extra"` // a pedal or lever on an input node of its own
	Shifter Shifter `toml:"shifter"`
}

// Validate reports every key that cannot be used.
func (c Config) Validate() error { return valid.Struct(c) }

// Shifter is a gear lever: buttons of any input node.
type Shifter struct {
	// `"h"`: an H-pattern shifter; `"sequential"`: a sequential shifter; empty: none
	Kind   string `toml:"kind" oneof:",h,sequential"`
	Device string `toml:"device"` // part of the shifter's name, `vendor:product`, or a path

	Gears   []string `toml:"gear_buttons"`   // h: buttons of the slots, from first gear up, 1 to 12
	Reverse string   `toml:"reverse_button"` // h: button of a separate slot for reverse
	// h: a button that turns a slot into reverse if it is down when the lever enters the slot
	ReverseHold  string `toml:"reverse_hold"`
	ReverseGears []int  `toml:"reverse_gears"` // h: the gears in whose slots `reverse_hold` works; empty: all

	Up   string `toml:"up_button"`   // sequential: button that shifts up
	Down string `toml:"down_button"` // sequential: button that shifts down

	Debounce float64 `toml:"debounce_s" range:"0..0.2"` // longest time for which contacts bounce
}

// DefaultShifter returns no shifter, with the debounce time of microswitches.
func DefaultShifter() Shifter { return Shifter{Debounce: 0.02} }

const (
	kindH          = "h"
	kindSequential = "sequential"
	maxGears       = 12
)

// Validate reports every key that cannot be used.
func (s Shifter) Validate() error {
	err := errors.Join(
		valid.Struct(s),
		s.checkUnusedKeys())
	switch s.Kind {
	case "":
	case kindH:
		err = errors.Join(err, requireDevice(s.Device), s.checkHPattern())
	case kindSequential:
		err = errors.Join(err, requireDevice(s.Device), s.checkSequential())
	}
	return err
}

// checkUnusedKeys reports keys that the kind of shifter does not use.
func (s Shifter) checkUnusedKeys() error {
	hasHKeys := len(s.Gears)+len(s.ReverseGears) > 0 || s.Reverse != "" || s.ReverseHold != ""
	switch {
	case s.Kind == "" && (hasHKeys || s.Up != "" || s.Down != "" || s.Device != ""):
		return errors.New(`kind is empty, so there is no shifter; set it to "h" or "sequential"`)
	case s.Kind == kindSequential && hasHKeys:
		return errors.New("kind = \"sequential\" has no gear_buttons and nothing of reverse; take them out, or set kind to \"h\"")
	case s.Kind == kindH && (s.Up != "" || s.Down != ""):
		return errors.New("kind = \"h\" has no up_button and no down_button; take them out, or set kind to \"sequential\"")
	case s.Kind == kindH && len(s.ReverseGears) > 0 && s.ReverseHold == "":
		return errors.New("reverse_gears does nothing without reverse_hold; set both")
	}
	return nil
}

func (s Shifter) checkSequential() error {
	if s.Up == "" || s.Down == "" {
		return errors.New("up_button or down_button is empty; name both as `rig devices --watch` does")
	}
	return checkKeys(s.keys())
}

func (s Shifter) checkHPattern() error {
	if n := len(s.Gears); n < 1 || n > maxGears {
		return fmt.Errorf("gear_buttons has %d names; give 1..%d", n, maxGears)
	}
	err := checkKeys(s.keys())
	for _, g := range s.ReverseGears {
		if g < 1 || g > len(s.Gears) {
			err = errors.Join(err, fmt.Errorf("reverse_gears has %d; name slots 1..%d", g, len(s.Gears)))
		}
	}
	return err
}

// keys returns the names of all buttons that the shifter uses.
func (s Shifter) keys() []string {
	var list []string
	switch s.Kind {
	case kindH:
		list = append(list, s.Gears...)
		for _, name := range []string{s.Reverse, s.ReverseHold} {
			if name != "" {
				list = append(list, name)
			}
		}
	case kindSequential:
		list = append(list, s.Up, s.Down)
	}
	return list
}

// checkKeys reports names that are not buttons, and names that are used twice.
func checkKeys(names []string) error {
	var err error
	for i, name := range names {
		if _, e := evdev.KeyCode(name); e != nil {
			err = errors.Join(err, e)
		}
		if slices.Contains(names[:i], name) {
			err = errors.Join(err, fmt.Errorf("%s is used twice; give every position a button of its own", name))
		}
	}
	return err
}

// requireDevice returns an error if the selector is empty.
func requireDevice(selector string) error {
	if selector == "" {
		return errors.New("device is empty; name it as `rig devices` does")
	}
	return nil
}

// ExtraAxis is a pedal or lever on an input node other than the pedals'.
type ExtraAxis struct {
	// what this axis moves; `throttle+brake` is one axis for both
	Axis   string `toml:"axis" oneof:"throttle,brake,clutch,handbrake,throttle+brake"`
	Device string `toml:"device"` // part of the device's name, `vendor:product`, or a path
	Code   string `toml:"code"`   // evdev name of the axis, such as `ABS_X`
	// value when released, or in the middle of `throttle+brake`; if both counts are 0, the calibration is used,
	// or else the range that the device declares
	Rest  int32 `toml:"rest_counts"`
	Press int32 `toml:"press_counts"` // value when fully pressed, or at full throttle of `throttle+brake`
	// `throttle+brake`: share of each side that counts as the middle
	Dead float64 `toml:"dead_middle" range:"0..0.4"`
}

// throttleBrake is the name of the axis that is throttle and brake.
const throttleBrake = "throttle+brake"

// pedal returns the index of e's axis in all arrays, or -1 for throttle+brake.
func (e ExtraAxis) pedal() int { return axis.Index(e.Axis) }

// Extras are all pedals and levers on other nodes.
type Extras []ExtraAxis

// Validate reports every axis that cannot be used.
func (list Extras) Validate() error {
	var err error
	var used []string
	for i, e := range list {
		p := errors.Join(requireDevice(e.Device), valid.Struct(e))
		if _, e := evdev.AbsCode(e.Code); e != nil {
			p = errors.Join(p, fmt.Errorf("code: %w", e))
		}
		p = errors.Join(p, e.checkContradictions(list[:i]))
		for _, name := range e.Names() {
			if slices.Contains(used, name) {
				p = errors.Join(p, fmt.Errorf("axis: %s is taken by another one; keep one", name))
			}
			used = append(used, name)
		}
		if p != nil {
			err = errors.Join(err, valid.WithPrefix(fmt.Sprintf("[%d]", i), p))
		}
	}
	return err
}

// checkContradictions reports keys that contradict each other, or one of the extras before e.
func (e ExtraAxis) checkContradictions(before []ExtraAxis) error {
	var err error
	if e.Axis != throttleBrake && e.Dead > 0 && e.Dead <= 0.4 {
		err = fmt.Errorf("dead_middle = %g is for %s alone; take dead_low of pedals.shape", e.Dead, throttleBrake)
	}
	if e.Rest == e.Press && e.Rest != 0 {
		err = errors.Join(err, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again, or set both to 0", e.Press))
	}
	for _, other := range before {
		if e.Code != "" && e.Device == other.Device && strings.EqualFold(e.Code, other.Code) {
			err = errors.Join(err, fmt.Errorf("code: %s of %q is %s already; an axis that is both is axis = %q", e.Code, e.Device, other.Axis, throttleBrake))
		}
	}
	return err
}

// Names returns the names of e's axes: two for throttle+brake.
func (e ExtraAxis) Names() []string {
	if e.Axis == throttleBrake {
		return []string{axis.Names[axis.Throttle], axis.Names[axis.Brake]}
	}
	return []string{e.Axis}
}
