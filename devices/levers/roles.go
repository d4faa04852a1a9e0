package levers

import (
	"fmt"
	"log/slog"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
)

// Role is what an input node is used for besides the one set of pedals.
type Role struct {
	Used   []string // such as "shifter" or "handbrake (ABS_Z)"
	Passed []string // what its selector would fit, and why another node or none is that
}

// Roles tells what each node of list is used for, by their paths. c must be valid.
func (c Config) Roles(list []evdev.Info) (map[string]Role, error) {
	l, err := New(c, axis.Shapes{}, calib.Store{}, 1, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	roles := map[string]Role{}
	for _, s := range l.stations {
		s.assign(roles, list, l.names(s))
	}
	return roles, l.Close()
}

// names are what a station's node is used for.
func (l *Set) names(s *station) (list []string) {
	if s == l.shifter {
		list = append(list, "shifter")
	}
	for _, a := range l.axes {
		if a.at == s {
			list = append(list, a.cfg.Axis+" ("+a.cfg.Code+")")
		}
	}
	return list
}

// assign adds names to the role of the node that the station takes, and to those of the
// others that its selector fits why they are passed over.
func (s *station) assign(roles map[string]Role, list []evdev.Info, names []string) {
	taken, err := s.pick(list)
	for _, i := range list {
		if i.Err != nil || !i.Matches(s.selector) {
			continue
		}
		r := roles[i.Path]
		if err == nil && i.Path == taken.Path {
			r.Used = append(r.Used, names...)
		} else {
			why := taken.Path + " comes first"
			if lack := s.lack(i); lack != "" {
				why = "it has no " + lack
			}
			for _, name := range names {
				r.Passed = append(r.Passed, fmt.Sprintf("not the %s: %s", name, why))
			}
		}
		roles[i.Path] = r
	}
}
