package exercise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/internal/tools/lab/chart"
)

// Jog moves one actuator to both sides of its center and back; a sweep moves all in turn.
type Jog struct {
	Axis      string  // number of the actuator, counted from 1, or its name; unused for a sweep
	Amplitude float64 // fraction of the stroke to either side; in a sweep also half the fraction of each degree of freedom's range
	MaxSpeed  float64 // highest [strokes/s]
}

// Validate returns an error for every field that is out of range.
func (j Jog) Validate() error {
	if err := errors.Join(valid.InRange("--share", j.Amplitude, 0.005, 0.5), valid.InRange("--speed", j.MaxSpeed, 0.005, 1)); err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	return nil
}

func (j Jog) isMild() bool { return j.Amplitude <= maxMildShare && j.MaxSpeed <= maxMildSpeed }

// JogAxis homes the platform, moves an actuator, and parks.
func JogAxis(ctx context.Context, cfg config.Config, j Jog, o MotionOptions) (MotionResult, error) {
	if err := j.Validate(); err != nil {
		return MotionResult{}, err
	}
	s, err := newPlatformRun(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	axis, err := s.findAxis(j.Axis)
	if err != nil {
		return MotionResult{}, errors.Join(err, s.switches.Close())
	}
	t := s.axisMovement(axis, j)
	text := fmt.Sprintf("home, move %q by ±%.1f %% of its stroke at %g strokes/s at most, return to the center and park: about %.0f s.",
		t.name, 100*t.amplitude, j.MaxSpeed, t.path.duration())
	return s.perform(ctx, "jog", text, j.isMild(), []testMovement{t})
}

// Sweep homes the platform, moves each actuator and each degree of freedom in turn, and
// parks.
func Sweep(ctx context.Context, cfg config.Config, j Jog, o MotionOptions) (MotionResult, error) {
	if err := j.Validate(); err != nil {
		return MotionResult{}, err
	}
	s, err := newPlatformRun(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	return s.sweep(ctx, j)
}

// sweep is Sweep with a platform that is open.
func (s *platformRun) sweep(ctx context.Context, j Jog) (MotionResult, error) {
	var movements []testMovement
	for axis := range s.geometry.Axes() {
		movements = append(movements, s.axisMovement(axis, j))
	}
	movements = append(movements, s.poseMovements(j)...)
	seconds := 0.0
	for _, t := range movements {
		seconds += t.path.duration()
	}
	text := fmt.Sprintf("home, move each actuator by ±%.0f %% of its stroke and each degree of freedom by ±%.0f %% of its range, at %g strokes/s at most, and park: about %.0f s.",
		100*j.Amplitude, 200*j.Amplitude, j.MaxSpeed, seconds)
	return s.perform(ctx, "sweep", text, j.isMild(), movements)
}

// testMovement is a planned movement of an actuator or a degree of freedom to both sides of the center and back.
type testMovement struct {
	name, kind, unit string
	amplitude        float64 // [strokes], or of the pose [m or rad]
	path             excursion
	legsAt           func(fraction float64) cueing.Legs       // returns the legs at a fraction of the amplitude, -1..1
	measured         func(l cueing.Legs) (v float64, ok bool) // returns the moved quantity for legs, in unit
}

// axisMovement returns the movement of one actuator, within its limits.
func (s *platformRun) axisMovement(axis int, j Jog) testMovement {
	m := s.cfg.Motion
	amplitude := min(j.Amplitude, m.MaxPosition[axis]-0.5, 0.5-m.MinPosition[axis])
	center := s.center()
	return testMovement{
		name: s.axisName(axis), kind: "actuator", unit: "%", amplitude: amplitude,
		path: newExcursion(amplitude, j.MaxSpeed, &s.cfg.Motion),
		legsAt: func(fraction float64) cueing.Legs {
			l := center
			l[axis] += fraction * amplitude
			return l
		},
		measured: func(l cueing.Legs) (float64, bool) { return 100 * l[axis], !math.IsNaN(l[axis]) },
	}
}

// poseMovements returns a movement for each degree of freedom in which the platform can move; none if the
// controller's actuators are degrees of freedom already.
func (s *platformRun) poseMovements(j Jog) (movements []testMovement) {
	if drivesetup.Geometry(s.cfg).Kind == cueing.KindPose {
		return nil
	}
	for _, d := range degreesOfFreedom(s.geometry.Workspace()) {
		amplitude := 2 * j.Amplitude * d.reach
		pose := func(fraction float64) (p cueing.Pose) {
			*d.field(&p) = fraction * amplitude
			return p
		}
		legs := func(fraction float64) cueing.Legs {
			l, _ := s.geometry.Legs(pose(fraction))
			return l
		}
		if reached, ok := s.poseOf(legs(1)); !ok || amplitude == 0 || *d.field(&reached) < amplitude/2 {
			continue // the platform cannot move in this degree of freedom alone
		}
		movements = append(movements, testMovement{
			name: d.name, kind: "degree of freedom", unit: d.unit, amplitude: amplitude,
			path: newExcursion(s.maxTravel(legs(1), legs(-1)), j.MaxSpeed, &s.cfg.Motion), legsAt: legs,
			measured: func(l cueing.Legs) (float64, bool) {
				p, ok := s.poseOf(s.centerUnused(l))
				return d.scale * *d.field(&p), ok
			},
		})
	}
	return movements
}

// maxTravel returns the largest distance of an actuator from the center.
func (s *platformRun) maxTravel(positions ...cueing.Legs) (maximum float64) {
	for _, l := range positions {
		for i := range s.geometry.Axes() {
			maximum = max(maximum, math.Abs(l[i]-0.5))
		}
	}
	return max(maximum, 0.005)
}

// poseOf returns the pose for legs, or the zero pose and false if none is found.
func (s *platformRun) poseOf(l cueing.Legs) (cueing.Pose, bool) {
	var ok bool
	if s.lastPose, ok = s.geometry.Pose(l, s.lastPose); !ok {
		return cueing.Pose{}, false
	}
	return s.lastPose, true
}

// centerUnused returns l with the legs that have no actuator at the center.
func (s *platformRun) centerUnused(l cueing.Legs) cueing.Legs {
	for i := s.geometry.Axes(); i < len(l); i++ {
		l[i] = 0.5
	}
	return l
}

// degreeOfFreedom describes one degree of freedom of a platform.
type degreeOfFreedom struct {
	name, unit string
	scale      float64                     // factor from m or rad to unit
	reach      float64                     // largest displacement from the center [m or rad]
	field      func(*cueing.Pose) *float64 // returns the pose's field of this degree of freedom
}

func degreesOfFreedom(workspace cueing.Workspace) []degreeOfFreedom {
	const millimetres = 1000
	return []degreeOfFreedom{
		{"surge", "mm", millimetres, workspace.Surge, func(p *cueing.Pose) *float64 { return &p.Surge }},
		{"sway", "mm", millimetres, workspace.Sway, func(p *cueing.Pose) *float64 { return &p.Sway }},
		{"heave", "mm", millimetres, workspace.Heave, func(p *cueing.Pose) *float64 { return &p.Heave }},
		{"roll", "deg", degreesPerRadian, workspace.Roll, func(p *cueing.Pose) *float64 { return &p.Roll }},
		{"pitch", "deg", degreesPerRadian, workspace.Pitch, func(p *cueing.Pose) *float64 { return &p.Pitch }},
		{"yaw", "deg", degreesPerRadian, workspace.Yaw, func(p *cueing.Pose) *float64 { return &p.Yaw }},
	}
}

// engageTime is how long the speed limit of a platform that begins to follow targets is reduced [s].
const engageTime = 1.1

// perform asks for confirmation, which --yes gives in advance if isMild, moves and measures.
func (s *platformRun) perform(ctx context.Context, command, text string, isMild bool, movements []testMovement) (MotionResult, error) {
	if err := s.confirm(ctx, text, isMild); err != nil {
		return MotionResult{}, errors.Join(err, s.switches.Close())
	}
	result := s.newResult(command)
	var disturbed []string
	err := s.run(ctx, func(ctx context.Context) error {
		if err := s.holdCenter(ctx, engageTime); err != nil {
			return err
		}
		for i, t := range movements {
			text := fmt.Sprintf("%d of %d: %s", i+1, len(movements), t.name)
			s.progress("%s", text)
			samples := newRecord(t.path.duration())
			err := s.pushPath(ctx, func(at float64) (cueing.Legs, bool) {
				fraction, done := t.path.position(at)
				return t.legsAt(fraction), done
			}, samples, text)
			if errors.Is(err, errNotFollowing) && samples.disturbed != "" {
				return fmt.Errorf("%w; %s was disturbed (%s)", err, t.name, samples.disturbed)
			}
			if err != nil {
				return err
			}
			if samples.disturbed != "" {
				disturbed = append(disturbed, t.name+" ("+samples.disturbed+")")
				continue
			}
			result.Movements = append(result.Movements, t.measure(samples))
		}
		return disturbedError(disturbed)
	})
	return s.finish(result, err)
}

// disturbedError returns an error that names the movements that were disturbed, nil if there are none.
func disturbedError(movements []string) error {
	if len(movements) == 0 {
		return nil
	}
	return fmt.Errorf("motion: disturbed, and not in the results: %s; find the cause, and give the command again", strings.Join(movements, ", "))
}

// Sheet draws target and feedback of each movement over time.
func (r MotionResult) Sheet() chart.Sheet {
	s := chart.Sheet{Title: "Motion platform: " + r.Command, Subtitle: fmt.Sprintf("%s on %s; the targets that were sent, and the positions that the controller reported", r.Protocol, r.Port)}
	const columns = 2
	var panels []chart.Panel
	for _, m := range r.Movements {
		feedback := m.feedback
		if m.Measured == nil {
			feedback = nil
		}
		panels = append(panels, chart.Followed(m.Name, m.Unit, m.times, m.target, feedback))
	}
	s.Rows = chart.InRows(panels, columns)
	return s
}
