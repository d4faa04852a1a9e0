package levers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
)

// Config says which levers there are.
type Config struct {
	Extra   Extras  `toml:"extra"`
	Shifter Shifter `toml:"shifter"`
}

// Validate reports every key that cannot be used.
func (c Config) Validate() error { return errors.Join(c.Extra.Validate(), c.Shifter.Validate()) }

// Shifter is a gear lever: buttons of any input node.
type Shifter struct {
	Kind   string `toml:"kind"`   // "" for none, "h" or "sequential"
	Device string `toml:"device"` // part of a name, vendor:product, or a path

	Gears        []string `toml:"gear_buttons"`   // h: the slots' buttons from first gear up, at most 12
	Reverse      string   `toml:"reverse_button"` // h: a slot of its own
	ReverseHold  string   `toml:"reverse_hold"`   // h: a button that, down when a slot is entered, makes it reverse
	ReverseGears []int    `toml:"reverse_gears"`  // h: the slots for which reverse_hold works; empty is all

	Up   string `toml:"up_button"`   // sequential
	Down string `toml:"down_button"` // sequential

	Debounce float64 `toml:"debounce_s"` // how long contacts bounce, 0..0.2
}

// DefaultShifter is none, with contacts that bounce as microswitches do.
func DefaultShifter() Shifter { return Shifter{Debounce: 0.02} }

const (
	kindH          = "h"
	kindSequential = "sequential"
	maxGears       = 12
)

// Validate reports every key that cannot be used.
func (s Shifter) Validate() error {
	err := errors.Join(axis.InRange("debounce_s", s.Debounce, 0, 0.2), s.idle())
	switch s.Kind {
	case "":
	case kindH:
		err = errors.Join(err, needsDevice(s.Device), s.checkGate())
	case kindSequential:
		err = errors.Join(err, needsDevice(s.Device), s.checkPaddles())
	default:
		err = errors.Join(err, fmt.Errorf(`kind = %q is not "h" or "sequential"`, s.Kind))
	}
	if err != nil {
		return fmt.Errorf("pedals: shifter: %w", err)
	}
	return nil
}

// idle reports what another kind of lever takes.
func (s Shifter) idle() error {
	gate := len(s.Gears)+len(s.ReverseGears) > 0 || s.Reverse != "" || s.ReverseHold != ""
	switch {
	case s.Kind == "" && (gate || s.Up != "" || s.Down != "" || s.Device != ""):
		return errors.New(`kind is empty, so there is no shifter; set it to "h" or "sequential"`)
	case s.Kind == kindSequential && gate:
		return errors.New("kind = \"sequential\" has no gear_buttons and nothing of reverse; take them out, or set kind to \"h\"")
	case s.Kind == kindH && (s.Up != "" || s.Down != ""):
		return errors.New("kind = \"h\" has no up_button and no down_button; take them out, or set kind to \"sequential\"")
	case s.Kind == kindH && len(s.ReverseGears) > 0 && s.ReverseHold == "":
		return errors.New("reverse_gears does nothing without reverse_hold; set both")
	}
	return nil
}

func (s Shifter) checkPaddles() error {
	if s.Up == "" || s.Down == "" {
		return errors.New("up_button or down_button is empty; name both as `rig devices --watch` does")
	}
	return checkKeys(s.keys())
}

func (s Shifter) checkGate() error {
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

// keys are the names of all buttons that the lever uses.
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

// checkKeys refuses names that are no button, and names used twice.
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

func needsDevice(selector string) error {
	if selector == "" {
		return errors.New("device is empty; name it as `rig devices` does")
	}
	return nil
}

// Extra is a pedal or lever on an input node other than the pedals'.
type Extra struct {
	Axis   string  `toml:"axis"`         // throttle, brake, clutch, handbrake, or throttle+brake: one axis for both
	Device string  `toml:"device"`       // part of a name, vendor:product, or a path
	Code   string  `toml:"code"`         // evdev name such as ABS_X
	Rest   int32   `toml:"rest_counts"`  // released, or the middle of throttle+brake; with press_counts 0 too: the device's range
	Press  int32   `toml:"press_counts"` // fully pressed; of throttle+brake full throttle
	Dead   float64 `toml:"dead_middle"`  // throttle+brake: share of either side that counts as the middle, 0..0.4
}

// both is the name of the axis that is throttle and brake.
const both = "throttle+brake"

// pedal returns the place of e's axis in all arrays; -1 for throttle+brake.
func (e Extra) pedal() int { return axis.Index(e.Axis) }

// Extras are all pedals and levers on other nodes.
type Extras []Extra

// Validate reports every axis that cannot be used.
func (list Extras) Validate() error {
	var err error
	var used []string
	for i, e := range list {
		p := errors.Join(needsDevice(e.Device), axis.InRange("dead_middle", e.Dead, 0, 0.4))
		if e.pedal() < 0 && e.Axis != both {
			p = errors.Join(p, fmt.Errorf("axis = %q is not throttle, brake, clutch, handbrake or %s", e.Axis, both))
		}
		if _, e := evdev.AbsCode(e.Code); e != nil {
			p = errors.Join(p, fmt.Errorf("code: %w", e))
		}
		p = errors.Join(p, e.contradictions(list[:i]))
		for _, name := range e.Names() {
			if slices.Contains(used, name) {
				p = errors.Join(p, fmt.Errorf("axis: %s is taken by another one; keep one", name))
			}
			used = append(used, name)
		}
		if p != nil {
			err = errors.Join(err, fmt.Errorf("pedals: extra %d: %w", i+1, p))
		}
	}
	return err
}

// contradictions reports keys that cannot all be meant; before are the extras above e.
func (e Extra) contradictions(before []Extra) error {
	var err error
	if e.Axis != both && e.Dead > 0 && e.Dead <= 0.4 {
		err = fmt.Errorf("dead_middle = %g is for %s alone; take dead_low of pedals.shape", e.Dead, both)
	}
	if e.Rest == e.Press && e.Rest != 0 {
		err = errors.Join(err, fmt.Errorf("press_counts = %d is rest_counts too; press the pedal fully and look again, or set both to 0", e.Press))
	}
	for _, other := range before {
		if e.Code != "" && e.Device == other.Device && strings.EqualFold(e.Code, other.Code) {
			err = errors.Join(err, fmt.Errorf("code: %s of %q is %s already; an axis that is both is axis = %q", e.Code, e.Device, other.Axis, both))
		}
	}
	return err
}

// Names returns the axes that e is: throttle+brake is two.
func (e Extra) Names() []string {
	if e.Axis == both {
		return []string{axis.Names[axis.Throttle], axis.Names[axis.Brake]}
	}
	return []string{e.Axis}
}
