package watch

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
)

// Motion shows the platform of a running rig.
type Motion struct {
	Names []string // of the actuators; an actuator without a name is shown by its number
}

// name returns the name of an actuator, or its number from 1.
func (w *Motion) name(i int) string {
	if i < len(w.Names) && w.Names[i] != "" {
		return w.Names[i]
	}
	return fmt.Sprint(i + 1)
}

// legs returns the number of actuators in use.
func (w *Motion) legs(f *frame.Frame) int { return int(min(f.Motion.LegCount, frame.MaxLegs)) }

// Lines returns a frame as lines for a terminal: actuators, poses, line and warnings.
func (w *Motion) Lines(f *frame.Frame) []string {
	m := &f.Motion
	lines := []string{
		fmt.Sprintf("%s %s   platform %s%s   motion %s", StateName(f.State), speedText(f, 0), MotionState(m.State), faultsText(m.Faults), percent(m.GuardShare)),
		"",
		fmt.Sprintf("%-16s %9s %9s %9s %7s  %s", "actuator", "target", "feedback", "behind", "drive", "0 % of the stroke 100 %"),
	}
	for i := range w.legs(f) {
		lines = append(lines, fmt.Sprintf("%-16s %9s %9s %9s %7s  %s", w.name(i), percentText(m.Target[i]), percentText(f.LegsFeedback[i]), percentText(m.FollowError[i]), textOrDash("%.0f °C", m.Temperature[i]), positionBar(m.Target[i], f.LegsFeedback[i], 24)))
	}
	return append(lines, "", poseText("asked", &f.Pose), poseText("measured", &m.Measured), "", serialLineText(m), motionWarning(f))
}

// Line returns a frame as one line.
func (w *Motion) Line(f *frame.Frame) string {
	m := &f.Motion
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  platform %s%s", StateName(f.State), speedText(f, 0), MotionState(m.State), faultsText(m.Faults))
	for i := range w.legs(f) {
		fmt.Fprintf(&b, "  %s %s at %s", w.name(i), percentText(m.Target[i]), percentText(f.LegsFeedback[i]))
	}
	return b.String() + "  " + serialLineText(m)
}

// faultsText returns the names of the faults in parentheses, or "".
func faultsText(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return " (" + FaultNames(bits) + ")"
}

// textOrDash returns v in a format, or a dash for NaN.
func textOrDash(format string, v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// percentText returns a fraction in percent with one decimal, or a dash for NaN.
func percentText(v float64) string { return textOrDash("%.1f %%", 100*v) }

// positionBar returns a bar with an actuator's measured position (█) and its target position (|).
func positionBar(target, feedback float64, width int) string {
	bar := []rune(strings.Repeat("·", width))
	put := func(v float64, mark rune) {
		if !math.IsNaN(v) {
			bar[int(math.Round(min(max(v, 0), 1)*float64(width-1)))] = mark
		}
	}
	put(feedback, '█')
	put(target, '|')
	return "[" + string(bar) + "]"
}

// poseText returns a pose in one line, with a dash for unknown values.
func poseText(what string, p *frame.Pose) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-9s", what)
	for i, d := range poseAxes {
		if math.IsNaN(p[i]) {
			fmt.Fprintf(&b, " %s -", d.name)
			continue
		}
		fmt.Fprintf(&b, " %s %+.1f%s", d.name, p[i]*d.factor, d.unit)
	}
	return b.String()
}

// serialLineText returns the load, rate and latency of the serial line to the controller.
func serialLineText(m *frame.Motion) string {
	if m.Rate == 0 {
		return "line not used"
	}
	latency := "latency unknown"
	if m.Latency > 0 {
		latency = fmt.Sprintf("%.1f ms from the tick to the last byte", 1000*m.Latency)
	}
	return fmt.Sprintf("line %.0f %% busy, %.0f targets per second, %s, %d warnings", 100*m.LineShare, m.Rate, latency, m.Warnings)
}

// motionWarning returns the most important warning about the platform, or "".
func motionWarning(f *frame.Frame) string {
	switch m := &f.Motion; {
	case m.Scale < 1:
		return fmt.Sprintf("! the pose is reduced to %s to stay within the actuators' workspace", percent(m.Scale))
	case m.Limits != 0:
		return "! at its limit: " + strings.Join(limitNames(m.Limits), ", ")
	case f.Flags&frame.PlatformPresent == 0:
		return "no platform is connected"
	case !motion.State(m.State).Follows():
		return "the platform does not follow targets: " + MotionState(m.State)
	}
	return ""
}

// limitNames returns the names of the cueing's limits that act.
func limitNames(limits uint64) (list []string) {
	for i, name := range [...]string{"surge", "sway", "heave", "roll", "pitch", "yaw", "slide", "belt", "force", "tilt"} {
		if limits&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// poseOf is the layout of a pose: one of the target, or a measured one.
const poseOf = `surge_mm=%[1]ssurge(mm) sway_mm=%[1]ssway(mm) heave_mm=%[1]sheave(mm) roll_deg=%[1]sroll(deg) pitch_deg=%[1]spitch(deg)
	yaw_deg=%[1]syaw(deg) slide_mm=%[1]sslide(mm) belt=%[1]sbelt`

// motionObject is the platform's part of a frame as JSON for scripts. Positions of actuators are fractions of the stroke, scale is
// the factor that reduced the pose to their workspace, share the fraction of the motion that the guard lets pass, line_share that of
// the serial line's capacity in use. What is not known is null, as a pose that is not measured.
var motionObject = shown.NewObject[frame.Frame](`
	tick=car_ticks !state !frozen !platform !faults
	actuators[actuators]{ !name demand=actuator_*_target feedback=actuator_*_feedback follow_error=actuator_*_follow_error temperature_c=actuator_*_temperature }
	pose?{`+fmt.Sprintf(poseOf, "platform_")+`} pose_measured?{`+fmt.Sprintf(poseOf, "platform_measured_")+`}
	scale=platform_scale share=platform_fade rate_hz=platform_target_rate line_share=platform_line_share latency_ms=platform_latency(ms?) warnings=platform_warnings`, -1)

// Describe returns the platform's part of a frame as JSON for scripts.
func (w *Motion) Describe(f *frame.Frame) json.RawMessage {
	names := make([]string, frame.MaxLegs)
	for i := range names {
		names[i] = w.name(i)
	}
	return motionObject.Append(nil, f, map[string]any{
		"state": StateName(f.State), "frozen": isFrozen(f), "platform": MotionState(f.Motion.State), "faults": FaultNames(f.Motion.Faults), "name": names,
	})
}
