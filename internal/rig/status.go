package rig

import (
	"fmt"
	"math"
	"os"
	"strings"

	"golang.org/x/term"

	"rig/internal/frame"
)

const degrees = 180 / math.Pi

// StatusLine is a frame in one line for a terminal.
func StatusLine(f *frame.Frame) string {
	clip := ""
	if f.Flags&frame.Clipping != 0 {
		clip = " CLIP"
	}
	return fmt.Sprintf("%-9s %5.1f s  %5.1f km/h  gear %s  rim %s %+5.2f N·m%s  platform roll %+5.1f° pitch %+5.1f°  missed %d",
		StateName(f.State), float64(f.Tick)/1000, f.Speed*3.6, gearName(f.Gear), torqueBar(f.RimTorque, f.RatedTorque), f.RimTorque, clip,
		f.Pose[3]*degrees, f.Pose[4]*degrees, f.Missed)
}

// Fit cuts a line to the width of the terminal it goes to.
func Fit(line string, terminal *os.File) string {
	width, _, err := term.GetSize(int(terminal.Fd()))
	if runes := []rune(line); err == nil && len(runes) >= width && width > 0 {
		return string(runes[:width-1])
	}
	return line
}

func gearName(gear int64) string {
	switch {
	case gear < 0:
		return "R"
	case gear == 0:
		return "N"
	}
	return fmt.Sprint(gear)
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
	Gear         int64      `json:"gear"`
	RPM          float64    `json:"rpm"`
	Steer        float64    `json:"steer_deg"`
	Throttle     float64    `json:"throttle"`
	Brake        float64    `json:"brake"`
	RimTorque    float64    `json:"rim_torque_nm"`
	Clipping     bool       `json:"clipping"`
	PlatformRoll float64    `json:"platform_roll_deg"`
	Pitch        float64    `json:"platform_pitch_deg"`
	Position     [3]float64 `json:"position_m"`
	Wheel        bool       `json:"wheel_present"`
	Pedals       bool       `json:"pedals_present"`
	Platform     bool       `json:"platform_present"`
	Missed       uint64     `json:"missed"`
	Dropped      uint64     `json:"dropped"`
}

// Describe puts a frame into the units of people.
func Describe(f *frame.Frame) Described {
	return Described{
		Tick: f.Tick, State: StateName(f.State), Speed: f.Speed * 3.6, Gear: f.Gear, RPM: f.RPM,
		Steer: f.Steer * degrees, Throttle: f.Throttle, Brake: f.Brake,
		RimTorque: f.RimTorque, Clipping: f.Flags&frame.Clipping != 0,
		PlatformRoll: f.Pose[3] * degrees, Pitch: f.Pose[4] * degrees, Position: f.Pos,
		Wheel: f.Flags&frame.WheelPresent != 0, Pedals: f.Flags&frame.PedalsPresent != 0, Platform: f.Flags&frame.PlatformPresent != 0,
		Missed: f.Missed, Dropped: f.Dropped,
	}
}
