package driveline

import (
	"errors"
	"fmt"
	"slices"

	"rig.example/rig/internal/valid"
)

// Params describe all that stands between the throttle and the wheels.
type Params struct {
	Torque     []TorquePoint `toml:"torque" most:"64"`    // full throttle, rising speed; constant outside
	Friction   float64       `toml:"engine_friction_nm"`  // what a released throttle takes
	Drag       float64       `toml:"engine_drag_nms"`     // N·m more of it for each rad/s
	Inertia    float64       `toml:"engine_inertia_kgm2"` // with flywheel
	Idle       float64       `toml:"idle_rpm"`            //
	Launch     float64       `toml:"launch_rpm"`          // where the automatic clutch carries all that full throttle gives
	ClutchMax  float64       `toml:"clutch_capacity_nm"`  //
	Gears      []float64     `toml:"gears" most:"12"`     // ratio of each forward gear
	Reverse    float64       `toml:"reverse_gear"`        // ratio, positive
	Final      float64       `toml:"final_drive"`         //
	FrontShare float64       `toml:"front_share"`         // of the torque on the front wheels: 0 rear drive, 1 front drive
	ShiftUp    float64       `toml:"shift_up_rpm"`        // automatic shifting
	ShiftDown  float64       `toml:"shift_down_rpm"`      //
	Efficiency float64       `toml:"efficiency"`          // of gearbox and final drive under load
	SpinLoss   float64       `toml:"spin_loss_nm"`        // drag of their bearings and oil, at the wheels

	Engine             Engine       `toml:"engine"`
	Turbo              Turbo        `toml:"turbo"`
	Motor              Motor        `toml:"motor"` // in place of the engine
	Gearbox            Gearbox      `toml:"gearbox"`
	Clutch             Clutch       `toml:"clutch"`
	Converter          Converter    `toml:"converter"`
	Shafts             Shafts       `toml:"shafts"`
	FrontDifferential  Differential `toml:"front_differential"`
	RearDifferential   Differential `toml:"rear_differential"`
	CenterDifferential Differential `toml:"center_differential"`
}

// TorquePoint is a point of the engine's full-throttle curve.
type TorquePoint struct {
	RPM    float64 `toml:"rpm"`
	Torque float64 `toml:"nm"`
}

// Default is a driveline of about 200 kW with a synchronized gearbox, which drives the rear
// wheels.
func Default() Params {
	return Params{
		Torque: []TorquePoint{
			{800, 180}, {1500, 240}, {2500, 290}, {4000, 320}, {5500, 310}, {6800, 275}, {7200, 200}, {7400, 0},
		},
		Friction:           22,
		Drag:               0.06,
		Inertia:            0.18,
		Idle:               850,
		Launch:             1900,
		ClutchMax:          480,
		Gears:              []float64{3.6, 2.2, 1.55, 1.2, 1.0, 0.82},
		Reverse:            3.4,
		Final:              3.5,
		ShiftUp:            6500,
		ShiftDown:          2800,
		Efficiency:         0.95,
		SpinLoss:           6,
		Engine:             DefaultEngine(),
		Turbo:              DefaultTurbo(),
		Motor:              DefaultMotor(),
		Gearbox:            DefaultGearbox(),
		Clutch:             DefaultClutch(),
		Converter:          DefaultConverter(),
		Shafts:             DefaultShafts(),
		FrontDifferential:  DefaultDifferential(),
		RearDifferential:   DefaultDifferential(),
		CenterDifferential: DefaultDifferential(),
	}
}

// Clone returns d with lists of its own.
func (d Params) Clone() Params {
	d.Gears, d.Torque = slices.Clone(d.Gears), slices.Clone(d.Torque)
	d.Gearbox.Map, d.Converter.Points = slices.Clone(d.Gearbox.Map), slices.Clone(d.Converter.Points)
	d.Engine, d.Motor = d.Engine.clone(), d.Motor.clone()
	return d
}

// Validate reports every parameter that is out of range.
func (d Params) Validate() error {
	errs := []error{
		valid.InRange("number of torque points", float64(len(d.Torque)), 1, 64),
		valid.InRange("engine_friction_nm", d.Friction, 0, 1e3),
		valid.InRange("engine_drag_nms", d.Drag, 0, 10),
		valid.InRange("engine_inertia_kgm2", d.Inertia, 0.01, 10),
		valid.InRange("idle_rpm", d.Idle, 100, 5000),
		valid.InRange("launch_rpm", d.Launch, d.Idle+100, 20e3),
		valid.InRange("clutch_capacity_nm", d.ClutchMax, 1, 10e3),
		valid.InRange("number of gears", float64(len(d.Gears)), 1, 12),
		valid.InRange("reverse_gear", d.Reverse, 0.2, 20),
		valid.InRange("final_drive", d.Final, 0.5, 20),
		valid.InRange("front_share", d.FrontShare, 0, 1),
		valid.InRange("shift_up_rpm", d.ShiftUp, d.ShiftDown+100, 30e3),
		valid.InRange("shift_down_rpm", d.ShiftDown, d.Idle, 20e3),
		valid.InRange("efficiency", d.Efficiency, 0.5, 1),
		valid.InRange("spin_loss_nm", d.SpinLoss, 0, 500),
		d.validEngine(),
		valid.Within("gearbox", d.Gearbox.Validate()),
		valid.Within("clutch", d.Clutch.Validate()),
		valid.Within("converter", d.Converter.Validate()),
		valid.Within("shafts", d.Shafts.Validate()),
		valid.Within("front_differential", d.FrontDifferential.Validate()),
		valid.Within("rear_differential", d.RearDifferential.Validate()),
		valid.Within("center_differential", d.CenterDifferential.Validate()),
	}
	for i, g := range d.Gears {
		errs = append(errs, valid.InRange(fmt.Sprintf("gears[%d]", i), g, 0.2, 20))
	}
	for i, at := range d.Torque {
		slowest := 0.0
		if i > 0 {
			slowest = d.Torque[i-1].RPM + 1
		}
		errs = append(errs,
			valid.InRange(fmt.Sprintf("torque[%d].rpm", i), at.RPM, slowest, 30e3),
			valid.InRange(fmt.Sprintf("torque[%d].nm", i), at.Torque, 0, 5e3))
	}
	return errors.Join(errs...)
}
