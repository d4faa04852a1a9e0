package bench

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
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/watch"
)

// What --yes alone agrees to.
const (
	mildShare = 0.25 // of the stroke, to either side
	mildSpeed = 0.25 // [strokes/s]
)

// HomePlatform homes the platform that cfg describes, holds it there for a while and parks
// it.
func HomePlatform(ctx context.Context, cfg config.Config, hold time.Duration, o MotionOptions) (MotionResult, error) {
	if hold < 0 || hold > holdLimit {
		return MotionResult{}, fmt.Errorf("motion: --hold %v is outside 0s..%v", hold, holdLimit)
	}
	s, err := newStand(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	what := fmt.Sprintf("go to its centre at %g strokes/s, stay there for %v, and park.", s.cfg.Motion.HomeSpeed, hold)
	if err := s.agree(ctx, what, true); err != nil {
		return MotionResult{}, errors.Join(err, s.close())
	}
	result := s.begin("home")
	err = s.move(ctx, func(ctx context.Context) error {
		s.progress("at its centre for %v", hold)
		return s.stay(ctx, hold.Seconds())
	})
	return s.end(result, err)
}

// ParkPlatform parks the platform that cfg describes, wherever it stands.
func ParkPlatform(ctx context.Context, cfg config.Config, o MotionOptions) (MotionResult, error) {
	s, err := newStand(cfg, o)
	if err != nil {
		return MotionResult{}, err
	}
	what := fmt.Sprintf("go to where it parks at %g strokes/s.", s.cfg.Motion.ParkSpeed)
	if err := s.agree(ctx, what, true); err != nil {
		return MotionResult{}, errors.Join(err, s.close())
	}
	s.direct = true
	result := s.begin("park")
	return s.end(result, s.move(ctx, func(context.Context) error { return nil }))
}

// holdLimit is the longest that a homed platform is held.
const holdLimit = 10 * time.Minute

// MotionResult is what a platform did.
type MotionResult struct {
	Did       string     `json:"did"`
	Protocol  string     `json:"protocol"`
	Port      string     `json:"port"`
	Simulated bool       `json:"simulated"`
	Moves     []Movement `json:"moves"`
	State     string     `json:"state"` // in which it was left
	Ended     string     `json:"ended"` // done, or why it was cut short
}

// done is how a movement ends that nothing cut short.
const done = "done"

func (s *stand) begin(did string) MotionResult {
	return MotionResult{Did: did, Protocol: s.cfg.Motion.Protocol, Port: s.cfg.Motion.Port, Simulated: s.opt.Demo, Moves: []Movement{}}
}

func (s *stand) end(r MotionResult, err error) (MotionResult, error) {
	r.Ended, r.State = done, s.left.State.String()
	if err != nil {
		r.Ended = config.OneLine(err)
	}
	return r, err
}

// centre is where a homed platform rests.
func (s *stand) centre() (l cueing.Legs) {
	for i := range l {
		l[i] = 0.5
	}
	return l
}

// stay keeps the platform at its centre for a while [s].
func (s *stand) stay(ctx context.Context, seconds float64) error {
	return s.follow(ctx, func(t float64) (cueing.Legs, bool) { return s.centre(), t >= seconds }, nil, "")
}

// follow pushes the legs of a path until it is over, and notes what came of it. A machine
// that was busy makes the path late, not fast; a platform that began to park meanwhile is
// waited for. After a second in which rig stood still it ends, as a drive does.
func (s *stand) follow(ctx context.Context, path func(t float64) (l cueing.Legs, over bool), note *record, what string) error {
	const (
		every   = time.Millisecond // several for each period of the line: in one without, the target would seem to stand
		longest = 20 * time.Millisecond
		noting  = 0.005 // [s]
	)
	tick := time.NewTicker(every)
	defer tick.Stop()
	var t, shown, noted float64
	var away time.Duration
	for last := time.Now(); ; {
		legs, over := path(t)
		s.platform.Push(wire.Legs(legs))
		at := s.platform.Status()
		follows, err := obeys(&at, away)
		if err != nil || over {
			return err
		}
		if follows && t >= noted {
			note.add(t, &at)
			noted = t + noting
		}
		if s.opt.Terminal != nil && what != "" && t >= shown {
			s.progress("%s %s", what, watch.Places(s.form.Names(), &at))
			shown = t + 0.1
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick.C:
			gap := now.Sub(last)
			if last = now; gap.Seconds() > guard.LeftGap {
				return fmt.Errorf("motion: %w for %.1f s (stopped, suspended or kept from running), and nothing goes on by itself after that; give the command again", errStoodStill, gap.Seconds())
			}
			if away += min(gap, longest); follows {
				t += min(gap, longest).Seconds()
				away = 0
			}
		}
	}
}

// obeys tells whether a platform follows, and is an error where it will not any more. One
// whose controller was silent for a moment finds its way back by itself.
func obeys(at *motion.Status, away time.Duration) (bool, error) {
	const patience = 3 * time.Second // for it to take up demands again
	if at.State.Follows() {
		return true, nil
	}
	gone := at.State == motion.Absent || at.State == motion.Halted || at.Faults&watch.Stopping != 0
	if !gone && away < patience {
		return false, nil
	}
	switch {
	case at.Faults != 0:
		return false, fmt.Errorf("motion: %s: %w; %s", at.Faults, errDisobeys, watch.RemedyOf(at.Faults))
	case at.State == motion.Absent:
		return false, fmt.Errorf("motion: %w: its line is lost; plug the controller in again, and look at its cable", errDisobeys)
	case at.State == motion.Halted:
		return false, fmt.Errorf("motion: %w: it was halted; find out by whom, then give the command again", errDisobeys)
	}
	return false, fmt.Errorf("motion: %w: it has been %s for %.0f s; see the log for its cause", errDisobeys, at.State, away.Seconds())
}

var errStoodStill = errors.New("rig itself stood still")

var errDisobeys = errors.New("the platform does not follow any more")

// excursion is a way out to 1, over to -1 and back to 0, without a jolt: each part is the
// polynomial of least jerk.
type excursion struct {
	quarter float64 // duration from 0 to 1 [s]
}

// Most of the polynomial of least jerk over one unit in one second, and how long an
// excursion rests at its end, for the actuators to arrive [s].
const (
	leastJerkSpeed = 15.0 / 8
	leastJerkAccel = 5.7735 // 10/sqrt(3)
	leastJerkJerk  = 60
	rests          = 0.5
)

// newExcursion returns the way for an amplitude [strokes] at a top speed [strokes/s] or
// less: it takes no more than half of what actuators may be accelerated and jerked by, or
// they would overshoot.
func newExcursion(amplitude, speed float64, m *motion.Config) excursion {
	accel, jerk := slices.Min(m.MaxAccel[:])/2, slices.Min(m.MaxJerk[:])/2
	return excursion{max(leastJerkSpeed*amplitude/min(speed, slices.Min(m.MaxSpeed[:])),
		math.Sqrt(leastJerkAccel*amplitude/accel), math.Cbrt(leastJerkJerk*amplitude/jerk))}
}

// whole is how long it takes [s].
func (e excursion) whole() float64 { return 4*e.quarter + rests }

// at is where it is at a time, and whether it is over.
func (e excursion) at(t float64) (share float64, over bool) {
	switch q := t / e.quarter; {
	case q < 1:
		return leastJerk(q), false
	case q < 3:
		return 1 - 2*leastJerk((q-1)/2), false
	case q < 4:
		return leastJerk(q-3) - 1, false
	}
	return 0, t >= e.whole()
}

// leastJerk goes from 0 to 1 while x does.
func leastJerk(x float64) float64 { return x * x * x * (10 + x*(6*x-15)) }

// findAxis returns the actuator that is meant by a number from 1, or by its name.
func (s *stand) findAxis(wanted string) (int, error) {
	names := s.form.Names()
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(names) {
		return n - 1, nil
	}
	plain := func(name string) string {
		return strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	}
	for i, name := range names {
		if plain(name) == plain(wanted) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("motion: no actuator %q; choose 1 to %d or one of: %s", wanted, len(names), strings.Join(names, ", "))
}
