package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/tools/check"
)

// kindSerial is the kind of a serial line in the list of devices.
const kindSerial evdev.Kind = "serial"

// listDevices says which devices there are that matter.
func (w *wizard) listDevices() error {
	list, err := w.machine.Devices(w.cfg)
	if err != nil {
		return err
	}
	w.say("\nFound:")
	none := true
	for _, d := range list {
		switch {
		case d.Err != nil:
			w.say("  cannot be read: %v", d.Err)
		case d.Kind == evdev.KindWheel, d.Kind == evdev.KindPedals, d.Kind == evdev.KindGamepad:
			w.say("  %-8s %s", d.Kind, describe(d.Info))
		case d.Kind == kindSerial:
			w.say("  %-8s %s", d.Kind, d.Path)
		default:
			continue
		}
		none = false
	}
	for _, m := range w.machine.Monitors() {
		w.say("  %-8s %s", "monitor", m)
		none = false
	}
	if none {
		w.say("  nothing that a rig needs: plug your devices in")
	}
	return nil
}

// describe returns a device's name with what tells it from others.
func describe(d evdev.Info) string {
	return fmt.Sprintf("%s (%v:%v, %s)", d.Name, d.Vendor, d.Product, d.Path)
}

// candidates returns the devices that choose accepts, and the one among them that it chooses from all.
func (w *wizard) candidates(choose func([]evdev.Info) (evdev.Info, error)) (list []evdev.Info, best int, err error) {
	all, err := w.machine.Devices(w.cfg)
	if err != nil {
		return nil, 0, err
	}
	var nodes []evdev.Info
	for _, d := range all {
		if d.Kind != kindSerial {
			nodes = append(nodes, d.Info)
		}
	}
	for _, n := range nodes {
		if _, err := choose([]evdev.Info{n}); err == nil {
			list = append(list, n)
		}
	}
	chosen, err := choose(nodes)
	if err != nil {
		return list, 0, nil
	}
	best = slices.IndexFunc(list, func(n evdev.Info) bool { return n.Path == chosen.Path })
	return list, max(0, best), nil
}

// pick returns the device to measure: the only candidate, or the one that the operator chooses.
func (w *wizard) pick(what string, list []evdev.Info, best int) (evdev.Info, error) {
	switch len(list) {
	case 0:
		return evdev.Info{}, fmt.Errorf("no %s found; plug it in", what)
	case 1:
		return list[0], nil
	}
	var items []string
	for _, d := range list {
		items = append(items, describe(d))
	}
	n, err := w.ui.Choose(w.ctx, "  Which one is your "+what+"?", items, best)
	return list[max(0, n)], err
}

// selection returns the change that makes key mean a device: none if there is no other candidate and the key is
// empty, or means it already.
func selection(key, present string, chosen evdev.Info, list []evdev.Info) []config.KeyChange {
	if present == "" && len(list) < 2 || present != "" && chosen.Matches(present) {
		return nil
	}
	return []config.KeyChange{config.Set(key, selector(chosen, list))}
}

// selector returns the text by which the configuration means a device and no other of a list.
func selector(chosen evdev.Info, list []evdev.Info) string {
	byID := fmt.Sprintf("%v:%v", chosen.Vendor, chosen.Product)
	same := 0
	for _, d := range list {
		if d.Matches(byID) {
			same++
		}
	}
	if same < 2 {
		return byID
	}
	return stablePath(chosen.Path)
}

// stablePath returns the name of a node that stays the same while it is plugged into the same port, or else its path.
func stablePath(path string) string {
	links, _ := filepath.Glob("/dev/input/by-path/*") // the pattern is well formed
	for _, link := range links {
		if to, err := filepath.EvalSymlinks(link); err == nil && to == path {
			return link
		}
	}
	return path
}

func (w *wizard) wheels() ([]evdev.Info, int, error) {
	return w.candidates(func(list []evdev.Info) (evdev.Info, error) {
		if len(list) == 1 {
			return wheel.Choose(list, "")
		}
		return wheel.Choose(list, w.cfg.Wheel.Device)
	})
}

func (w *wizard) proposeWheel() (isDefault bool, question string, err error) {
	list, best, err := w.wheels()
	if err != nil {
		return false, "", err
	}
	if len(list) == 0 {
		w.say("  No wheel found. Plug it in and switch it on; yes looks again.")
		return false, "Look again?", nil
	}
	measured := w.wheel != nil
	for i, d := range list {
		state := "never measured"
		if p, err := w.savedWheel(d); err == nil {
			state = "measured on " + p.Date.Format("2006-01-02")
			measured = measured || i == best
		}
		if w.wheel != nil && w.wheel.Device.Is(calib.IdentityOf(d)) {
			state = "measured just now"
		}
		w.say("  %s: %s", describe(d), state)
	}
	return !measured, "Measure it? Locks and center by hand, then a gentle push if you agree", nil
}

func (w *wizard) savedWheel(d evdev.Info) (calib.WheelProfile, error) {
	store, err := w.cfg.ProfileStore()
	if err != nil {
		return calib.WheelProfile{}, err
	}
	return store.Wheel(calib.IdentityOf(d))
}

func (w *wizard) measureWheel() error {
	list, best, err := w.wheels()
	if err != nil {
		return err
	}
	chosen, err := w.pick("wheel", list, best)
	if err != nil {
		return err
	}
	opt := calib.DefaultWheelOptions()
	if m, known := wheel.LookupModel(chosen.Vendor, chosen.Product); known && m.DefaultDeg > 0 {
		opt.RangeDeg = m.DefaultDeg
	}
	if p, err := w.savedWheel(chosen); err == nil {
		opt.RangeDeg = p.RangeDeg
	}
	opt.SignTest, opt.PushOK = chosen.HasForce() && (!w.yes || w.opt.PushOK), w.opt.PushOK
	cfg := w.cfg
	cfg.Wheel.Device = chosen.Path
	profile, err := w.machine.MeasureWheel(w.ctx, cfg, w.ui, opt)
	if err != nil {
		return err
	}
	if err := w.change("wheel", selection("wheel.device", w.cfg.Wheel.Device, chosen, list)...); err != nil {
		return err
	}
	w.wheel = &profile
	return nil
}

func (w *wizard) pedalSets() ([]evdev.Info, int, error) {
	store, err := w.cfg.ProfileStore()
	if err != nil {
		return nil, 0, err
	}
	return w.candidates(func(list []evdev.Info) (evdev.Info, error) {
		if len(list) == 1 {
			return pedals.Choose(list, "", store)
		}
		return pedals.Choose(list, w.cfg.Pedals.Device, store)
	})
}

func (w *wizard) proposePedals() (isDefault bool, question string, err error) {
	list, best, err := w.pedalSets()
	if err != nil {
		return false, "", err
	}
	if len(list) == 0 && len(w.cfg.Pedals.ADC) == 0 {
		w.say("  No pedals found. Plug them in; yes looks again.")
		return false, "Look again?", nil
	}
	measured := len(w.pedals) > 0
	for i, d := range list {
		state := "never measured"
		if p, err := w.savedPedals(d); err == nil {
			state = "measured on " + p.Date.Format("2006-01-02")
			measured = measured || i == best
		}
		for _, p := range w.pedals {
			if p.Device.Is(calib.IdentityOf(d)) {
				state = "measured just now"
			}
		}
		w.say("  %s: %s", describe(d), state)
	}
	return !measured, "Measure them? Press each once when asked", nil
}

func (w *wizard) savedPedals(d evdev.Info) (calib.PedalsProfile, error) {
	store, err := w.cfg.ProfileStore()
	if err != nil {
		return calib.PedalsProfile{}, err
	}
	return store.Pedals(calib.IdentityOf(d))
}

func (w *wizard) measurePedals() error {
	list, best, err := w.pedalSets()
	if err != nil {
		return err
	}
	opt := calib.DefaultPedalsOptions()
	cfg := w.cfg
	var changes []config.KeyChange
	if len(list) > 0 || len(cfg.Pedals.ADC) == 0 {
		chosen, err := w.pick("set of pedals", list, best)
		if err != nil {
			return err
		}
		changes = selection("pedals.device", cfg.Pedals.Device, chosen, list)
		cfg.Pedals.Device = chosen.Path
	}
	profiles, err := w.machine.MeasurePedals(w.ctx, cfg, w.ui, opt)
	if err != nil {
		return err
	}
	if err := w.change("pedals", changes...); err != nil {
		return err
	}
	for i := range profiles {
		w.keepHandbrake(&profiles[i])
	}
	w.pedals = profiles
	return nil
}

// keepHandbrake adds the handbrake that was measured before on the same device, unless its axis is a pedal now.
func (w *wizard) keepHandbrake(p *calib.PedalsProfile) {
	store, err := w.cfg.ProfileStore()
	if err != nil {
		return
	}
	before, err := store.Pedals(p.Device)
	for _, measured := range w.pedals {
		if measured.Device.Is(p.Device) {
			before, err = measured, nil
		}
	}
	if err != nil || before.Handbrake == nil {
		return
	}
	for _, a := range p.Axes() {
		if a != nil && a.Code == before.Handbrake.Code {
			return
		}
	}
	p.Handbrake = before.Handbrake
}

// linePaths returns the paths of serial lines, for a sentence.
func linePaths(list []check.Device) string {
	var paths []string
	for _, d := range list {
		paths = append(paths, d.Path)
	}
	return strings.Join(paths, ", ")
}

// serialLines returns the serial lines of the machine.
func (w *wizard) serialLines() (list []check.Device, err error) {
	all, err := w.machine.Devices(w.cfg)
	for _, d := range all {
		if d.Kind == kindSerial {
			list = append(list, d)
		}
	}
	return list, err
}
