package wheel

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"rig.example/rig/internal/evdev"
)

// endpointPeriod is how often the wheel's USB endpoint for forces is served, 0 if it is
// not known: sooner than that, reports can only wait in a queue. root is /sys.
func endpointPeriod(root, node string) time.Duration {
	hid, err := filepath.EvalSymlinks(evdev.DeviceFolder(root, node))
	if err != nil {
		return 0
	}
	ends, err := filepath.Glob(filepath.Join(filepath.Dir(hid), "ep_*"))
	if err != nil {
		return 0
	}
	for _, end := range ends {
		if text(end, "direction") != "out" || text(end, "type") != "Interrupt" {
			continue
		}
		return interval(text(end, "interval"))
	}
	return 0
}

// interval reads such as 2ms or 125us, 0 if that is nonsense. A device that asks
// for more than a renewal's time is taken for one of that: two reports, the play
// among them, must fit into the life of an effect.
func interval(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return min(max(d, 0), renewEvery)
}

func text(folder, file string) string {
	s, _ := evdev.Attr(folder, file) // "" where there is none
	return s
}

// slowUpload is how long an update of the force may take before the driver is told of.
const slowUpload = 8 * time.Millisecond

// meterSpan is how many of the last updates count: more than half of them must be slow for a
// driver to be slow. One that is held up says nothing of the others; see stalled.
const meterSpan = 15

// meter measures how long updates take. The writer alone adds.
type meter struct {
	typical atomic.Uint64 // median of the last updates, bits of a float64 [s]; 0 before there are enough
	last    [meterSpan]time.Duration
	added   int
	told    bool
}

// period is what driver and device take for an update at least, or the multiple of it
// nearest to what an update was measured to take: small changes of that change nothing.
func (m *meter) period(least time.Duration) time.Duration {
	took := time.Duration(math.Float64frombits(m.typical.Load()) * float64(time.Second))
	return max(1, (took+least/2)/least) * least
}

// add takes one update's time, and returns what is worth telling, once.
func (m *meter) add(took time.Duration) string {
	m.last[m.added%meterSpan] = took
	if m.added++; m.added < meterSpan {
		return ""
	}
	sorted := m.last
	slices.Sort(sorted[:])
	typical := sorted[meterSpan/2]
	m.typical.Store(math.Float64bits(typical.Seconds()))
	if m.told || typical < slowUpload {
		return ""
	}
	m.told = true
	late := 1e3 * typical.Seconds()
	return fmt.Sprintf("its driver takes %.0f ms for each force: the rim feels what was %.0f ms ago; newer forces replace those that wait", late, late)
}
