package wheel

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"time"
)

// errNoRange tells that a driver cannot set the rotation: a soft lock by force
// has to stand in for it.
var errNoRange = errors.New("wheel: its driver cannot set the rotation")

// tuning is what a driver's settings are called and how they behave.
type tuning struct {
	rotation string        // from lock to lock [deg]
	step     int           // the driver keeps multiples of it [deg]
	settle   time.Duration // longest time until it shows what the wheel took

	gain   string    // of all forces, 0..65535
	spring []setting // that take the centring spring off
}

// tunings are known by the name of the HID driver.
//
// hid-lg4ff passes over a rotation it cannot do. hid-tmff2 and hid-t150 cut it.
// hid-logitech-hidpp cuts it too, and hands it to a queue: it shows the old one
// until the wheel has answered. hid-fanatecff writes it to the wheel's tuning
// menu (SEN, in tens of degrees), shows what the wheel reports next, and fails
// before the wheel has reported once. simagic-ff calls it max_angle. The gains
// and springs of hid-lg4ff are new-lg4ff's; hid-t150 centres by itself unless
// enable_autocenter is n. hid-tmff2 starts with a gain of 40000 of 65535.
var tunings = map[string]tuning{
	"logitech":              {"range", 1, 0, "gain", []setting{{"autocenter", "0"}}},
	"logitech-hidpp-device": {"range", 1, 200 * time.Millisecond, "", nil},
	"tmff2":                 {"range", 1, 0, "gain", nil},
	"hid-t150":              {"range", 1, 0, "gain", []setting{{"autocenter", "0"}, {"enable_autocenter", "n"}}},
	"fanatec":               {"range", 10, 300 * time.Millisecond, "", nil},
	"simagic-ff":            {"max_angle", 1, 200 * time.Millisecond, "", nil},
}

// tuningOf guesses that an unknown driver follows hid-lg4ff, as most do.
func tuningOf(driver string) tuning {
	if t, ok := tunings[driver]; ok {
		return t
	}
	return tuning{rotation: "range", step: 1}
}

// rotation is what became of a wish.
type rotation struct {
	deg  float64   // as the driver shows it
	kept []setting // what it was, to be restored
	note string    // why it is not what was asked for
}

// lookEvery is how long to wait between two looks at a slow driver.
const lookEvery = 20 * time.Millisecond

// turn sets the rotation [deg] and reads it back. m says what the wheel can do;
// wait is time.Sleep.
func (t tuning) turn(a attrs, m Model, deg float64, wait func(time.Duration)) (rotation, error) {
	was, err := a.number(t.rotation)
	if errors.Is(err, fs.ErrNotExist) {
		return rotation{}, errNoRange
	}
	if err != nil {
		return rotation{}, err
	}
	if m.Quirks.Has(FixedRange) {
		return t.fixed(m, deg), nil
	}
	want := t.possible(m, deg)
	r := rotation{deg: float64(was)}
	if want == was {
		return r.told(deg), nil
	}
	if err := a.write(t.rotation, strconv.Itoa(want)); err != nil {
		return r, err
	}
	r.kept = []setting{{t.rotation, strconv.Itoa(was)}}
	now, err := t.readBack(a, want, wait)
	if err != nil {
		return r, err
	}
	r.deg = float64(now)
	return r.told(deg), nil
}

func (t tuning) fixed(m Model, deg float64) rotation {
	return rotation{deg: m.DefaultDeg}.told(deg)
}

// possible is the nearest rotation that the wheel and its driver can do.
func (t tuning) possible(m Model, deg float64) int {
	if m.MaxDeg > 0 {
		deg = min(max(deg, m.MinDeg), m.MaxDeg)
	}
	step := float64(max(t.step, 1))
	return int(math.Round(deg/step) * step)
}

// readBack waits until the driver shows want, or for as long as it may take.
func (t tuning) readBack(a attrs, want int, wait func(time.Duration)) (int, error) {
	for waited := time.Duration(0); ; waited += lookEvery {
		now, err := a.number(t.rotation)
		if err != nil || now == want || waited >= t.settle {
			return now, err
		}
		wait(lookEvery)
	}
}

// told adds why r is not what was asked for.
func (r rotation) told(asked float64) rotation {
	if math.Abs(r.deg-asked) >= 1 {
		r.note = fmt.Sprintf("its driver keeps a range of %.0f degrees, not %.0f; set wheel.range_deg to what it can do", r.deg, asked)
	}
	return r
}

// fullGain is a driver's gain that leaves forces as they are.
const fullGain = 65535.0

// gainShare is how much of a force the driver's own gain lets through, 0..1. It
// is never raised: who lowered it may have had a reason.
func (t tuning) gainShare(a attrs) (share float64, note string) {
	if t.gain == "" {
		return 1, ""
	}
	v, err := a.number(t.gain)
	if err != nil {
		return 1, "" // the kernel's own hid-lg4ff has none
	}
	share = min(max(float64(v)/fullGain, 0), 1)
	if v < int(fullGain) {
		note = fmt.Sprintf("its driver's own gain lets %.0f %% of each force through; write 65535 to %s in its folder below /sys for all of it", 100*share, t.gain)
	}
	return share, note
}

// slacken takes the centring spring off; kept is what it was.
func (t tuning) slacken(a attrs) (kept []setting, err error) {
	for _, s := range t.spring {
		var failed error
		kept, failed = a.change(kept, s)
		err = errors.Join(err, failed)
	}
	return kept, err
}
