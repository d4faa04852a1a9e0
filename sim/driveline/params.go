package driveline

import (
	"errors"
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/curve"
)

// Params describes the driveline: everything between the throttle and the wheels.
type Params struct {
	// torque at full throttle: points `{ rpm, nm }` with rising engine speed; linear between them, constant
	// outside
	TorqueCurve []TorquePoint `toml:"torque" count:"1..64"`
	// braking torque of the engine with the throttle released, at any speed
	EngineFriction float64 `toml:"engine_friction_nm" range:"0..1000"`
	// further braking torque for each rad/s of engine speed
	EngineDrag float64 `toml:"engine_drag_nms" range:"0..10"`
	// inertia of the engine with its flywheel; with an electric motor, the inertia of its rotor
	EngineInertia float64 `toml:"engine_inertia_kgm2" range:"0.01..10"`
	// direction of the crank or the motor's shaft: `longitudinal`, where it turns clockwise seen from the front, or
	// `transverse`, where it turns as the wheels do forward. The body feels the reaction to its acceleration
	CrankAxis string `toml:"crank_axis" oneof:"longitudinal,transverse"`
	// idle speed of the engine; a little above it the automatic clutch begins to carry
	IdleRPM float64 `toml:"idle_rpm" range:"100..5000"`
	// engine speed at which the automatic clutch carries the full torque; at least 100 above `idle_rpm`
	LaunchRPM float64 `toml:"launch_rpm" range:"200..20000" valid:"-"`
	// largest torque that the clutch carries
	ClutchCapacity float64   `toml:"clutch_capacity_nm" range:"1..10000"`
	Gears          []float64 `toml:"gears" count:"1..12" range:"0.2..20"` // ratio of each forward gear
	ReverseGear    float64   `toml:"reverse_gear" range:"0.2..20"`        // ratio of reverse, positive
	FinalDrive     float64   `toml:"final_drive" range:"0.5..20"`         // ratio of the final drive
	// share of the torque on the front wheels: 0 rear drive, 1 front drive; between, all four wheels are
	// driven through a center differential
	FrontShare float64 `toml:"front_share" range:"0..1"`
	// engine speed at which automatic shifting changes up; from 0.93 of it on while the hard limiter cuts; at
	// least 100 above `shift_down_rpm`
	ShiftUpRPM float64 `toml:"shift_up_rpm" range:"200..30000" valid:"-"`
	// engine speed at which automatic shifting changes down; at least `idle_rpm`
	ShiftDownRPM float64 `toml:"shift_down_rpm" range:"100..20000" valid:"-"`
	Efficiency   float64 `toml:"efficiency" range:"0.5..1"` // efficiency of gearbox and final drive under load
	// drag of bearings and oil in gearbox and final drive, as a torque at the wheels; at most
	// (`carrier_inertia_kgm2` + 2·`inner_inertia_kgm2`) over the time step
	SpinLoss float64 `toml:"spin_loss_nm" range:"0..500"`

	Engine             Engine       `toml:"engine"`
	Turbo              Turbo        `toml:"turbo"`
	Motor              Motor        `toml:"motor"` // electric motor instead of the engine
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
	RPM    float64 `toml:"rpm" range:"0..30000" valid:"-"` // engine speed
	Torque float64 `toml:"nm" range:"0..5000"`             // torque at full throttle
}

// Default returns a driveline of about 200 kW with a synchronized gearbox and rear-wheel drive.
func Default() Params {
	return Params{
		TorqueCurve: []TorquePoint{
			{800, 180}, {1500, 240}, {2500, 290}, {4000, 320}, {5500, 310}, {6800, 275}, {7200, 200}, {7400, 0},
		},
		EngineFriction:     22,
		EngineDrag:         0.06,
		EngineInertia:      0.18,
		CrankAxis:          "transverse",
		IdleRPM:            850,
		LaunchRPM:          1900,
		ClutchCapacity:     480,
		Gears:              []float64{3.6, 2.2, 1.55, 1.2, 1.0, 0.82},
		ReverseGear:        3.4,
		FinalDrive:         3.5,
		ShiftUpRPM:         6500,
		ShiftDownRPM:       2800,
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

// Clone returns a deep copy.
func (d Params) Clone() Params {
	d.Gears, d.TorqueCurve = slices.Clone(d.Gears), slices.Clone(d.TorqueCurve)
	d.Gearbox.ShiftMap, d.Converter.Points = slices.Clone(d.Gearbox.ShiftMap), slices.Clone(d.Converter.Points)
	d.Engine, d.Motor = d.Engine.clone(), d.Motor.clone()
	return d
}

// Validate reports every parameter that is out of range.
func (d Params) Validate() error {
	return errors.Join(
		valid.Struct(d),
		valid.AtLeast(d, "launch_rpm", d.IdleRPM+100),
		valid.AtLeast(d, "shift_up_rpm", d.ShiftDownRPM+100),
		valid.AtLeast(d, "shift_down_rpm", d.IdleRPM),
		curve.CheckRising("torque", "rpm", d.TorqueCurve, func(p TorquePoint) float64 { return p.RPM }, 1),
		d.checkEngine(),
	)
}
