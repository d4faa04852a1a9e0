// Package assembly makes of a configuration what stands between the devices: circuit, car, force
// feedback, cueing and the platform's geometry, wired into a drive. In goes a valid configuration;
// out come the drive and what its files have to be said of. It opens no device and steps nothing.
package assembly

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/circuit"
	"rig.example/rig/internal/config"
	"rig.example/rig/internal/drive"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
)

// Parts are what a configuration comes to between the devices.
type Parts struct {
	Drive      *drive.Drive
	TrackNotes []string // about the circuit's files, for the operator
	TireNotes  []string // about the car's files, for the operator
	MaxRPM     float64  // end of the engine's scale [1/min]
}

// New builds the circuit of cfg, in the way that o says, and what drives on it.
func New(cfg config.Config, o circuit.Options) (*Parts, error) {
	o.Paving = cfg.Surface
	circuit, warnings, err := circuit.Load(cfg.Track, o)
	if err != nil {
		return nil, err
	}
	return On(cfg, circuit, warnings)
}

// On builds what drives on a circuit, whose files gave the warnings.
func On(cfg config.Config, circuit *road.Circuit, warnings []string) (*Parts, error) {
	params, err := config.LoadCar(cfg.Car)
	if err != nil {
		return nil, err
	}
	car, err := sim.New(params, circuit, sim.Dt)
	if err != nil {
		return nil, err
	}
	feel, err := ffb.New(cfg.FFB, ffb.Car{Lock: car.Lock()}, sim.Dt)
	if err != nil {
		return nil, err
	}
	cue, err := cueing.New(cfg.Cueing, sim.Dt)
	if err != nil {
		return nil, err
	}
	form, err := Platform(cfg)
	if err != nil {
		return nil, err
	}
	d, err := drive.New(drive.Setup{
		Dt: sim.Dt, Car: car, Circuit: circuit, Feels: []*ffb.Feel{feel}, Cue: cue, Platform: form, Guard: cfg.Guard,
		Assists: helpOf(cfg.Assists), Tuning: cueing.Tuning(cfg.Tuning), Leave: cfg.Guard.Release + leaveSlack,
	})
	if err != nil {
		return nil, fmt.Errorf("track %s: %w", cfg.Track, err)
	}
	return &Parts{Drive: d, TrackNotes: warnings, TireNotes: config.TireNotices(params), MaxRPM: maxRPM(car.Params())}, nil
}

// helpOf are the assists of a configuration, which is valid.
func helpOf(c config.Assists) drive.Assists {
	modes := map[string]drive.Mode{config.Auto: drive.Auto, config.On: drive.On, config.Off: drive.Off}
	return drive.Assists{
		Set: assist.Switches{
			ABS: uint8(c.ABS), Traction: uint8(c.Traction), Stability: uint8(c.Stability),
			Launch: c.Launch, Pit: c.Pit, Yaw: c.Unreal.Yaw, LowSpeed: c.Unreal.LowSpeed,
		},
		Clutch: modes[c.Clutch], Shifting: modes[c.Shifting],
	}
}

// maxRPM is where an engine gives nothing any more.
func maxRPM(p sim.Params) float64 {
	curve := p.Driveline.Torque
	return curve[len(curve)-1].RPM
}

// leaveSlack is what a release may take beside its fade-out and the parking [s].
const leaveSlack = 3

// DemoDriver returns the driver model of the demo.
func DemoDriver(s *drive.Setup) (*driver.Model, error) {
	if s.Circuit.Roadless || !s.Circuit.Closed() {
		return nil, fmt.Errorf("demo: %s has no closed centre line for the driver model of the demo; give it [line] with closed = true, or drive yourself", s.Circuit.Title)
	}
	cfg := driver.DefaultConfig()
	if d, err := driver.New(cfg, s.Car, s.Circuit, s.Dt); err == nil {
		return d, nil
	}
	cfg.Line = driver.LineCentre // there is no room for a racing line
	return driver.New(cfg, s.Car, s.Circuit, s.Dt)
}
