package wheel

import "time"

// Family is the kernel module that drives a wheel's force feedback.
type Family string

// The families, named after their kernel modules.
const (
	LG4FF     Family = "hid-lg4ff" // also new-lg4ff, which replaces it
	HIDPP     Family = "hid-logitech-hidpp"
	TMFF2     Family = "hid-tmff2"
	T150      Family = "hid-t150"
	Fanatec   Family = "hid-fanatecff"
	PID       Family = "hid-pidff"
	Universal Family = "hid-universal-pidff"
	Simagic   Family = "simagic-ff"
	NoFamily  Family = "none"
)

// familyInfo describes a family.
type familyInfo struct {
	drivers      []string // its names in sysfs
	availability string   // where to get it
	effects      string   // effects that it offers, as text for users
	modules      []string // its names for modprobe, by the Kbuild files of the projects; nil: a part of the HID core
}

// familyTable describes the families, according to the source code of their modules. hid-pidff has no
// driver of its own in sysfs: hid-generic loads it.
var familyTable = map[Family]familyInfo{
	LG4FF:     {[]string{"logitech"}, "in the kernel; github.com/berarma/new-lg4ff has more effects", "constant; new-lg4ff: all conditions and periodics", []string{"hid-logitech"}},
	HIDPP:     {[]string{"logitech-hidpp-device"}, "in the kernel, the G923 from 6.3 on", "constant, periodics, spring, damper", []string{"hid-logitech-hidpp"}},
	TMFF2:     {[]string{"tmff2"}, "github.com/Kimplul/hid-tmff2", "constant, ramp, periodics, spring, damper, friction, inertia", []string{"hid-tmff-new"}},
	T150:      {[]string{"hid-t150"}, "github.com/scarburato/t150_driver", "constant, sine, saws, spring, damper", []string{"hid-t150"}},
	Fanatec:   {[]string{"fanatec"}, "github.com/gotzl/hid-fanatecff", "constant, periodics, spring, damper, friction, inertia", []string{"hid-fanatec"}},
	PID:       {[]string{"hid-generic", "hid-pidff"}, "in the kernel, best from 6.15 on", "all that the wheel declares", nil},
	Universal: {[]string{"hid-universal-pidff"}, "in the kernel from 6.12.24, 6.13.12 and 6.14.3 on", "all that the wheel declares", []string{"hid-universal-pidff"}},
	Simagic:   {[]string{"simagic-ff"}, "github.com/JacKeTUs/simagic-ff", "constant, sine, spring, damper, friction, inertia", []string{"hid-simagic-ff", "simagic-ff"}},
	NoFamily:  {nil, "nowhere yet", "none", nil},
}

// driverTraits are the properties of a kernel driver that decide how it is sent forces.
type driverTraits struct {
	updatePeriod time.Duration // shortest time between two updates
	step         int           // resolution of the level, of 32767: smaller differences have no effect
	playEach     bool          // a play, which makes the driver send at once, must follow each update; needed with memless
	memless      bool          // it uses the kernel's ff-memless, as far as known
	sign         int           // +1: a positive level with direction "left" pushes left; 0: not known
	sendsAtOnce  bool          // it sends each force at once; updatePeriod is an estimate for the device itself
}

// driverTable has the traits of the drivers by their names in sysfs.
//
// hid-lg4ff ("logitech") sends 8 bits, from a jiffies timer or at once after a play; more than 400 plays
// per second fill its queue. Each upload restarts that timer (drivers/input/ff-memless.c), and PREEMPT_RT
// runs the timer below a real-time writer. Uploads without plays that are in step with the kernel's tick
// therefore never reach the wheel (test/vm/labtest). Its positive levels become bytes above 0x80, which
// the wheels read as left (https://github.com/nightmode/logitech-g29: 255 is full left).
//
// HID++ wheels queue without bound. PID wheels mostly poll every 2 ms, some every 1 ms, and time their
// effects themselves: their drivers pass each force on at once. hid-tmff2 sends every 8 ms
// (DEFAULT_TIMER_PERIOD), hid-fanatecff every 2 ms. hid-t150 states no rate: its 8 ms are an estimate.
var driverTable = map[string]driverTraits{
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

var unknownDriverTraits = driverTraits{4 * time.Millisecond, 1, true, true, 0, false}

// withReportPeriod returns the traits of the driver for a device that accepts one report per period,
// 0 if that is not known. For a driver that sends each force at once, only the device limits the rate.
func (d driverTraits) withReportPeriod(period time.Duration) driverTraits {
	const tick = time.Millisecond // of the loop, which has no newer torque sooner
	if period > 0 && d.sendsAtOnce {
		d.updatePeriod = min(d.updatePeriod, max(period, tick))
	}
	return d
}
