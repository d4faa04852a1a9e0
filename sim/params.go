package sim

import (
	"errors"
	"fmt"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/brakes"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
)

// Params describe a car. Units are in the keys.
type Params struct {
	Mass       float64 `toml:"mass_kg"`
	InertiaXX  float64 `toml:"inertia_xx_kgm2"` // roll, about the centre of mass
	InertiaYY  float64 `toml:"inertia_yy_kgm2"` // pitch
	InertiaZZ  float64 `toml:"inertia_zz_kgm2"` // yaw
	InertiaXZ  float64 `toml:"inertia_xz_kgm2"` // integral of x·z over the mass
	InertiaXY  float64 `toml:"inertia_xy_kgm2"` // of x·y; 0 where left and right are alike
	InertiaYZ  float64 `toml:"inertia_yz_kgm2"` // of y·z; the same
	CGHeight   float64 `toml:"cg_height_m"`     // above the ground at rest
	Wheelbase  float64 `toml:"wheelbase_m"`
	CGToFront  float64 `toml:"cg_to_front_m"` // centre of mass to front axle
	CGLeft     float64 `toml:"cg_left_m"`     // centre of mass to the left of the car's middle
	TrackFront float64 `toml:"track_front_m"`
	TrackRear  float64 `toml:"track_rear_m"`
	Length     float64 `toml:"length_m"` // of the body, drawn and scraped
	Width      float64 `toml:"width_m"`
	Height     float64 `toml:"height_m"`
	DragArea   float64 `toml:"drag_area_m2"` // drag coefficient times frontal area
	Gravity    float64 `toml:"gravity_mps2"`
	Gyroscopes bool    `toml:"wheel_gyroscopes"` // wheels that turn resist being turned about other axes; false as models without it

	Parts     []Part    `toml:"part" most:"256"` // where given, mass, centre of mass and inertia are theirs
	ComOffset []float64 `toml:"com_offset_m"`    // moves the centre of mass by x, y, z, and nothing else

	Front     Axle            `toml:"front"`
	Rear      Axle            `toml:"rear"`
	Steering  steering.Params `toml:"steering"`
	Brakes    brakes.Params   `toml:"brakes"`
	Driveline Driveline       `toml:"driveline"`
	Assists   AssistParams    `toml:"assists"`
	Fuel      Fuel            `toml:"fuel"`

	Hull Hull          `toml:"hull"`
	Air  Air           `toml:"air"`
	Aero []AeroSurface `toml:"aero" most:"32"`
}

// Axle is the suspension, the wheels and the tires of one axle, for each side.
// Springs and dampers count at their own travel, bars and bump stops at the wheel's.
type Axle struct {
	SpringRate   float64 `toml:"spring_rate_n_per_m"`
	BarRate      float64 `toml:"anti_roll_rate_n_per_m"` // moved between the sides for each metre of travel difference
	Bump         float64 `toml:"damper_bump_ns_per_m"`
	Rebound      float64 `toml:"damper_rebound_ns_per_m"`
	Travel       float64 `toml:"travel_m"`              // from full droop to metal
	StopStart    float64 `toml:"bump_stop_at_m"`        // travel at which the bump stop is met
	StopRate     float64 `toml:"bump_stop_n_per_m"`     // added to the spring from there on
	VerticalRate float64 `toml:"tire_vertical_n_per_m"` // stiffness of the standing tire, where the tire brings none
	TireDamping  float64 `toml:"tire_damping_ns_per_m"` // of the same

	Unsprung     float64 `toml:"unsprung_mass_kg"`          // of each wheel with what moves up and down with it
	WheelDamping float64 `toml:"wheel_damping_nms_per_rad"` // of each wheel's bearing

	Footing
	Spring     Spring           `toml:"spring"`
	Damper     Damper           `toml:"damper"`
	Kinematics Kinematics       `toml:"kinematics"`
	Wheel      tire.WheelParams `toml:"wheel"`
	Tire       TireChoice       `toml:"tire"`
	Bar        Bar              `toml:"bar"`
	Joint      Joint            `toml:"joint"`
}

// Driveline is all that stands between the throttle and the wheels.
type Driveline struct {
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

// Validate reports every parameter that is out of range.
func (p Params) Validate() error {
	return errors.Join(
		p.massInRange(),
		valid.InRange("wheelbase_m", p.Wheelbase, 1, 8),
		valid.InRange("track_front_m", p.TrackFront, 0.5, 3),
		valid.InRange("track_rear_m", p.TrackRear, 0.5, 3),
		valid.InRange("length_m", p.Length, 1, 12),
		valid.InRange("width_m", p.Width, 0.5, 3),
		valid.InRange("height_m", p.Height, 0.3, 4),
		valid.InRange("drag_area_m2", p.DragArea, 0, 10),
		p.validChassis(),
		valid.Within("front", p.Front.Validate()),
		valid.Within("rear", p.Rear.Validate()),
		valid.Within("steering", p.Steering.Validate()),
		valid.Within("brakes", p.Brakes.Validate()),
		valid.Within("driveline", p.Driveline.Validate()),
		valid.Within("assists", p.Assists.Validate()),
		p.validFuel(),
		valid.Within("hull", p.Hull.Validate()),
		valid.Within("air", p.Air.Validate()),
		validSurfaces(p.Aero),
	)
}

// Validate reports every parameter that is out of range.
func (a Axle) Validate() error {
	ratio := a.Kinematics.lowest()
	return errors.Join(
		valid.InRange("spring_rate_n_per_m", a.SpringRate, 5e3, 500e3),
		valid.InRange("anti_roll_rate_n_per_m", a.BarRate, -a.SpringRate*ratio*ratio/3, 500e3), // at the wheel, where it must not outdo the spring
		valid.InRange("damper_bump_ns_per_m", a.Bump, 100, 50e3),
		valid.InRange("damper_rebound_ns_per_m", a.Rebound, 100, 50e3),
		valid.InRange("travel_m", a.Travel, 0.02, 1),
		valid.InRange("bump_stop_at_m", a.StopStart, 0.01, a.Travel),
		valid.InRange("bump_stop_n_per_m", a.StopRate, 0, 2e6),
		valid.InRange("tire_vertical_n_per_m", a.VerticalRate, 50e3, 1e6),
		valid.InRange("tire_damping_ns_per_m", a.TireDamping, 0, 5e3),
		valid.InRange("unsprung_mass_kg", a.Unsprung, 0, 500),
		valid.InRange("wheel_damping_nms_per_rad", a.WheelDamping, 0, 20),
		a.Footing.Validate(),
		valid.Within("spring", a.Spring.Validate()),
		valid.Within("damper", a.Damper.Validate()),
		valid.Within("kinematics", a.Kinematics.Validate()),
		valid.Within("wheel", errors.Join(a.Wheel.Validate(), a.relaxes())),
		valid.Within("tire", a.Tire.Validate()),
		valid.Within("bar", a.Bar.Validate()),
		valid.Within("joint", a.Joint.Validate()),
	)
}

// Validate reports every parameter that is out of range.
func (d Driveline) Validate() error {
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
