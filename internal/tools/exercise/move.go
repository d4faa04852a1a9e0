package exercise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rig.example/rig/cueing"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/valid"
)

// Limits of what --yes confirms without a typed answer.
const (
	maxMildShare = 0.25 // fraction of the stroke, to either side
	maxMildSpeed = 0.25 // [strokes/s]
)

// CheckHold returns an error if hold is not a time for which HomePlatform can keep a platform at its center.
func CheckHold(hold time.Duration) error {
	if err := valid.DurationInRange("--hold", hold, 0, 10*time.Minute); err != nil {
		return fmt.Errorf("motion: %w", err)
	}
	return nil
}

// HomePlatform homes the platform that cfg describes, keeps it at its center for hold, and parks it.
func HomePlatform(ctx context.Context, cfg config.Config, hold time.Duration, o MotionOptions) (MotionResult, error) {
	if err := CheckHold(hold); err != nil {
		return MotionResult{}, err
	}
	s, err := newPlatformRun(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	text := fmt.Sprintf("go to its center at %g strokes/s, stay there for %v, and park.", s.cfg.Motion.HomeSpeed, hold)
	if err := s.confirm(ctx, text, true); err != nil {
		return MotionResult{}, errors.Join(err, s.switches.Close())
	}
	result := s.newResult("home")
	err = s.run(ctx, func(ctx context.Context) error {
		s.progress("at its center for %v", hold)
		return s.holdCenter(ctx, hold.Seconds())
	})
	return s.finish(result, err)
}

// ParkPlatform parks the platform that cfg describes from its present position, without homing it first.
func ParkPlatform(ctx context.Context, cfg config.Config, o MotionOptions) (MotionResult, error) {
	s, err := newPlatformRun(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	text := fmt.Sprintf("go to where it parks at %g strokes/s.", s.cfg.Motion.ParkSpeed)
	if err := s.confirm(ctx, text, true); err != nil {
		return MotionResult{}, errors.Join(err, s.switches.Close())
	}
	s.skipHoming = true
	result := s.newResult("park")
	return s.finish(result, s.run(ctx, func(context.Context) error { return nil }))
}

// MotionResult is the result of a command that moves a platform.
type MotionResult struct {
	Command   string     `json:"did"`
	Protocol  string     `json:"protocol"`
	Port      string     `json:"port"`
	Simulated bool       `json:"simulated"`
	Movements []Movement `json:"moves"`
	State     string     `json:"state"` // state in which the platform was left
	Outcome   string     `json:"ended"` // done, or the error that ended the command
}

// done is the value of Outcome for a command that was completed.
const done = "done"

func (s *platformRun) newResult(command string) MotionResult {
	return MotionResult{Command: command, Protocol: s.cfg.Motion.Protocol, Port: s.cfg.Motion.Port, Simulated: s.opt.Simulated, Movements: []Movement{}}
}

func (s *platformRun) finish(r MotionResult, err error) (MotionResult, error) {
	r.Outcome, r.State = done, s.finalStatus.State.String()
	if err != nil {
		r.Outcome = config.OneLine(err)
	}
	return r, err
}

// center returns the legs of a homed platform at rest.
func (s *platformRun) center() (l cueing.Legs) {
	for i := range l {
		l[i] = 0.5
	}
	return l
}

// holdCenter keeps the platform at its center for seconds [s].
func (s *platformRun) holdCenter(ctx context.Context, seconds float64) error {
	return s.pushPath(ctx, func(t float64) (cueing.Legs, bool) { return s.center(), t >= seconds }, nil, "")
}

// pushPath pushes the legs of a path until it is over, and records targets and feedback. If the
// machine was busy, the path is delayed and not accelerated; while the platform does not follow,
// the path waits. If rig itself did not run for a second, it returns an error, as a drive does.
// What disturbs the path but not the command is in the record.
func (s *platformRun) pushPath(ctx context.Context, path func(t float64) (l cueing.Legs, done bool), samples *record, progressText string) error {
	const (
		maxGap       = 20 * time.Millisecond
		samplePeriod = 0.005 // between samples [s]
	)
	pace := s.newPacer()
	defer pace.tick.Stop()
	before := s.platform.Status()
	var t, elapsed, nextProgress, nextSample float64 // [s]; elapsed has also what the path was delayed
	var notFollowing, gap time.Duration
	for {
		legs, done := path(t)
		s.platform.Push(wire.Legs(legs))
		at := s.platform.Status()
		samples.note(disturbance(&before, &at, gap))
		follows, err := checkFollows(&at, notFollowing)
		if err != nil || done {
			return err
		}
		if follows && elapsed >= nextSample {
			samples.add(elapsed, &at)
			nextSample = elapsed + samplePeriod
		}
		if s.opt.Progress != nil && progressText != "" && t >= nextProgress {
			s.progress("%s %s", progressText, at.Positions(s.geometry.Names()))
			nextProgress = t + 0.1
		}
		if gap, err = pace.wait(ctx); err != nil {
			return err
		}
		elapsed += gap.Seconds()
		if notFollowing += min(gap, maxGap); follows {
			t += min(gap, maxGap).Seconds()
			notFollowing = 0
		}
	}
}

// pausedError returns the error of a movement during which rig did not run for a time.
func pausedError(gap time.Duration) error {
	return fmt.Errorf("motion: %w for %.1f s (stopped, suspended or without CPU time), and no movement continues by itself after that; give the command again", errRigPaused, gap.Seconds())
}

// maxMeasuredGap is the longest time without a target over which a movement is still measured: the platform follows no
// target that is older, and parks.
const maxMeasuredGap = 50 * time.Millisecond

// disturbance returns what has spoiled the measurement of a movement, "" for nothing: before is the status at its begin,
// at that of now, and gap the time since the target before.
func disturbance(before, at *motion.Status, gap time.Duration) string {
	switch {
	case gap > maxMeasuredGap:
		return fmt.Sprintf("rig itself did not run for %.2f s", gap.Seconds())
	case at.Restarts > before.Restarts:
		return "the controller restarted"
	case at.LinesLost > before.LinesLost:
		return "the line to the controller was lost"
	case at.Faults != 0:
		return at.Faults.String()
	case before.State == motion.Active && at.State != motion.Active:
		return "the platform was " + at.State.String()
	}
	return ""
}

// checkFollows reports whether a platform follows targets, and returns an error if it will not any
// more. A controller that was silent for a moment may recover within a few seconds.
func checkFollows(status *motion.Status, notFollowing time.Duration) (bool, error) {
	const timeout = 3 * time.Second // for it to follow targets again
	if status.State.Follows() {
		return true, nil
	}
	lost := status.State == motion.Absent || status.State == motion.Halted || status.Faults&wire.Latching != 0
	if !lost && notFollowing < timeout {
		return false, nil
	}
	switch {
	case status.Faults != 0:
		return false, fmt.Errorf("motion: %s: %w; %s", status.Faults, errNotFollowing, status.Faults.Remedy())
	case status.State == motion.Absent:
		return false, fmt.Errorf("motion: %w: its line was lost; plug the controller in again, and check its cable", errNotFollowing)
	case status.State == motion.Halted:
		return false, fmt.Errorf("motion: %w: it was halted; find out why, then give the command again", errNotFollowing)
	}
	return false, fmt.Errorf("motion: %w: it has been %s for %.0f s; see the log for its cause", errNotFollowing, status.State, notFollowing.Seconds())
}

var (
	errRigPaused    = errors.New("rig itself did not run")
	errNotFollowing = errors.New("the platform no longer follows targets")
)

// excursion is a movement to 1, to -1 and back to 0; each part is the polynomial of minimum jerk.
type excursion struct {
	quarterTime float64 // duration from 0 to 1 [s]
}

// Maxima of the minimum-jerk polynomial over one unit in one second, and how long an excursion
// rests at its end, for the actuators to arrive [s].
const (
	minJerkSpeed = 15.0 / 8
	minJerkAccel = 5.7735 // 10/sqrt(3)
	minJerkJerk  = 60
	restTime     = 0.5 // [s]
)

// newExcursion returns an excursion of an amplitude [strokes] at a top speed [strokes/s] or less. It
// uses no more than half of the actuators' limits of acceleration and jerk, because they would
// overshoot otherwise.
func newExcursion(amplitude, speed float64, m *motion.Config) excursion {
	accel, jerk := slices.Min(m.MaxAccel[:])/2, slices.Min(m.MaxJerk[:])/2
	return excursion{max(minJerkSpeed*amplitude/min(speed, slices.Min(m.MaxSpeed[:])),
		math.Sqrt(minJerkAccel*amplitude/accel), math.Cbrt(minJerkJerk*amplitude/jerk))}
}

// duration returns how long the excursion takes [s].
func (e excursion) duration() float64 { return 4*e.quarterTime + restTime }

// position returns the position at a time, and whether the excursion is over.
func (e excursion) position(t float64) (fraction float64, done bool) {
	switch q := t / e.quarterTime; {
	case q < 1:
		return minJerk(q), false
	case q < 3:
		return 1 - 2*minJerk((q-1)/2), false
	case q < 4:
		return minJerk(q-3) - 1, false
	}
	return 0, t >= e.duration()
}

// minJerk returns the minimum-jerk polynomial, which rises smoothly from 0 to 1 while x does.
func minJerk(x float64) float64 { return x * x * x * (10 + x*(6*x-15)) }

// findAxis returns the index of an actuator by its number, counted from 1, or by its name.
func (s *platformRun) findAxis(axis string) (int, error) {
	names := s.geometry.Names()
	motors := max(len(names), s.boardMotors())
	if n, err := strconv.Atoi(axis); err == nil && n >= 1 && n <= motors {
		return n - 1, nil
	}
	normalized := func(name string) string {
		return strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	}
	for i, name := range names {
		if normalized(name) == normalized(axis) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("motion: actuator %q not found; choose 1 to %d or one of: %s", axis, motors, strings.Join(names, ", "))
}

// boardMotors returns how many motors the controller's board has; the geometry may use fewer.
func (s *platformRun) boardMotors() int {
	n, _, _, err := s.cfg.Motion.Actuators()
	if err != nil {
		return 0
	}
	return min(n, len(cueing.Legs{}))
}

// axisName returns the name of an actuator, or of a motor of the board that the geometry does not use.
func (s *platformRun) axisName(axis int) string {
	if names := s.geometry.Names(); axis < len(names) {
		return names[axis]
	}
	return fmt.Sprintf("motor %d, which the geometry does not use", axis+1)
}
