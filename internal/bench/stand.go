// Package bench moves one device at a time without a drive: it plays an effect at the wheel behind a
// guard of its own, homes, parks, jogs, sweeps and configures the platform, and measures what came of
// it. In go the configuration, what to do and who is asked; out come results. It never moves what
// nobody agreed to, watches every switch as a drive does, and leaves the platform parked, or tells
// where it is not. No drive runs beside it.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/loopback"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/switches"
	"rig.example/rig/internal/usbserial"
	"rig.example/rig/internal/watch"
)

// MotionOptions say who is asked, who is told, and whether there is hardware.
type MotionOptions struct {
	UI       *calib.UI
	Say      io.Writer       // what will happen, and what happens
	Agreed   bool            // the operator agreed beforehand
	Demo     bool            // a simulated controller
	Unlocked bool            // it moves though a belt or a door is open
	Stopped  context.Context // ends with an emergency stop by software; nil for none
	Log      *slog.Logger
	Terminal *os.File // shows progress; nil for none
}

// stand is a platform that moves without a car.
type stand struct {
	cfg      config.Config
	opt      MotionOptions
	form     *cueing.Platform
	near     cueing.Pose // what solving legs found last, and begins at
	platform *motion.Platform
	estop    switches.Switch // nil if none is configured
	belt     switches.Interlock
	buttons  *wheel.Controls // nil if none holds the interlock
	last     *lastWarning
	demo     func(context.Context) error // answers in place of a controller
	close    func() error
	direct   bool          // parks without homing first
	left     motion.Status // in which it was left
}

// newStand builds what moves; nothing moves yet.
func newStand(cfg config.Config, o MotionOptions) (*stand, error) {
	s := &stand{cfg: cfg, opt: o, last: &lastWarning{to: o.Log}, close: func() error { return nil }}
	var err error
	if s.form, err = assembly.Platform(cfg); err != nil {
		return nil, err
	}
	var dial func() (io.ReadWriteCloser, error)
	if o.Demo {
		if dial, s.demo, err = loopback.InMemory(&s.cfg.Motion, s.form.Axes()); err != nil {
			return nil, err
		}
	}
	if s.cfg.Motion.Protocol == "" {
		return nil, errNoPlatform
	}
	if s.platform, err = motion.New(s.cfg.Motion, slog.New(s.last)); err != nil {
		return nil, err
	}
	if o.Demo {
		s.platform.Dial(dial)
		return s, nil
	}
	usbserial.Warn("", s.cfg.Motion.Port, o.Log)
	return s, s.openSwitches()
}

var errNoPlatform = errors.New("motion: no platform is configured; set motion.protocol and motion.port, or give --demo to try without one")

// agree tells what will happen, and is an error unless the operator agrees.
func (s *stand) agree(ctx context.Context, what string, mild bool) error {
	m := s.cfg.Motion
	if s.opt.Demo {
		_, err := fmt.Fprintf(s.opt.Say, "simulated platform: %s\n", what)
		return err
	}
	fmt.Fprintf(s.opt.Say, "The %s platform on %s will %s\n", m.Protocol, printable.Line(m.Port), what)
	if plan, err := m.Plan(); err == nil && plan.NoFeedback {
		fmt.Fprintf(s.opt.Say, "Where its actuators stand it cannot tell: they are taken to be at %s (motion.start_share).\n", watch.Shares(plan.Start[:plan.Axes]))
	}
	fmt.Fprintln(s.opt.Say, "Nobody and nothing may be under it, on it or in its way; keep its emergency stop at hand. Ctrl-C parks it, and SIGUSR2 (`pkill -USR2 -x rig`) halts it.")
	if s.opt.Agreed && mild {
		return nil
	}
	flag := "--yes"
	if !mild {
		flag = ""
		fmt.Fprintf(s.opt.Say, "More than %.0f %% of the stroke, or than %g strokes/s, needs a typed yes.\n", 100*mildShare, mildSpeed)
	}
	yes, err := s.opt.UI.Consent(ctx, flag, "Move it now?")
	switch {
	case err != nil:
		return fmt.Errorf("motion: nothing was moved: %w", err)
	case !yes:
		return errors.New("motion: nothing was moved, for nobody agreed")
	}
	return nil
}

// move runs the platform: it homes, works, and parks whatever came of it. Whoever ends
// ctx has it park at once.
func (s *stand) move(ctx context.Context, work func(context.Context) error) (err error) {
	if s.estop != nil {
		if stopped, why := switches.Settled(s.estop, s.cfg.Estop); stopped {
			return errors.Join(stoppedBy(why), s.close())
		}
	}
	if why := s.stopped(); why != nil {
		return errors.Join(why, s.close())
	}
	alive, end := context.WithCancel(context.WithoutCancel(ctx)) // it outlives the order to stop
	defer end()
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	if err := s.fastened(alive, &wg); err != nil {
		end()
		wg.Wait()
		return errors.Join(err, s.close())
	}
	if s.demo != nil {
		wg.Go(func() { _ = s.demo(alive) }) // the line was made for it: an error is its end
	}
	wg.Go(func() { s.heed(alive, stop) })
	if s.buttons != nil || s.belt.Line != nil {
		wg.Go(func() { s.watchBelt(alive, stop) })
	}
	ended := make(chan error, 1)
	go func() { ended <- s.platform.Run(alive) }()
	if !s.direct {
		err = s.home(working)
	}
	if err == nil {
		err = work(working)
	}
	err = s.leave(cause(working, err), ended)
	end()
	wg.Wait()
	return errors.Join(err, s.close())
}

// cause is why a context ended, if that is what an error is about.
func cause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	switch why := operator.EndedBy(ctx); why {
	case operator.ErrStopped, operator.ErrInterrupted:
		return fmt.Errorf("motion: %w", why)
	default:
		return why
	}
}

// errStopped tells that the stop switch was pressed.
var errStopped = errors.New("stopped")

func stoppedBy(cause estop.Cause) error {
	return fmt.Errorf("motion: %w: %s; release the switch and start again", errStopped, cause)
}

// stopped is an error while the stop switch or the operator says that all must stand.
func (s *stand) stopped() error {
	if s.estop != nil {
		if stopped, cause := s.estop.State(); stopped {
			return stoppedBy(cause)
		}
	}
	if s.opt.Stopped != nil && s.opt.Stopped.Err() != nil {
		return fmt.Errorf("motion: %w", context.Cause(s.opt.Stopped))
	}
	return nil
}

// heed holds the relay, and stops the platform when the switch or the operator says so,
// whatever it does meanwhile.
func (s *stand) heed(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(lookPeriod)
	defer tick.Stop()
	defer s.enable(false)
	for {
		why := s.stopped()
		if why != nil {
			s.platform.Halt()
			stop(why)
		}
		s.enable(why == nil)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// enable switches the relay, where there is one.
func (s *stand) enable(on bool) {
	if s.estop != nil {
		s.estop.Enable(on)
	}
}

// home waits for the platform and homes it.
func (s *stand) home(ctx context.Context) error {
	s.progress("homing")
	const slack = 5 * time.Second
	limit := s.boot() + s.platform.ParkTime() + slack // the way to the centre is no longer than the way to park
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := s.platform.Home(ctx)
	if err != nil && ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return s.last.explain(err)
	}
	return err
}

// boot is how long a controller may be deaf at first.
func (s *stand) boot() time.Duration {
	return time.Duration(s.cfg.Motion.BootWait * float64(time.Second))
}

// leave parks, ends Run, and tells if the platform was left anywhere else.
func (s *stand) leave(err error, ended <-chan error) error {
	switch {
	case errors.Is(err, operator.ErrInterrupted):
		fmt.Fprintln(s.opt.Say, "interrupted: parking")
	case errors.Is(err, errOpen):
		fmt.Fprintln(s.opt.Say, "belt or door opened: it parks, or stays if it was not homed yet")
	}
	if s.parks(err) {
		s.progress("parking")
		ctx, cancel := context.WithTimeout(context.Background(), s.boot()+s.platform.ParkTime())
		if late := s.platform.Park(ctx); late != nil && err == nil {
			err = s.last.explain(late)
		}
		cancel()
	}
	if why := s.stopped(); why != nil { // at the latest while it parked
		s.platform.Halt()
		err = why
	}
	s.platform.Close()
	s.left = s.platform.Status()
	s.clear()
	if late := <-ended; late != nil && err == nil {
		err = late
	}
	return s.account(err)
}

// parks tells whether there is a platform to park. One that is stopped stands: that is what
// a stop is for; one that was not homed yet when a door opened stays, for somebody may be
// climbing in.
func (s *stand) parks(err error) bool {
	state := s.platform.Status().State
	switch {
	case errors.Is(err, errStopped), errors.Is(err, operator.ErrStopped):
		return false
	case errors.Is(err, errOpen):
		return state != motion.Absent && state != motion.Opening && state != motion.Halted
	}
	return s.direct || state != motion.Absent
}

// account adds to an error where the platform was left, and is one wherever it is not parked.
func (s *stand) account(err error) error {
	at := &s.left
	switch {
	case at.State == motion.Parked && err == nil:
		return nil
	case at.State == motion.Parked:
		return fmt.Errorf("%w; the platform is parked", err)
	case err == nil && at.Faults != 0:
		err = fmt.Errorf("motion: %s; %s", at.Faults, watch.RemedyOf(at.Faults))
	case err == nil:
		err = fmt.Errorf("motion: it was to be parked and is %s", at.State)
	case !at.Moved() && !s.direct:
		return err
	}
	return fmt.Errorf("%w; the platform is NOT parked but %s%s: `rig motion park` once that is safe", err, at.State, watch.Places(s.form.Names(), at))
}

// progress shows what is being done: on a terminal, else as a line.
func (s *stand) progress(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if t := s.opt.Terminal; t != nil {
		fmt.Fprint(t, "\r\x1b[K"+watch.Fit(line+" …", t))
		return
	}
	fmt.Fprintln(s.opt.Say, printable.Line(line))
}

// clear takes the line of progress away.
func (s *stand) clear() {
	if s.opt.Terminal != nil {
		fmt.Fprint(s.opt.Terminal, "\r\x1b[K")
	}
}
