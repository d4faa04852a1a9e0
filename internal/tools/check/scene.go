package check

import (
	"path/filepath"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/live/machine"
)

// scene is what the checks look at, and what they found.
type scene struct {
	cfg      config.Config
	options  Options
	root     string // folder that stands for /, "" except in tests
	kernel   string // release of the running kernel
	user     machine.User
	nodes    []evdev.Info
	store    calib.Store
	storeErr error // the folder of the profiles is not known

	wheel, pedals       evdev.Info // Path is "" for a missing one
	wheelErr, pedalsErr error      // why it is missing

	driverErr error // the profile of who drives cannot be applied

	denied   map[string]bool // groups that the user must join or log in for
	renderer string          // what draws the window, for the summary
	findings []Finding
}

// newScene looks up the devices of this machine that cfg uses.
func newScene(cfg config.Config, o Options) *scene {
	s := &scene{cfg: cfg, options: o, kernel: machine.KernelRelease(), user: machine.CurrentUser(), denied: map[string]bool{}}
	nodes, err := evdev.List()
	if err != nil {
		s.add("input", "devices", err.Error(), "load the kernel's module: `sudo modprobe evdev`")
	}
	s.nodes = nodes
	s.store, s.storeErr = cfg.ProfileStore()
	if s.wheel, s.wheelErr = wheel.Choose(nodes, cfg.Wheel.Device); s.wheelErr == nil {
		s.wheel = evdev.Describe(s.wheel.Path) // with the present values of its axes
	}
	if s.pedals, s.pedalsErr = pedals.Choose(nodes, cfg.Pedals.Device, s.store); s.pedalsErr == nil {
		s.pedals = evdev.Describe(s.pedals.Path)
	}
	return s
}

// add adds a finding of a check that Catalog has.
func (s *scene) add(check, where, what, remedy string) {
	s.findings = append(s.findings, Finding{check, catalogEntry(check).Level, where, strings.TrimPrefix(what, where+": "), remedy, commandOf(remedy)})
}

// commandOf returns the command that carries out a remedy: it ends the remedy, in backquotes after a colon. It returns
// "" if the remedy is not a command alone.
func commandOf(remedy string) string {
	i := strings.LastIndex(remedy, ": `")
	if i < 0 || !strings.HasSuffix(remedy, "`") {
		return ""
	}
	return remedy[i+len(": `") : len(remedy)-1]
}

// sysfs returns the folder of sysfs.
func (s *scene) sysfs() string { return filepath.Join("/", s.root, "sys") }

// checkSuspend reports that the USB device behind an input node may be switched off.
func (s *scene) checkSuspend(node evdev.Info, part string) {
	if folder, ok := evdev.USBFolder(evdev.DeviceFolder(s.sysfs(), node.Path)); ok {
		machine.CheckAutosuspend(folder, part, s.add)
	}
}
