package channels

import (
	"strings"

	"rig.example/rig/ffb"
)

// cockpitChannels returns the inputs that only a drive has.
func cockpitChannels() []Channel {
	return ofDrive("input",
		row{"wheel_present", "", 0, "", "1 while a steering wheel is connected", func(p *Point) float64 { return bit(p.Tick.In.Wheel.Present) }},
		row{"rim_angle", "rad", 4, "", "measured angle of the rim, positive to the left", func(p *Point) float64 { return p.Tick.In.Wheel.Angle }},
		row{"pedals_present", "", 0, "", "1 while pedals are connected", func(p *Point) float64 { return bit(p.Tick.In.Pedals.Present) }},
		row{"throttle_pedal", "", 3, "", "measured position of the throttle pedal, 0 to 1", func(p *Point) float64 { return p.Tick.In.Pedals.Throttle }},
		row{"brake_pedal", "", 3, "", "measured position of the brake pedal, 0 to 1", func(p *Point) float64 { return p.Tick.In.Pedals.Brake }},
		row{"clutch_pedal", "", 3, "", "measured position of the clutch pedal, 0 to 1; 1 is open", func(p *Point) float64 { return p.Tick.In.Pedals.Clutch }},
		row{"handbrake_lever", "", 3, "", "measured position of the handbrake, 0 to 1", func(p *Point) float64 { return p.Tick.In.Pedals.Handbrake }},
		row{"paddle_up", "", 0, "", "1 while the paddle or lever for the next higher gear is pulled", func(p *Point) float64 { return bit(p.Tick.In.Pedals.ShiftUp) }},
		row{"paddle_down", "", 0, "", "1 while the paddle or lever for the next lower gear is pulled", func(p *Point) float64 { return bit(p.Tick.In.Pedals.ShiftDown) }},
		row{"shifter_gear", "", 0, "", "position of an H-pattern shifter, -1 for reverse; 0 without one", func(p *Point) float64 { return float64(p.Tick.In.Pedals.Gear) }},
		row{"buttons", "", 0, "", "buttons of the cockpit that are held, as bits of the keys with the same function", func(p *Point) float64 { return float64(p.Tick.In.Buttons.Down) }},
		row{"keys", "", 0, "", "keys of the window that are down, as bits", func(p *Point) float64 { return float64(p.Tick.In.Window.Keys) }},
		row{"rain_level", "", 0, "", "level of rain, 0 to 10", func(p *Point) float64 { return float64(p.Tick.State.Cockpit.Rain.Level) }},
	)
}

func forceChannels() []Channel {
	trace := func(p *Point) *ffb.Trace { return p.Tick.State.Rim.Force.Trace() }
	list := ofDrive("force",
		row{"rim_torque", "N·m", 3, "", "torque sent to the rim, after the guard, positive to the left", func(p *Point) float64 { return p.Tick.Out.Torque }},
		row{"rim_torque_column", "N·m", 3, "", "first stage: torque at the real car's steering wheel, without its end stop", func(p *Point) float64 { return trace(p).Column }},
		row{"rim_torque_gained", "N·m", 3, "", "after understeer cue and gain", func(p *Point) float64 { return trace(p).Gained }},
		row{"rim_torque_felt", "N·m", 3, "", "after gain, with all effects", func(p *Point) float64 { return trace(p).Felt }},
		row{"rim_phase_lead", "N·m", 3, "", "torque of the phase lead against the wheel's delay", func(p *Point) float64 { return trace(p).Lead }},
		row{"rim_damping", "N·m", 3, "", "torque of the rim's damping and overspeed reduction", func(p *Point) float64 { return trace(p).Damping }},
		row{"rim_friction", "N·m", 3, "", "torque of the rim's added dry friction", func(p *Point) float64 { return trace(p).Friction }},
		row{"rim_inertia", "N·m", 3, "", "torque of the rim's added inertia", func(p *Point) float64 { return trace(p).Inertia }},
		row{"soft_lock_torque", "N·m", 3, "", "torque of the soft lock", func(p *Point) float64 { return trace(p).Lock }},
		row{"rim_torque_requested", "N·m", 3, "", "requested torque: the sum of all the above before limits", func(p *Point) float64 { return trace(p).Asked }},
		row{"rim_torque_limited", "N·m", 3, "", "after the torque limit with its knee", func(p *Point) float64 { return trace(p).Limited }},
		row{"rim_torque_slewed", "N·m", 3, "", "after the slew limit", func(p *Point) float64 { return trace(p).Slewed }},
		row{"rim_torque_reconstructed", "N·m", 3, "", "after reconstruction, before the guard", func(p *Point) float64 { return trace(p).Sent }},
		row{"column_torque_peak", "N·m", 3, "", "learned peak of the torque at the column", func(p *Point) float64 { return trace(p).Peak }},
		row{"force_scale", "", 4, "", "torque at the rim over torque at the column", func(p *Point) float64 { return trace(p).Scale }},
		row{"force_gain", "", 3, "", "gain of the force, as configured or adjusted by the driver", func(p *Point) float64 { return p.Tick.State.Rim.Force.Gain() }},
		row{"force_clipped", "", 4, "", "share of the last 10 s of driving in which the requested torque exceeded the limit, 0 to 1", func(p *Point) float64 { return trace(p).Clipped }},
		row{"rim_speed", "rad/s", 4, "", "speed of the rim, filtered, positive to the left", func(p *Point) float64 { return trace(p).RimSpeed }},
		row{"hands_on", "", 3, "", "estimate of hands on the rim, 0 (nobody) to 1 (surely somebody)", func(p *Point) float64 { return trace(p).HandsOn }},
		row{"reconstruction_delay", "s", 5, "", "delay of the reconstruction for slow changes", func(p *Point) float64 { return trace(p).Delay }},
		row{"rated_torque", "N·m", 2, "", "highest torque that the wheel may give now", func(p *Point) float64 { return p.Tick.In.Wheel.Rated }},
		row{"own_effects_limit", "N·m", 3, "", "highest sum that the wheel's own effects may reach", func(p *Point) float64 { return p.Tick.Out.OwnEffects }},
		row{"vibration_peak", "N·m", 3, "", "amplitude of the vibration that the wheel plays by itself", func(p *Point) float64 { return p.Tick.Out.Vibration.Peak }},
		row{"vibration_frequency", "Hz", 1, "", "frequency of the vibration that the wheel plays by itself", func(p *Point) float64 { return p.Tick.Out.Vibration.Hz }},
	)
	for e := range ffb.EffectCount {
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(e.String()))
		list = append(list, ofDrive("force", row{"effect_" + name, "N·m", 3, "", "torque of the effect " + e.String(),
			func(p *Point) float64 { return trace(p).Effects[e] }})...)
	}
	return list
}
