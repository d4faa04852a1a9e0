package setup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/printable"
)

// Levers that the setup can describe.
const (
	leverNone       = "none"
	leverHandbrake  = "handbrake"
	leverH          = "h"
	leverSequential = "sequential"
)

// buttonWait is how long the operator may take to move a lever.
const buttonWait = 30 * time.Second

func (w *wizard) proposeLevers() (isDefault bool, question string, err error) {
	if kind := w.cfg.Pedals.Shifter.Kind; kind != "" {
		w.say("  The configuration has a shifter (%s): %s.", kind, w.cfg.Pedals.Shifter.Device)
	}
	for _, e := range w.cfg.Pedals.Extra {
		w.say("  The configuration has a lever: %s, %s of %s.", e.Axis, e.Code, e.Device)
	}
	return false, "Describe a shifter or a handbrake on USB? yes if you have one", nil
}

// describeLevers describes levers one after the other until the operator names none.
func (w *wizard) describeLevers() error {
	for {
		lever, err := w.ui.OneOf(w.ctx, "  Which lever? h is a gate with a slot for each gear", leverNone, leverNone, leverHandbrake, leverH, leverSequential)
		switch {
		case err != nil || lever == leverNone:
			return err
		case lever == leverHandbrake:
			err = w.describeHandbrake()
		default:
			err = w.describeShifter(lever)
		}
		if err != nil {
			return err
		}
	}
}

// leverDevice returns the device of a lever: one of those that has what the lever needs.
func (w *wizard) leverDevice(what string, suits func(evdev.Info) bool) (chosen evdev.Info, list []evdev.Info, err error) {
	list, _, err = w.candidates(func(nodes []evdev.Info) (evdev.Info, error) {
		i := slices.IndexFunc(nodes, func(n evdev.Info) bool { return n.Err == nil && suits(n) })
		if i < 0 {
			return evdev.Info{}, fmt.Errorf("no %s found", what)
		}
		return nodes[i], nil
	})
	if err == nil {
		chosen, err = w.pick(what, list, len(list)-1)
	}
	return chosen, list, err
}

func (w *wizard) describeHandbrake() error {
	chosen, list, err := w.leverDevice("handbrake", func(n evdev.Info) bool { return len(n.Axes) > 0 && n.Kind != evdev.KindOther })
	if err != nil {
		return err
	}
	sets, present, err := w.pedalSets()
	if err != nil {
		return err
	}
	onPedals := present < len(sets) && sets[present].Path == chosen.Path
	if onPedals && !w.hasProfile(chosen) {
		return fmt.Errorf("%s: its pedals work by a guess, which a profile of its handbrake alone would end; measure the pedals first (step 2)", chosen.Name)
	}
	cfg, opt := w.cfg, calib.DefaultPedalsOptions()
	cfg.Pedals.Device, cfg.Pedals.ADC = chosen.Path, nil
	opt.Names = []string{leverHandbrake}
	profiles, err := w.machine.MeasurePedals(w.ctx, cfg, w.ui, opt)
	if err != nil {
		return err
	}
	if len(profiles) != 1 || profiles[0].Handbrake == nil {
		return fmt.Errorf("the handbrake was not measured")
	}
	measured := profiles[0]
	if onPedals {
		w.addHandbrake(measured, chosen)
		return nil
	}
	changes, err := w.handbrakeChanges(selector(chosen, list), measured.Handbrake.Code)
	if err != nil {
		return err
	}
	if present < len(sets) && w.cfg.Pedals.Device == "" { // or else the profile would make the handbrake the pedals
		changes = append(changes, config.Set("pedals.device", selector(sets[present], append(slices.Clone(sets), chosen))))
	}
	if err := w.changeLever("pedals.extra", changes...); err != nil {
		return err
	}
	w.lever = &measured
	return nil
}

// handbrakeChanges returns the changes that describe a handbrake on a device of its own. They take the place of the
// handbrake that the present file has.
func (w *wizard) handbrakeChanges(device, code string) ([]config.KeyChange, error) {
	present, err := config.Parse(w.target.path, w.target.text, w.opt.Sections...)
	if err != nil {
		return nil, err
	}
	extras := present.Pedals.Extra
	i := 0
	for i < len(extras) && extras[i].Axis != leverHandbrake {
		i++
	}
	if i == len(extras) {
		return []config.KeyChange{config.Append("pedals.extra", config.Set("axis", leverHandbrake), config.Set("device", device), config.Set("code", code))}, nil
	}
	table := fmt.Sprintf("pedals.extra[%d].", i)
	changes := []config.KeyChange{config.Set(table+"device", device), config.Set(table+"code", code)}
	if extras[i].Rest != 0 {
		changes = append(changes, config.Set(table+"rest_counts", 0)) // of the lever before; both 0 mean the profile
	}
	if extras[i].Press != 0 {
		changes = append(changes, config.Set(table+"press_counts", 0))
	}
	return changes, nil
}

// hasProfile reports whether the pedals on a device were measured, in this setup or before.
func (w *wizard) hasProfile(on evdev.Info) bool {
	for _, p := range w.pedals {
		if p.Device.Is(calib.IdentityOf(on)) {
			return true
		}
	}
	_, err := w.savedPedals(on)
	return err == nil
}

// addHandbrake adds a handbrake that is on the device of the pedals to their profile.
func (w *wizard) addHandbrake(measured calib.PedalsProfile, on evdev.Info) {
	for i := range w.pedals {
		if w.pedals[i].Device.Is(measured.Device) {
			w.pedals[i].Handbrake = measured.Handbrake
			return
		}
	}
	if saved, err := w.savedPedals(on); err == nil {
		saved.Handbrake = measured.Handbrake
		measured = saved
	}
	w.pedals = append(w.pedals, measured)
}

func (w *wizard) describeShifter(kind string) error {
	chosen, list, err := w.leverDevice("shifter", func(n evdev.Info) bool { return len(n.Buttons) > 0 && !slices.Contains(n.Buttons, "BTN_LEFT") })
	if err != nil {
		return err
	}
	const table = shifterTable
	changes := []config.KeyChange{config.Set(table+"kind", kind), config.Set(table+"device", selector(chosen, list))}
	var used []string
	learn := func(instruction string) (string, error) {
		name, err := w.learnButton(chosen, instruction, used)
		used = append(used, name)
		return name, err
	}
	if kind == leverSequential {
		up, err := learn("Move the lever as for a higher gear.")
		if err != nil {
			return err
		}
		down, err := learn("Now as for a lower gear.")
		if err != nil {
			return err
		}
		return w.changeShifter(append(changes, config.Set(table+"up_button", up), config.Set(table+"down_button", down)))
	}
	gears, err := w.ui.Number(w.ctx, "  How many forward gears has the gate?", 6, 1, 12)
	if err != nil {
		return err
	}
	var slots []string
	for i := range int(gears) {
		name, err := learn(fmt.Sprintf("Put the lever into gear %d.", i+1))
		if err != nil {
			return err
		}
		slots = append(slots, name)
	}
	changes = append(changes, config.Set(table+"gear_buttons", slots))
	if answer, err := w.ui.OneOf(w.ctx, "  Has it a slot of its own for reverse?", answerYes, answerYes, "no"); err != nil {
		return err
	} else if answer == answerYes {
		name, err := learn("Put the lever into reverse.")
		if err != nil {
			return err
		}
		changes = append(changes, config.Set(table+"reverse_button", name))
	}
	return w.changeShifter(changes)
}

// shifterTable is where the configuration describes a shifter.
const shifterTable = "pedals.shifter."

// changeShifter replaces the description of the shifter. Keys of the present file that describe the one before, and
// that changes do not set, become empty.
func (w *wizard) changeShifter(changes []config.KeyChange) error {
	for _, stale := range []config.KeyChange{
		config.Set("gear_buttons", []string{}), config.Set("reverse_button", ""), config.Set("reverse_hold", ""),
		config.Set("reverse_gears", []string{}), config.Set("up_button", ""), config.Set("down_button", ""),
	} {
		stale.Key = shifterTable + stale.Key
		isSet := slices.ContainsFunc(changes, func(c config.KeyChange) bool { return c.Key == stale.Key })
		if !isSet && config.HasKey(w.target.text, stale.Key) {
			changes = append(changes, stale)
		}
	}
	return w.changeLever(shifterTable, changes...)
}

// learnButton waits for a button that is not used yet.
func (w *wizard) learnButton(on evdev.Info, instruction string, used []string) (string, error) {
	for {
		w.say("  %s", instruction)
		name, err := w.machine.Button(w.ctx, on, buttonWait)
		if err != nil {
			return "", err
		}
		if !slices.Contains(used, name) {
			w.say("    that is %s.", name)
			return name, nil
		}
		w.say("    %s is taken already; once more.", printable.Line(name))
	}
}

// changeLever replaces those changes of the step whose keys begin with prefix.
func (w *wizard) changeLever(prefix string, changes ...config.KeyChange) error {
	kept := slices.DeleteFunc(slices.Clone(w.changes["levers"]), func(c config.KeyChange) bool { return strings.HasPrefix(c.Key, prefix) })
	return w.change("levers", append(kept, changes...)...)
}
