package watch

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/core/frame"
)

// remedies holds what to do about a platform's faults, the most severe fault first.
var remedies = [...]struct {
	fault  wire.Faults
	remedy string
}{
	{wire.FaultStop, "release the platform's own emergency stop"},
	{wire.FaultDrive, "look at the drive's own display and at its power"},
	{wire.FaultEndStop, "narrow motion.min_share and max_share, or look at the end switches"},
	{wire.FaultTemperature, "let it cool; lower the gains, motion.max_speed_strokes_per_s or the load"},
	{wire.FaultFollow, "look for what blocks it; lower motion.max_speed_strokes_per_s and max_accel_strokes_per_s2, or raise follow_error_share"},
	{wire.FaultJump, "look at the actuator's sensor, its wire and its coupling; the controller follows it wherever it jumps"},
	{wire.FaultTarget, "see the log for what was NaN or Inf"},
	{wire.FaultReference, "bring the actuators to motion.start_share by hand or by the controller's power-on procedure, switch it off and on"},
	{wire.FaultSilent, "look at the controller's power, the cable, motion.port and motion.baud"},
	{wire.FaultOffline, "switch the controller on line"},
	{wire.FaultSpike, "lower motion.max_speed_strokes_per_s, or widen the controller's spike filter"},
}

// FaultNames returns the names of a platform's faults, or "" without a fault.
func FaultNames(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return wire.Faults(bits).String()
}

// RemedyOf returns what to do about the most severe of the faults in f.
func RemedyOf(f wire.Faults) string {
	for _, r := range remedies {
		if f&r.fault != 0 {
			return r.remedy
		}
	}
	return "see the log"
}

// ActuatorPositions returns the position of each actuator as text, in % of the stroke: its last feedback,
// or its last target if it has never reported a position.
func ActuatorPositions(names []string, at *motion.Status) string {
	list, prefix := make([]string, len(names)), ""
	if at.State == motion.Absent || at.State == motion.Opening || at.Faults&(wire.FaultSilent|wire.FaultOffline) != 0 {
		prefix = "when last heard "
	}
	for i, name := range names {
		measured, sent := at.LastFeedback[i], at.LastTarget[i]
		switch {
		case !math.IsNaN(measured):
			list[i] = fmt.Sprintf("%s %.0f %%", name, 100*measured)
		case !math.IsNaN(sent):
			list[i] = fmt.Sprintf("%s unknown, sent to %.0f %%", name, 100*sent)
		default:
			list[i] = name + " unknown"
		}
	}
	return " (" + prefix + strings.Join(list, ", ") + " of the stroke)"
}

// PlatformPlace returns where a platform stands, such as "the platform is parked".
func PlatformPlace(names []string, at *motion.Status) string {
	if at.State == motion.Parked {
		return "the platform is parked"
	}
	return "the platform is NOT parked but " + at.State.String() + ActuatorPositions(names, at)
}

// KnownPlace is PlatformPlace, or "" if the platform is not parked and was never sent anywhere.
func KnownPlace(names []string, at *motion.Status) string {
	if at.State != motion.Parked && !at.Moved() {
		return ""
	}
	return PlatformPlace(names, at)
}

// PlaceInFrame is KnownPlace for the platform of a frame, whose actuators have these names.
func PlaceInFrame(names []string, f *frame.Frame) string {
	if f.Motion.LegCount == 0 {
		return ""
	}
	names = names[:min(len(names), frame.MaxLegs)]
	return KnownPlace(names, &motion.Status{State: motion.State(f.Motion.State), LastFeedback: f.LegsFeedback, LastTarget: f.Motion.Target, Faults: wire.Faults(f.Motion.Faults)})
}

// StrokePercent returns fractions of a stroke as text in percent, or one value if all are equal.
func StrokePercent(list []float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, strconv.FormatFloat(100*v, 'g', 3, 64))
	}
	if same := slices.Compact(slices.Clone(texts)); len(same) == 1 {
		texts = same
	}
	return strings.Join(texts, ", ") + " % of the stroke"
}

// MotionState returns the name of the platform state in frame.Motion.State.
func MotionState(code uint64) string { return motion.State(code).String() }
