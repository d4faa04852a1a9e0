// Package check checks a configuration and this machine, and lists the connected devices with their
// use. The input is the configuration; the output are findings with remedies. It moves nothing, keeps
// the relay of an emergency stop off, and does not open the controller's serial line, because that
// restarts some controllers, which then move.
package check

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/display"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/evdev"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/switches"
)

// Finding is one problem with its remedy.
type Finding struct {
	Level  string `json:"level"`  // error: must be fixed; warning: missing, or not ideal
	Where  string `json:"where"`  // table of the configuration, or part of the rig
	What   string `json:"what"`   // what is wrong
	Remedy string `json:"remedy"` // what to do about it
}

// Run checks cfg on this machine and returns all problems.
func Run(cfg config.Config) []Finding {
	var findings []Finding
	add := func(level, where, what, remedy string) {
		findings = append(findings, Finding{level, where, strings.TrimPrefix(what, where+": "), remedy})
	}
	parts, err := assembly.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		where := "car"
		if _, ofCar := config.LoadCar(cfg.Car); ofCar == nil {
			where = "circuit"
		}
		add("error", where, err.Error(), "fix the "+where+"'s file")
	} else {
		for _, n := range printable.FirstLines(parts.TrackNotes) {
			add("warning", "road", n, "see `rig road`; the rest of the circuit is usable")
		}
		for _, n := range printable.FirstLines(parts.TireNotes) {
			add("warning", "tire", n, "fix the tire's file, or drive with it as it is")
		}
	}
	checkTorque(cfg, add)
	checkDoubleEffects(cfg, add)
	checkMotion(cfg, add)
	checkInterlock(cfg, add)
	checkDevices(cfg, add)
	checkMachine(cfg, add)
	checkOutputs(cfg, add)
	checkGame(cfg, add)
	checkSound(cfg, add)
	checkModel(cfg, add)
	if err := display.Available(); err != nil && cfg.Display.Window {
		level := "error" // `rig run` does not start
		if errors.Is(err, display.ErrNoDisplay) {
			level = "warning"
		}
		add(level, "display", err.Error(), "set display.window = false, or run with --headless")
	}
	return findings
}

// checkModel reports a model of the car that a window cannot show. A car's file that cannot be read is reported with the car.
func checkModel(cfg config.Config, add func(level, where, what, remedy string)) {
	if !cfg.Display.Window {
		return
	}
	if m, err := config.LoadModel(cfg.Car); err == nil {
		if err := display.CheckModel(m); err != nil {
			add("error", "display", err.Error(), "fix [model] of the car's file, or remove it to see the built-in car")
		}
	}
}

// Resolve returns cfg with the force preset for the connected wheel, and a text about where the
// preset comes from.
func Resolve(cfg config.Config) (config.Config, string) {
	if cfg.FFB.Preset != "" {
		return cfg, "from the configuration"
	}
	preset, origin := "", "because no known wheel is connected"
	if nodes, err := evdev.List(); err == nil {
		if info, err := wheel.Choose(nodes, cfg.Wheel.Device); err == nil {
			if preset = wheel.PresetOf(info.Vendor, info.Product); preset != "" {
				origin = "from the table of wheels for " + info.Name
			}
		}
	}
	if force, err := cfg.Force(preset); err == nil { // err is always nil: the presets of known wheels are built in
		cfg.FFB = force
	}
	return cfg, origin
}

// checkDevices reports devices that the configuration needs and that are missing or do not work.
func checkDevices(cfg config.Config, add func(level, where, what, remedy string)) {
	nodes, err := evdev.List()
	if err != nil {
		add("error", "devices", err.Error(), "load the kernel's evdev module")
		return
	}
	if _, err := wheel.Choose(nodes, cfg.Wheel.Device); err != nil {
		add("warning", "wheel", err.Error(), "see `rig devices`; `rig run` waits for one, `rig run --demo` needs none")
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		return // checkMachine reports it
	}
	if _, err := pedals.Choose(nodes, cfg.Pedals.Device, store); err != nil && !cfg.Pedals.CoversThrottleAndBrake() {
		add("warning", "pedals", err.Error(), "see `rig devices`; without pedals the car brakes gently")
	}
	checkLevers(cfg, store, add)
	checkButtons(cfg, nodes, add)
	checkStop(cfg, add)
	if cfg.Motion.Protocol == "" {
		return
	}
	checkPort(cfg.Motion.Port, add)
}

// checkMachine checks real-time priority, locked memory and the folder of the profiles.
func checkMachine(cfg config.Config, add func(level, where, what, remedy string)) {
	problems, release := cfg.Realtime.Process()
	release()
	threadChecked := make(chan struct{})
	go func() { // in a goroutine of its own, so that its thread ends with the attempt
		problems = append(problems, cfg.Realtime.Thread()...)
		close(threadChecked)
	}()
	<-threadChecked
	for _, p := range problems {
		add("warning", "real time", p.What, p.Remedy)
	}
	store, err := cfg.ProfileStore()
	if err != nil {
		add("warning", "profiles", err.Error(), "set profiles_dir")
	} else if st, err := os.Stat(store.Dir); err == nil && !st.IsDir() {
		add("error", "profiles", fmt.Sprintf("%s is not a folder", store.Dir), "rename it, or set profiles_dir")
	}
}

// checkButtons reports configured buttons that were not found.
func checkButtons(cfg config.Config, nodes []evdev.Info, add func(level, where, what, remedy string)) {
	devices := cfg.Buttons.Devices(nodes, cfg.Wheel.Device)
	if cfg.Buttons == wheel.DefaultButtons() && devices[0].Path == "" {
		return // no wheel, which was reported already, and no buttons configured
	}
	_, notes := cfg.Buttons.Bind(devices)
	for _, n := range notes {
		add("warning", "buttons", n, "press the button in `rig devices --watch` to see its name")
	}
}

// checkLevers checks levers and analog pedals. It takes 0.7 s, so that the converters deliver samples.
func checkLevers(cfg config.Config, store calib.Store, add func(level, where, what, remedy string)) {
	const sampleTime = 700 * time.Millisecond
	c := cfg.Pedals
	if len(c.ADC)+len(c.Extra) == 0 && c.Shifter.Kind == "" {
		return
	}
	p := pedals.New(c, store, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithTimeout(context.Background(), sampleTime)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	select {
	case err := <-ended:
		if err != nil {
			add("error", "pedals", err.Error(), "fix the tables [pedals]")
		}
	case <-time.After(sampleTime - 100*time.Millisecond):
		s := p.Status()
		for _, a := range s.Analog {
			if !a.Present {
				add("warning", "pedals", a.Axis+" on "+a.Chip+": "+a.Problem, "check its wires, see `rig devices`")
			}
			for _, w := range a.Warnings {
				add("warning", "pedals", a.Axis+" on "+a.Chip+": "+w, "check its wires")
			}
		}
		for _, m := range s.Missing {
			add("warning", "pedals", m, "see `rig devices`")
		}
	}
	cancel()
	p.Close()
}

// checkStop checks the emergency stop. Its relay stays off.
func checkStop(cfg config.Config, add func(level, where, what, remedy string)) {
	s, err := switches.OpenStop(cfg.Estop)
	if err != nil {
		add("error", "estop", err.Error(), "see `rig devices`; no drive starts without the configured lines")
		return
	}
	if s == nil {
		return
	}
	if stopped, cause := switches.WaitSettled(s, cfg.Estop); stopped {
		add("warning", "estop", cause.String(), "release the switch, or check its wires; the rig stays stopped")
	}
	if err := s.Close(); err != nil {
		add("error", "estop", err.Error(), "check the relay")
	}
}

// checkTorque reports a dead man's switch without a button, and torque that needs consent.
func checkTorque(cfg config.Config, add func(level, where, what, remedy string)) {
	if b := cfg.Buttons.DeadMan; cfg.Guard.DeadMan && (b == "" || strings.EqualFold(b, "none")) {
		add("warning", "guard", "dead_man is set but has no button: only B in the window works", "set buttons.dead_man")
	}
	if limit := min(cfg.Wheel.MaxTorque, cfg.FFB.MaxTorque, cfg.Guard.MaxTorque); limit > guard.SafeTorque {
		add("warning", "guard", fmt.Sprintf("%g N·m are allowed, but more than %d N·m need consent at each start", limit, guard.SafeTorque),
			"start with --high-torque, press U, or set buttons.high_torque")
	}
}

// checkDoubleEffects reports effects that the rim would play twice.
func checkDoubleEffects(cfg config.Config, add func(level, where, what, remedy string)) {
	if e := &cfg.FFB.Effects; cfg.Wheel.Vibration > 0 && (e.ABS > 0 || e.Limiter > 0) {
		add("warning", "ffb.effects", fmt.Sprintf("abs_nm = %g and limiter_nm = %g repeat effects that wheel.vibration plays too", e.ABS, e.Limiter),
			"set both to 0, or set wheel.vibration = 0")
	}
}
