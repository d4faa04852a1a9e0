package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/lab/chart"
	"rig.example/rig/internal/sink"
)

// Jog moves one actuator to both sides of its centre and back, or all in turn.
type Jog struct {
	Axis  string  // number from 1, or name; of a sweep none
	Share float64 // of the stroke, to either side; in a sweep also of each degree of freedom
	Speed float64 // most [strokes/s]
}

// Validate reports every field that is out of range.
func (j Jog) Validate() error {
	in := func(flag string, v, low, high float64) error {
		if v >= low && v <= high {
			return nil
		}
		return fmt.Errorf("motion: %s %g is outside %g..%g", flag, v, low, high)
	}
	return errors.Join(in("--share", j.Share, 0.005, 0.5), in("--speed", j.Speed, 0.005, 1))
}

func (j Jog) mild() bool { return j.Share <= mildShare && j.Speed <= mildSpeed }

// JogAxis homes the platform, moves an actuator, and parks.
func JogAxis(ctx context.Context, cfg config.Config, j Jog, o MotionOptions) (MotionResult, error) {
	if err := j.Validate(); err != nil {
		return MotionResult{}, err
	}
	s, err := newStand(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	axis, err := s.findAxis(j.Axis)
	if err != nil {
		return MotionResult{}, errors.Join(err, s.close())
	}
	t := s.axisTask(axis, j)
	what := fmt.Sprintf("home, move %q by ±%.1f %% of its stroke at %g strokes/s at most, return to the centre and park: about %.0f s.",
		t.name, 100*t.amplitude, j.Speed, t.path.whole())
	return s.perform(ctx, "jog", what, j.mild(), []task{t})
}

// Sweep homes the platform, moves each actuator and each degree of freedom in turn, and
// parks.
func Sweep(ctx context.Context, cfg config.Config, j Jog, o MotionOptions) (MotionResult, error) {
	if err := j.Validate(); err != nil {
		return MotionResult{}, err
	}
	s, err := newStand(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	var tasks []task
	for axis := range s.form.Axes() {
		tasks = append(tasks, s.axisTask(axis, j))
	}
	tasks = append(tasks, s.poseTasks(j)...)
	seconds := 0.0
	for _, t := range tasks {
		seconds += t.path.whole()
	}
	what := fmt.Sprintf("home, move each actuator by ±%.0f %% of its stroke and each degree of freedom by ±%.0f %% of its reach, at %g strokes/s at most, and park: about %.0f s.",
		100*j.Share, 200*j.Share, j.Speed, seconds)
	return s.perform(ctx, "sweep", what, j.mild(), tasks)
}

// task is one thing to move, out and back.
type task struct {
	name, kind, unit string
	amplitude        float64 // [strokes], or of the pose [m or rad]
	path             excursion
	legs             func(share float64) cueing.Legs
	value            func(l cueing.Legs) (v float64, ok bool) // of the legs, in unit
}

// axisTask moves one actuator, within its limits.
func (s *stand) axisTask(axis int, j Jog) task {
	m := s.cfg.Motion
	amplitude := min(j.Share, m.Max[axis]-0.5, 0.5-m.Min[axis])
	centre := s.centre()
	return task{
		name: s.form.Names()[axis], kind: "actuator", unit: "%", amplitude: amplitude,
		path: newExcursion(amplitude, j.Speed, &s.cfg.Motion),
		legs: func(share float64) cueing.Legs {
			l := centre
			l[axis] += share * amplitude
			return l
		},
		value: func(l cueing.Legs) (float64, bool) { return 100 * l[axis], !math.IsNaN(l[axis]) },
	}
}

// poseTasks move each degree of freedom that the platform has, unless those are what the
// controller calls its actuators.
func (s *stand) poseTasks(j Jog) (tasks []task) {
	if assembly.Geometry(s.cfg).Kind == cueing.KindPose {
		return nil
	}
	for _, d := range ways(s.form.Reach()) {
		amplitude := 2 * j.Share * d.reach
		pose := func(share float64) (p cueing.Pose) {
			*d.of(&p) = share * amplitude
			return p
		}
		legs := func(share float64) cueing.Legs {
			l, _ := s.form.Legs(pose(share))
			return l
		}
		if got, ok := s.poseOf(legs(1)); !ok || amplitude == 0 || *d.of(&got) < amplitude/2 {
			continue // it has none, or does it by another
		}
		tasks = append(tasks, task{
			name: d.name, kind: "degree of freedom", unit: d.unit, amplitude: amplitude,
			path: newExcursion(s.farthest(legs(1), legs(-1)), j.Speed, &s.cfg.Motion), legs: legs,
			value: func(l cueing.Legs) (float64, bool) {
				p, ok := s.poseOf(s.known(l))
				return d.scale * *d.of(&p), ok
			},
		})
	}
	return tasks
}

// farthest is the longest way of an actuator from the centre.
func (s *stand) farthest(places ...cueing.Legs) (most float64) {
	for _, l := range places {
		for i := range s.form.Axes() {
			most = max(most, math.Abs(l[i]-0.5))
		}
	}
	return max(most, 0.005)
}

// poseOf solves for the pose of legs; it is the zero pose where none is found.
func (s *stand) poseOf(l cueing.Legs) (cueing.Pose, bool) {
	var ok bool
	if s.near, ok = s.form.Pose(l, s.near); !ok {
		return cueing.Pose{}, false
	}
	return s.near, true
}

// known puts the centre where no actuator is.
func (s *stand) known(l cueing.Legs) cueing.Legs {
	for i := s.form.Axes(); i < len(l); i++ {
		l[i] = 0.5
	}
	return l
}

// way is a degree of freedom of a platform.
type way struct {
	name, unit string
	scale      float64 // from m or rad to unit
	reach      float64 // [m or rad]
	of         func(*cueing.Pose) *float64
}

func ways(r cueing.Reach) []way {
	const millimetres = 1000
	return []way{
		{"surge", "mm", millimetres, r.Surge, func(p *cueing.Pose) *float64 { return &p.Surge }},
		{"sway", "mm", millimetres, r.Sway, func(p *cueing.Pose) *float64 { return &p.Sway }},
		{"heave", "mm", millimetres, r.Heave, func(p *cueing.Pose) *float64 { return &p.Heave }},
		{"roll", "deg", degrees, r.Roll, func(p *cueing.Pose) *float64 { return &p.Roll }},
		{"pitch", "deg", degrees, r.Pitch, func(p *cueing.Pose) *float64 { return &p.Pitch }},
		{"yaw", "deg", degrees, r.Yaw, func(p *cueing.Pose) *float64 { return &p.Yaw }},
	}
}

// engaging is how long a platform that takes up demands is still slower than it may be [s].
const engaging = 1.1

// perform asks, moves and measures.
func (s *stand) perform(ctx context.Context, did, what string, mild bool, tasks []task) (MotionResult, error) {
	if err := s.agree(ctx, what, mild); err != nil {
		return MotionResult{}, errors.Join(err, s.close())
	}
	result := s.begin(did)
	err := s.move(ctx, func(ctx context.Context) error {
		if err := s.stay(ctx, engaging); err != nil {
			return err
		}
		for i, t := range tasks {
			what := fmt.Sprintf("%d of %d: %s", i+1, len(tasks), t.name)
			s.progress("%s", what)
			note := newRecord(t.path.whole())
			err := s.follow(ctx, func(at float64) (cueing.Legs, bool) {
				share, over := t.path.at(at)
				return t.legs(share), over
			}, note, what)
			if err != nil {
				return err
			}
			result.Moves = append(result.Moves, t.judge(note))
		}
		return nil
	})
	return s.end(result, err)
}

// Sheet draws demand and feedback of each movement over the time.
func (r MotionResult) Sheet() chart.Sheet {
	s := chart.Sheet{Title: "Motion platform: " + r.Did, Below: fmt.Sprintf("%s on %s; what was sent, and what the controller told of it", r.Protocol, r.Port)}
	const columns = 2
	for i, m := range r.Moves {
		if i%columns == 0 {
			s.Rows = append(s.Rows, make([]chart.Panel, min(columns, len(r.Moves))))
		}
		p := chart.Panel{Title: m.Name, X: "time [s]", Y: "position [" + m.Unit + "]", Series: []chart.Series{{Name: "demand", X: m.times, Y: m.demand}}}
		if m.Measured != nil {
			p.Series = append(p.Series, chart.Series{Name: "feedback", X: m.times, Y: m.feedback, Thin: true})
		}
		s.Rows[i/columns][i%columns] = p
	}
	return s
}

// WriteSheet draws a sheet into a file that ends with .svg or .png.
func WriteSheet(s chart.Sheet, path string) error {
	format, ok := chart.Format(path)
	if !ok {
		return &config.Problem{File: "--plot", Text: fmt.Sprintf("%q: end the name with .svg or .png", path)}
	}
	data, err := s.Render(format)
	if err != nil {
		return err
	}
	return sink.Sink{By: "plot", Path: path}.Fill(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
