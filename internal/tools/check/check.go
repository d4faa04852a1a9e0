// Package check checks a configuration and this machine, and lists the connected devices with their
// use. The input is the configuration; the output are findings with remedies. It moves nothing, keeps
// the relay of an emergency stop off, and does not open the controller's serial line, because that
// restarts some controllers, which then move.
package check

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/display"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivers"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/live/switches"
)

// Finding is one problem with its remedy.
type Finding struct {
	Check   string `json:"check"`             // name of what was checked, see Catalog
	Level   Level  `json:"level"`             // how bad it is
	Where   string `json:"where"`             // table of the configuration, or part of the rig
	What    string `json:"what"`              // what is wrong
	Remedy  string `json:"remedy"`            // what to do about it
	Command string `json:"command,omitempty"` // the command at the end of Remedy, to copy, if one fixes it
}

// Level says how bad a finding is.
type Level string

// The levels, the worst first.
const (
	Error   Level = "error"   // must be fixed: `rig run` does not start, or drives without what is configured
	Warning Level = "warning" // missing, or not ideal
	Note    Level = "note"    // good to know
)

// rank is the place of a level in a list, the worst first.
func (l Level) rank() int {
	return slices.Index([]Level{Error, Warning, Note}, l)
}

// Feature is a part of rig of which this package knows only what it checks.
type Feature struct {
	Part   string // as Options.Progress names it
	Checks []FeatureCheck
	// Devices lists the devices of its kind; nil for none
	Devices func(cfg *config.Config, add func(kind, path, name, use string))
	Summary func(cfg *config.Config) string // text of the part in the summary; nil for none
}

// FeatureCheck adds what is wrong with a feature in a configuration.
type FeatureCheck func(cfg *config.Config, add func(check, where, what, remedy string))

// Options say what Examine checks, and what it may do beside looking.
type Options struct {
	Features []Feature              // in the order in which they are checked
	File     string                 // from where the configuration is, for the summary
	Renderer func() (string, error) // returns OpenGL's renderer; nil: it is not asked. It opens a window that is not shown
	Progress func(part string)      // is called before each part of the check; nil: it is not
}

// Report is what Examine found.
type Report struct {
	Findings []Finding     // errors first, notes last
	Summary  []SummaryLine // the parts of the rig, in words
	Config   config.Config // what was checked: the configuration with the profile of who drives
}

// Examine checks cfg on this machine.
func Examine(cfg config.Config, o Options) Report {
	err := drivers.Apply(&cfg, "")
	s := newScene(cfg, o)
	s.driverErr = err
	return s.examine()
}

// examine does all checks.
func (s *scene) examine() Report {
	cfg := s.cfg
	type part struct {
		name  string
		check func()
	}
	parts := []part{
		{"driver", s.checkDriver},
		{"car and track", func() { checkAssembly(cfg, s.add) }},
		{"force", func() { checkTorque(cfg, s.add); checkDoubleEffects(cfg, s.add) }},
		{"groups and real time", s.checkRights},
		{"wheel", s.checkWheel},
		{"pedals and levers", s.checkPedals},
		{"buttons and stop switch", func() { s.checkButtons(); checkStop(cfg, s.add) }},
		{"platform", func() { checkMotion(cfg, s.add); checkInterlock(cfg, s.add); s.checkLine() }},
		{"processor", s.checkProcessor},
		{"recordings", s.checkRecordings},
	}
	for _, f := range s.options.Features {
		parts = append(parts, part{f.Part, func() {
			for _, check := range f.Checks {
				check(&cfg, s.add)
			}
		}})
	}
	parts = append(parts, part{"window", func() { checkModel(cfg, s.add); s.checkWindow() }})
	for _, part := range parts {
		if s.options.Progress != nil {
			s.options.Progress(part.name)
		}
		part.check()
	}
	slices.SortStableFunc(s.findings, func(a, b Finding) int { return a.Level.rank() - b.Level.rank() })
	return Report{s.findings, s.summary(), s.cfg}
}

// checkAssembly builds the whole drive, and reports faults of its car and its circuit.
func checkAssembly(cfg config.Config, add func(check, where, what, remedy string)) {
	parts, err := drivesetup.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	switch _, ofCar := config.LoadCar(cfg.Car); {
	case err != nil && ofCar != nil:
		add("car", "car", err.Error(), "fix the car's file")
		return
	case err != nil:
		add("circuit", "circuit", err.Error(), "fix the circuit's file")
		return
	}
	for _, n := range printable.FirstLines(parts.TrackNotes) {
		add("track-notes", "road", n, "see `rig road`; the rest of the circuit is usable")
	}
	for _, n := range printable.FirstLines(parts.TireNotes) {
		add("tire-notes", "tire", n, "fix the tire's file, or drive with it as it is")
	}
}

// checkModel reports a model of the car that a window cannot show. A car's file that cannot be read is reported with the car.
func checkModel(cfg config.Config, add func(check, where, what, remedy string)) {
	if !cfg.Display.Window {
		return
	}
	if m, err := config.LoadModel(cfg.Car); err == nil {
		if err := display.CheckModel(m); err != nil {
			add("model", "display", err.Error(), "fix [model] of the car's file, or remove it to see the built-in car")
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

// checkPedals reports pedals and levers that the configuration needs and that are missing or do not work.
func (s *scene) checkPedals() {
	if s.pedalsErr != nil && !s.cfg.Pedals.CoversThrottleAndBrake() {
		s.add("pedals", "pedals", s.pedalsErr.Error(), "see `rig devices`; without pedals the car brakes gently")
	}
	if s.storeErr != nil {
		return
	}
	checkLevers(s.cfg, s.store, s.add)
	if s.pedals.Path == "" {
		return
	}
	s.checkSuspend(s.pedals, "pedals")
	s.checkPedalsProfile()
}

// checkButtons reports configured buttons that were not found.
func (s *scene) checkButtons() {
	devices := s.cfg.Buttons.Devices(s.nodes, s.cfg.Wheel.Device)
	if s.cfg.Buttons == wheel.DefaultButtons() && devices[0].Path == "" {
		return // no wheel, which was reported already, and no buttons configured
	}
	_, notes := s.cfg.Buttons.Bind(devices)
	for _, n := range notes {
		s.add("buttons", "buttons", n, "press the button in `rig devices --watch` to see its name")
	}
}

// checkLevers checks levers and analog pedals. It takes 1 s, so that pedals on converters are seen at rest.
func checkLevers(cfg config.Config, store calib.Store, add func(check, where, what, remedy string)) {
	const sampleTime = time.Second
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
			add("pedal-tables", "pedals", err.Error(), "fix the tables [pedals]")
		}
	case <-time.After(sampleTime - 100*time.Millisecond):
		s := p.Status()
		for _, a := range s.Analog {
			if !a.Present {
				add("converter", "pedals", a.Axis+" on "+a.Chip+": "+a.Problem, "check its wires, see `rig devices`")
			}
			for _, w := range a.Warnings {
				add("converter", "pedals", a.Axis+" on "+a.Chip+": "+w, "check its wires")
			}
		}
		for _, m := range s.Missing {
			add("levers", "pedals", m, "see `rig devices`")
		}
	}
	cancel()
	p.Close()
}

// checkStop checks the emergency stop. Its relay stays off.
func checkStop(cfg config.Config, add func(check, where, what, remedy string)) {
	s, err := switches.OpenStop(cfg.Estop)
	if err != nil {
		add("estop", "estop", err.Error(), "see `rig devices`; no drive starts without the configured lines")
		return
	}
	if s == nil {
		return
	}
	if stopped, cause := switches.WaitSettled(s, cfg.Estop); stopped {
		add("estop-pressed", "estop", cause.String(), "release the switch, or check its wires; the rig stays stopped")
	}
	if err := s.Close(); err != nil {
		add("relay", "estop", err.Error(), "check the relay")
	}
}

// checkTorque reports a dead man's switch without a button, and torque that needs consent.
func checkTorque(cfg config.Config, add func(check, where, what, remedy string)) {
	if b := cfg.Buttons.DeadMan; cfg.Guard.DeadMan && (b == "" || strings.EqualFold(b, "none")) {
		add("dead-man", "guard", "dead_man is set but has no button: only B in the window works", "set buttons.dead_man")
	}
	if limit := min(cfg.Wheel.MaxTorque, cfg.FFB.MaxTorque, cfg.Guard.MaxTorque); limit > guard.SafeTorque {
		add("high-torque", "guard", fmt.Sprintf("%g N·m are allowed, but more than %d N·m need consent at each start", limit, guard.SafeTorque),
			"start with --high-torque, press U, or set buttons.high_torque")
	}
}

// checkDoubleEffects reports effects that the rim would play twice.
func checkDoubleEffects(cfg config.Config, add func(check, where, what, remedy string)) {
	if e := &cfg.FFB.Effects; cfg.Wheel.Vibration > 0 && (e.ABS > 0 || e.Limiter > 0) {
		add("double-effects", "ffb.effects", fmt.Sprintf("abs_nm = %g and limiter_nm = %g repeat effects that wheel.vibration plays too", e.ABS, e.Limiter),
			"set both to 0, or set wheel.vibration = 0")
	}
}
