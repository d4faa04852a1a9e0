package testrun

import (
	"fmt"
	"strconv"
	"strings"

	"rig.example/rig/sim/assist"
)

// help is an assist's name, and where it stands: a level, or a switch.
type help struct {
	name  string
	level *uint8
	on    *bool
}

// helps lists the assists of a.
func helps(a *assist.Switches) []help {
	return []help{
		{"abs", &a.ABS, nil}, {"traction", &a.Traction, nil}, {"stability", &a.Stability, nil},
		{"clutch", nil, &a.Clutch}, {"shifting", nil, &a.Shifting}, {"launch", nil, &a.Launch}, {"pit", nil, &a.Pit},
	}
}

// ParseAssists reads a list as "abs=5,stability=5,clutch": levels of 0 to 10, and switches.
func ParseAssists(text string) (a assist.Switches, err error) {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, valued := strings.Cut(strings.TrimSpace(part), "=")
		if seen[name] {
			return assist.Switches{}, fmt.Errorf("%s is there twice; keep one", name)
		}
		seen[name] = true
		if err := setHelp(helps(&a), name, value, valued); err != nil {
			return assist.Switches{}, err
		}
	}
	return a, nil
}

// setHelp sets the assist that is named.
func setHelp(all []help, name, value string, valued bool) error {
	for _, h := range all {
		if h.name == name {
			return h.set(value, valued)
		}
	}
	return fmt.Errorf("%q is not known; choose abs=5, traction=5, stability=5 (levels of 0 to 10), clutch, shifting, launch or pit, with commas between", name)
}

func (h help) set(value string, valued bool) error {
	if h.on != nil {
		if *h.on = true; valued {
			return fmt.Errorf("%s=%s: it has no level; write %s to switch it on", h.name, value, h.name)
		}
		return nil
	}
	if !valued {
		return fmt.Errorf("%s has no level; write %s=5, of 0 (off) to 10 (early)", h.name, h.name)
	}
	level, err := strconv.ParseUint(value, 10, 8)
	if err != nil || level > 10 {
		return fmt.Errorf("%s=%s: its level is a whole number of 0 (off) to 10 (early); 5 is usual", h.name, value)
	}
	*h.level = uint8(level)
	return nil
}

// assistText writes what is on as ParseAssists reads it, "" where nothing is.
func assistText(a assist.Switches) string {
	var parts []string
	for _, h := range helps(&a) {
		switch {
		case h.level != nil && *h.level > 0:
			parts = append(parts, fmt.Sprintf("%s=%d", h.name, *h.level))
		case h.on != nil && *h.on:
			parts = append(parts, h.name)
		}
	}
	return strings.Join(parts, ",")
}
