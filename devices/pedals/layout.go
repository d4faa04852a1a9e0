package pedals

import (
	"errors"
	"fmt"
	"io/fs"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
	"rig.example/rig/internal/kit/evdev"
)

const logitech evdev.ID = 0x046d

// knownLayouts has the axes of devices by their USB ids, in the order of axis.Names. Logitech's Xbox
// wheels order their axes differently from its other wheels; the source is normalize_event of
// https://github.com/berarma/oversteer.
var knownLayouts = map[[2]evdev.ID][axis.Count]uint16{
	{logitech, 0xc262}: {evdev.AbsY, evdev.AbsZ, evdev.AbsRZ, noAxis}, // G920
	{logitech, 0xc26e}: {evdev.AbsY, evdev.AbsZ, evdev.AbsRZ, noAxis}, // G923 for Xbox
}

// autoLayouts are the guesses for all other devices, in the order of axis.Names: first the axes of
// Logitech's other wheels (drivers/hid/hid-lg.c), then those that other makers use.
var autoLayouts = [][axis.Count]uint16{
	{evdev.AbsZ, evdev.AbsRZ, evdev.AbsY, noAxis},
	{evdev.AbsGas, evdev.AbsBrake, noAxis, noAxis},
	{evdev.AbsRX, evdev.AbsRY, evdev.AbsRZ, noAxis},
	{evdev.AbsX, evdev.AbsY, evdev.AbsZ, noAxis},
	{evdev.AbsX, evdev.AbsY, noAxis, noAxis},
}

// noAxis is a code that no axis has.
const noAxis uint16 = 0xffff

// layoutFor returns the pedals of a device. Which axis is which pedal follows from the configuration, or
// else from the calibration, or else from a guess by the axes of the device.
func layoutFor(cfg Config, info evdev.Info, profile calib.PedalsProfile) ([axis.Count]pedal, error) {
	var ps [axis.Count]pedal
	guess := guessAxes(info, profile)
	measured := profile.Axes()
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
		if code == noAxis {
			continue
		}
		if ps[i], err = newPedal(info, code, measured[:], cfg.Shape.All()[i]); err != nil {
			return ps, fmt.Errorf("pedals: %s: %w", axis.Names[i], err)
		}
	}
	return ps, nil
}

// guessAxes returns the guessed axes of a device that was not calibrated, and noAxis for one that was.
func guessAxes(info evdev.Info, profile calib.PedalsProfile) [axis.Count]uint16 {
	if profile.Version == 0 {
		if l, ok := guessLayout(info); ok {
			return l
		}
	}
	return [axis.Count]uint16{noAxis, noAxis, noAxis, noAxis}
}

// guessLayout returns the first layout, known or automatic, whose axes the device has.
func guessLayout(info evdev.Info) ([axis.Count]uint16, bool) {
	if l, known := knownLayouts[[2]evdev.ID{info.Vendor, info.Product}]; known && hasAxes(info, l) {
		return l, true
	}
	for _, l := range autoLayouts {
		if hasAxes(info, l) {
			return l, true
		}
	}
	return [axis.Count]uint16{}, false
}

// hasAxes reports whether the device has all axes of a layout. ABS_X counts only on pedals, because on a
// wheel it is the steering.
func hasAxes(info evdev.Info, codes [axis.Count]uint16) bool {
	for _, c := range codes {
		if c == noAxis {
			continue
		}
		if _, ok := info.Axis(c); !ok || c == evdev.AbsX && info.Kind != evdev.KindPedals {
			return false
		}
	}
	return true
}

// restsHigh says of models whether their pedals rest at the high end, or at the low one. Of all others it is not
// known, neither of the G923 for PlayStation: its pedals rest high with the kernel's driver and new-lg4ff, and low with later
// versions of logitech-trueforce-linux-driver (its issue 67).
var restsHigh = map[[2]evdev.ID]bool{
	{logitech, 0xc24f}: true, // G29: https://github.com/berarma/new-lg4ff/issues/119
	{logitech, 0xc299}: true, // G25, G27 and Driving Force GT have the protocol of the G29
	{logitech, 0xc29b}: true,
	{logitech, 0xc29a}: true,
	{logitech, 0xc268}: false, // G PRO: the same issue
	{logitech, 0xc272}: false,
	{logitech, 0xc26a}: false, // its pedals by USB
	{logitech, 0xc276}: false, // RS50: issue 67
}

// newPedal returns the pedal on an axis, with the calibration of that axis if there is one. Without a
// calibration the model says where it rests, and one that is configured as inverted rests at the other end; an inverted one
// of an unknown model rests at its high end.
func newPedal(info evdev.Info, code uint16, measured []*calib.Axis, shape axis.Config) (pedal, error) {
	a, ok := info.Axis(code)
	if !ok || a.Max <= a.Min {
		return pedal{}, fmt.Errorf("%s has no axis %s; choose one that `rig devices` shows", info.Name, evdev.AbsName(code))
	}
	p := pedal{used: true, code: code, low: a.Min, high: a.Max}
	for _, m := range measured {
		if m != nil && m.Code == a.Name {
			p.axis.Ends = shape.Orient(*m)
			return p, nil
		}
	}
	if shape.FullPressForce > 0 {
		return pedal{}, errors.New("full_braking_n counts from the rest that a calibration measures; run `rig calibrate pedals`")
	}
	high, isKnown := restsHigh[[2]evdev.ID{info.Vendor, info.Product}]
	if p.undecided = !isKnown && !shape.Invert; high != shape.Invert {
		p.setRestEnd(a.Max)
	} else {
		p.setRestEnd(a.Min)
	}
	return p, nil
}

// Choose returns the device that selector means. If selector is empty, it returns the first device that
// was calibrated as pedals, or else the first set of pedals, or else the first wheel with pedals.
func Choose(list []evdev.Info, selector string, store calib.Store) (evdev.Info, error) {
	return evdev.Choose(list, "pedals", selector, func(i evdev.Info) int { return rank(i, store) })
}

// rank returns the priority of a device in Choose, 0 if it has no pedals.
func rank(info evdev.Info, store calib.Store) int {
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

// isCalibrated reports whether store has a profile for info. A profile that cannot be read counts, so that
// the device is chosen and the user gets the error. A profile with axes that info does not have does not
// count, because it belongs to another node of the same device.
func isCalibrated(info evdev.Info, store calib.Store) bool {
	if store.Dir == "" {
		return false
	}
	p, err := store.Pedals(calib.IdentityOf(info))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	for _, a := range p.Axes() {
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
