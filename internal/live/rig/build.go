package rig

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/files/drivesetup"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/usbserial"
	"rig.example/rig/internal/live/loopback"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/switches"
	"rig.example/rig/sim/driver"
)

// newRig returns a rig without devices.
func newRig(p *drivesetup.Parts) *Rig {
	return &Rig{drive: p.Drive, out: &drive.Outputs{}, stats: &loop.Stats{}, maxRPM: p.MaxRPM, trackFiles: p.TrackFiles}
}

// build builds the rig with its devices, real or simulated, and begins the services, which may read p.
func build(o Options, p *framepage.Page) (*Rig, *deviceSet, error) {
	road := circuit.Options{Progress: func(text string) { o.Log.Info("road: " + text) }}
	if !o.NoCache {
		road.Cache = circuit.UserCache()
	}
	parts, err := drivesetup.New(o.Config, road)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range printable.FirstLines(parts.TireNotes) {
		o.Log.Warn("tire: " + n)
	}
	for _, n := range printable.FirstLines(parts.TrackNotes) {
		o.Log.Warn("road: " + n)
	}
	r := newRig(parts)
	if err := r.beginServices(&o, p); err != nil {
		return nil, nil, err
	}
	if o.Ghost != "" {
		if r.ghost, err = replay.Ghost(o.Ghost, o.Config, parts); err != nil {
			return nil, nil, err
		}
	}
	if o.HighTorque {
		r.drive.State.Guard.AllowHighTorque()
	}
	setup := &r.drive.Setup
	if setup.TickLimit = uint64(o.Duration / period); setup.TickLimit > 0 {
		setup.WaitTimeout = driveWaitTime.Seconds()
	}
	if err := r.limitLaps(&o); err != nil {
		return nil, nil, err
	}
	d := &deviceSet{log: o.Log, demo: o.Demo, real: o.Real.Any(), motion: o.Config.Motion}
	d.rimStuck = r.rimStuck.Load
	switch {
	case o.Follow != nil:
		err = d.follow(r, o)
	case o.Demo:
		err = d.useDemo(r, &o)
	default:
		err = d.useReal(r, o.Config)
	}
	if err != nil {
		return nil, nil, err
	}
	if d.motion.Protocol != "" {
		if d.platform == nil {
			if d.platform, err = motion.New(d.motion, o.Log); err != nil {
				return nil, nil, errors.Join(err, d.close())
			}
			usbserial.Warn("", d.motion.Port, o.Log)
		}
		r.platform = d.platform
		if r.hasInterlock() {
			d.platform.Interlock(true) // open until the switch has been read, so that nothing moves before
		}
		if r.poseSolver, err = newPoseSolver(o.Config); err != nil {
			return nil, nil, errors.Join(err, d.close())
		}
		setup.LeaveTimeout += d.platform.ParkTime().Seconds()
		if setup.WaitTimeout > 0 {
			setup.WaitTimeout += d.platform.ReadyTime().Seconds()
		}
	}
	return r, d, nil
}

// deviceSet holds the devices and runs their goroutines outside of the loop.
type deviceSet struct {
	log       *slog.Logger
	demo      bool            // a driver model drives
	real      bool            // a driver model moves real devices
	wheel     *wheel.Wheel    // nil if it is simulated
	wheelName string          // name of a wheel that a driver model turns
	rimStuck  func() bool     // reports whether that wheel's rim does not follow
	pedals    *pedals.Pedals  // nil in a demo
	controls  *wheel.Controls // nil in a demo that moves nothing real
	switches  switches.Set
	platform  runningPlatform // nil if none is configured
	motion    motion.Config
	source    MotionSource // another simulator that is followed; nil for none

	pauseButton    bool                        // a button is configured for pause
	simulated      bool                        // the platform's controller is simulated
	controller     func(context.Context) error // runs a simulated controller at the other end of a line; nil for none
	stopController func() error                // stops it
	exitErrors     sync.Map                    // errors of devices at exit, by name
}

// runningPlatform is the motion platform outside of the loop: motion.Platform, or motion.Demo.
type runningPlatform interface {
	platform
	Run(context.Context) error  // operates it until the context ends, then parks it
	Park(context.Context) error // moves it to its park position and waits for it
	Close()
	ParkTime() time.Duration
	ReadyTime() time.Duration
}

// useReal opens the connected devices.
func (d *deviceSet) useReal(r *Rig, cfg config.Config) error {
	store, err := cfg.ProfileStore()
	if err != nil {
		return err
	}
	d.wheel = wheel.New(cfg.Wheel, store, d.log)
	d.pedals = pedals.New(cfg.Pedals, store, d.log)
	r.wheel, r.ownEffects, r.pedals = d.wheel, d.wheel, d.pedals
	drivesetup.EnableOwnEffects(r.drive)
	if err := r.switchPresets(cfg, d.log); err != nil {
		return err
	}
	d.wheel.OnConnect(r.presets.wheelFound)
	return d.useSwitches(r, cfg, false)
}

// useSwitches opens the buttons, the emergency stop and, unless they are ignored, the switches of belt and door.
func (d *deviceSet) useSwitches(r *Rig, cfg config.Config, ignoreInterlock bool) (err error) {
	d.controls = wheel.NewControls(cfg.Buttons, cfg.Wheel.Device, d.log)
	r.controls = d.controls
	r.drive.Setup.InterlockButton = !ignoreInterlock && cfg.Buttons.Assigned(wheel.Interlock)
	d.pauseButton = !d.real && cfg.Buttons.Assigned(wheel.Pause)
	d.switches, err = switches.Open(cfg.Estop, ignoreInterlock)
	r.estop, r.interlock = d.switches.Stop, d.switches.Interlock
	return err
}

// useDemo sets up a demo, without hardware or with the devices that are to be real.
func (d *deviceSet) useDemo(r *Rig, o *Options) error {
	if err := r.simulate(); err != nil {
		return err
	}
	if o.Real.Any() {
		if err := d.realDemo(r, o); err != nil {
			return errors.Join(err, d.close())
		}
	}
	if o.Real.Platform {
		return nil
	}
	if d.motion.Protocol != "" {
		d.log.Info("the configured platform does not move, because --demo simulates it; --real moves it")
	}
	return d.simulatePlatform(r)
}

// ptyPort as motion.port of a demo has its simulated controller answer by the clock at the other end of a
// pseudo-terminal.
const ptyPort = "pty"

// simulatePlatform simulates the platform's controller, with a real protocol. Its time is counted by the ticks of the
// loop, so that nothing that holds up the machine looks like a fault of the platform.
func (d *deviceSet) simulatePlatform(r *Rig) (err error) {
	if m := d.motion; m.Protocol == motion.ProtocolMotion4Sim && !m.Motion4Sim.GoOnline {
		d.log.Info("simulated controller: it goes online by itself because motion.motion4sim.go_online is false")
	}
	d.simulated = true
	axes := r.drive.Setup.Platform.Axes()
	if d.motion.Port == ptyPort {
		d.controller, err = loopback.OnPty(&d.motion, axes)
		return err
	}
	v, err := loopback.Virtual(&d.motion, axes, d.log)
	if err == nil {
		d.platform = motion.NewDemo(v)
	}
	return err
}

// simulate sets up a driver model with a simulated wheel.
func (r *Rig) simulate() error {
	model, err := drivesetup.DemoDriver(&r.drive.Setup)
	if err != nil {
		return err
	}
	r.useDriverModel(model)
	return nil
}

// useDriverModel lets a driver model drive with a simulated wheel.
func (r *Rig) useDriverModel(model *driver.Model) {
	hands := r.drive.UseDriverModel(model)
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
				d.log.Error("device is not used", "device", name, "error", err)
			} else if err != nil {
				d.exitErrors.Store(name, err) // at exit, such as a platform that was not parked
			}
		})
	}
	if d.wheel != nil {
		run("wheel", d.wheel.Run)
	}
	if d.pedals != nil {
		run("pedals", d.pedals.Run)
	}
	if d.controls != nil {
		run("buttons", d.controls.Run)
	}
	if d.source != nil {
		run("source", d.source.Run)
	}
	if d.platform != nil {
		run("platform", d.platform.Run)
	}
	if d.controller != nil {
		controllerCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		served := make(chan error, 1)
		go func() { served <- d.controller(controllerCtx) }()
		d.stopController = func() error { cancel(); return <-served }
	}
}

// clear clears the wheel's latched fault after the operator's confirmation. The platform's faults are
// cleared by the order to home.
func (d *deviceSet) clear() {
	if d.wheel != nil {
		d.wheel.ClearFault()
	}
}

// park orders the platform to its park position, in a goroutine, because that takes time.
func (d *deviceSet) park(ctx context.Context) {
	if d.platform == nil {
		return
	}
	go func() {
		if err := d.platform.Park(ctx); err != nil && ctx.Err() == nil {
			d.log.Warn("platform: cannot park", "error", err)
		}
	}()
}

// close closes all devices and returns their errors. Torque and motion have ended before.
func (d *deviceSet) close() error {
	var errs []error
	d.exitErrors.Range(func(_, err any) bool { errs = append(errs, err.(error)); return true })
	if d.wheel != nil {
		errs = append(errs, d.wheel.Close())
	}
	if d.pedals != nil {
		errs = append(errs, d.pedals.Close())
	}
	if d.platform != nil {
		d.platform.Close()
	}
	if d.stopController != nil {
		errs = append(errs, d.stopController())
	}
	return errors.Join(append(errs, d.switches.Close())...)
}

// Latency runs the ticks of a demo without devices in real time, and returns the loop's timing and notes
// about real-time settings that the kernel refused.
func Latency(cfg config.Config, duration time.Duration, interrupt <-chan struct{}, log *slog.Logger) (*loop.Stats, []string, error) {
	parts, err := drivesetup.New(cfg, circuit.Options{Cache: circuit.UserCache()})
	if err != nil {
		return nil, nil, err
	}
	r := newRig(parts)
	if err := r.simulate(); err != nil {
		return nil, nil, err
	}
	r.drive.Setup.TickLimit = uint64(duration / period)
	r.orders.Start()
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		select {
		case <-interrupt:
			r.orders.Give(operator.FadeOutAndPark, guard.BySignal)
		case <-ended:
		}
	}()
	problems, release := cfg.Realtime.Process()
	defer release()
	notes, err := r.loop(cfg, problems, log)
	return r.stats, notes, err
}
