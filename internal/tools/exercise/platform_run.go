// Package exercise moves one device at a time without a drive: it plays an effect at the wheel behind a
// guard of its own, homes, parks, jogs, sweeps and configures the platform, and measures the result.
// In go the configuration, what to do, and who confirms it; out come results. It moves nothing
// without confirmation, watches every switch as a drive does, and leaves the platform parked, or
// reports where it is. No drive may run at the same time.
package exercise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/cueing"
	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/wire"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/usbserial"
	"rig.example/rig/internal/live/console"
	"rig.example/rig/internal/live/loopback"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
)

// MotionOptions are the options of a command that moves a platform.
type MotionOptions struct {
	UI              *dialog.Dialog
	Output          io.Writer       // receives messages for the operator before and during the movement
	Confirmed       bool            // the operator has confirmed the movement with --yes
	Simulated       bool            // use a simulated controller
	IgnoreInterlock bool            // the switches of belt and door are not checked
	SoftwareStop    context.Context // is canceled by an emergency stop in software; nil for none
	Place           *operator.Place // is told where the platform stands; nil for nobody
	Log             *slog.Logger
	Progress        *console.Progress // shows what is being done; nil for lines in Output
}

// platformRun is one command that moves a platform without a car.
type platformRun struct {
	cfg         config.Config
	opt         MotionOptions
	geometry    *cueing.Platform
	lastPose    cueing.Pose // last solution for legs, from which the next search starts
	platform    movable
	switches    switches.Set
	buttons     *wheel.Controls // nil if no button is the interlock
	warning     *lastWarning
	simulate    func(context.Context) error // runs a simulated controller at the other end of a line; nil for none
	skipHoming  bool                        // park without homing first
	finalStatus motion.Status               // at the end
}

// movable is a platform that a command moves: motion.Platform, or a virtual one.
type movable interface {
	Push(wire.Legs)
	Halt()
	Interlock(open bool)
	Status() motion.Status
	ParkTime() time.Duration
	Home(context.Context) error
	Park(context.Context) error
	Run(context.Context) error
	Close()
}

// newPlatformRun opens what a command needs. It moves nothing.
func newPlatformRun(cfg config.Config, opt MotionOptions) (*platformRun, error) {
	s := &platformRun{cfg: cfg, opt: opt, warning: &lastWarning{log: opt.Log}}
	var err error
	if s.geometry, err = drivesetup.Platform(cfg); err != nil {
		return nil, err
	}
	if opt.Simulated {
		v, err := loopback.Virtual(&s.cfg.Motion, s.geometry.Axes(), slog.New(s.warning))
		if err != nil {
			return nil, err
		}
		s.platform = newVirtualPlatform(v)
		return s, nil
	}
	if s.cfg.Motion.Protocol == "" {
		return nil, errNoPlatform
	}
	if s.platform, err = motion.New(s.cfg.Motion, slog.New(s.warning)); err != nil {
		return nil, err
	}
	usbserial.Warn("", s.cfg.Motion.Port, opt.Log)
	return s, s.openSwitches()
}

var errNoPlatform = errors.New("motion: no platform is configured; set motion.protocol and motion.port, or give --demo to try without one")

// confirm tells the operator what will happen, and returns an error unless the operator agrees.
func (s *platformRun) confirm(ctx context.Context, description string, isMild bool) error {
	m := s.cfg.Motion
	if s.opt.Simulated {
		_, err := fmt.Fprintf(s.opt.Output, "simulated platform: %s\n", description)
		return err
	}
	fmt.Fprintf(s.opt.Output, "The %s platform on %s will %s\n", m.Protocol, printable.Line(m.Port), description)
	if plan, err := m.Plan(); err == nil && plan.NoFeedback {
		fmt.Fprintf(s.opt.Output, "It does not report the positions of its actuators: they are assumed to be at %s (motion.start_share).\n", motion.StrokePercent(plan.Start[:plan.Axes]))
	}
	fmt.Fprintln(s.opt.Output, "Nobody and nothing may be under it, on it or in its way; keep its emergency stop within reach. Ctrl-C parks it, and `rig stop` in another terminal halts it.")
	limit := fmt.Sprintf("%.0f %% of the stroke, or than %g strokes/s,", 100*maxMildShare, maxMildSpeed)
	if err := consent(ctx, s.opt.UI, s.opt.Output, s.opt.Confirmed, isMild, limit, "Move it now?"); err != nil {
		return fmt.Errorf("motion: nothing was moved: %w", err)
	}
	return nil
}

// run operates the platform: it homes, calls work, and parks whatever the outcome. When ctx ends,
// the platform parks at once.
func (s *platformRun) run(ctx context.Context, work func(context.Context) error) (err error) {
	s.switches.WaitSettled(s.cfg.Estop)
	if cause := s.stopError(); cause != nil {
		return errors.Join(cause, s.switches.Close())
	}
	s.opt.Place.Set(s.place)
	runCtx, end := context.WithCancel(context.WithoutCancel(ctx)) // lasts longer than ctx, so that the platform can park
	defer end()
	workCtx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	if err := s.waitForInterlock(runCtx, &wg); err != nil {
		end()
		wg.Wait()
		return errors.Join(err, s.switches.Close())
	}
	if s.simulate != nil {
		wg.Go(func() { _ = s.simulate(runCtx) }) // an error only means that the line was closed
	}
	wg.Go(func() { s.watchStop(runCtx, stop) })
	if s.buttons != nil || s.switches.Interlock.Line != nil {
		wg.Go(func() { s.watchInterlock(runCtx, stop) })
	}
	ended := make(chan error, 1)
	go func() { ended <- s.platform.Run(runCtx) }()
	if !s.skipHoming {
		err = s.home(workCtx)
	}
	if err == nil {
		err = work(workCtx)
	}
	err = s.parkAndClose(endCause(workCtx, err), ended)
	end()
	wg.Wait()
	if cause := context.Cause(workCtx); err == nil && errors.Is(cause, errRelay) { // it failed while the platform parked
		err = s.withFinalState(cause)
	}
	return errors.Join(err, s.switches.Close())
}

// place says where the platform stands.
func (s *platformRun) place() string {
	at := s.platform.Status()
	return at.KnownPlace(s.geometry.Names())
}

// endCause returns the cause of a context that has ended instead of err; else err.
func endCause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	switch cause := operator.Cause(ctx); cause {
	case operator.ErrStopped, operator.ErrInterrupted:
		return fmt.Errorf("motion: %w", cause)
	default:
		return cause
	}
}

// errStopped is returned when the stop switch was pressed.
var errStopped = errors.New("stopped")

func stoppedBy(cause estop.Cause) error {
	return fmt.Errorf("motion: %w: %s; release the switch and start again", errStopped, cause)
}

// stopError returns an error while the stop switch is pressed or the operator has ordered a stop.
func (s *platformRun) stopError() error {
	if stopped, _, cause := switches.ReadStop(s.switches.Stop); stopped {
		return stoppedBy(cause)
	}
	if s.opt.SoftwareStop != nil && s.opt.SoftwareStop.Err() != nil {
		return fmt.Errorf("motion: %w", context.Cause(s.opt.SoftwareStop))
	}
	return nil
}

// errRelay is returned when the relay of the stop switch has failed.
var errRelay = errors.New("relay")

// watchStop keeps the relay closed. When the stop switch is pressed or the operator orders a stop, it
// opens the relay and halts the platform, whatever the platform is doing. A relay that has failed stays open, and the
// platform parks, as in a drive.
func (s *platformRun) watchStop(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(pollPeriod)
	defer tick.Stop()
	defer s.setRelay(false)
	relayFailed := false
	for {
		stopErr := s.stopError()
		if stopErr != nil {
			s.platform.Halt()
			stop(stopErr)
		}
		if _, failed, cause := switches.ReadStop(s.switches.Stop); failed && !relayFailed {
			relayFailed = true
			remedy := "rig was held up; give the command again"
			if cause == estop.RelayFailed {
				remedy = "switch the power off, look at its wires and supply, and start again"
			}
			stop(fmt.Errorf("motion: %w: %s; %s", errRelay, cause, remedy))
		}
		s.setRelay(stopErr == nil && !relayFailed)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// setRelay closes (true) or opens the relay, if there is one.
func (s *platformRun) setRelay(on bool) {
	if s.switches.Stop != nil {
		s.switches.Stop.Enable(on)
	}
}

// home waits for the platform and homes it.
func (s *platformRun) home(ctx context.Context) error {
	s.progress("homing")
	const margin = 5 * time.Second
	limit := s.bootWait() + s.platform.ParkTime() + margin // homing takes no longer than parking
	ctx, cancel := s.withTimeout(ctx, limit)
	defer cancel()
	err := s.platform.Home(ctx)
	if err != nil && ctx.Err() == nil || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return s.warning.explain(err)
	}
	return err
}

// bootWait returns how long a controller may take to boot after its port was opened.
func (s *platformRun) bootWait() time.Duration {
	return time.Duration(s.cfg.Motion.BootWait * float64(time.Second))
}

// parkAndClose parks, ends Run, and returns an error if the platform was left anywhere else.
func (s *platformRun) parkAndClose(err error, ended <-chan error) error {
	switch {
	case errors.Is(err, operator.ErrInterrupted):
		fmt.Fprintln(s.opt.Output, "interrupted: parking")
	case errors.Is(err, errRelay):
		fmt.Fprintln(s.opt.Output, "the relay failed: parking")
	case errors.Is(err, errInterlock):
		fmt.Fprintln(s.opt.Output, "belt or door opened: the platform parks, or stays where it is if it was not homed yet")
	}
	if s.mustPark(err) {
		s.progress("parking")
		ctx, cancel := s.withTimeout(context.Background(), s.bootWait()+s.platform.ParkTime())
		if parkErr := s.platform.Park(ctx); parkErr != nil && err == nil {
			err = s.warning.explain(parkErr)
		}
		cancel()
	}
	if stopErr := s.stopError(); stopErr != nil { // also if the stop came while it parked
		s.platform.Halt()
		err = stopErr
	}
	s.platform.Close()
	s.finalStatus = s.platform.Status()
	s.opt.Progress.Clear()
	if parkErr := <-ended; parkErr != nil && err == nil {
		err = parkErr
	}
	return s.withFinalState(err)
}

// mustPark reports whether the platform must be parked. One that was stopped stays in place, which
// is what a stop is for; one that was not homed yet when a door opened stays, because somebody may
// be climbing in.
func (s *platformRun) mustPark(err error) bool {
	state := s.platform.Status().State
	switch {
	case errors.Is(err, errStopped), errors.Is(err, operator.ErrStopped):
		return false
	case errors.Is(err, errInterlock):
		return state != motion.Absent && state != motion.Opening && state != motion.Halted
	}
	return s.skipHoming || state != motion.Absent
}

// withFinalState adds to err where the platform was left; it returns an error wherever that is not
// parked.
func (s *platformRun) withFinalState(err error) error {
	status := &s.finalStatus
	switch {
	case status.State == motion.Parked && err == nil:
		return nil
	case status.State == motion.Parked:
		return fmt.Errorf("%w; the platform is parked", err)
	case err == nil && status.Faults != 0:
		err = fmt.Errorf("motion: %s; %s", status.Faults, status.Faults.Remedy())
	case err == nil:
		err = fmt.Errorf("motion: it did not park and is %s", status.State)
	case !status.Moved() && !s.skipHoming:
		return err
	}
	return fmt.Errorf("%w; %s: `rig motion park` once that is safe", err, status.Place(s.geometry.Names()))
}

// progress shows what is being done: on a terminal in one line, else as lines of text.
func (s *platformRun) progress(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if s.opt.Progress != nil {
		s.opt.Progress.Show(line + " …")
		return
	}
	fmt.Fprintln(s.opt.Output, printable.Line(line))
}
