package channels

import (
	"rig.example/rig/sim"
)

func drivelineChannels() []Channel {
	list := ofCar("driveline",
		row{"engine_speed", "rad/s", 1, "Engine RPM", "speed of the engine or motor", func(p *Point) float64 { return p.State.Driveline.EngineSpeed }},
		row{"engine_torque", "N·m", 1, "", "net torque at the crank, negative when the engine brakes", func(p *Point) float64 { return p.State.Driveline.Engine.Torque }},
		row{"engine_running", "", 0, "", "1 while the engine runs or the motor is switched on", func(p *Point) float64 { return bit(p.State.Driveline.Engine.Running) }},
		row{"engine_limiter_cut", "", 0, "", "1 while the rev limiter cuts the torque", func(p *Point) float64 { return bit(p.State.Driveline.Engine.LimiterCut) }},
		row{"engine_overrun_cut", "", 0, "", "1 while the fuel is cut because the throttle is released", func(p *Point) float64 { return bit(p.State.Driveline.Engine.Overrun) }},
		row{"engine_boost", "", 3, "", "boost of the turbo over that at full torque, 0 to 1", func(p *Point) float64 { return p.State.Driveline.Engine.Boost }},
		row{"gear", "", 0, "Gear", "engaged gear, -1 for reverse; 0 in neutral and during a change", func(p *Point) float64 { return float64(p.State.Driveline.Gear) }},
		row{"next_gear", "", 0, "", "gear that is being engaged; 0 without a change", func(p *Point) float64 { return float64(p.State.Driveline.Gearbox.NextGear) }},
		row{"clutch_slip", "rad/s", 2, "", "speed of the engine minus that of the gearbox' input shaft, over clutch or converter", func(p *Point) float64 { return p.State.Driveline.EngineSpeed - p.State.Driveline.Gearbox.InputSpeed }},
		row{"clutch_opening", "", 3, "", "how far the automatic clutch is open, 0 to 1; 0 if the driver works the clutch", func(p *Point) float64 { return p.State.Driveline.Gearbox.ClutchOpen }},
		row{"converter_lockup", "", 3, "", "how far the lock-up clutch of the torque converter is closed, 0 to 1", func(p *Point) float64 { return p.State.Driveline.Gearbox.Lockup }},
		row{"gearbox_input_speed", "rad/s", 1, "", "speed of the gearbox' input shaft", func(p *Point) float64 { return p.State.Driveline.Gearbox.InputSpeed }},
		row{"synchronizer_torque", "N·m", 2, "", "friction torque on the input shaft while a gear engages", func(p *Point) float64 { return p.State.Driveline.Gearbox.SyncTorque }},
		row{"gear_grind", "", 3, "", "strength of the grinding of teeth that do not mesh, 0 to 1", func(p *Point) float64 { return p.State.Driveline.Gearbox.Grind }},
	)
	return append(list, ofWheels("driveline", "half_shaft",
		wheelRow{"torque", "N·m", 1, "", "torque of the half shaft on the wheel, positive forward", func(p *Point, i int) float64 { return p.State.Driveline.Shafts[i].Torque }},
		wheelRow{"speed", "rad/s", 2, "", "speed of the half shaft at the differential", func(p *Point, i int) float64 { return p.State.Driveline.Shafts[i].Speed }},
		wheelRow{"twist", "rad", 5, "", "twist of the half shaft, positive when driving", func(p *Point, i int) float64 { return p.State.Driveline.Shafts[i].Twist }},
	)...)
}

func energyChannels() []Channel {
	return ofCar("energy",
		row{"fuel", "L", 3, "Fuel Level", "fuel in the tank; 0 with a motor", func(p *Point) float64 { return p.State.Driveline.Fuel }},
		row{"battery", "J", 0, "", "energy left in the battery of a motor; constant with an engine", func(p *Point) float64 { return p.State.Driveline.Battery }},
		row{"fuel_share", "", 3, "", "share of the engine's cycles that get fuel, 0 to 1", func(p *Point) float64 { return p.State.Driveline.Engine.FuelShare }},
		row{"engine_power", "W", 0, "", "power of the engine at the crank, negative when it brakes", func(p *Point) float64 { return p.State.Driveline.Flow.Engine }},
		row{"clutch_loss", "W", 0, "", "power lost in clutch and torque converter", func(p *Point) float64 { return p.State.Driveline.Flow.Clutch }},
		row{"gearbox_loss", "W", 0, "", "power lost in gearbox, bearings and oil", func(p *Point) float64 { return p.State.Driveline.Flow.Gearbox }},
		row{"differential_loss", "W", 0, "", "power lost in the differentials", func(p *Point) float64 { return p.State.Driveline.Flow.Differentials }},
		row{"half_shaft_loss", "W", 0, "", "power lost in the damping of the half shafts", func(p *Point) float64 { return p.State.Driveline.Flow.Shafts }},
		row{"wheel_power", "W", 0, "", "power that the half shafts give to the wheels", func(p *Point) float64 { return p.State.Driveline.Flow.Wheels }},
	)
}

func assistChannels() []Channel {
	return ofCar("assists",
		row{"abs_level", "", 0, "", "level of the ABS, 0 (off) to 10", func(p *Point) float64 { return float64(p.Input.Assists.ABS) }},
		row{"abs_active", "", 0, "", "1 while the ABS controls the pressure of a wheel", func(p *Point) float64 { return bit(isABSActive(p.State)) }},
		row{"abs_reference_speed", "m/s", 2, "", "speed of the car as the ABS estimates it; 0 while it is off", func(p *Point) float64 { return p.State.Brakes.ABS.Reference }},
		row{"brake_pedal_pulsation", "", 3, "", "vibration of the brake pedal by the ABS, 0 to 1", func(p *Point) float64 { return p.State.Brakes.PedalPulse }},
		row{"traction_level", "", 0, "", "level of the traction control, 0 (off) to 10", func(p *Point) float64 { return float64(p.Input.Assists.Traction) }},
		row{"traction_active", "", 0, "", "1 while the traction control cuts torque or brakes", func(p *Point) float64 { return bit(p.State.Assist.Traction.IsActive()) }},
		row{"traction_cut", "", 3, "", "share of the engine's torque that the traction control cuts, 0 to 1", func(p *Point) float64 { return p.State.Assist.Traction.Cut }},
		row{"traction_slip", "", 3, "", "slip of the driven wheels over the slip that the traction control allows; 1 at its target", func(p *Point) float64 { return p.State.Assist.Traction.RelativeSlip }},
		row{"stability_level", "", 0, "", "level of the stability control, 0 (off) to 10", func(p *Point) float64 { return float64(p.Input.Assists.Stability) }},
		row{"stability_active", "", 0, "", "1 while the stability control brakes a wheel or cuts torque", func(p *Point) float64 { return bit(p.State.Assist.Stability.IsActive()) }},
		row{"stability_cut", "", 3, "", "share of the engine's torque that the stability control cuts, 0 to 1", func(p *Point) float64 { return p.State.Assist.Stability.Cut }},
		row{"stability_target_yaw_rate", "rad/s", 4, "", "target yaw rate of the stability control, positive to the left", func(p *Point) float64 { return p.State.Assist.Stability.TargetYawRate }},
		row{"stability_yaw_acceleration", "rad/s²", 3, "", "yaw acceleration that the stability control demands, positive to the left", func(p *Point) float64 { return p.State.Assist.Stability.YawAccel }},
		row{"estimated_speed", "m/s", 2, "", "speed of the car as traction and stability control estimate it; 0 while none needs it", func(p *Point) float64 { return p.State.Assist.Reference }},
		row{"launch_on", "", 0, "", "1 while the launch control is switched on", func(p *Point) float64 { return bit(p.Input.Assists.Launch) }},
		row{"launch_phase", "", 0, "", "launch control: 0 ready, 1 holding the engine's speed, 2 starting", func(p *Point) float64 { return float64(p.State.Assist.Launch.Phase) }},
		row{"pit_limiter_on", "", 0, "", "1 while the pit limiter is switched on", func(p *Point) float64 { return bit(p.Input.Assists.PitLimiter) }},
		row{"pit_limiter_active", "", 0, "", "1 while the pit limiter reduces the throttle", func(p *Point) float64 { return float64(p.State.Assist.Pit.Active) }},
		row{"automatic_clutch", "", 0, "", "1 while the car works the clutch", func(p *Point) float64 { return bit(p.Input.Assists.AutoClutch) }},
		row{"automatic_shifting", "", 0, "", "1 while the car changes gears", func(p *Point) float64 { return bit(p.Input.Assists.AutoShift) }},
	)
}

// isABSActive reports whether the ABS controls the pressure of a wheel.
func isABSActive(s *sim.State) bool {
	for i := range s.Brakes.Wheels {
		if s.Brakes.Wheels[i].ABS.IsActive() {
			return true
		}
	}
	return false
}
