package channels

import (
	"fmt"
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
)

// components are the components of a platform's pose, in the order of frame.Pose.
var components = [frame.PoseAxes]struct{ name, unit, sign string }{
	frame.Surge: {"surge", "m", "positive forward"},
	frame.Sway:  {"sway", "m", "positive to the left"},
	frame.Heave: {"heave", "m", "positive up"},
	frame.Roll:  {"roll", "rad", "positive with the right side down"},
	frame.Pitch: {"pitch", "rad", "positive with the nose down"},
	frame.Yaw:   {"yaw", "rad", "positive to the left"},
	frame.Slide: {"slide", "m", "of a traction-loss axis, positive with the rear to the left"},
	frame.Belt:  {"belt", "", "tension of a belt tensioner, -1 (slack) to 1 (tightest)"},
}

func platformChannels() (list []Channel) {
	for i, c := range components {
		list = append(list, ofDrive("platform",
			row{"platform_" + c.name, c.unit, 4, "", "demanded " + c.name + " of the platform, after workspace and guard, " + c.sign,
				func(p *Point) float64 { return drive.FramePose(&p.Tick.Out.Pose)[i] }},
			row{"platform_measured_" + c.name, c.unit, 4, "", c.name + " of the platform as measured, " + c.sign + "; NaN if not measured",
				func(p *Point) float64 { return ofPlatform(p, p.Tick.In.Platform.Measured[i]) }},
		)...)
	}
	list = append(list, cueingChannels()...)
	list = append(list, actuatorChannels()...)
	return append(list, ofDrive("platform",
		row{"platform_scale", "", 4, "", "factor that reduced the pose to the actuators' workspace, 0 to 1", func(p *Point) float64 { return p.Tick.Out.Scale }},
		row{"platform_fade", "", 4, "", "share of the motion that the guard passes, 0 to 1", func(p *Point) float64 { return p.Tick.State.Guard.MotionShare() }},
		row{"platform_state", "", 0, "", "0 absent, 1 opening, 2 homing, 3 ready, 4 active, 5 parking, 6 parked, 7 fault, 8 halted", func(p *Point) float64 { return float64(p.Tick.In.Platform.State) }},
		row{"platform_faults", "", 0, "", "faults of the platform, as bits; 0 without a fault", func(p *Point) float64 { return float64(p.Tick.In.Platform.Faults) }},
		row{"platform_follows", "", 0, "", "1 while the platform follows targets", func(p *Point) float64 { return bit(p.Tick.In.Platform.Follows) }},
		row{"platform_target_rate", "1/s", 0, "", "targets sent per second", func(p *Point) float64 { return p.Tick.In.Platform.Rate }},
		row{"platform_line_share", "", 3, "", "share of the serial line's capacity in use, 0 to 1", func(p *Point) float64 { return p.Tick.In.Platform.LineShare }},
		row{"platform_latency", "s", 5, "", "time from a tick to the last byte of its target on the wire", func(p *Point) float64 { return p.Tick.In.Platform.Latency }},
		row{"platform_warnings", "", 0, "", "number of targets that jumped implausibly far", func(p *Point) float64 { return float64(p.Tick.In.Platform.Warnings) }},
	)...)
}

// ofPlatform returns a value that the platform reports, or NaN without a platform.
func ofPlatform(p *Point, v float64) float64 {
	if !p.Tick.In.Platform.Configured {
		return math.NaN()
	}
	return v
}

// cueingChannels returns the stages of the motion cueing.
func cueingChannels() (list []Channel) {
	trace := func(p *Point) *cueing.Trace { return p.Tick.State.Motion.Trace() }
	for i, axis := range [3]string{"x", "y", "z"} {
		list = append(list, ofDrive("platform",
			row{"head_force_" + axis, "m/s²", 3, "", "specific force at the driver's head along the car's " + axis + " axis", func(p *Point) float64 { return trace(p).Force[i] }},
			row{"head_rate_" + axis, "rad/s", 4, "", "angular velocity at the driver's head about the car's " + axis + " axis", func(p *Point) float64 { return trace(p).Rate[i] }},
		)...)
	}
	for i, c := range components[:frame.Roll] {
		list = append(list, ofDrive("platform", row{"cue_translation_" + c.name, c.unit, 4, "", "cueing: " + c.name + " of the high-pass or of direct mode, " + c.sign,
			func(p *Point) float64 { return trace(p).Translation[i] }})...)
	}
	for i, c := range components[frame.Roll:frame.Yaw] {
		list = append(list, ofDrive("platform", row{"cue_tilt_" + c.name, c.unit, 4, "", "cueing: " + c.name + " of tilt coordination, or of braking and cornering in direct mode, " + c.sign,
			func(p *Point) float64 { return trace(p).Tilt[i] }})...)
	}
	for i, c := range components[frame.Roll:frame.Slide] {
		list = append(list, ofDrive("platform", row{"cue_rotation_" + c.name, c.unit, 4, "", "cueing: " + c.name + " of the high-pass, or of the chassis in direct mode, " + c.sign,
			func(p *Point) float64 { return trace(p).Rotation[i] }})...)
	}
	return append(list, ofDrive("platform", row{"cue_limits", "", 0, "", "limits of the cueing that are active, as bits: surge, sway, heave, roll, pitch, yaw, slide, belt, force, tilt",
		func(p *Point) float64 { return float64(trace(p).Limits) }})...)
}

// actuatorChannels returns the channels of each actuator.
func actuatorChannels() (list []Channel) {
	for i := range frame.MaxLegs {
		name, about := fmt.Sprintf("actuator_%d_", i+1), fmt.Sprintf("actuator %d: ", i+1)
		list = append(list, ofDrive("platform",
			row{name + "demand", "", 4, "", about + "target position of this tick, 0 to 1 of the stroke, 0.5 is the center", func(p *Point) float64 { return p.Tick.Out.Platform.Legs[i] }},
			row{name + "target", "", 4, "", about + "target position that was sent last; NaN if none was", func(p *Point) float64 { return ofPlatform(p, p.Tick.In.Platform.Target[i]) }},
			row{name + "feedback", "", 4, "", about + "measured position, 0 to 1 of the stroke; NaN if unknown", func(p *Point) float64 { return ofPlatform(p, p.Tick.In.Platform.Feedback[i]) }},
			row{name + "follow_error", "", 4, "", about + "measured minus expected position, share of the stroke; NaN if unknown", func(p *Point) float64 { return ofPlatform(p, p.Tick.In.Platform.FollowError[i]) }},
			row{name + "temperature", "°C", 1, "", about + "temperature of the drive; NaN if unknown", func(p *Point) float64 { return ofPlatform(p, p.Tick.In.Platform.Temperature[i]) }},
		)...)
	}
	return list
}
