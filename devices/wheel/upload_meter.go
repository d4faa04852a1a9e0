package wheel

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/internal/kit/latest"
)

// endpointInterval returns the interval at which the host sends reports to the wheel's USB endpoint for
// forces, 0 if it is not known. Reports that come faster wait in a queue. root is /sys.
func endpointInterval(root, node string) time.Duration {
	hid, err := filepath.EvalSymlinks(evdev.DeviceFolder(root, node))
	if err != nil {
		return 0
	}
	ends, err := filepath.Glob(filepath.Join(filepath.Dir(hid), "ep_*"))
	if err != nil {
		return 0
	}
	for _, end := range ends {
		if sysfsText(end, "direction") != "out" || sysfsText(end, "type") != "Interrupt" {
			continue
		}
		return parseInterval(sysfsText(end, "interval"))
	}
	return 0
}

// parseInterval parses an interval such as 2ms or 125us. It returns 0 for an invalid one, and at most
// renewInterval, because two reports, an upload and a play, must fit into effectLength.
func parseInterval(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return min(max(d, 0), renewInterval)
}

func sysfsText(folder, file string) string {
	s, _ := evdev.Attr(folder, file) // "" if there is no such file
	return s
}

// slowUpload is the median time of force updates from which a driver is reported as slow.
const slowUpload = 8 * time.Millisecond

// meterWindow is the number of updates over which the median is taken: a driver is slow if more than half
// of them are. A single update that was delayed is a stall; see deliver.
const meterWindow = 15

// uploadMeter measures the time that force updates take in the driver. Only the writer calls add.
type uploadMeter struct {
	medianTime latest.Float // median of the last updates [s]; 0 before there are enough
	times      [meterWindow]time.Duration
	count      int
	warned     bool
}

// period returns the time that one update takes: the measured median, rounded to a multiple of
// minPeriod, and at least minPeriod, which is the time that driver and device need. Because of the
// rounding, small changes of the median change nothing.
func (m *uploadMeter) period(minPeriod time.Duration) time.Duration {
	took := time.Duration(m.medianTime.Load() * float64(time.Second))
	return max(1, (took+minPeriod/2)/minPeriod) * minPeriod
}

// add adds the time of one update, and returns a note once if the driver is slow.
func (m *uploadMeter) add(took time.Duration) string {
	m.times[m.count%meterWindow] = took
	if m.count++; m.count < meterWindow {
		return ""
	}
	sorted := m.times
	slices.Sort(sorted[:])
	median := sorted[meterWindow/2]
	m.medianTime.Store(median.Seconds())
	if m.warned || median < slowUpload {
		return ""
	}
	m.warned = true
	delayMs := 1e3 * median.Seconds()
	return fmt.Sprintf("its driver takes %.0f ms for each force, so that the force at the rim is %.0f ms old; "+
		"newer forces replace those that wait", delayMs, delayMs)
}
