package testrun

import (
	"fmt"
	"strconv"
	"strings"

	"rig.example/rig/sim/assist"
)

// assistOption is an assist's name and its field in assist.Switches: either level or on is not nil.
type assistOption struct {
	name  string
	level *uint8
	on    *bool
}

// assistOptions returns an option for each assist that a user can set. The options point into a.
func assistOptions(a *assist.Switches) []assistOption {
	return []assistOption{
		{"abs", &a.ABS, nil}, {"traction", &a.Traction, nil}, {"stability", &a.Stability, nil},
		{"clutch", nil, &a.AutoClutch}, {"shifting", nil, &a.AutoShift}, {"launch", nil, &a.Launch}, {"pit", nil, &a.PitLimiter},
	}
}

// ParseAssists parses a list such as "abs=5,stability=5,clutch": levels of 0 to 10, and switches.
func ParseAssists(text string) (a assist.Switches, err error) {
	names := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, hasValue := strings.Cut(strings.TrimSpace(part), "=")
		if names[name] {
			return assist.Switches{}, fmt.Errorf("%s occurs twice; remove one", name)
		}
		names[name] = true
		if err := setAssist(assistOptions(&a), name, value, hasValue); err != nil {
			return assist.Switches{}, err
		}
	}
	return a, nil
}

// setAssist sets the assist with a name.
func setAssist(options []assistOption, name, value string, hasValue bool) error {
	for _, h := range options {
		if h.name == name {
			return h.set(value, hasValue)
		}
	}
	return fmt.Errorf("%q not found; choose abs=5, traction=5, stability=5 (levels of 0 to 10), clutch, shifting, launch or pit, with commas between", name)
}

// set sets the level or the switch. hasValue says whether the user gave a value, as in name=value.
func (h assistOption) set(value string, hasValue bool) error {
	if h.on != nil {
		if *h.on = true; hasValue {
			return fmt.Errorf("%s=%s: it is a switch without a level; write %s", h.name, value, h.name)
		}
		return nil
	}
	if !hasValue {
		return fmt.Errorf("%s needs a level from 0 (off) to 10 (early); write %s=5", h.name, h.name)
	}
	level, err := strconv.ParseUint(value, 10, 8)
	if err != nil || level > 10 {
		return fmt.Errorf("%s=%s: the level must be a whole number from 0 (off) to 10 (early); 5 is typical", h.name, value)
	}
	*h.level = uint8(level)
	return nil
}

// assistText formats the active assists as ParseAssists reads them, "" if there are none.
func assistText(a assist.Switches) string {
	var parts []string
	for _, h := range assistOptions(&a) {
		switch {
		case h.level != nil && *h.level > 0:
			parts = append(parts, fmt.Sprintf("%s=%d", h.name, *h.level))
		case h.on != nil && *h.on:
			parts = append(parts, h.name)
		}
	}
	return strings.Join(parts, ",")
}
