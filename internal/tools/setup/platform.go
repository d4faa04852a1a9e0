package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/settings"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/tools/exercise"
)

// safetyText is what everybody must know before the line of a controller is opened, see docs/platforms.md.
const safetyText = `  A platform moves people, and software is not a safety function. It needs an emergency stop that cuts its
  motors' power, in reach of the driver and of a second person.
  Opening its line restarts many controllers. An SMC3 board then drives to its center at once, as fast as it can, as
  it does whenever it gets power; every controller keeps its last position when the line goes dead.`

const safetyQuestion = "Is the seat empty, nobody and nothing on, under or beside the platform, and its emergency stop in reach?"

// controller is a kind of controller that the setup can configure.
type controller struct {
	protocol string
	preset   string // "" for a protocol of its own
	baud     int    // 0 for that of the preset
}

func (c controller) String() string { return c.protocol + c.preset }

// answering are the controllers that answer a query which changes nothing.
var answering = []controller{
	{protocol: motion.ProtocolSMC3, baud: 500_000},
	{protocol: motion.ProtocolThanos, baud: 250_000},
	{protocol: motion.ProtocolMotion4Sim, baud: 250_000},
}

// usualPlatform is the built-in platform that a protocol's controllers move most often.
var usualPlatform = map[string]string{
	motion.ProtocolSMC3: "seat-mover", motion.ProtocolThanos: "sfx100-4", motion.ProtocolMotion4Sim: "hexapod-6",
}

// changes returns the keys of a controller on a line, for a file with the text present. Keys that this file has, and
// that would hide those of a preset, get the preset's values.
func (c controller) changes(port string, present []byte) (list []config.KeyChange) {
	if c.preset == "" {
		if config.HasKey(present, "motion.preset") {
			list = append(list, config.Set("motion.preset", ""))
		}
		return append(list, config.Set("motion.protocol", c.protocol), config.Set("motion.port", port), config.Set("motion.baud", c.baud))
	}
	list = []config.KeyChange{config.Set("motion.preset", c.preset), config.Set("motion.port", port)}
	text, err := config.Edit(nil, list)
	if err != nil {
		return list
	}
	cfg, err := config.Parse("preset", text)
	if err == nil && config.HasKey(present, "motion.protocol") {
		list = append(list, config.Set("motion.protocol", cfg.Motion.Protocol))
	}
	if err == nil && config.HasKey(present, "motion.baud") {
		list = append(list, config.Set("motion.baud", cfg.Motion.Baud))
	}
	return list
}

func (w *wizard) proposePlatform() (isDefault bool, question string, err error) {
	lines, err := w.serialLines()
	if err != nil {
		return false, "", err
	}
	switch {
	case w.cfg.Motion.Protocol != "":
		w.say("  The configuration has a platform: %s on %s.", w.cfg.Motion.Protocol, w.cfg.Motion.Port)
		return false, "Choose its line, controller and geometry anew?", nil
	case len(lines) == 0:
		w.say("  No serial line found. Plug the controller in if you have a platform; yes looks again.")
		return false, "Look again?", nil
	}
	w.say("  A motion controller may be on %s.", linePaths(lines))
	return true, "Set up a platform?", nil
}

func (w *wizard) choosePlatform() error {
	port, err := w.choosePort()
	if err != nil {
		return err
	}
	w.say(safetyText)
	if w.yes && !w.opt.MoveOK {
		return fmt.Errorf("%w: opening its line may move the platform, which needs --move-ok", errLeftOut)
	}
	agreed, err := w.consent(w.opt.MoveOK, "--move-ok", safetyQuestion)
	if err != nil {
		return err
	}
	if !agreed {
		return fmt.Errorf("%w: nobody agreed, so that its line was not opened", errLeftOut)
	}
	c, err := w.chooseController(port)
	if err != nil {
		return err
	}
	if err := w.chooseGeometry(c, port); err != nil {
		return err
	}
	return w.home()
}

// choosePort returns the line of the controller.
func (w *wizard) choosePort() (string, error) {
	lines, err := w.serialLines()
	if err != nil {
		return "", err
	}
	var items []string
	preselected := 0
	for i, d := range lines {
		items = append(items, d.Path)
		if d.Path == w.cfg.Motion.Port {
			preselected = i
		}
	}
	const other = "another one, by its path"
	n, err := w.ui.Choose(w.ctx, "  On which line is the controller?", append(items, other), preselected)
	if err != nil || n < len(items) {
		return append(items, "")[n], err
	}
	path, err := w.ui.Ask(w.ctx, w.cfg.Motion.Port, "  Path, such as /dev/ttyUSB0")
	if err == nil && !strings.HasPrefix(path, "/") {
		err = fmt.Errorf("%q: must be the path of a serial line", path)
	}
	return path, err
}

// chooseController asks the controller which one it is, or else the operator.
func (w *wizard) chooseController(port string) (controller, error) {
	w.say("  Asking the controller on %s what it is; this takes up to ten seconds.", port)
	c, err := w.detect(port)
	if err == nil {
		w.say("  It answers as %s.", c)
		return c, nil
	}
	if w.ctx.Err() != nil {
		return c, err
	}
	if w.yes {
		return c, fmt.Errorf("%w: choose it by hand, without --yes", err)
	}
	w.say("  %s", printable.Line(config.OneLine(err)))
	all := slices.Clone(answering)
	for _, name := range motion.Presets() {
		all = append(all, controller{preset: name})
	}
	var items []string
	for _, c := range all {
		items = append(items, c.String())
	}
	n, err := w.ui.Choose(w.ctx, "  Which controller is it? docs/platforms.md describes them", append(items, "none of these"), len(all))
	if err == nil && n == len(all) {
		err = fmt.Errorf("%w: docs/platforms.md says how another controller is described", errLeftOut)
	}
	return append(all, controller{})[max(0, n)], err
}

// detect sends each protocol's query for parameters, which changes nothing, until one is answered.
func (w *wizard) detect(port string) (controller, error) {
	boot := motion.DefaultConfig().BootWait
	for _, c := range answering {
		got, err := w.machine.ReadSettings(w.ctx, settings.Controller{Protocol: c.protocol, Port: port, Baud: c.baud, BootWait: boot}, w.opt.Log)
		switch {
		case err == nil && len(got) > 0:
			return c, nil
		case w.ctx.Err() != nil:
			return c, err
		case !errors.Is(err, wire.ErrSilent):
			w.say("  asked as %s: %s", c, printable.Line(config.OneLine(err)))
		}
		boot = 0.2 // only the first opening restarts a board
	}
	return controller{}, errors.New("no controller that rig can ask answered; most others cannot be asked")
}

// chooseGeometry sets the controller and the operator's choice of the built-in platforms that fit it.
func (w *wizard) chooseGeometry(c controller, port string) error {
	previous := w.changes["platform"]
	var names []string
	fitting := map[string][]config.KeyChange{}
	for _, name := range config.Platforms() {
		if changes := w.fit(c, port, name); changes != nil {
			names, fitting[name] = append(names, name), changes
		}
	}
	if err := w.change("platform", previous...); err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("no built-in platform fits %s; describe yours as docs/platforms.md says", c)
	}
	preselected := max(0, slices.Index(names, usualPlatform[c.protocol]))
	if config.HasKey(w.target.text, "geometry") {
		w.say("  The present file has keys of [geometry]: they count more than those of the platform.")
	}
	n, err := w.ui.Choose(w.ctx, "  How is it built? docs/platforms.md describes each; measure yours afterwards", names, preselected)
	if err != nil {
		return err
	}
	return w.change("platform", fitting[names[n]]...)
}

// fit returns the changes for a controller and a built-in platform, or nil if they do not fit. It leaves them applied.
func (w *wizard) fit(c controller, port, platform string) []config.KeyChange {
	const anyNumber = 0
	for actuators := anyNumber; actuators <= 8; actuators++ {
		changes := append([]config.KeyChange{config.Set("platform", platform)}, c.changes(port, w.target.text)...)
		if actuators != anyNumber {
			changes = append(changes, config.Set("motion."+c.protocol+".actuators", actuators))
		}
		if w.change("platform", changes...) == nil {
			return changes
		}
		if c.protocol != motion.ProtocolThanos && c.protocol != motion.ProtocolMotion4Sim {
			return nil
		}
	}
	return nil
}

// home lets the platform go to its center and park, if the operator agrees.
func (w *wizard) home() error {
	w.say("  Now the platform can home: gently to its center, and to its park position. Anything but yes leaves that out.")
	_, err := w.machine.HomePlatform(w.ctx, w.cfg, time.Second, exercise.MotionOptions{
		UI: w.ui, Output: w.opt.Out, Confirmed: w.opt.MoveOK, SoftwareStop: w.opt.Stop, Log: w.opt.Log, Progress: w.opt.Progress, Place: w.opt.Place,
	})
	w.notMoved = errors.Is(err, dialog.ErrNotAgreed)
	w.notHome = err != nil && !w.notMoved
	switch {
	case err == nil:
		w.say("  It homed, and is parked.")
	case w.notMoved:
		w.say("  rig moved nothing; an SMC3 may stand at its center since its line was opened.")
	case w.ctx.Err() != nil, isEnd(err):
		return err
	default:
		w.say("  %s", printable.Line(config.OneLine(err)))
		w.say("  The configuration keeps the platform. Before a drive let it home: `rig motion home`.")
	}
	return nil
}
