package rig

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os/exec"
	"sync"
	"time"

	"rig.example/rig/display"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivers"
	"rig.example/rig/internal/files/scenery"
	"rig.example/rig/internal/files/tunings"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/internal/kit/version"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/internal/live/ticks"
)

// Options are the options of Run.
type Options struct {
	Config   config.Config
	Demo     bool                  // a driver model drives with simulated devices
	Real     Real                  // devices of a demo that are real
	Headless bool                  // no window
	NoCache  bool                  // do not use or write the cache of road meshes
	Duration time.Duration         // driving time, counted in ticks of the car; 0 is no limit
	Laps     int                   // laps to drive, from the grid on, valid or not; 0 is no limit
	Command  string                // that drives, as "rig run": `rig stop` says that it stopped it
	Place    *operator.Place       // is told where the platform stands; nil for nobody
	Page     string                // path of the socket from which watchers get the page; "" is the user's default
	Ghost    string                // path of a recording whose best lap the window shows beside the car; "" for none
	Orders   <-chan operator.Order // the operator's orders
	Log      *slog.Logger          // must not be nil
	Status   func(Now)             // shows the drive's state, ten times a second; must not wait; nil for none

	Record     bool   // record the drive, also if the configuration does not ask for it
	RecordFile string // path of the recording; "" is a new file in the folder of recordings

	Driver *drivers.Session // who drives; nil for nobody in particular

	Follow *Follow // follows another simulator; nil for a drive of one's own

	Services []Service // what runs beside the drive in processes of its own

	// Confirm asks the operator whether the devices of Real may move by themselves, after this text. It returns an
	// error unless the operator agrees. It must not be nil if any device of a demo is real.
	Confirm func(text string) error

	HighTorque bool // the operator consents to more than guard.SafeTorque
}

// Run drives until the duration is over, the laps are driven, the window is closed or the operator ends the drive. It then
// fades the torque out, parks the platform and returns the summary.
func Run(o Options) (sum Summary, err error) {
	p, err := framepage.New()
	if err != nil {
		return Summary{}, err
	}
	defer func() {
		failure := ""
		if err != nil {
			failure = printable.Line(config.OneLine(err))
		}
		p.End(failure) // also to those who watch on after it is closed
		p.Close()
	}()
	if err := o.checkDisplay(); err != nil {
		return Summary{}, err
	}
	socket, err := framepage.Reserve(o.Page)
	if err != nil {
		return Summary{}, err
	}
	defer socket.Close()
	r, devices, err := build(o, p)
	if err != nil {
		return Summary{}, err
	}
	r.page = p
	r.tellPlace(o.Place)
	r.orders.Command = o.Command
	err = errors.Join(r.setScene(o), socket.Serve(p), socket.ServeOrders(r.orders.ServeCommand))
	if err == nil {
		err = o.confirmReal(r, devices)
	}
	if err == nil {
		err = r.startRecorder(o) // before memory is locked and the heap's reserve is made
	}
	if err != nil {
		return Summary{}, errors.Join(err, devices.close())
	}
	problems, release := o.Config.Realtime.Process()
	defer release()

	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	watch := &supervisor{rig: r, devices: devices, log: o.Log, status: o.Status, driver: o.Driver}
	wg.Go(func() { watch.run(ctx) })
	wg.Go(func() { r.orders.TakeFrom(ctx, o.Orders, guard.BySignal) })
	window, err := startWindow(ctx, &wg, o, r)
	if err != nil {
		cancel()
		wg.Wait()
		return Summary{}, errors.Join(err, r.endRecording(o, nil), devices.close())
	}
	for _, c := range r.services {
		wg.Go(func() { c.run(ctx) })
	}
	r.orders.Start()
	devices.start(ctx, &wg)
	if r.poseSolver != nil {
		wg.Go(func() { r.poseSolver.run(ctx, r.platform.Status) })
	}
	if r.recorder != nil {
		wg.Go(func() { r.pack(ctx) })
	}
	notes, err := r.loop(o.Config, problems, o.Log)
	reports := r.reports()
	cancel()
	wg.Wait()
	sum = r.summary()
	sum.Notes, sum.Real, sum.Sound, sum.Session = notes, o.Real.String(), reports.Sound, reports.Session
	if window != nil {
		sum.DisplayRestarts = int(window.restarts.Load())
	}
	err = errors.Join(err, window.lostError(r), r.endError(), devices.close())
	sum.Driver = r.endDriver(o) // after the devices: a slow disk must not delay the enable relay
	return sum, errors.Join(err, r.endRecording(o, err))
}

// endDriver ends the drive of the driver, and returns what to tell of it, or nil if nobody in particular drives.
func (r *Rig) endDriver(o Options) *drivers.Summary {
	if o.Driver == nil {
		return nil
	}
	if err := o.Driver.End(&r.out.Frame, r.drive); err != nil {
		o.Log.Warn("driver", "error", err)
	}
	return o.Driver.Summary()
}

const degrees = 180 / math.Pi

const period = ticks.Period

// loop runs the ticks until the drive is done.
func (r *Rig) loop(cfg config.Config, problems []rt.Problem, log *slog.Logger) (notes []string, err error) {
	all := switches.Set{Stop: r.estop, Interlock: r.interlock}
	notes, ended := ticks.Loop{Tick: r.Tick, Panicked: r.recordPanic, Switches: all, Stats: r.stats, Gap: &r.gap}.Start(&cfg, problems, log)
	return notes, <-ended
}

// endError returns an error if the rig did not end parked or gave up: its state, and what to do.
func (r *Rig) endError() error {
	state, gaveUp := r.drive.State.Guard.State(), r.giveUpError()
	notParked := ""
	if r.platform != nil {
		at := r.platform.Status()
		notParked = notParkedText(r.drive.Setup.Platform.Names(), &at)
	}
	switch {
	case state == guard.Parked && notParked == "":
		return gaveUp
	case gaveUp != nil && notParked != "":
		return fmt.Errorf("%w; %s", gaveUp, notParked)
	case gaveUp != nil:
		return gaveUp
	case notParked != "":
		notParked = "; " + notParked
	}
	return fmt.Errorf("ended %s (%s)%s", state, r.drive.State.Guard.LastTransition().Cause, notParked)
}

func (r *Rig) summary() Summary {
	t := NewTiming(r.stats)
	loopTicks := t.Ticks
	s := &r.drive.State
	t.Ticks = s.Car.Tick
	fuel, energy := r.drive.Spent()
	platform := r.platformSummary()
	return Summary{
		Timing:          t,
		Distance:        s.Distance,
		Fuel:            fuel,
		Energy:          energy,
		TopSpeed:        r.extremes.speed,
		MaxRimTorque:    r.extremes.torque,
		MaxTotalTorque:  r.extremes.totalTorque,
		MaxPlatformRoll: r.extremes.roll * degrees,
		StateHash:       fmt.Sprintf("%016x", s.Car.Hash()),
		HashTarget:      version.Current().Target,
		ExitState:       s.Guard.State().String(),
		Pictures:        r.picturesSummary(),
		Platform:        platform,
		Tuning:          tunings.Lines(s.Tuning(), r.drive.Setup.Tuning),
		LoopTicks:       loopTicks,
		LapCount:        s.Laps.Clock.Count,
		BestLap:         frame.TimeOrNull(s.Laps.Clock.Best.Time),
		Laps:            r.laps(),
	}
}

// hasWindow reports whether the drive has a window.
func (o *Options) hasWindow() bool { return !o.Headless && o.Config.Display.Window }

// checkDisplay returns an error if a window is wanted and cannot be opened. If there is no screen at all
// it logs that and continues without a window.
func (o *Options) checkDisplay() error {
	if !o.hasWindow() {
		return nil
	}
	err := display.Available()
	if err == nil {
		return o.checkModel()
	}
	if !errors.Is(err, display.ErrNoDisplay) {
		return err
	}
	o.Log.Warn("no window; the state is shown here", "cause", err)
	o.Headless = true
	return nil
}

// checkModel returns an error if the window cannot show the model that the car's file names.
func (o *Options) checkModel() error {
	m, err := config.LoadModel(o.Config.Car)
	if err != nil {
		return err
	}
	return display.CheckModel(m)
}

// setScene publishes the scene. With a window that takes some tenths of a second; without one an outline is enough.
func (r *Rig) setScene(o Options) error {
	s := scenery.Outline(&r.drive.Setup)
	if o.hasWindow() {
		s = Scene(r.drive, o.Log)
	}
	if r.ghost != nil {
		s.Ghost = *r.ghost
	}
	s.CarName, s.TrackName = userfile.BaseName(o.Config.Car), userfile.BaseName(o.Config.Track)
	s.Names = Names(r.drive.Setup.Platform.Names())
	return r.page.SetScene(s)
}

// Scene returns everything around the car of a drive, for a window. That takes some tenths of a second.
func Scene(d *drive.Drive, log *slog.Logger) *frame.Scene {
	line, err := scenery.NewRacingLine(&d.Setup, d.Model())
	if err != nil {
		log.Warn("road: " + err.Error())
	}
	s := scenery.Scene(&d.Setup, d.State.Car.Pos, line)
	s.Names = Names(d.Setup.Platform.Names())
	return s
}

// startWindow opens the window if the drive has one, and waits for its first picture, so that a display
// that does not work is known before the drive begins.
func startWindow(ctx context.Context, wg *sync.WaitGroup, o Options, r *Rig) (*displayChild, error) {
	if !o.hasWindow() {
		return nil, nil
	}
	command, err := windowCommand(r.page, &o.Config, r.maxRPM, o.Follow != nil)
	if err != nil {
		return nil, err
	}
	v := newDisplayChild(command, r.page, o.Log)
	wg.Go(func() { v.run(ctx) })
	return v, v.waitFirstPicture(r.orders.IsReleased)
}

// windowCommand returns a function that makes a command to show a page in a window. maxRPM is the end of the engine speed
// gauge [1/min]. platform opens the platform's page. What is chosen in the window is kept for the driver, or beside the calibration profiles.
// more are arguments of rig display.
func windowCommand(p *framepage.Page, cfg *config.Config, maxRPM float64, platform bool, more ...string) (func() *exec.Cmd, error) {
	d := &cfg.Display
	s := DisplaySetup(d)
	s.Model, _ = config.LoadModel(cfg.Car) // a recording may name a car that is not on this machine: the built-in one is shown
	setup, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("rig: display: %w", err)
	}
	args := []string{"display", "--inherited", "--width", fmt.Sprint(d.Width), "--height", fmt.Sprint(d.Height), "--camera", d.Camera, "--vsync", d.VSync, "--quality", d.Quality,
		"--max-rpm", fmt.Sprint(maxRPM), "--setup", string(setup)}
	if path, err := drivers.WindowFile(*cfg); err == nil {
		args = append(args, "--remember", path)
	}
	if platform {
		args = append(args, "--motion")
	}
	if p.HasOthers() {
		args = append(args, "--others")
	}
	return displayCommand(p.Files(), append(args, more...))
}

// DisplaySetup returns where and how the configured window shows the picture.
func DisplaySetup(d *config.Display) display.Setup {
	return display.Setup{
		Fullscreen: d.Fullscreen, Monitor: d.Monitor, Screens: d.AllScreens(), EachScreen: d.Windows == "each", Time: d.Time, FOV: d.FOV * math.Pi / 180,
		ScreensOnFloor: !d.PlatformMovesScreens, EyeFromPivot: d.EyeFromPivot, PlatformDelay: d.PlatformDelay,
		HUDScale: d.HUD.Scale, PagesLeft: d.HUD.Pages == "left", Page: d.HUD.Page,
	}
}

// ShowPage shows a page in a window of its own process, without a rig, until the window is closed or ctx ends. It returns
// an error if the window cannot open.
func ShowPage(ctx context.Context, p *framepage.Page, cfg *config.Config, maxRPM float64, log *slog.Logger) error {
	command, err := windowCommand(p, cfg, maxRPM, false)
	if err != nil {
		return err
	}
	v := newDisplayChild(command, p, log)
	v.run(ctx)
	return v.err
}

// DrawPage draws what a page shows into a PNG file. The window that draws it closes at once.
func DrawPage(ctx context.Context, p *framepage.Page, cfg *config.Config, maxRPM float64, path string, log *slog.Logger) error {
	command, err := windowCommand(p, cfg, maxRPM, false, "--screenshot", path)
	if err != nil {
		return err
	}
	v := newDisplayChild(command, p, log)
	v.moving = func() bool { return false } // whatever the page shows
	v.interval = 10 * checkInterval         // a program that draws in place of a graphics card may take seconds for a picture
	return v.runOnce(ctx)
}
