package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/core/frame"
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
	for i, d := range [...]struct {
		name, unit string
		scale      float64
	}{
		{"surge", "mm", 1000}, {"sway", "mm", 1000}, {"heave", "mm", 1000},
		{"roll", "°", degrees}, {"pitch", "°", degrees}, {"yaw", "°", degrees}, {"slide", "mm", 1000}, {"belt", "", 1},
	} {
		if math.IsNaN(p[i]) {
			fmt.Fprintf(&b, " %s -", d.name)
			continue
		}
		fmt.Fprintf(&b, " %s %+.1f%s", d.name, p[i]*d.scale, d.unit)
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

// latencyMs returns the time from a tick to the last byte of its target on the wire [ms], or nil before the
// first.
func latencyMs(m *frame.Motion) *float64 {
	if !(m.Latency > 0) {
		return nil
	}
	return NumberOrNull(1000 * m.Latency)
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

// MotionNow is the platform's part of a frame as JSON for scripts.
type MotionNow struct {
	Tick      uint64   `json:"tick"`
	State     string   `json:"state"`
	Frozen    bool     `json:"frozen"` // the simulation is not stepped
	Platform  string   `json:"platform"`
	Faults    string   `json:"faults"`
	Actuators []LegNow `json:"actuators"`
	Asked     *PoseNow `json:"pose"`
	Measured  *PoseNow `json:"pose_measured"` // null if not measured
	Scale     float64  `json:"scale"`         // factor that reduced the pose to the actuators' workspace, 0..1
	Share     float64  `json:"share"`         // fraction of the motion that the guard lets pass, 0..1
	Rate      float64  `json:"rate_hz"`       // targets sent per second
	LineShare float64  `json:"line_share"`    // fraction of the serial line's capacity in use, 0..1
	Latency   *float64 `json:"latency_ms"`
	Warnings  uint64   `json:"warnings"`
}

// LegNow is the state of an actuator; unknown values are null.
type LegNow struct {
	Name        string   `json:"name"`
	Target      *float64 `json:"demand"` // fraction of the stroke, as are feedback and follow_error
	Feedback    *float64 `json:"feedback"`
	FollowError *float64 `json:"follow_error"`
	Temperature *float64 `json:"temperature_c"`
}

// PoseNow is a pose in mm and degrees.
type PoseNow struct {
	Surge float64 `json:"surge_mm"`
	Sway  float64 `json:"sway_mm"`
	Heave float64 `json:"heave_mm"`
	Roll  float64 `json:"roll_deg"`
	Pitch float64 `json:"pitch_deg"`
	Yaw   float64 `json:"yaw_deg"`
	Slide float64 `json:"slide_mm"`
	Belt  float64 `json:"belt"`
}

// poseNow converts a pose to mm and degrees; it returns nil if a part is NaN.
func poseNow(p *frame.Pose) *PoseNow {
	for _, v := range p {
		if math.IsNaN(v) {
			return nil
		}
	}
	return &PoseNow{1000 * p[frame.Surge], 1000 * p[frame.Sway], 1000 * p[frame.Heave],
		degrees * p[frame.Roll], degrees * p[frame.Pitch], degrees * p[frame.Yaw], 1000 * p[frame.Slide], p[frame.Belt]}
}

// Describe converts the platform's part of a frame to ms, mm, degrees and null for unknown values.
func (w *Motion) Describe(f *frame.Frame) MotionNow {
	m := &f.Motion
	now := MotionNow{
		Tick: f.Tick, State: StateName(f.State), Frozen: isFrozen(f), Platform: MotionState(m.State), Actuators: []LegNow{},
		Asked: poseNow(&f.Pose), Measured: poseNow(&m.Measured), Scale: m.Scale, Share: m.GuardShare,
		Rate: m.Rate, LineShare: m.LineShare, Latency: latencyMs(m), Warnings: m.Warnings,
	}
	now.Faults = FaultNames(m.Faults)
	for i := range w.legs(f) {
		now.Actuators = append(now.Actuators, LegNow{w.name(i), NumberOrNull(m.Target[i]), NumberOrNull(f.LegsFeedback[i]), NumberOrNull(m.FollowError[i]), NumberOrNull(m.Temperature[i])})
	}
	return now
}
