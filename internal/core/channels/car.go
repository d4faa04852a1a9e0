package channels

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/trial"
)

func chassisChannels() []Channel {
	return ofCar("chassis",
		row{"speed", "m/s", 2, "Ground Speed", "speed along the car's x axis, positive forward", func(p *Point) float64 { return p.State.Speed }},
		row{"position_x", "m", 2, "", "center of mass along the world's x axis", func(p *Point) float64 { return p.State.Pos.X }},
		row{"position_y", "m", 2, "", "center of mass along the world's y axis", func(p *Point) float64 { return p.State.Pos.Y }},
		row{"position_z", "m", 3, "", "center of mass along the world's z axis, positive up", func(p *Point) float64 { return p.State.Pos.Z }},
		row{"longitudinal_velocity", "m/s", 3, "", "velocity of the center of mass along the heading, horizontal", func(p *Point) float64 { return trial.MotionOf(p.State).Vx }},
		row{"lateral_velocity", "m/s", 3, "", "velocity of the center of mass to the left of the heading, horizontal", func(p *Point) float64 { return trial.MotionOf(p.State).Vy }},
		row{"vertical_velocity", "m/s", 3, "", "velocity of the center of mass, positive up", func(p *Point) float64 { return p.State.Vel.Z }},
		row{"longitudinal_acceleration", "m/s²", 3, "", "acceleration of the center of mass along the heading, horizontal, without gravity; negative in braking", func(p *Point) float64 { return trial.MotionOf(p.State).Ax }},
		row{"lateral_acceleration", "m/s²", 3, "", "acceleration of the center of mass to the left of the heading, horizontal, without gravity; positive in a left turn", func(p *Point) float64 { return trial.MotionOf(p.State).Ay }},
		row{"accelerometer_x", "m/s²", 3, "G Force Long", "reading of an accelerometer at the center of mass along the car's x axis, positive forward", func(p *Point) float64 { return p.State.SpecificForce.X }},
		row{"accelerometer_y", "m/s²", 3, "G Force Lat", "reading of an accelerometer at the center of mass along the car's y axis, positive to the left", func(p *Point) float64 { return p.State.SpecificForce.Y }},
		row{"accelerometer_z", "m/s²", 3, "G Force Vert", "reading of an accelerometer at the center of mass along the car's z axis, positive up; 9.81 at rest", func(p *Point) float64 { return p.State.SpecificForce.Z }},
		row{"roll_rate", "rad/s", 4, "Gyro Roll Velocity", "angular velocity about the car's x axis, positive when the right side goes down", func(p *Point) float64 { return p.State.Rate.X }},
		row{"pitch_rate", "rad/s", 4, "Gyro Pitch Velocity", "angular velocity about the car's y axis, positive when the nose goes down", func(p *Point) float64 { return p.State.Rate.Y }},
		row{"yaw_rate", "rad/s", 4, "Gyro Yaw Velocity", "angular velocity about the car's z axis, positive in a left turn", func(p *Point) float64 { return p.State.Rate.Z }},
		row{"roll_angle", "rad", 4, "", "roll angle, positive when the right side is down", func(p *Point) float64 { return p.State.Roll() }},
		row{"pitch_angle", "rad", 4, "", "pitch angle, positive when the nose is down", func(p *Point) float64 { return p.State.Pitch() }},
		row{"yaw_angle", "rad", 4, "", "heading, 0 along the world's x axis, positive to the left", func(p *Point) float64 { return p.State.Yaw() }},
		row{"sideslip_angle", "rad", 4, "", "sideslip angle of the center of mass, positive when it moves to the left; 0 below 0.1 m/s", sideslip},
		row{"impact_force", "N", 0, "", "force of ground and walls on the body and on wheels at full bump", func(p *Point) float64 { return r3.Norm(p.State.Impact.Force) }},
		row{"front_axle_shift", "m", 4, "", "displacement of a solid front axle on its lateral spring, positive to the left; 0 for other axles", func(p *Point) float64 { return p.State.Joints[0].Shift }},
		row{"rear_axle_shift", "m", 4, "", "displacement of a solid rear axle on its lateral spring, positive to the left; 0 for other axles", func(p *Point) float64 { return p.State.Joints[1].Shift }},
	)
}

// sideslip returns the sideslip angle of the center of mass [rad].
func sideslip(p *Point) float64 {
	const minSpeed = 0.1 // [m/s]
	m := trial.MotionOf(p.State)
	if math.Hypot(m.Vx, m.Vy) <= minSpeed {
		return 0
	}
	return math.Atan2(m.Vy, m.Vx)
}

func inputChannels() []Channel {
	return ofCar("input",
		row{"steering_wheel_angle", "rad", 4, "Steered Angle", "steering wheel angle of the car, positive to the left", func(p *Point) float64 { return p.Input.Steer }},
		row{"throttle", "", 3, "Throttle Pos", "throttle of the driver, 0 to 1", func(p *Point) float64 { return p.Input.Throttle }},
		row{"brake", "", 3, "Brake Pos", "brake of the driver, 0 to 1", func(p *Point) float64 { return p.Input.Brake }},
		row{"clutch", "", 3, "Clutch Pos", "clutch of the driver, 0 to 1; 1 is open", func(p *Point) float64 { return p.Input.Clutch }},
		row{"handbrake", "", 3, "", "handbrake of the driver, 0 to 1", func(p *Point) float64 { return p.Input.Handbrake }},
		row{"gear_selected", "", 0, "", "gear that the driver selects, -1 for reverse, 0 for neutral", func(p *Point) float64 { return float64(p.Input.Gear) }},
		row{"starter", "", 0, "", "1 while the starter turns the engine", func(p *Point) float64 { return bit(p.Input.Starter) }},
		row{"ignition", "", 0, "", "1 while the ignition is on", func(p *Point) float64 { return bit(!p.Input.IgnitionOff) }},
		row{"slipstream", "", 3, "", "share of the aerodynamic forces that the slipstream of a car ahead removes, 0 to 1", func(p *Point) float64 { return p.Input.Slipstream }},
		row{"push_force", "N", 1, "", "ideal force that a manoeuvre pushes the car with, along its heading", func(p *Point) float64 { return p.Input.PushForce }},
	)
}

func aeroChannels() []Channel {
	force := func(p *Point) r3.Vec {
		f, _ := p.Car.AirForce(p.State, p.Input.Slipstream)
		return f
	}
	moment := func(p *Point) r3.Vec {
		_, m := p.Car.AirForce(p.State, p.Input.Slipstream)
		return m
	}
	return ofCar("aero",
		row{"aero_drag", "N", 1, "", "force of the air on body and aerodynamic surfaces, against the car's x axis: positive backward", func(p *Point) float64 { return -force(p).X }},
		row{"aero_side_force", "N", 1, "", "force of the air along the car's y axis, positive to the left", func(p *Point) float64 { return force(p).Y }},
		row{"aero_lift", "N", 1, "", "force of the air along the car's z axis, positive up; downforce is negative", func(p *Point) float64 { return force(p).Z }},
		row{"aero_pitch_moment", "N·m", 1, "", "moment of the air about the center of mass, positive when it pushes the nose down", func(p *Point) float64 { return moment(p).Y }},
	)
}

func steeringChannels() []Channel {
	return ofCar("steering",
		row{"road_wheel_angle", "rad", 4, "", "mean angle of the front wheels from steering alone, without toe and bump steer, positive to the left", func(p *Point) float64 { return p.Car.RoadSteer(p.State.Steer) }},
		row{"rack_position", "m", 5, "", "position of the rack, positive where the wheels turn left", func(p *Point) float64 { return p.State.Steering.Position }},
		row{"rack_speed", "m/s", 4, "", "speed of the rack, filtered", func(p *Point) float64 { return p.State.Steering.Speed }},
		row{"rack_force", "N", 1, "", "force of the front tires along the rack, positive where the wheels turn left", func(p *Point) float64 { return p.State.Steering.TireForce }},
		row{"column_torque", "N·m", 3, "", "torque of front tires and rack at the car's steering wheel, after the power assist, positive to the left", func(p *Point) float64 { return p.State.ColumnTorque }},
		row{"steering_assist_torque", "N·m", 3, "", "part of the column torque by the power assist", func(p *Point) float64 { return p.State.Steering.Assist }},
		row{"end_stop_torque", "N·m", 3, "", "part of the column torque by the end stop of the rack; 0 within the lock", func(p *Point) float64 { return p.State.Steering.Stop }},
	)
}
