package wheel

import (
	"fmt"
	"slices"

	"rig.example/rig/calib"
	"rig.example/rig/internal/evdev"
)

// Origin tells where a wheel's torque was read.
type Origin string

// The origins, the best first.
const (
	FromMaker Origin = "maker"
	FromTest  Origin = "review"
	FromList  Origin = "list" // a list that others keep
	Estimated Origin = "estimated"
)

// Model is what is known of a wheel by its USB number.
type Model struct {
	Name   string
	Family Family

	// Rotation from lock to lock [deg]. Its driver sets MinDeg..MaxDeg; both
	// are 0 where only the maker's own program sets it. DefaultDeg is taken
	// where neither the configuration nor a calibration says more.
	MinDeg, MaxDeg, DefaultDeg float64

	// FullNm is what the strongest wheel with this number gives at full force
	// [N·m], and RatedNm the most that the mildest of them is asked for. Where
	// they differ the force is too weak rather than too strong.
	FullNm, RatedNm float64
	Torque          Origin

	Quirks Quirks

	// The paddles: the first pair counts of which the device has both buttons.
	Paddles []Paddles
}

// Paddles are the evdev names of two paddles.
type Paddles struct{ Up, Down string }

// Known returns what is known of the wheel with this number.
func Known(vendor, product evdev.ID) (Model, bool) {
	m, ok := models[[2]evdev.ID{vendor, product}]
	return m, ok
}

// paddlesOf returns the paddles that a device with these buttons has.
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
	// An unknown wheel may be a strong direct drive: full force is taken for
	// 20 N·m, and a tenth of it is used until the configuration says better.
	unknownFullNm  = 20.0
	unknownRatedNm = 2.0
	// Without a sign, torque may help where it should resist.
	unsignedRatedNm = 1.0
)

// unknownNote says that a wheel is unknown, and how to make it known.
func unknownNote(info evdev.Info) string {
	return fmt.Sprintf("unknown wheel %s:%s: a tenth of its force is used and called 2 N·m; set wheel.full_torque_nm to what it gives, wheel.range_deg to its rotation, and add it to the table as docs/wheels.md shows", info.Vendor, info.Product)
}

// sharedNote says why a wheel is weaker than it could be.
func (m Model) sharedNote() string {
	return fmt.Sprintf("%s have one number: %g N·m at most, scaled for %g N·m; set wheel.full_torque_nm to what yours gives", m.Name, m.RatedNm, m.FullNm)
}

// noForceNote says why there is no torque, and where the driver is.
func noForceNote(info evdev.Info, m Model, known bool) string {
	const none = "it offers no constant force: no torque"
	switch {
	case !known:
		return none
	case m.Quirks.Has(CompatID):
		return none + "; it is still in a compatibility mode, from which it is switched by " + switchers[[2]evdev.ID{info.Vendor, info.Product}]
	case m.Family == NoFamily:
		return none + "; no driver for it is known"
	case !slices.Contains(families[m.Family].drivers, info.Driver):
		return none + "; its driver is " + string(m.Family) + ": " + families[m.Family].home
	default:
		return none + "; is its power supply plugged in?"
	}
}

// limits are what one device may be asked for.
type limits struct {
	full  float64      // torque of a full level, or more [N·m]
	rated float64      // most torque [N·m]
	slew  float64      // most change [N·m/s]
	sign  int          // of a level that pushes left
	known bool         // full is the maker's, the user's or measured, and no guess
	fine  bool         // between two steps of the level, changes from one to the other
	motor *calib.Motor // as it was measured; nil: torque is proportional to the level
	notes []string
}

// limitsFor settles how hard a device may push, and says why not harder. Of a motor
// that was measured the table knows nothing better.
func limitsFor(cfg Config, info evdev.Info, drv driver, p *calib.WheelProfile) limits {
	m, known := Known(info.Vendor, info.Product)
	fine := cfg.Dither && m.Quirks.Has(EightBit) && drv.step > 1
	l := limits{known: known || cfg.FullNm > 0 || len(p.Motor) > 0, fine: fine, full: m.FullNm, rated: m.RatedNm, slew: cfg.MaxSlew * 1000, sign: p.Force}
	switch {
	case len(p.Motor) > 0:
		l.measured(cfg, p)
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
