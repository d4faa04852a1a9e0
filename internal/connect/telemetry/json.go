package telemetry

import (
	"encoding/json"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/valid"
)

// line is the JSON format. Units are in the names; axes and signs are those of ISO 8855: x forward, y to the left, z up. What is
// not known is null.
type line struct {
	Tick         uint64   `json:"tick"`
	Time         value    `json:"time_s"`
	Car          string   `json:"car"`
	Track        string   `json:"track"`
	State        string   `json:"state"`
	Driving      bool     `json:"driving"`
	Speed        value    `json:"speed_m_s"`
	Gear         string   `json:"gear"`
	EngineSpeed  value    `json:"engine_rpm"`
	EngineTorque value    `json:"engine_torque_nm"`
	Throttle     value    `json:"throttle"`
	Brake        value    `json:"brake"`
	Clutch       value    `json:"clutch"`
	Handbrake    value    `json:"handbrake"`
	Steer        value    `json:"steering_wheel_rad"`
	Fuel         value    `json:"fuel_l"`
	Distance     value    `json:"distance_m"`
	Position     [3]value `json:"position_m"`
	Velocity     [3]value `json:"velocity_m_s"`
	Acceleration [3]value `json:"acceleration_body_m_s2"`
	AngularRate  [3]value `json:"angular_rate_body_rad_s"`
	AngularAccel [3]value `json:"angular_acceleration_body_rad_s2"`
	Roll         value    `json:"roll_rad"`
	Pitch        value    `json:"pitch_rad"`
	Yaw          value    `json:"yaw_rad"`
	Wheels       [4]wheel `json:"wheels"`
	Lap          lap      `json:"lap"`
	RimTorque    value    `json:"rim_torque_nm"`
	AskedTorque  value    `json:"rim_torque_requested_nm"`
	RatedTorque  value    `json:"rim_torque_limit_nm"`
	Clipping     bool     `json:"clipping"`
	Pose         [6]value `json:"platform_pose"`
	Legs         []value  `json:"platform_targets"`
	ABS          bool     `json:"abs_active"`
	Traction     bool     `json:"traction_active"`
	Stability    bool     `json:"stability_active"`
	Paused       bool     `json:"paused"`
}

// wheel is a wheel of a line, front left first.
type wheel struct {
	Load        value `json:"load_n"`
	SlipRatio   value `json:"slip_ratio"`
	SlipAngle   value `json:"slip_angle_rad"`
	Spin        value `json:"spin_rad_s"`
	Travel      value `json:"travel_m"`
	Fx          value `json:"longitudinal_force_n"`
	Fy          value `json:"lateral_force_n"`
	Temperature value `json:"tire_c"`
	Brake       value `json:"brake_c"`
}

// lap is the lap of a line.
type lap struct {
	Number   uint64 `json:"number"`
	Time     value  `json:"time_s"`
	Distance value  `json:"distance_m"`
	Last     value  `json:"last_s"`
	Best     value  `json:"best_s"`
	Delta    value  `json:"delta_s"`
	Valid    bool   `json:"valid"`
}

// value is a number that becomes null if it is NaN or Inf.
type value float64

// MarshalJSON implements json.Marshaler.
func (v value) MarshalJSON() ([]byte, error) {
	if !valid.Finite(float64(v)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

func values(v [3]float64) [3]value { return [3]value{value(v[0]), value(v[1]), value(v[2])} }

// appendJSON appends a line of text.
func appendJSON(p *packet, s *Sample) {
	f, a := s.Frame, s.axes()
	roll, pitch, yaw := a.angles()
	l := line{
		Tick: f.Tick, Time: value(f.Tick) / 1000, Car: s.Scene.CarName, Track: s.Scene.TrackName, State: guard.State(f.State).String(), Driving: s.isDriving(),
		Speed: value(f.Speed), Gear: frame.GearName(f.Gear), EngineSpeed: value(f.RPM), EngineTorque: value(f.EngineTorque),
		Throttle: value(f.Throttle), Brake: value(f.Brake), Clutch: value(f.Clutch), Handbrake: value(f.Handbrake), Steer: value(f.Steer),
		Fuel: value(f.Fuel), Distance: value(f.Distance), Position: values(f.Pos), Velocity: values(f.Vel), Acceleration: values(f.Acc),
		AngularRate: values(f.Rate), AngularAccel: values(s.AngularAcceleration), Roll: value(roll), Pitch: value(pitch), Yaw: value(yaw),
		Lap: lap{f.Lap.Number, value(f.Lap.Time), value(f.Lap.Distance), value(f.Lap.Last), value(f.Lap.Best), value(f.Lap.Delta),
			f.Lap.Number > 0 && !s.has(frame.LapInvalid)},
		RimTorque: value(f.RimTorque), AskedTorque: value(f.AskedTorque), RatedTorque: value(f.RatedTorque), Clipping: s.has(frame.Clipping),
		ABS: s.has(frame.ABSActive), Traction: s.has(frame.TractionActive), Stability: s.has(frame.StabilityActive), Paused: s.has(frame.Paused),
	}
	for i := range f.Wheels {
		w := &f.Wheels[i]
		l.Wheels[i] = wheel{value(w.Load), value(w.SlipRatio), value(w.SlipAngle), value(w.Spin), value(w.Travel),
			value(w.LongitudinalForce), value(w.LateralForce), value(w.TireTemperature), value(w.BrakeTemperature)}
	}
	for i := range l.Pose {
		l.Pose[i] = value(f.Pose[i])
	}
	for _, leg := range f.Legs[:min(f.Motion.LegCount, frame.MaxLegs)] {
		l.Legs = append(l.Legs, value(leg))
	}
	text, err := json.Marshal(l)
	if err != nil { // cannot happen: all values have a text
		panic(err)
	}
	*p = append(append(*p, text...), '\n')
}
