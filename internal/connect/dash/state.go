package dash

import (
	"encoding/json"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
	"rig.example/rig/internal/kit/valid"
)

// What GET /state and each message say: SI units and the signs of a frame, unless the key names another unit. A number that
// is not known is null. The frames are those that the rig has published so far, the age is the time since the newest came, the
// failure the error with which the rig ended, the notice a message to the driver.
const stateKeys = "!frames !age_s !ended !failure !notice"

// stateDigits are the digits of a number.
const stateDigits = 6

var (
	stateWithoutFrame = shown.NewObject[frame.Frame](stateKeys, stateDigits)

	// Ticks are steps of the simulation, 1000 a second; wheels front left, front right, rear left, rear right, whose slip is 1 at
	// the limit of grip; a pose is surge, sway, heave, roll, pitch, yaw, slide, belt; positions of actuators are shares of the
	// stroke; tuned is the share of its configured value that each gain, filter or limit has.
	stateOfFrame = shown.NewObject[frame.Frame](stateKeys+`
	ticks=car_ticks !state !flags
	car{
		speed_m_s=speed !gear rpm=engine_rpm steer_rad=steering_wheel_angle throttle brake clutch handbrake
		abs=abs_level traction=traction_level stability=stability_level fuel_l=fuel_in_tank charge boost=engine_boost grip_loss distance_m=distance
	}
	wheels[4]{
		tire_c=wheel_*_tire_surface_temperature pressure_pa=wheel_*_tire_pressure wear=wheel_*_tire_wear brake_c=wheel_*_brake_temperature
		load_n=wheel_*_load slip=wheel_*_normalized_slip
	}
	lap{
		number=lap_number count=laps_finished time_s=lap_time last_s=last_lap_time best_s=best_lap_time delta_s=lap_delta sector=lap_sector_index
		splits_s=lap_split_*[lap_sectors] last_splits_s=last_split_*[lap_sectors] best_sectors_s=best_sector_*[lap_sectors] pit_s=pit_time
	}
	force{
		rim_nm=rim_torque asked_nm=rim_torque_requested limit_nm=rim_torque_allowed own_effects_nm=own_effects_torque
		clipped=force_clipped gain=force_gain hands_on delay_s=reconstruction_delay
	}
	platform{
		state=!platform_state !faults pose=platform_* measured=platform_measured_*
		actuators[actuators]{
			target=actuator_*_demand feedback=actuator_*_feedback follow_error=actuator_*_follow_error temperature_c=actuator_*_temperature
		}
		scale=platform_scale guard_share=platform_fade rate_hz=platform_target_rate line_share=platform_line_share latency_s=platform_latency warnings=platform_warnings
	}
	loop{ missed=missed_ticks dropped=dropped_ticks late_max_s=lateness_max tick_cost_s=tick_cost pictures }
	recorder{ on=recorder_on(bool) bytes=recorder_bytes missing=recorder_missing }
	!tuned`, stateDigits)
)

// encodeState returns the JSON object of the newest sample's state. The caller holds the lock.
func (h *hub) encodeState() []byte {
	failure, ended := h.source.Ended()
	own := map[string]any{"frames": h.seq, "age_s": (h.now - h.changed).Seconds(), "ended": ended, "failure": failure, "notice": h.source.Notice()}
	if !h.hasRead {
		return stateWithoutFrame.Append(nil, &h.frame, own)
	}
	f, m := &h.frame, &h.frame.Motion
	own["state"], own["platform_state"] = frame.Name(h.names.States, f.State), frame.Name(h.names.PlatformStates, m.State)
	own["flags"], own["gear"], own["tuned"] = setBits(f.Flags, frame.FlagNames[:]), frame.GearName(f.Gear), tunedOf(f, h.names.Tuned)
	faults := setBits(m.Faults, h.names.Faults)
	if m.Faults != 0 && len(faults) == 0 {
		faults = []string{h.names.FaultText(m.Faults)}
	}
	own["faults"] = faults
	return stateOfFrame.Append(nil, f, own)
}

// setBits returns the names of the bits that are set.
func setBits(bits uint64, names []string) []string {
	set := []string{}
	for i, name := range names {
		if bits>>i&1 == 1 {
			set = append(set, name)
		}
	}
	return set
}

// tunedOf returns the shares that are known, by name.
func tunedOf(f *frame.Frame, names []string) map[string]json.RawMessage {
	shares := map[string]json.RawMessage{}
	for i, name := range names[:min(len(names), frame.MaxTuned)] {
		if valid.Finite(f.Tuned[i]) {
			shares[name] = appendNumber(nil, f.Tuned[i], stateDigits)
		}
	}
	return shares
}
