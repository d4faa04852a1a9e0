// Package cueing turns the car's motion into a pose of the platform, and poses into legs.
//
// Poses follow ISO 8855 as the car does: x forward, y left, z up; positive roll
// lowers the right side, positive pitch the nose, positive yaw turns to the left.
//
// Three terms are used throughout: the position of a leg is a fraction of its stroke (0 retracted,
// 1 extended); the workspace is how far the platform reaches in each degree of freedom; a target is
// the positions of all legs for a pose, which devices/motion follows within its own limits.
//
// inputs.go computes the motion at the driver's head; direct.go, or washout.go with
// coordination.go (tilt) and adaptive.go, compute a pose; extra*.go add cues; limits.go limits
// each degree of freedom, shares.go lowers these limits during a drive. filter.go has the filters. State has everything that changes from tick
// to tick. Platform has no state: it computes the legs of a pose within the Span of each leg.
// geometry*.go describe the platform, kinematics*.go compute legs from poses and poses from legs,
// workspace*.go scale poses that are outside of the workspace.
package cueing

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// Pose is the position and attitude of the platform relative to neutral.
type Pose struct {
	Surge, Sway, Heave float64 // [m]
	Roll, Pitch, Yaw   float64 // [rad]
	Slide              float64 // lateral travel of a traction-loss axis at the rear [m], positive left
	Belt               float64 // tension of a belt tensioner: -1 slack, 0 neutral, 1 tightest
}

// gravity is the standard acceleration of gravity [m/s²].
const gravity = 9.80665

// Cue computes the platform's pose from the car's motion. It never changes after New; a State has
// everything that changes during a drive.
type Cue struct {
	mode       string
	headSensor headSensor
	direct     directMode
	washout    washout
	extra      extraCues
	tune       tuner
	shareStep  float64 // largest change of a share in a tick
	limits     limits
}

// New returns a cue for cfg, or every error of cfg. Next must be called every dt [s].
func New(cfg Config, dt float64) (*Cue, error) {
	if err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("cueing: %w", err)
	}
	return &Cue{
		mode:       cfg.Mode,
		headSensor: newHeadSensor(cfg.HeadPosition, dt),
		direct:     newDirectMode(cfg, dt),
		washout:    newWashout(cfg, dt),
		extra:      newExtraCues(cfg.Extra, dt),
		tune:       newTuner(dt),
		shareStep:  shareRate * dt,
		limits:     newLimits(cfg, dt),
	}, nil
}

// Pose returns the pose for a car. It is called once a tick and does not allocate.
func (c *Cue) Pose(s *State, car *sim.State) Pose {
	in := c.Sense(s, car)
	return c.Next(s, &in)
}

// Next returns the pose for what the driver's head feels, limited in position, speed and
// acceleration of each degree of freedom. Inputs that are NaN or Inf count as those of a car at
// rest, so that the platform goes to neutral, and Fault reports it. If the pose is NaN or Inf
// nevertheless, the state is reset and the pose is neutral. Next does not allocate.
func (c *Cue) Next(s *State, in *Inputs) Pose {
	s.fault = !in.isFinite()
	if s.fault {
		rest := s.extra.body.inputsAtRest()
		in = &rest
	}
	c.tune.next(&s.tune)
	s.shares.next(c.shareStep)
	s.trace = Trace{Force: in.Force, Rate: in.Rate, Gains: unitGains()}
	extra := c.extra.next(&s.extra, in, !s.fault, &s.tune.current)
	s.trace.Extra = extra
	p := addPoses(c.base(s, in), extra)
	s.pose, s.trace.Limits = c.limits.next(&s.limits, p, &s.shares.current, s.trace.Limits)
	if !s.pose.isFinite() {
		c.Reset(s)
		s.fault = true
	}
	return s.pose
}

// base returns the pose of the configured mode, before extra cues and limits.
func (c *Cue) base(s *State, in *Inputs) Pose {
	if c.mode == Direct {
		return c.direct.next(&s.direct, in, s.extra.body.height, &s.tune.current, &s.trace)
	}
	return c.washout.next(&s.washout, in, &s.pose, &s.tune.current, &s.trace)
}

// addPoses returns the sum of two poses.
func addPoses(a, b Pose) Pose {
	return Pose{
		Surge: a.Surge + b.Surge, Sway: a.Sway + b.Sway, Heave: a.Heave + b.Heave,
		Roll: a.Roll + b.Roll, Pitch: a.Pitch + b.Pitch, Yaw: a.Yaw + b.Yaw,
		Slide: a.Slide + b.Slide, Belt: a.Belt + b.Belt,
	}
}
