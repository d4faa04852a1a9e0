// Package watch puts what a rig does, and what its input devices do, into lines for people and
// values for scripts. In go frames, which a running rig publishes, the platform's status, and events
// of input devices; out come texts, structs for JSON, names and remedies. It changes nothing: no
// device is written to, and none is taken from who uses it.
package watch

import (
	"fmt"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/printable"
)

const degrees = 180 / math.Pi

// StatusLine returns a frame in one line for a terminal.
func StatusLine(f *frame.Frame) string {
	clip, gain := "", ""
	if f.Flags&frame.GainChanged != 0 {
		gain = fmt.Sprintf(" FFB %.0f %%", 100*f.Gain)
	}
	if f.Flags&frame.Clipping != 0 {
		clip = " CLIP"
	}
	return fmt.Sprintf("%-9s %5.1f s  %s  gear %s  %s%s%srim %s %+5.2f N·m%s%s  platform roll %+5.1f° pitch %+5.1f°  missed %d",
		StateName(f.State), float64(f.Tick)/1000, speedText(f, 1), gearText(f), lapText(f), tankText(f), assistText(f),
		torqueBar(f.RimTorque, f.RatedTorque), f.RimTorque, clip, gain, f.Pose[3]*degrees, f.Pose[4]*degrees, f.Missed)
}

// frozen reports whether the car's simulation is not stepped: it keeps the speed that it had.
func frozen(f *frame.Frame) bool { return !guard.State(f.State).Moves() }

// speedText is the car's speed with so many decimals, and that it is not driven.
func speedText(f *frame.Frame, decimals int) string {
	text := fmt.Sprintf("%*.*f km/h", 3+2*decimals, decimals, f.Speed*3.6)
	if frozen(f) && f.Speed != 0 {
		text += " (frozen)"
	}
	return text
}

// tankText tells what is left to drive with, and that the engine does not run.
func tankText(f *frame.Frame) (text string) {
	if f.Flags&frame.EngineRuns == 0 {
		text = "ENGINE OFF  "
	}
	switch {
	case math.IsNaN(f.Charge):
		return text
	case math.IsNaN(f.Fuel):
		return text + fmt.Sprintf("%.0f %%  ", 100*f.Charge)
	}
	return text + fmt.Sprintf("%.1f L  ", f.Fuel)
}

// assistText names the assists that are on; one that works has an exclamation mark.
func assistText(f *frame.Frame) string {
	var b strings.Builder
	for _, a := range assistsOf(f) {
		if a.Level == 0 {
			continue
		}
		b.WriteString(a.short)
		if !a.flip {
			fmt.Fprintf(&b, " %d", a.Level)
		}
		if a.Works {
			b.WriteString("!")
		}
		b.WriteString("  ")
	}
	if f.Damp > 0 {
		fmt.Fprintf(&b, "RAIN -%.0f %%  ", 100*f.Damp)
	}
	return b.String()
}

// Fit cuts a line to the width of the terminal it goes to, and leaves it no control characters.
func Fit(line string, terminal *os.File) string {
	line = printable.Line(line)
	width, _, err := term.GetSize(int(terminal.Fd()))
	if runes := []rune(line); err == nil && len(runes) >= width && width > 0 {
		return string(runes[:width-1])
	}
	return line
}

// gearText is the gear, and who changes it.
func gearText(f *frame.Frame) string {
	if f.Flags&frame.AutoGears != 0 {
		return frame.GearName(f.Gear) + " A"
	}
	return frame.GearName(f.Gear) + " M"
}

// torqueBar draws a torque to the left grow to the left.
func torqueBar(torque, rated float64) string {
	const half = 6
	n := 0
	if rated > 0 && !math.IsNaN(torque) {
		n = int(math.Round(math.Max(-1, math.Min(1, torque/rated)) * half))
	}
	left, right := max(n, 0), max(-n, 0)
	return "[" + strings.Repeat(" ", half-left) + strings.Repeat("█", left) + "|" +
		strings.Repeat("█", right) + strings.Repeat(" ", half-right) + "]"
}

// Described is a frame for scripts, with units in the names.
type Described struct {
	Tick         uint64     `json:"tick"`
	State        string     `json:"state"`
	Speed        float64    `json:"speed_kph"`
	Frozen       bool       `json:"frozen"` // the simulation is not stepped: speed and place are those that it stopped at
	Gear         int64      `json:"gear"`
	RPM          float64    `json:"rpm"`
	Steer        float64    `json:"steer_deg"`
	Throttle     float64    `json:"throttle"`
	Brake        float64    `json:"brake"`
	Clutch       float64    `json:"clutch"`
	Handbrake    float64    `json:"handbrake"`
	Engine       bool       `json:"engine_runs"`
	AutoClutch   bool       `json:"automatic_clutch"`
	AutoGears    bool       `json:"automatic_shifting"`
	Fuel         *float64   `json:"fuel_l"` // null where there is no tank
	Charge       *float64   `json:"charge"` // of tank or battery, 0..1
	ABS          Helper     `json:"abs"`
	Traction     Helper     `json:"traction"`
	Stability    Helper     `json:"stability"`
	Launch       Helper     `json:"launch"`
	Pit          Helper     `json:"pit_limiter"`
	Damp         float64    `json:"rain_grip_loss"` // 0..1
	Pulse        float64    `json:"brake_pulse"`
	RimTorque    float64    `json:"rim_torque_nm"`
	Clipping     bool       `json:"clipping"`
	Gain         float64    `json:"ffb_gain"`
	Force        ForceNow   `json:"force"`
	Paused       bool       `json:"paused"`
	PlatformRoll float64    `json:"platform_roll_deg"`
	Pitch        float64    `json:"platform_pitch_deg"`
	Position     [3]float64 `json:"position_m"`
	Wheel        bool       `json:"wheel_present"`
	Pedals       bool       `json:"pedals_present"`
	Platform     bool       `json:"platform_present"`
	PlatformIs   string     `json:"platform_state"`
	Faults       string     `json:"platform_faults"` // "" for none
	Unbelted     bool       `json:"belt_or_door"`    // open, or not confirmed since
	Waits        string     `json:"waits_for"`       // what keeps the drive from going on until the operator confirms, "" for nothing
	Lap          LapNow     `json:"lap"`
	Missed       uint64     `json:"missed"`
	Dropped      uint64     `json:"dropped"`
}

// Helper is one of the assists.
type Helper struct {
	Level uint64 `json:"level"` // 0 off
	Works bool   `json:"works"` // in this moment

	short string // name
	flip  bool   // on or off, without levels
}

// assistsOf returns ABS, traction, stability, launch and pit, in this order.
func assistsOf(f *frame.Frame) [5]Helper {
	has := func(bit uint64) bool { return f.Flags&bit != 0 }
	on := func(bit uint64) uint64 {
		if has(bit) {
			return 1
		}
		return 0
	}
	return [...]Helper{
		{f.ABS, has(frame.ABSWorks), "ABS", false},
		{f.Traction, has(frame.TractionWorks), "TC", false},
		{f.Stability, has(frame.StabilityWorks), "ESC", false},
		{on(frame.LaunchOn), has(frame.LaunchWorks), "LAUNCH", true},
		{on(frame.PitOn), has(frame.PitWorks), "PIT", true},
	}
}

// Known returns v, or nil where it is NaN, for which JSON has no word.
func Known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// waitsFor names what keeps a drive from going on, "" for nothing.
func waitsFor(f *frame.Frame) string {
	switch {
	case f.Flags&frame.Unbelted != 0:
		return "belt or door"
	case f.Flags&frame.Blind != 0:
		return "window"
	case f.Flags&frame.Away != 0:
		return "confirmation after a gap"
	}
	return ""
}

// Describe returns a frame in the units of people.
func Describe(f *frame.Frame) Described {
	help := assistsOf(f)
	return Described{
		Tick: f.Tick, State: StateName(f.State), Speed: f.Speed * 3.6, Frozen: frozen(f), Gear: f.Gear, RPM: f.RPM,
		Steer: f.Steer * degrees, Throttle: f.Throttle, Brake: f.Brake, Clutch: f.Clutch, Handbrake: f.Hand,
		Engine: f.Flags&frame.EngineRuns != 0, AutoClutch: f.Flags&frame.AutoClutch != 0, AutoGears: f.Flags&frame.AutoGears != 0,
		Fuel: Known(f.Fuel), Charge: Known(f.Charge),
		ABS: help[0], Traction: help[1], Stability: help[2], Launch: help[3], Pit: help[4], Damp: f.Damp, Pulse: f.Pulse,
		RimTorque: f.RimTorque, Clipping: f.Flags&frame.Clipping != 0, Gain: f.Gain, Force: forceNow(f), Paused: f.Flags&frame.Paused != 0,
		PlatformRoll: f.Pose[3] * degrees, Pitch: f.Pose[4] * degrees, Position: f.Pos,
		Wheel: f.Flags&frame.WheelPresent != 0, Pedals: f.Flags&frame.PedalsPresent != 0, Platform: f.Flags&frame.PlatformPresent != 0,
		PlatformIs: MotionState(f.Motion.State), Faults: FaultNames(f.Motion.Faults), Unbelted: f.Flags&frame.Unbelted != 0, Waits: waitsFor(f),
		Lap: lapNow(f), Missed: f.Missed, Dropped: f.Dropped,
	}
}

// StateName returns the name of a frame's safety state.
func StateName(code uint64) string { return guard.State(code).String() }
