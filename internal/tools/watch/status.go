// Package watch describes what a running rig and the input devices do, as text for people and as values
// for scripts. Its inputs are published frames, the platform's status, and events of input devices; its
// outputs are lines of text, structs for JSON, names, and remedies for faults. It only reads: it never
// writes to a device and never grabs one.
package watch

import (
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
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
	return fmt.Sprintf("%-9s %5.1f s  %s  gear %s  %s%s%srim %s %+5.2f N·m%s%s  platform roll %+5.1f° pitch %+5.1f°  missed %d%s%s",
		StateName(f.State), float64(f.Tick)/1000, speedText(f, 1), gearText(f), lapText(f), tankText(f), assistText(f),
		torqueBar(f.RimTorque, f.RatedTorque), f.RimTorque, clip, gain, f.Pose[3]*degrees, f.Pose[4]*degrees, f.Missed, picturesText(&f.Display), soundText(&f.Sound))
}

// picturesText returns how evenly the rig's window shows pictures, or "" without a window.
func picturesText(d *frame.Display) string {
	if d.P50 == 0 {
		return ""
	}
	return fmt.Sprintf("  pictures %.1f ms (p99 %.1f) dropped %d age %.0f ms", d.P50*1e3, d.P99*1e3, d.Dropped, d.Age*1e3)
}

// soundText returns how late the sound is, or "" where nothing plays.
func soundText(s *frame.Sound) string {
	if s.Devices == 0 {
		return ""
	}
	return fmt.Sprintf("  sound %.0f ms underruns %d", s.Latency*1e3, s.Underruns)
}

// SoundNow is how the sound devices play.
type SoundNow struct {
	Devices   uint64  `json:"devices"`
	Latency   float64 `json:"latency_ms"` // from a tick to the moment when its sound leaves the computer
	Underruns uint64  `json:"underruns"`  // times that a device ran out of samples
}

// Sound converts figures to milliseconds. It returns nil where nothing plays.
func Sound(s *frame.Sound) *SoundNow {
	if s.Devices == 0 {
		return nil
	}
	return &SoundNow{s.Devices, s.Latency * 1e3, s.Underruns}
}

// PicturesNow is how evenly the rig's window shows pictures.
type PicturesNow struct {
	Refresh float64 `json:"refresh_hz"`   // 0 if unknown
	P50     float64 `json:"frame_ms_p50"` // of the last some seconds
	P99     float64 `json:"frame_ms_p99"`
	RunP50  float64 `json:"run_frame_ms_p50"` // since the window opened
	RunP99  float64 `json:"run_frame_ms_p99"`
	Dropped uint64  `json:"dropped"`      // refreshes without a new picture since the window opened
	Age     float64 `json:"state_age_ms"` // of the car's state when its picture was shown, before it is extrapolated
}

// Pictures converts figures to milliseconds. It returns nil without a window.
func Pictures(d *frame.Display) *PicturesNow {
	if d.P50 == 0 {
		return nil
	}
	return &PicturesNow{d.Refresh, d.P50 * 1e3, d.P99 * 1e3, d.RunP50 * 1e3, d.RunP99 * 1e3, d.Dropped, d.Age * 1e3}
}

// isFrozen reports whether the car's simulation is not stepped. The car then keeps its last speed.
func isFrozen(f *frame.Frame) bool { return !guard.State(f.State).Moves() }

// speedText returns the car's speed [km/h] with that many decimals, marked if the simulation is frozen.
func speedText(f *frame.Frame, decimals int) string {
	text := fmt.Sprintf("%*.*f km/h", 3+2*decimals, decimals, f.Speed*3.6)
	if isFrozen(f) && f.Speed != 0 {
		text += " (frozen)"
	}
	return text
}

// tankText returns the remaining fuel or charge, and whether the engine is off.
func tankText(f *frame.Frame) (text string) {
	if f.Flags&frame.EngineRunning == 0 {
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

// assistText returns the driving aids that are on, with their levels. An exclamation mark means that it
// intervenes.
func assistText(f *frame.Frame) string {
	var b strings.Builder
	for _, a := range assists(f) {
		if a.Level == 0 {
			continue
		}
		b.WriteString(a.short)
		if !a.onOff {
			fmt.Fprintf(&b, " %d", a.Level)
		}
		if a.Active {
			b.WriteString("!")
		}
		b.WriteString("  ")
	}
	if f.GripLoss > 0 {
		fmt.Fprintf(&b, "RAIN -%.0f %%  ", 100*f.GripLoss)
	}
	return b.String()
}

// gearText returns the gear, and A (automatic) or M (manual) for who changes gears.
func gearText(f *frame.Frame) string {
	if f.Flags&frame.AutoGears != 0 {
		return frame.GearName(f.Gear) + " A"
	}
	return frame.GearName(f.Gear) + " M"
}

// torqueBar returns a bar of 13 cells for a torque and its limit [N·m]; torque to the left grows to the
// left.
func torqueBar(torque, rated float64) string {
	const halfWidth = 6
	n := 0
	if rated > 0 && !math.IsNaN(torque) {
		n = int(math.Round(math.Max(-1, math.Min(1, torque/rated)) * halfWidth))
	}
	left, right := max(n, 0), max(-n, 0)
	return "[" + strings.Repeat(" ", halfWidth-left) + strings.Repeat("█", left) + "|" +
		strings.Repeat("█", right) + strings.Repeat(" ", halfWidth-right) + "]"
}

// StatusNow is a frame as JSON for scripts; the keys name the units.
type StatusNow struct {
	Tick          uint64     `json:"tick"`
	State         string     `json:"state"`
	Speed         float64    `json:"speed_kph"`
	Frozen        bool       `json:"frozen"` // the simulation is not stepped: speed and position are those at which it stopped
	Gear          int64      `json:"gear"`
	RPM           float64    `json:"rpm"`
	Steer         float64    `json:"steer_deg"`
	Throttle      float64    `json:"throttle"`
	Brake         float64    `json:"brake"`
	Clutch        float64    `json:"clutch"`
	Handbrake     float64    `json:"handbrake"`
	Engine        bool       `json:"engine_runs"`
	AutoClutch    bool       `json:"automatic_clutch"`
	AutoGears     bool       `json:"automatic_shifting"`
	Fuel          *float64   `json:"fuel_l"` // null without a tank
	Charge        *float64   `json:"charge"` // fill level of tank or battery, 0..1
	ABS           Assist     `json:"abs"`
	Traction      Assist     `json:"traction"`
	Stability     Assist     `json:"stability"`
	Launch        Assist     `json:"launch"`
	Pit           Assist     `json:"pit_limiter"`
	GripLoss      float64    `json:"rain_grip_loss"` // fraction of the grip lost to rain, 0..1
	BrakePulse    float64    `json:"brake_pulse"`
	RimTorque     float64    `json:"rim_torque_nm"`
	Clipping      bool       `json:"clipping"`
	Gain          float64    `json:"ffb_gain"`
	Force         ForceNow   `json:"force"`
	Paused        bool       `json:"paused"`
	OrderedBy     string     `json:"ordered_by,omitempty"` // whose order led to the stop or the pause that is in effect
	PlatformRoll  float64    `json:"platform_roll_deg"`
	PlatformPitch float64    `json:"platform_pitch_deg"`
	Position      [3]float64 `json:"position_m"`
	Wheel         bool       `json:"wheel_present"`
	Pedals        bool       `json:"pedals_present"`
	Platform      bool       `json:"platform_present"`
	PlatformState string     `json:"platform_state"`
	Faults        string     `json:"platform_faults"` // "" for none
	Interlock     bool       `json:"belt_or_door"`    // a belt or a door is open, or was open and the operator has not confirmed since
	WaitsFor      string     `json:"waits_for"`       // what blocks the drive until the operator confirms, "" for nothing
	Lap           LapNow     `json:"lap"`
	MotionShare   float64    `json:"motion_share"` // fraction of the motion that the guard lets pass, 0..1
	Missed        uint64     `json:"missed"`
	Dropped       uint64     `json:"dropped"`
	LateMax       float64    `json:"late_max_ms"`  // latest wake-up of the loop so far
	TickCost      float64    `json:"tick_cost_ms"` // duration of the last tick

	Pictures *PicturesNow `json:"pictures"` // null without a window
	Sound    *SoundNow    `json:"sound"`    // null where nothing plays
}

// Assist is the state of a driving aid.
type Assist struct {
	Level  uint64 `json:"level"` // 0 is off
	Active bool   `json:"works"` // it intervenes now

	short string // abbreviation on screens
	onOff bool   // it has no levels, only on and off
}

// assists returns ABS, traction control, stability control, launch control and pit limiter, in this order.
func assists(f *frame.Frame) [5]Assist {
	has := func(bit uint64) bool { return f.Flags&bit != 0 }
	on := func(bit uint64) uint64 {
		if has(bit) {
			return 1
		}
		return 0
	}
	return [...]Assist{
		{f.ABS, has(frame.ABSActive), "ABS", false},
		{f.Traction, has(frame.TractionActive), "TC", false},
		{f.Stability, has(frame.StabilityActive), "ESC", false},
		{on(frame.LaunchOn), has(frame.LaunchActive), "LAUNCH", true},
		{on(frame.PitLimiterOn), has(frame.PitLimiterActive), "PIT", true},
	}
}

// NumberOrNull returns a pointer to v, or nil if v is NaN, which JSON cannot express.
func NumberOrNull(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// confirmReason returns what blocks a drive until the operator confirms, or "".
func confirmReason(f *frame.Frame) string {
	switch {
	case f.Flags&frame.ConfirmInterlock != 0:
		return "belt or door"
	case f.Flags&frame.ConfirmWindowLost != 0:
		return "window"
	case f.Flags&frame.ConfirmAfterGap != 0:
		return "confirmation after a gap"
	case f.Flags&frame.ConfirmPlatform != 0:
		return "platform"
	}
	return ""
}

// orderedBy returns whose order led to the stop or the pause that is in effect, or "".
func orderedBy(f *frame.Frame) string {
	if f.State != uint64(guard.Stopped) && f.Flags&frame.Paused == 0 || f.By == uint64(guard.Nobody) {
		return ""
	}
	return guard.Origin(f.By).String()
}

// Status converts a frame to km/h, degrees and null for unknown values.
func Status(f *frame.Frame) StatusNow {
	a := assists(f)
	return StatusNow{
		Tick: f.Tick, State: StateName(f.State), Speed: f.Speed * 3.6, Frozen: isFrozen(f), Gear: f.Gear, RPM: f.RPM,
		Steer: f.Steer * degrees, Throttle: f.Throttle, Brake: f.Brake, Clutch: f.Clutch, Handbrake: f.Handbrake,
		Engine: f.Flags&frame.EngineRunning != 0, AutoClutch: f.Flags&frame.AutoClutch != 0, AutoGears: f.Flags&frame.AutoGears != 0,
		Fuel: NumberOrNull(f.Fuel), Charge: NumberOrNull(f.Charge),
		ABS: a[0], Traction: a[1], Stability: a[2], Launch: a[3], Pit: a[4], GripLoss: f.GripLoss, BrakePulse: f.BrakePulse,
		RimTorque: f.RimTorque, Clipping: f.Flags&frame.Clipping != 0, Gain: f.Gain, Force: forceNow(f), Paused: f.Flags&frame.Paused != 0, OrderedBy: orderedBy(f),
		PlatformRoll: f.Pose[3] * degrees, PlatformPitch: f.Pose[4] * degrees, Position: f.Pos,
		Wheel: f.Flags&frame.WheelPresent != 0, Pedals: f.Flags&frame.PedalsPresent != 0, Platform: f.Flags&frame.PlatformPresent != 0,
		PlatformState: MotionState(f.Motion.State), Faults: FaultNames(f.Motion.Faults), Interlock: f.Flags&frame.ConfirmInterlock != 0, WaitsFor: confirmReason(f),
		Lap: lapNow(f), MotionShare: f.Motion.GuardShare, Missed: f.Missed, Dropped: f.Dropped, LateMax: f.LateMax * 1e3, TickCost: f.TickCost * 1e3, Pictures: Pictures(&f.Display), Sound: Sound(&f.Sound),
	}
}

// StateName returns the name of a frame's safety state.
func StateName(code uint64) string { return guard.State(code).String() }
