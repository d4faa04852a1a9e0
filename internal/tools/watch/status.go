// Package watch describes what a running rig and the input devices do, as text for people and as values
// for scripts. Its inputs are published frames, the platform's status, and events of input devices; its
// outputs are lines of text, structs for JSON, names, and remedies for faults. It only reads: it never
// writes to a device and never grabs one.
package watch

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/shown"
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
	for _, a := range [...]struct {
		name          string
		level, active uint64 // 0 is off; flag that it intervenes
		onOff         bool   // it has no levels
	}{
		{"ABS", f.ABS, frame.ABSActive, false}, {"TC", f.Traction, frame.TractionActive, false}, {"ESC", f.Stability, frame.StabilityActive, false},
		{"LAUNCH", f.Flags & frame.LaunchOn, frame.LaunchActive, true}, {"PIT", f.Flags & frame.PitLimiterOn, frame.PitLimiterActive, true},
	} {
		if a.level == 0 {
			continue
		}
		b.WriteString(a.name)
		if !a.onOff {
			fmt.Fprintf(&b, " %d", a.level)
		}
		if f.Flags&a.active != 0 {
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

// status is a frame as JSON for scripts; the keys name the units. frozen means that the simulation is not stepped: speed and
// position are those at which it stopped. level 0 of an aid is off, works says that it intervenes now. ordered_by names whose
// order led to the stop or the pause that is in effect, if there is one, waits_for what blocks the drive until the operator confirms, "" for
// nothing. belt_or_door is open, or was open and the operator has not confirmed since. late_max_ms is the latest wake-up of
// the loop so far. What is not known is null: fuel without a tank, pictures without a window, sound where nothing plays, a
// session without one.
var status = shown.NewObject[frame.Frame](`
	tick=car_ticks !state speed_kph=speed(km/h) !frozen gear=gear_or_next rpm=engine_rpm steer_deg=steering_wheel_angle(deg) throttle brake clutch handbrake
	engine_runs=engine_running automatic_clutch=auto_clutch automatic_shifting=auto_gears fuel_l=fuel_in_tank charge
	abs{ level=abs_level works=abs_active } traction{ level=traction_level works=traction_active } stability{ level=stability_level works=stability_active }
	launch{ level=launch_on(bit) works=launch_active } pit_limiter{ level=pit_limiter_on(bit) works=pit_limiter_active }
	rain_grip_loss=grip_loss brake_pulse=brake_pedal_pulsation rim_torque_nm=rim_torque clipping ffb_gain=force_gain
	force{ `+stages+` } paused !ordered_by platform_roll_deg=platform_roll(deg) platform_pitch_deg=platform_pitch(deg) position_m=position_*
	wheel_present=wheel pedals_present=pedals platform_present=platform !platform_state !platform_faults belt_or_door=confirm_interlock !waits_for
	lap{
		number=lap_number count=laps_finished time_s=lap_time(s?) last_s=last_lap_time(s?) best_s=best_lap_time(s?) delta_s=lap_delta
		sectors_s=lap_split_*[lap_sector_index] !valid off_track wrong_way in_pit
	}
	motion_share=platform_fade missed=missed_ticks dropped=dropped_ticks late_max_ms=lateness_max(ms) tick_cost_ms=tick_cost(ms)
	pictures?picture_time_p50{
		refresh_hz=display_refresh frame_ms_p50=picture_time_p50(ms) frame_ms_p99=picture_time_p99(ms) run_frame_ms_p50=picture_time_run_p50(ms)
		run_frame_ms_p99=picture_time_run_p99(ms) dropped=pictures_dropped state_age_ms=picture_age(ms)
	}
	sound?sound_devices{ devices=sound_devices latency_ms=sound_latency(ms) underruns=sound_underruns } !session`, -1)

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

// Status returns a frame and what a session shows, nil without one, as JSON for scripts.
func Status(f *frame.Frame, others *frame.Others) json.RawMessage {
	own := map[string]any{
		"state": StateName(f.State), "frozen": isFrozen(f), "effects": effectsNow(f), "platform_state": MotionState(f.Motion.State),
		"platform_faults": FaultNames(f.Motion.Faults), "waits_for": confirmReason(f), "valid": f.Lap.Number > 0 && f.Flags&frame.LapInvalid == 0, "session": Session(others),
	}
	if by := orderedBy(f); by != "" {
		own["ordered_by"] = by
	}
	return status.Append(nil, f, own)
}

// StateName returns the name of a frame's safety state.
func StateName(code uint64) string { return guard.State(code).String() }
