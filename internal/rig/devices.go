package rig

import (
	"os"
	"path/filepath"

	"rig/devices/pedals"
	"rig/devices/wheel"
	"rig/internal/config"
	"rig/internal/evdev"
)

// Device is something that is plugged in, and what rig would use it for.
type Device struct {
	evdev.Info
	Use string `json:"use"`
}

// AxisNames are the names of d's axes.
func (d Device) AxisNames() []string {
	var names []string
	for _, a := range d.Axes {
		names = append(names, a.Name)
	}
	return names
}

// Devices lists the input nodes and the serial lines.
func Devices(cfg config.Config) ([]Device, error) {
	nodes, err := evdev.List()
	if err != nil {
		return nil, err
	}
	asWheel, _ := wheel.Choose(nodes, cfg.Wheel.Device)
	store, err := profileStore(cfg)
	if err != nil {
		return nil, err
	}
	asPedals, _ := pedals.Choose(nodes, cfg.Pedals.Device, store)
	list := []Device{}
	for _, n := range nodes {
		list = append(list, Device{n, use(n, asWheel.Path, asPedals.Path)})
	}
	for _, path := range serialLines() {
		list = append(list, Device{evdev.Info{Path: path, Name: filepath.Base(path), Kind: "serial"}, useOfLine(path, cfg)})
	}
	return list, nil
}

func use(n evdev.Info, wheelPath, pedalsPath string) string {
	switch {
	case n.Err != nil:
		return "not used: " + n.Err.Error()
	case n.Path == wheelPath && n.Path == pedalsPath:
		return "wheel and pedals"
	case n.Path == wheelPath:
		return "wheel"
	case n.Path == pedalsPath:
		return "pedals"
	case n.Kind == evdev.KindWheel:
		return "not used: another wheel was chosen; name this one in wheel.device"
	case n.Kind == evdev.KindPedals:
		return "not used: other pedals were chosen; name these in pedals.device"
	}
	return "not used: neither wheel nor pedals"
}

// serialLines are the lines that a controller may be on, by stable names
// where there are any.
func serialLines() []string {
	stable, _ := filepath.Glob("/dev/serial/by-id/*")
	seen := map[string]bool{}
	for _, p := range stable {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			seen[real] = true
		}
	}
	list := stable
	for _, pattern := range []string{"/dev/ttyUSB*", "/dev/ttyACM*"} {
		plain, _ := filepath.Glob(pattern)
		for _, p := range plain {
			if !seen[p] {
				list = append(list, p)
			}
		}
	}
	return list
}

func useOfLine(path string, cfg config.Config) string {
	if cfg.Motion.Protocol != "" && sameFile(path, cfg.Motion.Port) {
		return "platform (" + cfg.Motion.Protocol + ")"
	}
	return "not used: set motion.protocol and motion.port if a platform is on it"
}

func sameFile(a, b string) bool {
	sa, errA := os.Stat(a)
	sb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(sa, sb)
}
