package displaytest

import (
	"math"

	"rig.example/rig/internal/core/frame"
)

// ClippingFrame returns a frame of the car in a bend of the oval, with a torque at the rim that clips.
func ClippingFrame() *frame.Frame {
	f := OvalFrame(190)
	f.RimTorque, f.AskedTorque, f.RatedTorque, f.Gain = 4, 6, 8, 0.85
	f.Force = frame.Force{
		Column: 12, Gained: 5, Felt: 5.4, Lead: -0.2, Damping: -0.4, Friction: -0.1, Lock: -2, Limited: 6, Slewed: 6, Sent: 6, Peak: 11.5, Scale: 0.5,
		Clipped: 0.042, HandsOn: 0.8, Rate: 333, Delay: 0.0029, Effects: [frame.MaxEffects]float64{2: 0.4, 3: -0.3},
	}
	return f
}

// Names holds the names of the codes in the frames of this package.
var Names = frame.Names{
	States:         []string{"parked", "homing", "ready", "engaging", "driving"},
	Effects:        []string{"scrub", "rear slip", "road", "ABS"},
	PlatformStates: []string{"absent", "opening", "homing", "ready", "active", "parking"},
	Faults:         []string{"drive fault", "end stop", "too hot"},
	Tunings:        []string{"gain", "surge", "sway", "heave", "roll", "pitch", "yaw"},
	Actuators:      []string{"front left", "front right", "rear left", "rear right", "traction loss"},
}

// PlatformFrame returns a frame of the car in a bend of the oval, with a moving motion platform: four corner
// actuators and a traction-loss axis.
func PlatformFrame() *frame.Frame {
	f := OvalFrame(190)
	nan := math.NaN()
	f.Pose = frame.Pose{frame.Surge: -0.03, frame.Heave: 0.04, frame.Roll: 0.08, frame.Pitch: 0.05, frame.Yaw: 0.06}
	f.Legs = [8]float64{0.8, 0.3, 0.7, 0.25, 0.6, 0.5, 0.5, 0.5}
	f.LegsFeedback = [8]float64{0.75, 0.34, 0.66, 0.3, 0.58, nan, nan, nan}
	f.Motion = frame.Motion{
		State: 5, LegCount: 5, Rate: 240, LineShare: 0.56, Latency: 0.0034, Scale: 1, GuardShare: 1, TuningIndex: 4,
		Measured:    frame.Pose{frame.Surge: -0.02, frame.Heave: 0.03, frame.Roll: 0.06, frame.Pitch: 0.04, frame.Yaw: 0.05},
		FollowError: [8]float64{0.05, 0.04, 0.04, 0.05, 0.02, nan, nan, nan},
		Temperature: [8]float64{38, 41, 39, 52, nan, nan, nan, nan},
		Translation: frame.Pose{frame.Surge: -0.03, frame.Heave: 0.03},
		Tilt:        frame.Pose{frame.Roll: 0.05, frame.Pitch: 0.04},
		Rotation:    frame.Pose{frame.Roll: 0.03, frame.Pitch: 0.01, frame.Yaw: 0.06},
		Extra:       frame.Pose{frame.Heave: 0.01, frame.Slide: 0.05, frame.Belt: 0.4},
		Limits:      1 << frame.Roll,
		Tuning:      [frame.MaxTunings]float64{1.1, 1, 1, 1, 0.8},
	}
	return f
}
