package wheel

import "time"

// Family is the kernel module that makes a wheel's force.
type Family string

// The families.
const (
	LG4FF     Family = "hid-lg4ff" // in the kernel, and new-lg4ff, which replaces it
	HIDPP     Family = "hid-logitech-hidpp"
	TMFF2     Family = "hid-tmff2"
	T150      Family = "hid-t150"
	Fanatec   Family = "hid-fanatecff"
	PID       Family = "hid-pidff"
	Universal Family = "hid-universal-pidff"
	Simagic   Family = "simagic-ff"
	NoFamily  Family = "none"
)

// familyFacts say what a family offers besides a constant force.
type familyFacts struct {
	drivers []string // names in sysfs
	home    string   // where it is to be had
	effects string   // for people
}

// families are told by their modules' own source. hid-pidff has no driver of
// its own in sysfs: hid-generic loads it.
var families = map[Family]familyFacts{
	LG4FF:     {[]string{"logitech"}, "in the kernel; github.com/berarma/new-lg4ff has more effects", "constant; new-lg4ff: all conditions and periodics"},
	HIDPP:     {[]string{"logitech-hidpp-device"}, "in the kernel, the G923 from 6.3 on", "constant, periodics, spring, damper"},
	TMFF2:     {[]string{"tmff2"}, "github.com/Kimplul/hid-tmff2", "constant, ramp, periodics, spring, damper, friction, inertia"},
	T150:      {[]string{"hid-t150"}, "github.com/scarburato/t150_driver", "constant, sine, saws, spring, damper"},
	Fanatec:   {[]string{"fanatec"}, "github.com/gotzl/hid-fanatecff", "constant, periodics, spring, damper, friction, inertia"},
	PID:       {[]string{"hid-generic", "hid-pidff"}, "in the kernel, best from 6.15 on", "all that the wheel declares"},
	Universal: {[]string{"hid-universal-pidff"}, "in the kernel from 6.12.24, 6.13.12 and 6.14.3 on", "all that the wheel declares"},
	Simagic:   {[]string{"simagic-ff"}, "github.com/JacKeTUs/simagic-ff", "constant, sine, spring, damper, friction, inertia"},
	NoFamily:  {nil, "nowhere yet", "none"},
}

// driver is how a kernel driver wants to be fed.
type driver struct {
	period   time.Duration // least time between two updates
	step     int           // level steps it can tell apart: the rest is rounded away
	playEach bool          // a play with each update sends it at once; needed with memless
	memless  bool          // it stands on the kernel's ff-memless, as far as known
	sign     int           // +1: a positive level with direction "left" pushes left; 0: not known
	direct   bool          // period is a guess at the device's: it waits for nothing itself
}

// drivers are known by the name of their HID driver.
//
// hid-lg4ff ("logitech") sends 8 bits from a jiffies timer, and at once on a
// play; more than 400 plays a second fill its queue. Each upload sets that timer anew
// (drivers/input/ff-memless.c), and PREEMPT_RT runs it below a real-time writer: uploads
// alone in step with the kernel's tick never reach the wheel (test/vm/labtest). Its positive levels
// become bytes above 0x80, which the wheels take for left
// (https://github.com/nightmode/logitech-g29: 255 is full left). HID++ wheels
// queue without bound. PID wheels mostly poll each 2 ms, some each 1 ms, and keep
// the time of an effect themselves: their drivers hand each force on at once.
// hid-tmff2 sends each 8 ms (DEFAULT_TIMER_PERIOD), hid-fanatecff each 2 ms.
// hid-t150 names no rate: 8 ms is estimated.
var drivers = map[string]driver{
	"logitech":              {3 * time.Millisecond, 256, true, true, +1, false},
	"logitech-hidpp-device": {10 * time.Millisecond, 64, false, false, 0, false},
	"hid-generic":           {2 * time.Millisecond, 1, false, false, 0, true},
	"hid-pidff":             {2 * time.Millisecond, 1, false, false, 0, true},
	"hid-universal-pidff":   {2 * time.Millisecond, 1, false, false, 0, true},
	"simagic-ff":            {2 * time.Millisecond, 1, false, false, 0, false},
	"tmff2":                 {8 * time.Millisecond, 1, false, false, 0, false},
	"hid-t150":              {8 * time.Millisecond, 1, false, false, 0, false},
	"fanatec":               {2 * time.Millisecond, 1, false, false, 0, false},
}

var unknownDriver = driver{4 * time.Millisecond, 1, true, true, 0, false}

// with is the driver in front of a device that takes a report each period. One that
// hands each force to the device at once needs no rest of its own.
func (d driver) with(period time.Duration) driver {
	const tick = time.Millisecond // of the loop: there is nothing newer sooner
	if period > 0 && d.direct {
		d.period = min(d.period, max(period, tick))
	}
	return d
}

// rateHz is how often a second the family takes an update.
func (f Family) rateHz() float64 {
	names := families[f].drivers
	if len(names) == 0 {
		return 0
	}
	return 1 / drivers[names[0]].period.Seconds()
}
