// Package cueing turns the car's motion into a pose of the platform.
//
// Poses follow ISO 8855 as the car does: x forward, y left, z up; positive roll
// lowers the right side, positive pitch the nose, positive yaw turns to the left.
package cueing

import (
	"errors"
	"fmt"

	"rig/internal/valid"
	"rig/sim"
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

// Cue is the path from the car's body to the platform.
type Cue struct {
	mode    string
	sense   sense
	direct  direct
	washout washout
	extra   extra
	tune    tune
	limits  limits
	pose    Pose // of the last tick
	trace   Trace
	fault   bool
}

// New returns a cue that is asked every dt [s].
func New(cfg Config, dt float64) (*Cue, error) {
	if err := errors.Join(cfg.Validate(), valid.InRange("dt", dt, 1e-5, 0.05)); err != nil {
		return nil, fmt.Errorf("cueing: %w", err)
	}
	c := &Cue{
		mode:    cfg.Mode,
		sense:   newSense(cfg.Head, dt),
		direct:  newDirect(cfg, dt),
		washout: newWashout(cfg, dt),
		extra:   newExtra(cfg.Extra, dt),
		tune:    newTune(dt),
		limits:  newLimits(cfg, dt),
	}
	c.Reset()
	return c, nil
}

// Pose returns the pose for the car's state. It is part of the loop: no allocation.
func (c *Cue) Pose(s *sim.State) Pose {
	in := c.Sense(s)
	return c.Next(&in)
}

// Next returns the pose for what the driver's head feels, held within position, speed and
// acceleration of each degree of freedom. Inputs that are not finite count as those of a
// car at rest, so that the platform goes to its neutral place, and Fault tells. A pose that
// is not finite all the same is neutral, and all that led to it is forgotten. It is part
// of the loop: no allocation.
func (c *Cue) Next(in *Inputs) Pose {
	c.fault = !in.finite()
	if c.fault {
		rest := c.extra.resting()
		in = &rest
	}
	c.tune.next()
	c.trace = Trace{Force: in.Force, Rate: in.Rate, Gains: evenGains()}
	extra := c.extra.next(in, !c.fault, &c.tune.now)
	c.trace.Extra = extra
	p := add(c.base(in), extra)
	c.pose, c.trace.Limits = c.limits.next(p, c.trace.Limits)
	if !c.pose.finite() {
		c.Reset()
		c.fault = true
	}
	return c.pose
}

// base returns what the mode itself asks for.
func (c *Cue) base(in *Inputs) Pose {
	if c.mode == Direct {
		return c.direct.next(in, c.extra.heave(), &c.tune.now, &c.trace)
	}
	return c.washout.next(in, &c.pose, &c.tune.now, &c.trace)
}

// Fault reports whether the last inputs, or the pose that followed from them, were not finite.
func (c *Cue) Fault() bool { return c.fault }

// Reset puts the cue back to neutral, at rest; tuning stays. The platform must be there too.
func (c *Cue) Reset() {
	c.sense.reset()
	c.direct.reset()
	c.washout.reset()
	c.extra.reset()
	c.limits.reset()
	c.pose, c.trace, c.fault = Pose{}, Trace{Gains: evenGains()}, false
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
