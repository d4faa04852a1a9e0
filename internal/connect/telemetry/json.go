package telemetry

import (
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/shown"
)

// line is the JSON format. Units are in the names; axes and signs are those of ISO 8855: x forward, y to the left, z up. What is
// not known is null. Wheels are front left, front right, rear left, rear right.
var line = shown.NewObject[frame.Frame](`
	tick=car_ticks !time_s !car !track !state !driving speed_m_s=speed !gear engine_rpm engine_torque_nm=engine_torque
	throttle brake clutch handbrake steering_wheel_rad=steering_wheel_angle fuel_l=fuel_in_tank distance_m=distance
	position_m=position_* velocity_m_s=velocity_* acceleration_body_m_s2=acceleration_* angular_rate_body_rad_s=*_rate
	!angular_acceleration_body_rad_s2 !roll_rad !pitch_rad !yaw_rad
	wheels[4]{
		load_n=wheel_*_load slip_ratio=wheel_*_slip_ratio slip_angle_rad=wheel_*_slip_angle spin_rad_s=wheel_*_spin travel_m=wheel_*_travel
		longitudinal_force_n=wheel_*_longitudinal_force lateral_force_n=wheel_*_lateral_force
		tire_c=wheel_*_tire_surface_temperature brake_c=wheel_*_brake_temperature
	}
	lap{
		number=lap_number time_s=lap_time distance_m=lap_distance last_s=last_lap_time best_s=best_lap_time delta_s=lap_delta !valid
	}
	rim_torque_nm=rim_torque rim_torque_requested_nm=rim_torque_requested rim_torque_limit_nm=rim_torque_allowed clipping
	platform_pose=platform_*[6] platform_targets?=actuator_*_demand[actuators] abs_active traction_active stability_active paused`, -1)

// appendJSON appends a line of text.
func appendJSON(b []byte, s *Sample) []byte {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := angles(&a)
	return append(line.Append(b, f, map[string]any{
		"time_s": float64(f.Tick) / 1000, "car": s.Scene.CarName, "track": s.Scene.TrackName, "state": guard.State(f.State).String(), "driving": s.isDriving(),
		"gear": frame.GearName(f.Gear), "angular_acceleration_body_rad_s2": s.AngularAcceleration[:], "roll_rad": roll, "pitch_rad": pitch, "yaw_rad": yaw,
		"valid": f.Lap.Number > 0 && !s.has(frame.LapInvalid),
	}), '\n')
}
