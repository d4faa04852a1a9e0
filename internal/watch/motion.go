package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/devices/motion"
	"rig.example/rig/internal/frame"
)

// Motion shows the platform of a running rig.
type Motion struct {
	Names []string // of the actuators; one without has its number
}

// name is how people call an actuator.
func (w *Motion) name(i int) string {
	if i < len(w.Names) && w.Names[i] != "" {
		return w.Names[i]
	}
	return fmt.Sprint(i + 1)
}

// legs is how many actuators are in use.
func (w *Motion) legs(f *frame.Frame) int { return int(min(f.Motion.Legs, frame.MaxLegs)) }

// Lines is the view of f for a terminal.
func (w *Motion) Lines(f *frame.Frame) []string {
	m := &f.Motion
	lines := []string{
		fmt.Sprintf("%s %s   platform %s%s   motion let through %s", StateName(f.State), speedText(f, 0), MotionState(m.State), faultsOf(m.Faults), percent(m.Share)),
		"",
		fmt.Sprintf("%-16s %9s %9s %9s %7s  %s", "actuator", "demand", "feedback", "behind", "drive", "0 % of the stroke 100 %"),
	}
	for i := range w.legs(f) {
		lines = append(lines, fmt.Sprintf("%-16s %9s %9s %9s %7s  %s", w.name(i), share(m.Demand[i]), share(f.LegsFeedback[i]), share(m.FollowError[i]), warmth(m.Temperature[i]), placeBar(m.Demand[i], f.LegsFeedback[i], 24)))
	}
	return append(lines, "", poseText("asked", &f.Pose), poseText("measured", &m.Measured), "", lineText(m), motionCare(f))
}

// Line is the view of f in one line.
func (w *Motion) Line(f *frame.Frame) string {
	m := &f.Motion
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  platform %s%s", StateName(f.State), speedText(f, 0), MotionState(m.State), faultsOf(m.Faults))
	for i := range w.legs(f) {
		fmt.Fprintf(&b, "  %s %s at %s", w.name(i), share(m.Demand[i]), share(f.LegsFeedback[i]))
	}
	return b.String() + "  " + lineText(m)
}

// faultsOf names the faults, in brackets.
func faultsOf(bits uint64) string {
	if bits == 0 {
		return ""
	}
	return " (" + FaultNames(bits) + ")"
}

// share is a place or a way of an actuator.
func share(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*v)
}

func warmth(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return fmt.Sprintf("%.0f °C", v)
}

// placeBar draws where an actuator is (█) and where it shall be (|).
func placeBar(demand, feedback float64, width int) string {
	bar := []rune(strings.Repeat("·", width))
	put := func(v float64, mark rune) {
		if !math.IsNaN(v) {
			bar[int(math.Round(min(max(v, 0), 1)*float64(width-1)))] = mark
		}
	}
	put(feedback, '█')
	put(demand, '|')
	return "[" + string(bar) + "]"
}

// poseText is a pose in one line, without what the platform is not asked for.
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

// lineText tells of the line to the controller.
func lineText(m *frame.Motion) string {
	if m.Rate == 0 {
		return "line unused"
	}
	late := "latency unknown"
	if m.Latency > 0 {
		late = fmt.Sprintf("%.1f ms from the tick to the last byte", 1000*m.Latency)
	}
	return fmt.Sprintf("line %.0f %% busy, %.0f demands a second, %s, %d warnings", 100*m.LineShare, m.Rate, late, m.Warnings)
}

// latencyOf is in ms what a demand took to the wire; nothing before the first.
func latencyOf(m *frame.Motion) *float64 {
	if !(m.Latency > 0) {
		return nil
	}
	return Known(1000 * m.Latency)
}

// motionCare is a warning, or nothing.
func motionCare(f *frame.Frame) string {
	switch m := &f.Motion; {
	case m.Scale < 1:
		return fmt.Sprintf("! the pose is made smaller to %s for the actuators to reach it", percent(m.Scale))
	case m.Limits != 0:
		return "! at its limit: " + strings.Join(limitNames(m.Limits), ", ")
	case f.Flags&frame.PlatformPresent == 0:
		return "no platform is connected"
	case !motion.State(m.State).Follows():
		return "the platform follows no demands: " + MotionState(m.State)
	}
	return ""
}

// limitNames are those of limits of the cueing that are at work.
func limitNames(limits uint64) (list []string) {
	for i, name := range [...]string{"surge", "sway", "heave", "roll", "pitch", "yaw", "slide", "belt", "force", "tilt"} {
		if limits&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}

// MotionNow is the view of a frame for scripts.
type MotionNow struct {
	Tick      uint64   `json:"tick"`
	State     string   `json:"state"`
	Frozen    bool     `json:"frozen"` // the simulation is not stepped
	Platform  string   `json:"platform"`
	Faults    string   `json:"faults"`
	Actuators []LegNow `json:"actuators"`
	Asked     *Placed  `json:"pose"`
	Measured  *Placed  `json:"pose_measured"` // null where nothing measures
	Scale     float64  `json:"scale"`
	Share     float64  `json:"share"`
	Rate      float64  `json:"rate_hz"`
	LineShare float64  `json:"line_share"`
	Latency   *float64 `json:"latency_ms"`
	Warnings  uint64   `json:"warnings"`
}

// LegNow is an actuator; what is not known is null.
type LegNow struct {
	Name        string   `json:"name"`
	Demand      *float64 `json:"demand"` // share of the stroke
	Feedback    *float64 `json:"feedback"`
	FollowError *float64 `json:"follow_error"`
	Temperature *float64 `json:"temperature_c"`
}

// Placed is a pose in the units of people.
type Placed struct {
	Surge float64 `json:"surge_mm"`
	Sway  float64 `json:"sway_mm"`
	Heave float64 `json:"heave_mm"`
	Roll  float64 `json:"roll_deg"`
	Pitch float64 `json:"pitch_deg"`
	Yaw   float64 `json:"yaw_deg"`
	Slide float64 `json:"slide_mm"`
	Belt  float64 `json:"belt"`
}

func placed(p *frame.Pose) *Placed {
	for _, v := range p {
		if math.IsNaN(v) {
			return nil
		}
	}
	return &Placed{1000 * p[frame.Surge], 1000 * p[frame.Sway], 1000 * p[frame.Heave],
		degrees * p[frame.Roll], degrees * p[frame.Pitch], degrees * p[frame.Yaw], 1000 * p[frame.Slide], p[frame.Belt]}
}

// Describe puts f into the units of people.
func (w *Motion) Describe(f *frame.Frame) MotionNow {
	m := &f.Motion
	now := MotionNow{
		Tick: f.Tick, State: StateName(f.State), Frozen: frozen(f), Platform: MotionState(m.State), Actuators: []LegNow{},
		Asked: placed(&f.Pose), Measured: placed(&m.Measured), Scale: m.Scale, Share: m.Share,
		Rate: m.Rate, LineShare: m.LineShare, Latency: latencyOf(m), Warnings: m.Warnings,
	}
	now.Faults = FaultNames(m.Faults)
	for i := range w.legs(f) {
		now.Actuators = append(now.Actuators, LegNow{w.name(i), Known(m.Demand[i]), Known(f.LegsFeedback[i]), Known(m.FollowError[i]), Known(m.Temperature[i])})
	}
	return now
}
