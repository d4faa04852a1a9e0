// Package drivesetup builds everything between the input and output devices: circuit, car, force
// feedback, cueing and the platform's geometry, connected to a drive. The input is a valid
// configuration; the output is the drive and notes about the files that were read. It never opens a
// device and never steps the simulation.
package drivesetup

import (
	"fmt"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/files/circuit"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
)

// Parts is what New builds from a configuration.
type Parts struct {
	Drive      *drive.Drive
	TrackNotes []string // warnings about the circuit's files, for the operator
	TireNotes  []string // warnings about the tire files, for the operator
	MaxRPM     float64  // engine speed at the end of the tachometer's scale [1/min]
	TrackFiles []string // paths of the files of the circuit's ground
}

// New loads the circuit and the car of cfg with the options o and builds a drive of them. cfg must be valid.
func New(cfg config.Config, o circuit.Options) (*Parts, error) {
	params, err := config.LoadCar(cfg.Car)
	if err != nil {
		return nil, err
	}
	return NewWithCar(cfg, params, o)
}

// NewWithCar is New for a car that is already loaded.
func NewWithCar(cfg config.Config, params sim.Params, o circuit.Options) (*Parts, error) {
	o.Weather = cfg.Surface
	site, err := circuit.Open(cfg.Track, o)
	if err != nil {
		return nil, err
	}
	parts, err := newParts(cfg, params, site.Circuit, site.Warnings)
	if err != nil {
		return nil, err
	}
	parts.TrackFiles = site.Sources
	return parts, nil
}

// NewOnCircuit builds a drive on a circuit that is already loaded. warnings are those of the circuit's files;
// they become Parts.TrackNotes.
func NewOnCircuit(cfg config.Config, circuit *road.Circuit, warnings []string) (*Parts, error) {
	params, err := config.LoadCar(cfg.Car)
	if err != nil {
		return nil, err
	}
	return newParts(cfg, params, circuit, warnings)
}

func newParts(cfg config.Config, params sim.Params, circuit *road.Circuit, warnings []string) (*Parts, error) {
	car, err := sim.New(params, circuit, sim.Dt)
	if err != nil {
		return nil, err
	}
	forceChain, err := ffb.New(cfg.FFB, ffb.CarOf(car), sim.Dt)
	if err != nil {
		return nil, err
	}
	cue, err := cueing.New(cfg.Cueing, sim.Dt)
	if err != nil {
		return nil, err
	}
	platform, err := Platform(cfg)
	if err != nil {
		return nil, err
	}
	d, err := drive.New(drive.Setup{
		Dt: sim.Dt, Car: car, Circuit: circuit, Rim: drive.Rim{ForceChains: []*ffb.Chain{forceChain}}, Cue: cue, Platform: platform, Guard: cfg.Guard,
		Assists: driveAssists(cfg.Assists), Tuning: cueing.Tuning(cfg.Tuning), LeaveTimeout: cfg.Guard.Release + endTimeoutMargin,
	})
	if err != nil {
		return nil, fmt.Errorf("track %s: %w", cfg.Track, err)
	}
	if cfg.StartSpeed > 0 {
		const kmh = 1 / 3.6 // [m/s]
		if err := d.StartRolling(cfg.StartSpeed * kmh); err != nil {
			return nil, err
		}
	}
	return &Parts{Drive: d, TrackNotes: warnings, TireNotes: config.TireNotices(params), MaxRPM: maxRPM(car.Params())}, nil
}

// driveAssists converts the driving aids of a valid configuration.
func driveAssists(c config.Assists) drive.Assists {
	modes := map[string]drive.Mode{config.Auto: drive.Auto, config.On: drive.On, config.Off: drive.Off}
	return drive.Assists{
		Set: assist.Switches{
			ABS: uint8(c.ABS), Traction: uint8(c.Traction), Stability: uint8(c.Stability),
			Launch: c.Launch, PitLimiter: c.Pit, YawAid: c.Unreal.Yaw, LowSpeedAid: c.Unreal.LowSpeed,
		},
		Clutch: modes[c.Clutch], Shifting: modes[c.Shifting],
	}
}

// maxRPM returns the engine speed at which the torque curve ends [1/min].
func maxRPM(p sim.Params) float64 {
	curve := p.Driveline.TorqueCurve
	return curve[len(curve)-1].RPM
}

// endTimeoutMargin is how much longer than the fade-out of the torque a drive may take to end [s].
const endTimeoutMargin = 3

// DemoDriver returns the driver model of the demo. The circuit must have a closed center line.
func DemoDriver(s *drive.Setup) (*driver.Model, error) {
	if s.Circuit.Roadless || !s.Circuit.Closed() {
		return nil, fmt.Errorf("demo: %s has no closed center line for the driver model of the demo; give it [line] with closed = true, or drive yourself", s.Circuit.Title)
	}
	cfg := driver.DefaultConfig()
	if d, err := driver.New(cfg, s.Car, s.Circuit, s.Dt); err == nil {
		return d, nil
	}
	cfg.Line = driver.LineCenter // no racing line could be calculated, for example because the road is too narrow
	return driver.New(cfg, s.Car, s.Circuit, s.Dt)
}
