package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"time"
)

// errNoRotation is returned if the driver cannot set the rotation. A soft lock, made by force, must
// replace it then.
var errNoRotation = errors.New("wheel: its driver cannot set the rotation")

// driverTuning has the names of a driver's settings and how they behave.
type driverTuning struct {
	rotation     string        // name of the rotation from lock to lock [deg]
	step         int           // the driver rounds the rotation to multiples of this [deg]
	readBackTime time.Duration // longest time until it shows the rotation that the wheel accepted

	gain   string    // name of the gain of all forces, 0..65535; "" if there is none
	spring []setting // settings that switch the centering spring off
}

// tuningTable has the tuning of each HID driver, by the driver's name.
//
// hid-lg4ff ignores a rotation that the wheel does not support. hid-tmff2 and hid-t150 clamp it.
// hid-logitech-hidpp clamps it too and queues it: it shows the old rotation until the wheel has answered.
// hid-fanatecff writes it to the wheel's tuning menu (SEN, in tens of degrees), shows what the wheel
// reports next, and fails before the wheel has reported once. simagic-ff calls it max_angle. Only
// new-lg4ff, not the kernel's hid-lg4ff, has the gain and the spring of "logitech". hid-t150 centers by
// itself unless enable_autocenter is n. hid-tmff2 starts with a gain of 40000 of 65535.
var tuningTable = map[string]driverTuning{
	"logitech":              {"range", 1, 0, "gain", []setting{{"autocenter", "0"}}},
	"logitech-hidpp-device": {"range", 1, 200 * time.Millisecond, "", nil},
	"tmff2":                 {"range", 1, 0, "gain", nil},
	"hid-t150":              {"range", 1, 0, "gain", []setting{{"autocenter", "0"}, {"enable_autocenter", "n"}}},
	"fanatec":               {"range", 10, 300 * time.Millisecond, "", nil},
	"simagic-ff":            {"max_angle", 1, 200 * time.Millisecond, "", nil},
}

// tuningOf returns the tuning of a driver. An unknown driver is assumed to name its rotation as hid-lg4ff
// does, because most do.
func tuningOf(driver string) driverTuning {
	if t, ok := tuningTable[driver]; ok {
		return t
	}
	return driverTuning{rotation: "range", step: 1}
}

// rotationResult is the result of setting the rotation.
type rotationResult struct {
	deg   float64   // rotation that the driver shows [deg]
	saved []setting // former rotation, to be restored
	note  string    // why the rotation is not the requested one
}

// readBackInterval is the time between two reads of a slow driver's rotation.
const readBackInterval = 20 * time.Millisecond

// setRotation sets the rotation [deg] and reads it back. m has the range of the wheel. wait is
// time.Sleep; tests use another function.
func (t driverTuning) setRotation(a driverSettings, m Model, deg float64, wait func(time.Duration)) (rotationResult, error) {
	was, err := a.readInt(t.rotation)
	if errors.Is(err, fs.ErrNotExist) {
		return rotationResult{}, errNoRotation
	}
	if err != nil {
		return rotationResult{}, err
	}
	if m.Quirks.Has(FixedRange) {
		return rotationResult{deg: m.DefaultDeg}.withNote(deg), nil
	}
	want := t.nearestPossible(m, deg)
	r := rotationResult{deg: float64(was)}
	if want == was {
		return r.withNote(deg), nil
	}
	if err := a.write(t.rotation, strconv.Itoa(want)); err != nil {
		return r, err
	}
	r.saved = []setting{{t.rotation, strconv.Itoa(was)}}
	now, err := t.readBack(a, want, wait)
	if err != nil {
		return r, err
	}
	r.deg = float64(now)
	return r.withNote(deg), nil
}

// nearestPossible returns the rotation nearest to deg that the wheel and its driver support.
func (t driverTuning) nearestPossible(m Model, deg float64) int {
	if m.MaxDeg > 0 {
		deg = min(max(deg, m.MinDeg), m.MaxDeg)
	}
	step := float64(max(t.step, 1))
	return int(math.Round(deg/step) * step)
}

// readBack waits until the driver shows the rotation want, but no longer than readBackTime, and returns
// the rotation that it shows then.
func (t driverTuning) readBack(a driverSettings, want int, wait func(time.Duration)) (int, error) {
	for waited := time.Duration(0); ; waited += readBackInterval {
		now, err := a.readInt(t.rotation)
		if err != nil || now == want || waited >= t.readBackTime {
			return now, err
		}
		wait(readBackInterval)
	}
}

// withNote adds a note if the rotation differs from the requested one [deg].
func (r rotationResult) withNote(requested float64) rotationResult {
	if math.Abs(r.deg-requested) >= 1 {
		r.note = fmt.Sprintf("its driver keeps a range of %.0f degrees, not %.0f; set wheel.range_deg to what it can do",
			r.deg, requested)
	}
	return r
}

// fullGain is a driver's gain that leaves forces as they are.
const fullGain = 65535.0

// gainShare returns the share of a force that the driver's own gain lets through, 0..1. The rig never
// raises that gain, because the user may have lowered it on purpose.
func (t driverTuning) gainShare(a driverSettings) (share float64, note string) {
	if t.gain == "" {
		return 1, ""
	}
	v, err := a.readInt(t.gain)
	if err != nil {
		return 1, "" // the kernel's own hid-lg4ff has none
	}
	share = min(max(float64(v)/fullGain, 0), 1)
	if v < int(fullGain) {
		note = fmt.Sprintf("its driver's own gain lets %.0f %% of each force through; "+
			"write 65535 to %s in its folder below /sys for all of it", 100*share, t.gain)
	}
	return share, note
}

// disableSpring switches the centering spring off and returns the former settings.
func (t driverTuning) disableSpring(a driverSettings) (saved []setting, err error) {
	for _, s := range t.spring {
		var failed error
		saved, failed = a.change(saved, s)
		err = errors.Join(err, failed)
	}
	return saved, err
}
