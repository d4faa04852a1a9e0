package watch

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
)

// remedies tell what to do about a platform's faults, the gravest first.
var remedies = [...]struct {
	fault  wire.Faults
	remedy string
}{
	{wire.FaultStop, "release the platform's own emergency stop"},
	{wire.FaultDrive, "look at the drive's own display and at its power"},
	{wire.FaultEndStop, "narrow motion.min_share and max_share, or look at the end switches"},
	{wire.FaultHot, "let it cool; lower the gains, motion.max_speed_strokes_per_s or the load"},
	{wire.FaultFollow, "look for what blocks it; lower motion.max_speed_strokes_per_s and max_accel_strokes_per_s2, or raise follow_error_share"},
	{wire.FaultJump, "look at the actuator's sensor, its wire and its coupling; the controller follows it wherever it jumps"},
	{wire.FaultDemand, "see the log for what was NaN or Inf"},
	{wire.FaultReference, "bring the actuators to motion.start_share by hand or by the controller's power-on procedure, switch it off and on"},
	{wire.FaultSilent, "look at the controller's power, the cable, motion.port and motion.baud"},
	{wire.FaultOffline, "switch the controller on line"},
	{wire.FaultSpike, "lower motion.max_speed_strokes_per_s, or widen the controller's spike filter"},
}

// Stopping are the faults that keep a platform from moving until the operator confirms.
const Stopping = wire.FaultDrive | wire.FaultEndStop | wire.FaultHot | wire.FaultStop | wire.FaultFollow | wire.FaultDemand | wire.FaultReference | wire.FaultJump

// FaultNames returns a platform's faults for screens, "" where there are none.
func FaultNames(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return wire.Faults(bits).String()
}

// RemedyOf returns what to do about the gravest of some faults.
func RemedyOf(f wire.Faults) string {
	for _, r := range remedies {
		if f&r.fault != 0 {
			return r.remedy
		}
	}
	return "see the log"
}

// Places returns where each actuator stands, in % of the stroke: where it told last, and of one
// that never tells, where it was sent.
func Places(names []string, at *motion.Status) string {
	list, when := make([]string, len(names)), ""
	if at.State == motion.Absent || at.State == motion.Opening || at.Faults&(wire.FaultSilent|wire.FaultOffline) != 0 {
		when = "when last heard "
	}
	for i, name := range names {
		heard, sent := at.Heard[i], at.SentTo[i]
		switch {
		case !math.IsNaN(heard):
			list[i] = fmt.Sprintf("%s %.0f %%", name, 100*heard)
		case !math.IsNaN(sent):
			list[i] = fmt.Sprintf("%s unknown, sent to %.0f %%", name, 100*sent)
		default:
			list[i] = name + " unknown"
		}
	}
	return " (" + when + strings.Join(list, ", ") + " of the stroke)"
}

// Shares returns shares of a stroke in percent, once if they are all the same.
func Shares(list []float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, strconv.FormatFloat(100*v, 'g', 3, 64))
	}
	if same := slices.Compact(slices.Clone(texts)); len(same) == 1 {
		texts = same
	}
	return strings.Join(texts, ", ") + " % of the stroke"
}

// MotionState returns the name of a frame's state of the platform.
func MotionState(code uint64) string { return motion.State(code).String() }
