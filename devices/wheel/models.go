package wheel

import (
	"fmt"
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// Origin is the source of a wheel's torque.
type Origin string

// The origins, the most reliable first.
const (
	FromMaker  Origin = "maker"
	FromReview Origin = "review"
	FromList   Origin = "list" // a list of another project
	Estimated  Origin = "estimated"
)

// Model describes a wheel with a known USB id.
type Model struct {
	Name   string
	Family Family // kernel module that drives its force

	// Rotation from lock to lock [deg]. The driver can set MinDeg..MaxDeg; both are 0 if only the maker's
	// own program can set the rotation. DefaultDeg is used unless the configuration or a calibration
	// has another one.
	MinDeg, MaxDeg, DefaultDeg float64

	// FullNm is the torque of the strongest wheel with this USB id at full force [N·m]. RatedNm is the
	// highest torque that the weakest wheel with this id is asked for [N·m]. If the two differ, the force is
	// too weak rather than too strong.
	FullNm, RatedNm float64
	Torque          Origin // source of FullNm and RatedNm

	Quirks Quirks

	// Possible paddles. The first pair is used of which the device has both buttons.
	Paddles []Paddles
}

// Paddles are the evdev names of the buttons of two paddles, such as "BTN_TOP2".
type Paddles struct{ Up, Down string }

// LookupModel returns the model of the wheel with this USB id, and whether it is known.
func LookupModel(vendor, product evdev.ID) (Model, bool) {
	m, ok := modelTable[[2]evdev.ID{vendor, product}]
	return m, ok
}

// paddlesOf returns the paddles of a device with these buttons.
func (m Model) paddlesOf(has func(button string) bool) (Paddles, bool) {
	for _, p := range m.Paddles {
		if has(p.Up) && has(p.Down) {
			return p, true
		}
	}
	return Paddles{}, false
}

const (
	unknownRangeDeg = 900.0
	// An unknown wheel may be a strong direct drive: full force is assumed to be 20 N·m, and a tenth of it is
	// used until full_torque_nm is set.
	unknownFullNm  = 20.0
	unknownRatedNm = 2.0
	// If the sign of the force is not known, the torque may push where it should resist.
	unsignedRatedNm = 1.0
)

// unknownNote returns the note for a wheel that is not in the table, and how to add it.
func unknownNote(info evdev.Info) string {
	return fmt.Sprintf("unknown wheel %s:%s: a tenth of its force is used and called 2 N·m; set wheel.full_torque_nm "+
		"to what it gives, wheel.range_deg to its rotation, and add it to the table as docs/wheels.md shows",
		info.Vendor, info.Product)
}

// sharedNote returns the note for a wheel whose torque is limited because several wheels have its USB id.
func (m Model) sharedNote() string {
	return fmt.Sprintf("%s have the same USB id: %g N·m at most, scaled for %g N·m; "+
		"set wheel.full_torque_nm to what yours gives", m.Name, m.RatedNm, m.FullNm)
}

// noForceNote returns why there is no torque, and where to get the driver.
func noForceNote(info evdev.Info, m Model, known bool) string {
	const noForce = "it offers no constant force: no torque"
	switch {
	case !known:
		return noForce
	case m.Quirks.Has(CompatID):
		return noForce + "; it is still in a compatibility mode, from which it is switched by " +
			switchers[[2]evdev.ID{info.Vendor, info.Product}]
	case m.Family == NoFamily:
		return noForce + "; no driver for it is known"
	case !slices.Contains(familyTable[m.Family].drivers, info.Driver):
		return noForce + "; its driver is " + string(m.Family) + ": " + familyTable[m.Family].availability
	default:
		return noForce + "; is its power supply plugged in?"
	}
}

// limits has the torque limits of one device, and how a torque becomes a level.
type limits struct {
	full    float64      // torque at the full level, estimated too high rather than too low [N·m]
	rated   float64      // highest torque that is sent [N·m]
	slew    float64      // fastest change [N·m/s]
	sign    int          // sign of a level that pushes left
	isKnown bool         // full is from the table, the user or a measurement, and not a guess
	dither  bool         // alternate between two steps of the level for a torque between them
	motor   *calib.Motor // measured curve; nil: torque is proportional to the level
	notes   []string     // why the limits are not higher, with remedies
}

// limitsFor returns the limits of a device, with notes why they are not higher. A measured motor
// overrides the table.
func limitsFor(cfg Config, info evdev.Info, drv driverTraits, p *calib.WheelProfile) limits {
	m, known := LookupModel(info.Vendor, info.Product)
	useDither := cfg.Dither && m.Quirks.Has(EightBit) && drv.step > 1
	l := limits{isKnown: known || cfg.FullNm > 0 || len(p.Motor) > 0, dither: useDither, full: m.FullNm, rated: m.RatedNm, slew: cfg.MaxSlew * 1000, sign: p.Force}
	switch {
	case len(p.Motor) > 0:
		l.setMeasured(cfg, p)
	case cfg.FullNm > 0:
		l.full, l.rated = cfg.FullNm, cfg.FullNm
	case !known:
		l.full, l.rated = unknownFullNm, unknownRatedNm
		l.notes = append(l.notes, unknownNote(info))
	case m.Quirks.Has(SharedID):
		l.notes = append(l.notes, m.sharedNote())
	}
	if l.sign == 0 && known && !m.Quirks.Has(SignVaries) {
		l.sign = drv.sign
	}
	if l.sign == 0 {
		l.sign = 1
		l.rated = min(l.rated, unsignedRatedNm)
		l.notes = append(l.notes, "the direction of its force was never measured: at most 1 N·m; run `rig calibrate wheel`")
	}
	if !info.HasForce() {
		l.rated = 0
		l.notes = append(l.notes, noForceNote(info, m, known))
	}
	l.rated = min(l.rated, cfg.MaxTorque)
	return l
}
