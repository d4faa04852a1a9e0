package rig

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rig.example/rig/devices/estop"
	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/assembly"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/drive"
	"rig.example/rig/internal/loop"
	"rig.example/rig/internal/loopback"
	"rig.example/rig/internal/printable"
	"rig.example/rig/internal/switches"
	"rig.example/rig/internal/usbserial"
	"rig.example/rig/sim/driver"
)

// newRig returns a rig without devices.
func newRig(p *assembly.Parts) *Rig {
	return &Rig{drive: p.Drive, out: &drive.Outputs{}, stats: &loop.Stats{}, maxRPM: p.MaxRPM}
}

// build adds the devices, real or simulated.
func build(o Options) (*Rig, *deviceSet, error) {
	road := circuit.Options{Tell: func(text string) { o.Log.Info("road: " + text) }}
	if !o.NoCache {
		road.Cache = circuit.UserCache()
	}
	parts, err := assembly.New(o.Config, road)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range printable.Few(parts.TireNotes) {
		o.Log.Warn("tire: " + n)
	}
	for _, n := range printable.Few(parts.TrackNotes) {
		o.Log.Warn("road: " + n)
	}
	r := newRig(parts)
	if o.HighTorque {
		r.drive.State.Guard.Allow()
	}
	setup := &r.drive.Setup
	if setup.Limit = uint64(o.Duration / period); setup.Limit > 0 {
		setup.Patience = driveWait.Seconds()
	}
	d := &deviceSet{log: o.Log, demo: o.Demo, motion: o.Config.Motion}
	if o.Demo {
		err = d.simulate(r) // which moves nothing that a switch could stop
	} else {
		err = d.real(r, o.Config)
	}
	if err != nil {
		return nil, nil, err
	}
	if d.motion.Protocol != "" {
		if d.platform, err = motion.New(d.motion, o.Log); err != nil {
			return nil, nil, errors.Join(err, d.close())
		}
		usbserial.Warn("", d.motion.Port, o.Log)
		r.platform = d.platform
		if r.watchesBelt() {
			d.platform.Interlock(true) // until somebody has looked: nothing moves before
		}
		if r.gauge, err = newGauge(o.Config); err != nil {
			return nil, nil, errors.Join(err, d.close())
		}
		setup.Leave += d.platform.ParkTime().Seconds()
		if setup.Patience > 0 {
			setup.Patience += d.platform.ReadyTime().Seconds()
		}
	}
	return r, d, nil
}

// deviceSet is what runs beside the loop for the devices.
type deviceSet struct {
	log      *slog.Logger
	demo     bool
	wheel    *wheel.Wheel
	pedals   *pedals.Pedals
	controls *wheel.Controls
	estop    *estop.Switch // nil if none is configured
	belt     *estop.Switch // the same
	platform *motion.Platform
	motion   motion.Config

	pauseButton bool                        // a button is the pause's
	controller  func(context.Context) error // the simulated platform's far end
	unplug      func() error                // ends the controller, last of all
	late        sync.Map                    // errors of devices after the drive, by name
}

// real uses what is plugged in.
func (d *deviceSet) real(r *Rig, cfg config.Config) error {
	store, err := cfg.ProfileStore()
	if err != nil {
		return err
	}
	d.wheel = wheel.New(cfg.Wheel, store, d.log)
	d.pedals = pedals.New(cfg.Pedals, store, d.log)
	d.controls = wheel.NewControls(cfg.Buttons, cfg.Wheel.Device, d.log)
	r.wheel, r.own, r.pedals, r.controls = d.wheel, d.wheel, d.pedals, d.controls
	setup := &r.drive.Setup
	r.drive.ShakenBy(ffb.NewShake(setup.Dt, patterns(setup.Circuit.Ground)))
	if err := r.switchPresets(cfg, d.log); err != nil {
		return err
	}
	d.wheel.Announce(r.presets.found)
	setup.BeltButton, d.pauseButton = cfg.Buttons.Given(wheel.Interlock), cfg.Buttons.Given(wheel.Pause)
	if d.estop, err = switches.OpenStop(cfg.Estop); d.estop != nil {
		r.estop = d.estop
	}
	if err != nil {
		return err
	}
	if d.belt, err = switches.OpenInterlock(cfg.Estop); d.belt != nil {
		r.belt.Line = d.belt
	}
	return err
}

// simulate needs no hardware: the platform's controller is simulated too, at
// the far end of a pseudo-terminal, and speaks a real protocol.
func (d *deviceSet) simulate(r *Rig) error {
	if err := r.simulate(); err != nil {
		return err
	}
	if m := d.motion; m.Protocol == motion.ProtocolMotion4Sim && !m.Motion4Sim.GoOnline {
		d.log.Info("simulated controller: its switch to go on line is pressed, for motion.motion4sim.go_online is false")
	}
	setup := &r.drive.Setup
	var err error
	d.controller, err = loopback.OnPty(&d.motion, setup.Platform.Axes())
	return err
}

// simulate puts a driver model behind a simulated wheel.
func (r *Rig) simulate() error {
	model, err := assembly.DemoDriver(&r.drive.Setup)
	if err != nil {
		return err
	}
	r.drivenBy(model)
	return nil
}

// drivenBy has a driver model drive, whose hands hold a simulated wheel.
func (r *Rig) drivenBy(model *driver.Model) {
	hands := r.drive.DrivenBy(model)
	simulated := wheel.NewSim(wheel.DefaultSimConfig())
	r.wheel, r.rim, r.demo = simulated, simulated, true
	r.rim.Hands(hands.Angle, hands.Stiffness)
	r.rim.Step()
}

// start runs every device until ctx ends.
func (d *deviceSet) start(ctx context.Context, wg *sync.WaitGroup) {
	run := func(name string, f func(context.Context) error) {
		wg.Go(func() {
			err := f(ctx)
			if err != nil && ctx.Err() == nil {
				d.log.Error("device is not used", "device", name, "err", err)
			} else if err != nil {
				d.late.Store(name, err) // on the way out: a platform that was not parked
			}
		})
	}
	if d.wheel != nil {
		run("wheel", d.wheel.Run)
		run("pedals", d.pedals.Run)
		run("buttons", d.controls.Run)
	}
	if d.platform != nil {
		run("platform", d.platform.Run)
	}
	if d.controller != nil {
		alone, cancel := context.WithCancel(context.WithoutCancel(ctx))
		served := make(chan error, 1)
		go func() { served <- d.controller(alone) }()
		d.unplug = func() error { cancel(); return <-served }
	}
}

// clear lifts the fault that the wheel latched itself, once the operator has
// confirmed; an order to home lifts the platform's.
func (d *deviceSet) clear() {
	if d.wheel != nil {
		d.wheel.ClearFault()
	}
}

// home has the platform go to its centre.
func (d *deviceSet) home(ctx context.Context) { d.order(ctx, "home", (*motion.Platform).Home) }

// park ends the platform's drive, wherever it is.
func (d *deviceSet) park(ctx context.Context) { d.order(ctx, "park", (*motion.Platform).Park) }

// order tells the platform where to go and does not wait: it takes its time.
func (d *deviceSet) order(ctx context.Context, what string, f func(*motion.Platform, context.Context) error) {
	if d.platform == nil {
		return
	}
	go func() {
		if err := f(d.platform, ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("platform", "order", what, "err", err)
		}
	}()
}

// close leaves every device inert.
func (d *deviceSet) close() error {
	var errs []error
	d.late.Range(func(_, err any) bool { errs = append(errs, err.(error)); return true })
	if d.wheel != nil {
		errs = append(errs, d.wheel.Close(), d.pedals.Close())
	}
	if d.platform != nil {
		d.platform.Close()
	}
	if d.unplug != nil {
		errs = append(errs, d.unplug())
	}
	if d.belt != nil {
		errs = append(errs, d.belt.Close())
	}
	if d.estop != nil { // last: the power goes when everything is at rest
		errs = append(errs, d.estop.Close())
	}
	return errors.Join(errs...)
}

// Latency runs the tick of the demo, without devices, at its rate for d.
func Latency(cfg config.Config, d time.Duration, interrupt <-chan struct{}, log *slog.Logger) (*loop.Stats, []string, error) {
	parts, err := assembly.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		return nil, nil, err
	}
	r := newRig(parts)
	if err := r.simulate(); err != nil {
		return nil, nil, err
	}
	r.drive.Setup.Limit = uint64(d / period)
	r.orders.start.Store(true)
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-interrupt:
			r.orders.release.Store(true)
		case <-over:
		}
	}()
	problems, release := cfg.Realtime.Process()
	defer release()
	notes, err := r.loop(cfg, problems, log)
	return r.stats, notes, err
}
