package levers

import (
	"fmt"
	"log/slog"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
)

// Role is what an input node is used for, besides the set of pedals.
type Role struct {
	Uses     []string // such as "shifter" or "handbrake (ABS_Z)"
	Rejected []string // uses whose selector matches the node, with the reason why it is not used for them
}

// Roles returns the role of each node of list, by its path. c must be valid.
func (c Config) Roles(list []evdev.Info) (map[string]Role, error) {
	l, err := New(c, axis.Shapes{}, calib.Store{}, 1, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	roles := map[string]Role{}
	for _, s := range l.nodes {
		s.addRoles(roles, list, l.uses(s))
	}
	return roles, l.Close()
}

// uses returns the uses of a node, such as "shifter".
func (l *Set) uses(s *node) (list []string) {
	if s == l.shifter {
		list = append(list, "shifter")
	}
	for _, a := range l.axes {
		if a.node == s {
			list = append(list, a.extra.Axis+" ("+a.extra.Code+")")
		}
	}
	return list
}

// addRoles adds uses to the role of the node of list that s chooses. To the roles of all other nodes that
// match the selector it adds the reason why they were not chosen.
func (s *node) addRoles(roles map[string]Role, list []evdev.Info, uses []string) {
	chosen, err := s.choose(list)
	for _, i := range list {
		if i.Err != nil || !i.Matches(s.selector) {
			continue
		}
		r := roles[i.Path]
		if err == nil && i.Path == chosen.Path {
			r.Uses = append(r.Uses, uses...)
		} else {
			reason := chosen.Path + " comes first"
			if missing := s.missingControl(i); missing != "" {
				reason = "it has no " + missing
			}
			for _, use := range uses {
				r.Rejected = append(r.Rejected, fmt.Sprintf("not the %s: %s", use, reason))
			}
		}
		roles[i.Path] = r
	}
}
