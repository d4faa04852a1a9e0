package rig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"sync"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/rt"
	"rig.example/rig/internal/scenery"
	"rig.example/rig/internal/switches"
	"rig.example/rig/internal/version"
	"rig.example/rig/internal/watch"
	"rig.example/rig/sim"
)

// Options say how to run.
type Options struct {
	Config   config.Config
	Demo     bool                  // simulated devices and a driver model
	Headless bool                  // no window
	NoCache  bool                  // meshes are built anew and not kept
	Duration time.Duration         // of driving, counted in ticks; 0 without end
	Page     string                // path of the socket where watchers get the page; "" is where a user's rig has it
	Orders   <-chan operator.Order // of the operator
	Log      *slog.Logger
	Terminal *os.File // shows a live status line; nil for none

	HighTorque bool // the operator consents to more than guard.SafeTorque
}

// Run drives until the duration is over, the window is closed or a release is
// ordered, then ramps the torque out, parks the platform and returns.
func Run(o Options) (sum Summary, err error) {
	p, err := page.New()
	if err != nil {
		return Summary{}, err
	}
	defer func() {
		why := ""
		if err != nil {
			why = printable.Line(config.OneLine(err))
		}
		p.End(why) // also to those who watch on after it is closed
		p.Close()
	}()
	if err := o.findScreen(); err != nil {
		return Summary{}, err
	}
	socket, err := page.Reserve(o.Page)
	if err != nil {
		return Summary{}, err
	}
	defer socket.Close()
	r, devices, err := build(o)
	if err != nil {
		return Summary{}, err
	}
	r.page = p
	if err := errors.Join(r.paint(o), socket.Serve(p)); err != nil {
		return Summary{}, errors.Join(err, devices.close())
	}
	problems, release := o.Config.Realtime.Process()
	defer release()

	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	watch := &supervisor{rig: r, devices: devices, log: o.Log, terminal: o.Terminal, orders: o.Orders}
	wg.Go(func() { watch.run(ctx) })
	window, err := startWindow(ctx, &wg, o, r)
	if err != nil {
		cancel()
		wg.Wait()
		return Summary{}, errors.Join(err, devices.close())
	}
	r.orders.start.Store(true)
	devices.start(ctx, &wg)
	if r.gauge != nil {
		wg.Go(func() { r.gauge.run(ctx, r.platform.Status) })
	}

	notes, err := r.loop(o.Config, problems, o.Log)
	cancel()
	wg.Wait()
	sum = r.summary()
	sum.Notes = notes
	if window != nil {
		sum.DisplayRestarts = int(window.restarts.Load())
	}
	return sum, errors.Join(err, window.verdict(r), r.verdict(), devices.close())
}

const degrees = 180 / math.Pi

// period is the time between two ticks: the car's step in real time.
const period = time.Duration(sim.Dt * float64(time.Second))

// loop runs the ticks on a thread of their own until the rig is parked. What
// the machine refuses, problems for a start, is said once and changes nothing
// else.
func (r *Rig) loop(cfg config.Config, problems []rt.Problem, log *slog.Logger) (notes []string, err error) {
	refused := make(chan []rt.Problem, 1)
	done := make(chan error, 1)
	go func() { // ends with its thread, whose priority nothing else must inherit
		refused <- cfg.Realtime.Thread()
		if r.estop != nil {
			switches.Settled(r.estop, cfg.Estop) // or the first tick would be a stop: just before it, for a start keeps a machine busy
		}
		r.belt.Settle(cfg.Estop)
		r.gap.now, r.gap.suspended = cfg.Realtime.Clock().Now, rt.Suspended
		done <- loop.Run(cfg.Realtime.Clock(), period, cfg.Loop, r.stats, r.Tick)
	}()
	for _, p := range append(problems, <-refused...) {
		log.Warn(p.What, "remedy", p.Remedy)
		notes = append(notes, p.String())
	}
	return notes, <-done
}

// verdict is the error of a rig that did not end parked: where it was left, and what to do.
func (r *Rig) verdict() error {
	state, gaveUp := r.drive.State.Guard.State(), r.givenUp()
	left := ""
	if r.platform != nil {
		at := r.platform.Status()
		left = notParked(r.drive.Setup.Platform.Names(), &at)
	}
	switch {
	case state == guard.Parked && left == "":
		return gaveUp
	case gaveUp != nil && left != "":
		return fmt.Errorf("%w; %s", gaveUp, left)
	case gaveUp != nil:
		return gaveUp
	case left != "":
		left = "; " + left
	}
	return fmt.Errorf("ended %s (%s)%s", state, r.drive.State.Guard.Last().Cause, left)
}

func (r *Rig) summary() Summary {
	t := NewTiming(r.stats)
	loopTicks := t.Ticks
	s := &r.drive.State
	t.Ticks = s.Car.Tick
	fuel, energy := r.drive.Spent()
	moved := r.moved()
	return Summary{
		Timing:          t,
		Distance:        s.Distance,
		Fuel:            fuel,
		Energy:          energy,
		MaxRimTorque:    r.peaks.torque,
		MaxTotalTorque:  r.peaks.total,
		MaxPlatformRoll: r.peaks.roll * degrees,
		StateHash:       fmt.Sprintf("%016x", s.Car.Hash()),
		HashTarget:      version.Current().Target,
		ExitState:       s.Guard.State().String(),
		Platform:        moved,
		Tuning:          watch.TunedLines(s.Tuning(), r.drive.Setup.Tuning),
		LoopTicks:       loopTicks,
		LapCount:        s.Laps.Clock.Count,
		BestLap:         watch.TimeOf(s.Laps.Clock.Best.Time),
		Laps:            r.laps(),
	}
}

// windowed reports whether the drive has a window.
func (o *Options) windowed() bool { return !o.Headless && o.Config.Display.Window }

// findScreen is an error if the drive has a window and none can open, before anything is done.
// Where there is no screen at all it says so, and the drive has no window.
func (o *Options) findScreen() error {
	if !o.windowed() {
		return nil
	}
	err := display.Available()
	if !errors.Is(err, display.ErrNoDisplay) {
		return err
	}
	o.Log.Warn("no window; the state is shown here", "cause", err)
	o.Headless = true
	return nil
}

// paint gives the readers of the page what stands still. For a window that takes some tenths
// of a second; without one, names will do.
func (r *Rig) paint(o Options) error {
	s := &frame.Scene{Car: scenery.Size(&r.drive.Setup)}
	if o.windowed() {
		line, err := scenery.RacingLine(&r.drive.Setup, r.drive.Model())
		if err != nil {
			o.Log.Warn("road: " + err.Error())
		}
		s = scenery.Scene(&r.drive.Setup, r.drive.State.Car.Pos, line)
	}
	s.Legs = r.drive.Setup.Platform.Names()
	return r.page.SetScene(s)
}

// startWindow opens the window if the drive has one, and waits for its first picture: what
// cannot be shown is known before a drive begins.
func startWindow(ctx context.Context, wg *sync.WaitGroup, o Options, r *Rig) (*view, error) {
	if !o.windowed() {
		return nil, nil
	}
	d := o.Config.Display
	command, err := displayCommand(r.page.Files(), []string{"display", "--inherited", "--width", fmt.Sprint(d.Width),
		"--height", fmt.Sprint(d.Height), "--camera", d.Camera,
		"--max-rpm", fmt.Sprint(r.maxRPM)})
	if err != nil {
		return nil, err
	}
	v := newView(command, r.page, o.Log)
	wg.Go(func() { v.run(ctx) })
	return v, v.first(r.orders.release.Load)
}
