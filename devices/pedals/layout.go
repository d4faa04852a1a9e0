package pedals

import (
	"errors"
	"fmt"
	"io/fs"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
	"rig.example/rig/internal/evdev"
)

const logitech evdev.ID = 0x046d

// models are the devices known by number, in the order of axis.Names. The
// Xbox wheels of Logitech count in another order than its others; the source is
// normalize_event of https://github.com/berarma/oversteer.
var models = map[[2]evdev.ID][axis.Count]uint16{
	{logitech, 0xc262}: {evdev.AbsY, evdev.AbsZ, evdev.AbsRZ, none}, // G920
	{logitech, 0xc26e}: {evdev.AbsY, evdev.AbsZ, evdev.AbsRZ, none}, // G923 for Xbox
}

// autoLayouts guess axes in the order of axis.Names: the other Logitech wheels'
// first (drivers/hid/hid-lg.c maps them so), then what other makers use.
var autoLayouts = [][axis.Count]uint16{
	{evdev.AbsZ, evdev.AbsRZ, evdev.AbsY, none},
	{evdev.AbsGas, evdev.AbsBrake, none, none},
	{evdev.AbsRX, evdev.AbsRY, evdev.AbsRZ, none},
	{evdev.AbsX, evdev.AbsY, evdev.AbsZ, none},
	{evdev.AbsX, evdev.AbsY, none, none},
}

// none is a code no axis has.
const none uint16 = 0xffff

// layout settles which axis is which pedal: the configuration first, then the
// calibration, then a guess by what the device has.
func layout(cfg Config, info evdev.Info, profile calib.PedalsProfile) ([axis.Count]pedal, error) {
	var ps [axis.Count]pedal
	guess := guessAxes(info, profile)
	measured := [axis.Count]*calib.Axis{profile.Throttle, profile.Brake, profile.Clutch, profile.Handbrake}
	for i, name := range cfg.axes() {
		code := guess[i]
		var err error
		switch {
		case name != "":
			code, err = evdev.AbsCode(name)
		case measured[i] != nil:
			code, err = evdev.AbsCode(measured[i].Code)
		}
		if err != nil {
			return ps, fmt.Errorf("pedals: %s: %w", axis.Names[i], err)
		}
		if code == none {
			continue
		}
		if ps[i], err = newPedal(info, code, measured[:], cfg.Shape.All()[i]); err != nil {
			return ps, fmt.Errorf("pedals: %s: %w", axis.Names[i], err)
		}
	}
	return ps, nil
}

// guessAxes returns the first known layout whose axes the device has. A
// calibrated device is never guessed at, nor is a wheel's steering axis taken.
func guessAxes(info evdev.Info, profile calib.PedalsProfile) [axis.Count]uint16 {
	if profile.Version == 0 {
		if l, ok := guessLayout(info); ok {
			return l
		}
	}
	return [axis.Count]uint16{none, none, none, none}
}

func guessLayout(info evdev.Info) ([axis.Count]uint16, bool) {
	if l, known := models[[2]evdev.ID{info.Vendor, info.Product}]; known && hasAll(info, l) {
		return l, true
	}
	for _, l := range autoLayouts {
		if hasAll(info, l) {
			return l, true
		}
	}
	return [axis.Count]uint16{}, false
}

func hasAll(info evdev.Info, codes [axis.Count]uint16) bool {
	for _, c := range codes {
		if c == none {
			continue
		}
		if _, ok := info.Axis(c); !ok || c == evdev.AbsX && info.Kind != evdev.KindPedals {
			return false
		}
	}
	return true
}

// newPedal uses the calibration of the axis if there is one. An axis that is
// said to be inverted rests at its high end.
func newPedal(info evdev.Info, code uint16, measured []*calib.Axis, shape axis.Config) (pedal, error) {
	a, ok := info.Axis(code)
	if !ok || a.Max <= a.Min {
		return pedal{}, fmt.Errorf("%s has no axis %s; choose one that `rig devices` shows", info.Name, evdev.AbsName(code))
	}
	p := pedal{used: true, code: code, low: a.Min, high: a.Max}
	for _, m := range measured {
		if m != nil && m.Code == a.Name {
			p.axis.Ends, p.known = shape.Orient(*m), true
			return p, nil
		}
	}
	if shape.FullForce > 0 {
		return pedal{}, errors.New("full_braking_n counts from the rest that a calibration measures; run `rig calibrate pedals`")
	}
	switch {
	case shape.Invert != (info.Vendor == logitech):
		p.restAt(a.Max)
	case shape.Invert:
		p.restAt(a.Min)
	}
	return p, nil
}

// Choose picks the device the selector means, or else one that was
// calibrated as pedals, whatever it is, or else pedals of their own, or else
// the pedals on a wheel.
func Choose(list []evdev.Info, selector string, store calib.Store) (evdev.Info, error) {
	var best evdev.Info
	var unreadable error
	most := 0
	for _, i := range list {
		switch {
		case i.Err != nil:
			if errors.Is(i.Err, fs.ErrPermission) || i.Matches(selector) {
				unreadable = i.Err
			}
		case selector != "":
			if i.Matches(selector) {
				return i, nil
			}
		default:
			if f := fitness(i, store); f > most {
				best, most = i, f
			}
		}
	}
	switch {
	case best.Path != "":
		return best, nil
	case unreadable != nil:
		return best, fmt.Errorf("pedals: none found, but not every device could be read: %w", unreadable)
	case selector != "":
		return best, fmt.Errorf("pedals: no device matches %q; plug it in, or choose one that `rig devices` shows", selector)
	default:
		return best, errors.New("pedals: none found; plug them in, or name them in pedals.device")
	}
}

// fitness tells how likely a device is meant to be the pedals; 0 if it is none.
func fitness(info evdev.Info, store calib.Store) int {
	_, fits := guessLayout(info)
	switch {
	case isCalibrated(info, store):
		return 3
	case info.Kind == evdev.KindPedals:
		return 2
	case info.Kind == evdev.KindWheel && fits:
		return 1
	default:
		return 0
	}
}

// isCalibrated tells whether store has a profile for info. One that cannot be
// read counts: its owner must hear of it. One for axes that info does not have
// does not: it belongs to another node of the same device.
func isCalibrated(info evdev.Info, store calib.Store) bool {
	if store.Dir == "" {
		return false
	}
	p, err := store.Pedals(calib.IdentityOf(info))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	for _, a := range []*calib.Axis{p.Throttle, p.Brake, p.Clutch, p.Handbrake} {
		if a == nil {
			continue
		}
		code, err := evdev.AbsCode(a.Code)
		if _, ok := info.Axis(code); err != nil || !ok {
			return false
		}
	}
	return true
}
