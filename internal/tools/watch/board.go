package watch

import (
	"fmt"
	"math"
	"strings"
	"time"

	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/console"
)

// Board shows a drive in several lines for a terminal.
type Board struct {
	Trends bool // show the course of the last seconds too

	ticks    rate
	speed    trend // [km/h]
	torque   trend // magnitude at the rim [N·m]
	roll     trend // of the platform [°]
	pitch    trend // of the platform [°]
	missed   trend // periods of the loop, each second
	pictures trend // of the rig's own window, each second

	before counts // of the newest frame so far
	seen   bool   // there was one
}

// counts are what a frame counts.
type counts struct{ missed, pictures uint64 }

// Words are what a board says that is not in a frame.
type Words struct {
	Cause  string // why the rig came into its state, "" if unknown
	Notice string // what is wrong and what to do, "" for nothing
	Hint   string // what the reader can do, shown where there is no notice
	Laps   Laps   // that are to be driven
}

// Add takes the newest frame: at is the time on any clock that never goes back, ticks how many frames the loop has
// published so far.
func (b *Board) Add(at time.Duration, ticks uint64, f *frame.Frame) {
	b.ticks.add(at, ticks)
	if ticks == 0 {
		return
	}
	second := int64(at / time.Second)
	b.speed.peak(second, f.Speed*3.6)
	b.torque.peak(second, magnitude(f.RimTorque))
	b.roll.peak(second, f.Pose[frame.Roll]*degrees)
	b.pitch.peak(second, f.Pose[frame.Pitch]*degrees)
	if b.seen {
		b.missed.sum(second, float64(f.Missed-min(b.before.missed, f.Missed)))
		b.pictures.sum(second, float64(f.Pictures-min(b.before.pictures, f.Pictures)))
	}
	b.before, b.seen = counts{f.Missed, f.Pictures}, true
}

const labelColumns = 10

// Lines returns a frame as lines for a terminal of that size, or as one line where the terminal is too small.
func (b *Board) Lines(f *frame.Frame, w Words, columns, rows int) []console.Line {
	const leastColumns = 60
	room := rows - 1 // the cursor is below
	if columns >= leastColumns {
		for _, trends := range []bool{b.Trends, false} {
			if lines := b.lines(f, w, columns-1, trends); len(lines) <= room {
				return lines
			}
		}
	}
	return []console.Line{{Text: StatusLine(f) + " " + w.Notice, Tone: stateTone(f)}}
}

// lines returns the lines, each at most width columns wide.
func (b *Board) lines(f *frame.Frame, w Words, width int, trends bool) []console.Line {
	var lines []console.Line
	add := func(label string, tone console.Tone, parts ...string) {
		lines = append(lines, console.Line{Text: row(label, width, parts), Tone: tone})
	}
	trend := func(label, value string, c *trend, s scale) {
		if trends {
			lines = append(lines, console.Line{Text: trendRow(label, value, c, s, width)})
		}
	}
	add("state", stateTone(f), stateParts(f, w.Cause)...)
	if f.Follow.On == 1 {
		add("game", console.Plain, gameParts(f)...)
	} else {
		trend("speed", speedText(f, 1), &b.speed, scale{unit: "km/h", least: 50, step: 50})
		add(either(trends, "car", "speed"), console.Plain, carParts(f, trends)...)
		add("lap", console.Plain, lapParts(f, &w.Laps)...)
		trend("rim", torqueText(f.RimTorque), &b.torque, scale{unit: "N·m", least: math.Max(f.RatedTorque, 1), step: 1})
		add("force", forceTone(f), forceParts(f, trends)...)
	}
	add("platform", platformTone(f), platformParts(f, trends)...)
	trend("roll", angleText(f.Pose[frame.Roll]), &b.roll, scale{unit: "°", least: 1, step: 1, signed: true})
	trend("pitch", angleText(f.Pose[frame.Pitch]), &b.pitch, scale{unit: "°", least: 1, step: 1, signed: true})
	add("loop", loopTone(f), b.loopParts(f)...)
	trend("missed", fmt.Sprintf("%d periods", f.Missed), &b.missed, scale{unit: "/s", least: 10, step: 10})
	if f.Display.P50 > 0 || f.Sound.Devices > 0 {
		add("window", console.Plain, windowParts(f)...)
	}
	if f.Display.P50 > 0 {
		trend("pictures", fmt.Sprintf("%.0f /s", 1/f.Display.P50), &b.pictures, scale{unit: "/s", least: 60, step: 60})
	}
	return append(lines, nextLines(f, w, width)...)
}

func either(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// row returns a label and as many of the parts as fit; the most important come first.
func row(label string, width int, parts []string) string {
	text := fmt.Sprintf("%-*s", labelColumns, label)
	for i, p := range parts {
		if i > 0 {
			p = "   " + p
		}
		if p == "" || i > 0 && console.Width(text+p) > width {
			continue
		}
		text += p
	}
	return console.Cut(strings.TrimRight(text, " "), width)
}

// nextLines returns the notice, or the hint, in up to three lines.
func nextLines(f *frame.Frame, w Words, width int) (lines []console.Line) {
	const most = 3
	text, tone := w.Notice, console.Warning
	switch {
	case text == "":
		text, tone = w.Hint, console.Plain
	case stateTone(f) == console.Failure:
		tone = console.Failure
	}
	wrapped := console.Wrap(text, width-labelColumns)
	for i, l := range wrapped[:min(len(wrapped), most)] {
		lines = append(lines, console.Line{Text: row(either(i == 0, "next", ""), width, []string{l}), Tone: tone})
	}
	return lines
}

// stateTone returns how urgent the rig's state is.
func stateTone(f *frame.Frame) console.Tone {
	switch s := guard.State(f.State); {
	case s == guard.Fault, s == guard.Stopped:
		return console.Failure
	case confirmReason(f) != "", f.Flags&frame.Paused != 0:
		return console.Warning
	}
	return console.Title
}

func stateParts(f *frame.Frame, cause string) []string {
	parts := []string{StateName(f.State)}
	if f.Flags&frame.Paused != 0 {
		parts[0] += ", paused"
	}
	if reason := confirmReason(f); reason != "" {
		parts = append(parts, "waits: "+reason)
	}
	if cause != "" {
		parts = append(parts, "cause: "+cause)
	}
	parts = append(parts, "driven "+frame.FormatTime(float64(f.Tick)/1000, 1))
	switch {
	case f.Follow.On == 1:
	case f.Flags&frame.KeysDrive != 0:
		parts = append(parts, "the keyboard drives")
	case f.Flags&frame.Demo != 0:
		parts = append(parts, "the driver model drives")
	}
	if f.Recorder.On == 1 {
		parts = append(parts, fmt.Sprintf("recording %.1f MB", float64(f.Recorder.Bytes)/1e6))
	}
	return parts
}

// gameParts tells of the other simulator that is followed.
func gameParts(f *frame.Frame) []string {
	g := &f.Follow
	return []string{follow.Status(g.Status).String(), speedText(f, 0), fmt.Sprintf("%.0f packets/s", g.PacketRate), fmt.Sprintf("lost %d of %d", g.Lost, g.Packets),
		fmt.Sprintf("%.0f ms late", g.Delay*1e3), "signs confirmed " + percent(g.Trusted)}
}

// carParts tells of engine, gears and helpers; with the pedals where the speed has a row of its own.
func carParts(f *frame.Frame, pedals bool) (parts []string) {
	if !pedals {
		parts = append(parts, speedText(f, 1))
	}
	parts = append(parts, fmt.Sprintf("gear %s %s", frame.GearName(f.Gear), either(f.Flags&frame.AutoGears != 0, "automatic", "manual")), fmt.Sprintf("%.0f rpm", f.RPM))
	for _, text := range strings.Split(tankText(f)+assistText(f), "  ") {
		if text != "" {
			parts = append(parts, text)
		}
	}
	if pedals {
		parts = append(parts, "throttle "+percent(f.Throttle), "brake "+percent(f.Brake), "clutch "+percent(f.Clutch))
	}
	return parts
}

func lapParts(f *frame.Frame, laps *Laps) (parts []string) {
	l := &f.Lap
	if laps.Limit > 0 {
		parts = append(parts, laps.bar(f))
	}
	if l.Number == 0 {
		parts = append(parts, "before the start line")
	} else {
		parts = append(parts, laps.number(f), frame.FormatTime(l.Time, 1)+either(f.Flags&frame.LapInvalid != 0, " does not count", ""))
	}
	parts = append(parts, lapWarnings(f)...)
	if l.Last > 0 {
		parts = append(parts, "last "+frame.FormatTime(l.Last, 3))
	}
	if l.Best > 0 {
		parts = append(parts, "best "+frame.FormatTime(l.Best, 3))
	}
	if l.Number > 0 && !math.IsNaN(l.Delta) {
		parts = append(parts, fmt.Sprintf("delta %+.2f s", l.Delta))
	}
	return parts
}

// torqueText returns a torque [N·m] with its direction in words.
func torqueText(torque float64) string {
	const least = 0.005
	text := fmt.Sprintf("%.2f N·m", math.Abs(torque))
	switch {
	case torque >= least:
		return text + " left"
	case torque <= -least:
		return text + " right"
	}
	return text
}

func forceTone(f *frame.Frame) console.Tone {
	if f.Flags&frame.Clipping != 0 || f.Force.Clipped > frame.ClippingWarning {
		return console.Warning
	}
	return console.Plain
}

// forceParts tells of the force at the rim; short leaves out what has a row of its own.
func forceParts(f *frame.Frame, short bool) (parts []string) {
	share := math.NaN()
	if f.RatedTorque > 0 {
		share = magnitude(f.RimTorque) / f.RatedTorque
	}
	if !short {
		parts = append(parts, torqueBar(f.RimTorque, f.RatedTorque)+" "+torqueText(f.RimTorque))
	}
	parts = append(parts, fmt.Sprintf("%s of %.1f N·m", percent(share), f.RatedTorque),
		fmt.Sprintf("clipped %.1f %%%s", 100*f.Force.Clipped, either(f.Flags&frame.Clipping != 0, " CLIP", "")))
	if f.Flags&frame.TorqueLimited != 0 {
		parts = append(parts, "limited until you consent")
	}
	return append(parts, "gain "+percent(f.Gain), "hands on "+percent(f.Force.HandsOn))
}

func platformTone(f *frame.Frame) console.Tone {
	if f.Motion.Faults != 0 {
		return console.Failure
	}
	return console.Plain
}

// angleText returns an angle of the platform [rad] in degrees.
func angleText(angle float64) string { return textOrDash("%+.1f°", angle*degrees) }

func platformParts(f *frame.Frame, short bool) []string {
	m := &f.Motion
	parts := []string{MotionState(m.State) + faultsText(m.Faults), "motion " + either(f.Flags&frame.MotionOff != 0, "off", percent(m.GuardShare))}
	if !short {
		parts = append(parts, "roll "+angleText(f.Pose[frame.Roll]), "pitch "+angleText(f.Pose[frame.Pitch]))
	}
	if m.Scale > 0 && m.Scale < 1 {
		parts = append(parts, "reduced to "+percent(m.Scale))
	}
	if m.Limits != 0 {
		parts = append(parts, "at its limit: "+strings.Join(limitNames(m.Limits), ", "))
	}
	if m.Rate > 0 {
		parts = append(parts, fmt.Sprintf("%.0f targets/s", m.Rate))
	}
	return parts
}

func loopTone(f *frame.Frame) console.Tone {
	if f.Dropped > 0 {
		return console.Warning
	}
	return console.Plain
}

func (b *Board) loopParts(f *frame.Frame) []string {
	return []string{textOrDash("%.0f ticks/s", b.ticks.perSecond()), fmt.Sprintf("late %.2f ms at most", f.LateMax*1e3), fmt.Sprintf("missed %d", f.Missed), fmt.Sprintf("dropped %d", f.Dropped),
		fmt.Sprintf("a tick takes %.2f ms", f.TickCost*1e3)}
}

func windowParts(f *frame.Frame) (parts []string) {
	if d := &f.Display; d.P50 > 0 {
		parts = append(parts, fmt.Sprintf("%.0f pictures/s", 1/d.P50), fmt.Sprintf("%.1f ms (p99 %.1f)", d.P50*1e3, d.P99*1e3), fmt.Sprintf("dropped %d", d.Dropped), fmt.Sprintf("age %.0f ms", d.Age*1e3))
	}
	if s := &f.Sound; s.Devices > 0 {
		parts = append(parts, fmt.Sprintf("sound %.0f ms late", s.Latency*1e3), fmt.Sprintf("underruns %d", s.Underruns))
	}
	return parts
}
