package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/live/machine"
)

// checkRights checks real-time priority, locked memory, the groups of the user and the folder of the profiles.
func (s *scene) checkRights() {
	problems := s.realtimeProblems()
	for _, group := range machine.CheckGroups(s.root, s.user, s.needs(problems), s.add) {
		s.denied[group] = true
	}
	for _, p := range problems {
		if s.denied["realtime"] && realtimeRights[p.Check] != "" {
			continue // told with the group
		}
		s.add(p.Check, "real time", p.What, p.Remedy)
	}
	switch st, err := os.Stat(s.store.Dir); {
	case s.storeErr != nil:
		s.add("profiles", "profiles", s.storeErr.Error(), "set profiles_dir")
	case err == nil && !st.IsDir():
		s.add("profiles-folder", "profiles", s.store.Dir+" is not a folder", "rename it, or set profiles_dir")
	}
}

// realtimeRights are the rights that members of the group realtime have, by the checks that find them refused.
var realtimeRights = map[string]string{"priority": "no real-time priority", "memory": "memory is not locked", "idle": "processors may idle deeply"}

// realtimeProblems returns what the kernel refuses to the loop. A machine that never idles deeply needs no right to
// prevent it.
func (s *scene) realtimeProblems() (problems []rt.Problem) {
	all, release := s.cfg.Realtime.Process()
	release()
	threadChecked := make(chan struct{})
	go func() { // in a goroutine of its own, so that its thread ends with the attempt
		all = append(all, s.cfg.Realtime.Thread()...)
		close(threadChecked)
	}()
	<-threadChecked
	_, _, idlesDeeply := machine.DeepIdle(s.root)
	for _, p := range all {
		if p.Check != "idle" || idlesDeeply {
			problems = append(problems, p)
		}
	}
	return problems
}

// needs returns the groups whose rights were refused.
func (s *scene) needs(problems []rt.Problem) (list []machine.Need) {
	var refused []string
	for _, p := range problems {
		if what := realtimeRights[p.Check]; what != "" {
			refused = append(refused, what)
		}
	}
	if refused != nil {
		list = append(list, machine.Need{Group: "realtime", For: strings.Join(refused, ", ")})
	}
	for _, n := range s.nodes {
		if os.IsPermission(n.Err) && s.isJoystick(n.Path) {
			list = append(list, machine.Need{Group: "input", For: n.Path + " cannot be read"})
			break
		}
	}
	if len(list) == 0 || list[len(list)-1].Group != "input" {
		if setting := filepath.Join(evdev.DeviceFolder(s.sysfs(), s.wheel.Path), "range"); s.wheel.Path != "" && isRefused(setting, unix.W_OK) {
			list = append(list, machine.Need{Group: "input", For: "the wheel's rotation cannot be set"})
		}
	}
	if port := s.cfg.Motion.Port; s.cfg.Motion.Protocol != "" && isRefused(port, unix.R_OK|unix.W_OK) {
		list = append(list, machine.Need{Group: "dialout", For: fmt.Sprintf("%s cannot be opened", port)})
	}
	return list
}

// isRefused reports whether a file exists that this user may not use in a mode.
func isRefused(path string, mode uint32) bool {
	return unix.Access(path, mode) == unix.EACCES
}

// isJoystick reports whether the kernel takes an input node for a joystick, as it does wheels and pedals: users
// at the machine cannot read keyboards and mice either, which is as it must be.
func (s *scene) isJoystick(node string) bool {
	found, _ := filepath.Glob(filepath.Join(s.sysfs(), "class/input", filepath.Base(node), "device/js[0-9]*"))
	return len(found) > 0
}
