package rig

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"rig/devices/pedals"
	"rig/devices/wheel"
	"rig/display"
	"rig/internal/config"
	"rig/internal/evdev"
)

// Finding is something that a check found.
type Finding struct {
	Level  string `json:"level"` // error: wrong as it stands; warning: missing, or worse than it could be
	Where  string `json:"where"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

// Check looks at what the configuration asks of this machine.
func Check(cfg config.Config) []Finding {
	var found []Finding
	add := func(level, where, what, remedy string) {
		found = append(found, Finding{level, where, strings.TrimPrefix(what, where+": "), remedy})
	}
	r, err := newRig(cfg)
	if err != nil {
		where := "car"
		if _, ofCar := config.LoadCar(cfg.Car); ofCar == nil {
			where = "circuit"
		}
		add("error", where, err.Error(), "correct the "+where+"'s file")
	} else {
		for _, n := range r.aboutIt {
			add("warning", "road", n, "see `rig road`; the rest of the circuit is as it should be")
		}
		for _, n := range r.notices {
			add("warning", "tire", n, "correct the tire's file, or live with what is said here")
		}
	}
	checkDevices(cfg, add)
	checkMachine(cfg, add)
	if err := display.Available(); err != nil && cfg.Display.Window {
		add("warning", "display", err.Error(), "set display.window = false, or run with --headless")
	}
	return found
}

func checkDevices(cfg config.Config, add func(level, where, what, remedy string)) {
	nodes, err := evdev.List()
	if err != nil {
		add("error", "devices", err.Error(), "load the kernel's evdev module")
		return
	}
	if _, err := wheel.Choose(nodes, cfg.Wheel.Device); err != nil {
		add("warning", "wheel", err.Error(), "see `rig devices`; `rig run` waits for one, `rig run --demo` needs none")
	}
	store, err := profileStore(cfg)
	if err != nil {
		return // checkMachine tells
	}
	if _, err := pedals.Choose(nodes, cfg.Pedals.Device, store); err != nil {
		add("warning", "pedals", err.Error(), "see `rig devices`; without pedals the car brakes gently")
	}
	if cfg.Motion.Protocol == "" {
		return
	}
	// Looked at and not opened: opening restarts some controllers, which then move.
	if err := unix.Access(cfg.Motion.Port, unix.R_OK|unix.W_OK); err != nil {
		add("error", "platform", cfg.Motion.Port+": "+err.Error(), "plug it in, see `rig devices`; join the group `dialout`")
	}
}

func checkMachine(cfg config.Config, add func(level, where, what, remedy string)) {
	problems, release := cfg.Realtime.Process()
	release()
	tried := make(chan struct{})
	go func() { // on a thread that ends with the attempt
		problems = append(problems, cfg.Realtime.Thread()...)
		close(tried)
	}()
	<-tried
	for _, p := range problems {
		add("warning", "real time", p.What, p.Remedy)
	}
	store, err := profileStore(cfg)
	if err != nil {
		add("warning", "profiles", err.Error(), "set profiles_dir")
	} else if st, err := os.Stat(store.Dir); err == nil && !st.IsDir() {
		add("error", "profiles", fmt.Sprintf("%s is not a folder", store.Dir), "move it away, or set profiles_dir")
	}
}
