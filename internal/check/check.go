// Package check looks at what a configuration asks of this machine, and lists the devices that are
// plugged in, with what each is used for. In goes the configuration; out come findings with their
// remedies. It moves nothing, opens no controller's line, which restarts some that then move, and
// leaves the relay of an emergency stop off.
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

// Finding is something that a check found.
type Finding struct {
	Level  string `json:"level"` // error: wrong as it stands; warning: missing, or worse than it could be
	Where  string `json:"where"`
	What   string `json:"what"`
	Remedy string `json:"remedy"`
}

// Run returns what is wrong or missing of what the configuration asks of this machine.
func Run(cfg config.Config) []Finding {
	var found []Finding
	add := func(level, where, what, remedy string) {
		found = append(found, Finding{level, where, strings.TrimPrefix(what, where+": "), remedy})
	}
	parts, err := assembly.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		where := "car"
		if _, ofCar := config.LoadCar(cfg.Car); ofCar == nil {
			where = "circuit"
		}
		add("error", where, err.Error(), "correct the "+where+"'s file")
	} else {
		for _, n := range printable.Few(parts.TrackNotes) {
			add("warning", "road", n, "see `rig road`; the rest of the circuit is as it should be")
		}
		for _, n := range printable.Few(parts.TireNotes) {
			add("warning", "tire", n, "correct the tire's file, or live with what is said here")
		}
	}
	checkConsents(cfg, add)
	checkShakes(cfg, add)
	checkMotion(cfg, add)
	checkInterlock(cfg, add)
	checkDevices(cfg, add)
	checkMachine(cfg, add)
	if err := display.Available(); err != nil && cfg.Display.Window {
		level := "error" // `rig run` does not start
		if errors.Is(err, display.ErrNoDisplay) {
			level = "warning"
		}
		add(level, "display", err.Error(), "set display.window = false, or run with --headless")
	}
	return found
}

// Resolve returns cfg with the force that suits the wheel that is plugged in, and whose
// preset that is.
func Resolve(cfg config.Config) (config.Config, string) {
	if cfg.FFB.Preset != "" {
		return cfg, "of the configuration"
	}
	preset, whose := "", "for want of a known wheel"
	if nodes, err := evdev.List(); err == nil {
		if info, err := wheel.Choose(nodes, cfg.Wheel.Device); err == nil {
			if preset = wheel.PresetOf(info.Vendor, info.Product); preset != "" {
				whose = "that the table of wheels has for " + info.Name
			}
		}
	}
	if force, err := cfg.Force(preset); err == nil { // built in, and the rest was read before
		cfg.FFB = force
	}
	return cfg, whose
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
	store, err := cfg.ProfileStore()
	if err != nil {
		return // checkMachine tells
	}
	if _, err := pedals.Choose(nodes, cfg.Pedals.Device, store); err != nil && !cfg.Pedals.Owns() {
		add("warning", "pedals", err.Error(), "see `rig devices`; without pedals the car brakes gently")
	}
	checkOthers(cfg, store, add)
	checkButtons(cfg, nodes, add)
	checkSwitch(cfg, add)
	if cfg.Motion.Protocol == "" {
		return
	}
	// Looked at and not opened: opening restarts some controllers, which then move.
	checkPort(cfg.Motion.Port, add)
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
	store, err := cfg.ProfileStore()
	if err != nil {
		add("warning", "profiles", err.Error(), "set profiles_dir")
	} else if st, err := os.Stat(store.Dir); err == nil && !st.IsDir() {
		add("error", "profiles", fmt.Sprintf("%s is not a folder", store.Dir), "move it away, or set profiles_dir")
	}
}

// checkButtons tells of buttons that are not there.
func checkButtons(cfg config.Config, nodes []evdev.Info, add func(level, where, what, remedy string)) {
	heard := cfg.Buttons.Heard(nodes, cfg.Wheel.Device)
	if cfg.Buttons == wheel.DefaultButtons() && heard[0].Path == "" {
		return // no wheel, which was told already, and nothing asked for
	}
	_, notes := cfg.Buttons.Bind(heard)
	for _, n := range notes {
		add("warning", "buttons", n, "press the button under `rig devices --watch` to see its name")
	}
}

// checkOthers looks at levers, and at pedals on converters for as long as they need to
// be sampled.
func checkOthers(cfg config.Config, store calib.Store, add func(level, where, what, remedy string)) {
	const look = 700 * time.Millisecond
	c := cfg.Pedals
	if len(c.ADC)+len(c.Extra) == 0 && c.Shifter.Kind == "" {
		return
	}
	p := pedals.New(c, store, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithTimeout(context.Background(), look)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	select {
	case err := <-ended:
		if err != nil {
			add("error", "pedals", err.Error(), "correct the tables of pedals")
		}
	case <-time.After(look - 100*time.Millisecond):
		s := p.Status()
		for _, a := range s.Analog {
			if !a.Present {
				add("warning", "pedals", a.Axis+" on "+a.Chip+": "+a.Problem, "look at its wires, see `rig devices`")
			}
			for _, w := range a.Warnings {
				add("warning", "pedals", a.Axis+" on "+a.Chip+": "+w, "look at its wires")
			}
		}
		for _, m := range s.Missing {
			add("warning", "pedals", m, "see `rig devices`")
		}
	}
	cancel()
	p.Close()
}

// checkSwitch looks at the emergency stop, whose relay stays off.
func checkSwitch(cfg config.Config, add func(level, where, what, remedy string)) {
	s, err := switches.OpenStop(cfg.Estop)
	if err != nil {
		add("error", "estop", err.Error(), "see `rig devices`; no drive begins without the lines that are named")
		return
	}
	if s == nil {
		return
	}
	if stopped, cause := switches.Settled(s, cfg.Estop); stopped {
		add("warning", "estop", cause.String(), "release the switch, or look at its wires; the rig stays stopped")
	}
	if err := s.Close(); err != nil {
		add("error", "estop", err.Error(), "look at the relay")
	}
}

// checkConsents tells of a dead man's switch that is no button, and of torque that needs
// the operator's word.
func checkConsents(cfg config.Config, add func(level, where, what, remedy string)) {
	if b := cfg.Buttons.DeadMan; cfg.Guard.DeadMan && (b == "" || strings.EqualFold(b, "none")) {
		add("warning", "guard", "dead_man is set and no button is it: only B in the window is", "name one in buttons.dead_man")
	}
	if most := min(cfg.Wheel.MaxTorque, cfg.FFB.MaxTorque, cfg.Guard.MaxTorque); most > guard.SafeTorque {
		add("warning", "guard", fmt.Sprintf("%g N·m are allowed, and more than %d need consent in each start", most, guard.SafeTorque),
			"start with --high-torque, press U, or name a button in buttons.high_torque")
	}
}

// checkShakes tells of what would be felt twice.
func checkShakes(cfg config.Config, add func(level, where, what, remedy string)) {
	if e := &cfg.FFB.Effects; cfg.Wheel.Vibration > 0 && (e.ABS > 0 || e.Limiter > 0) {
		add("warning", "ffb.effects", fmt.Sprintf("abs_nm = %g and limiter_nm = %g shake the rim for what wheel.vibration shakes it for, too", e.ABS, e.Limiter),
			"set both to 0, or wheel.vibration")
	}
}
