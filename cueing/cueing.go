// Package cueing turns the car's motion into a pose of the platform.
//
// Poses follow ISO 8855 as the car does: x forward, y left, z up; positive roll
// lowers the right side, positive pitch the nose, positive yaw turns to the left.
//
// inputs.go brings the motion to the driver's head; direct.go, or washout.go with coordination.go (tilt) and
// adaptive.go, make a pose of it; extra*.go add cues, limits.go holds each degree of freedom. Filters are exact
// for the tick (filter.go). All that cueing remembers is a State. Platform, which remembers nothing, makes legs of
// the pose and keeps the workspace, within the Span of each leg that the configuration leaves: geometry*.go describe it,
// kinematics*.go solve it in both directions, workspace*.go scale what is beyond.
package cueing

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim"
)

// Pose is where the platform shall be, from its neutral place.
type Pose struct {
	Surge, Sway, Heave float64 // [m]
	Roll, Pitch, Yaw   float64 // [rad]
	Slide              float64 // of the rear, on a traction-loss axis [m], positive left
	Belt               float64 // tension of a belt tensioner, -1 slack .. 0 snug .. 1 tightest
}

// gravity is what the platform's tilt shows forces with [m/s²].
const gravity = 9.80665

// Cue is the path from the car's body to the platform. It never changes after New: what a
// drive remembers is in its State.
type Cue struct {
	mode    string
	sense   sense
	direct  direct
	washout washout
	extra   extra
	tune    tune
	limits  limits
}

// New returns a cue that is asked every dt [s].
func New(cfg Config, dt float64) (*Cue, error) {
	if err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("cueing: %w", err)
	}
	return &Cue{
		mode:    cfg.Mode,
		sense:   newSense(cfg.Head, dt),
		direct:  newDirect(cfg, dt),
		washout: newWashout(cfg, dt),
		extra:   newExtra(cfg.Extra, dt),
		tune:    newTune(dt),
		limits:  newLimits(cfg, dt),
	}, nil
}

// Pose returns the pose for a car. It is part of the loop, called once a tick: no allocation.
func (c *Cue) Pose(s *State, car *sim.State) Pose {
	in := c.Sense(s, car)
	return c.Next(s, &in)
}

// Next returns the pose for what the driver's head feels, held within position, speed and
// acceleration of each degree of freedom. Inputs that are not finite count as those of a
// car at rest, so that the platform goes to its neutral place, and Fault tells. A pose that
// is not finite all the same is neutral, and all that led to it is forgotten. It is part
// of the loop: no allocation.
func (c *Cue) Next(s *State, in *Inputs) Pose {
	s.fault = !in.finite()
	if s.fault {
		rest := s.extra.body.resting()
		in = &rest
	}
	c.tune.next(&s.tune)
	s.trace = Trace{Force: in.Force, Rate: in.Rate, Gains: evenGains()}
	extra := c.extra.next(&s.extra, in, !s.fault, &s.tune.now)
	s.trace.Extra = extra
	p := add(c.base(s, in), extra)
	s.pose, s.trace.Limits = c.limits.next(&s.limits, p, s.trace.Limits)
	if !s.pose.finite() {
		c.Reset(s)
		s.fault = true
	}
	return s.pose
}

// base returns what the mode itself asks for.
func (c *Cue) base(s *State, in *Inputs) Pose {
	if c.mode == Direct {
		return c.direct.next(&s.direct, in, s.extra.body.height, &s.tune.now, &s.trace)
	}
	return c.washout.next(&s.washout, in, &s.pose, &s.tune.now, &s.trace)
}

// add returns the sum of two poses.
func add(a, b Pose) Pose {
	return Pose{
		Surge: a.Surge + b.Surge, Sway: a.Sway + b.Sway, Heave: a.Heave + b.Heave,
		Roll: a.Roll + b.Roll, Pitch: a.Pitch + b.Pitch, Yaw: a.Yaw + b.Yaw,
		Slide: a.Slide + b.Slide, Belt: a.Belt + b.Belt,
	}
}

func finite(v float64) bool { return v-v == 0 }
