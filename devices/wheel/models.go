package wheel

import (
	"time"

	"rig/internal/evdev"
)

// model is what the maker says of a wheel.
type model struct {
	name     string
	rangeDeg float64 // from lock to lock
	fullNm   float64 // at full force [N·m]
}

// models are the wheels known by number. The makers publish no torque; reviews
// put the G923 near 2.2 N·m (https://grokipedia.com/page/Logitech_G923), and
// the others have the same pair of geared motors. The range of 900 degrees is
// the one their driver sets (drivers/hid/hid-lg4ff.c).
var models = map[[2]evdev.ID]model{
	{0x046d, 0xc299}: {"Logitech G25", 900, 2.2},
	{0x046d, 0xc29b}: {"Logitech G27", 900, 2.2},
	{0x046d, 0xc24f}: {"Logitech G29", 900, 2.2},
	{0x046d, 0xc262}: {"Logitech G920", 900, 2.2},
	{0x046d, 0xc266}: {"Logitech G923", 900, 2.2},
	{0x046d, 0xc26e}: {"Logitech G923", 900, 2.2},
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

// driver is how a kernel driver wants to be fed.
type driver struct {
	period   time.Duration // least time between two updates
	step     int           // level steps it can tell apart: the rest is rounded away
	playEach bool          // a play with each update sends it at once
	memless  bool          // it stands on the kernel's ff-memless, as far as known
	sign     int           // +1: a positive level with direction "left" pushes left; 0: not known
}

// drivers are known by the name of their HID driver.
//
// hid-lg4ff ("logitech") sends 8 bits from a jiffies timer, and at once on a
// play; more than 400 plays a second fill its queue. Its positive levels
// become bytes above 0x80, which the wheels take for left
// (https://github.com/nightmode/logitech-g29: 255 is full left). HID++ wheels
// queue without bound. PID wheels mostly poll each 2 ms and keep the time of
// an effect themselves.
var drivers = map[string]driver{
	"logitech":              {3 * time.Millisecond, 256, true, true, +1},
	"logitech-hidpp-device": {10 * time.Millisecond, 64, false, false, 0},
	"hid-generic":           {2 * time.Millisecond, 1, false, false, 0},
	"hid-pidff":             {2 * time.Millisecond, 1, false, false, 0},
	"hid-universal-pidff":   {2 * time.Millisecond, 1, false, false, 0},
}

var unknownDriver = driver{4 * time.Millisecond, 1, true, true, 0}

// limits are what one device may be asked for.
type limits struct {
	full  float64 // torque of a full level [N·m]
	rated float64 // most torque [N·m]
	slew  float64 // most change [N·m/s]
	sign  int     // of a level that pushes left
	notes []string
}

// limitsFor settles how hard a device may push, and says why not harder.
// measured is the sign from calibration, 0 if there is none.
func limitsFor(cfg Config, info evdev.Info, drv driver, measured int) limits {
	m, known := models[[2]evdev.ID{info.Vendor, info.Product}]
	l := limits{full: m.fullNm, rated: m.fullNm, slew: cfg.MaxSlew * 1000, sign: measured}
	switch {
	case cfg.FullNm > 0:
		l.full, l.rated = cfg.FullNm, cfg.FullNm
	case !known:
		l.full, l.rated = unknownFullNm, unknownRatedNm
		l.notes = append(l.notes, "unknown wheel: a tenth of its force is used and called 2 N·m; set wheel.full_torque_nm to what it gives")
	}
	if l.sign == 0 && known {
		l.sign = drv.sign
	}
	if l.sign == 0 {
		l.sign = 1
		l.rated = min(l.rated, unsignedRatedNm)
		l.notes = append(l.notes, "the direction of its force was never measured: at most 1 N·m; run `rig calibrate wheel`")
	}
	if !info.HasForce() {
		l.rated = 0
		l.notes = append(l.notes, "it offers no constant force: no torque")
	}
	l.rated = min(l.rated, cfg.MaxTorque)
	return l
}
