package assist

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
)

// Switches are the electronics that help, for one tick. The zero value is none. They may
// change from tick to tick; one that is off has forgotten all.
type Switches struct {
	ABS       uint8 // 0 off; 1 helps late, 5 as the car's maker chose, 10 early
	Traction  uint8 // the same
	Stability uint8 // the same

	Clutch   bool // works the clutch: opens it towards idle and for each gear
	Shifting bool // chooses the forward gear; the gear wished for says only whether forward, neutral or reverse
	Launch   bool // holds the engine's speed while the car stands with the throttle down, and starts it
	Pit      bool // keeps the pit lane's speed

	Yaw      float64 // 0..1, an extra yaw torque that no car has, towards where the wheels point
	LowSpeed float64 // 0..1, a drag on sliding at walking speed that no car has
}

// Params describes the electronics of a car. What is on, and how early it helps, is the
// driver's choice: see Switches.
type Params struct {
	Traction  Traction  `toml:"traction"`
	Stability Stability `toml:"stability"`
	Launch    Launch    `toml:"launch"`
	PitLimit  float64   `toml:"pit_limit_kph"`
	Yaw       float64   `toml:"yaw_torque_rad_per_s2"` // yaw acceleration of the whole extra torque; no car has it
	LowSpeed  float64   `toml:"low_speed_per_s"`       // share of its sliding speed that a car loses each second; no car has it
	Pedals    PedalKeys `toml:"pedal_keys"`
}

// Default returns what suits most cars of today.
func Default() Params {
	return Params{
		Traction: defaultTraction(), Stability: defaultStability(), Launch: defaultLaunch(),
		PitLimit: 60, Yaw: 2, LowSpeed: 4,
		Pedals: defaultPedalKeys(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (a Params) Validate() error {
	return errors.Join(
		valid.Within("traction", a.Traction.Validate()),
		valid.Within("stability", a.Stability.Validate()),
		valid.Within("launch", a.Launch.Validate()),
		valid.InRange("pit_limit_kph", a.PitLimit, 10, 200),
		valid.InRange("yaw_torque_rad_per_s2", a.Yaw, 0, 20),
		valid.InRange("low_speed_per_s", a.LowSpeed, 0, 50),
		valid.Within("pedal_keys", a.Pedals.Validate()),
	)
}

// State is what the electronics remember; each part is zero while it is off.
type State struct {
	Reference float64 // speed along the car that they reckon with [m/s]; 0 while none needs it
	Traction  TractionState
	Stability StabilityState
	Launch    LaunchState
	Pit       PitState
}

// Sensors are what the electronics know of driver and car in a tick. The driveline's state, and
// what the driver wishes of it, come beside them.
type Sensors struct {
	Switches  Switches   // what is on
	Steer     float64    // steering wheel angle [rad], positive left
	Brake     float64    // pedal, 0..1
	Handbrake float64    // 0..1
	Spin      [4]float64 // of the wheels [rad/s]
	Braking   [4]float64 // the most that each brake holds [N·m]
	YawRate   float64    // [rad/s], positive left
	AccelX    float64    // what an accelerometer in the centre of mass shows along the car [m/s²]
	AccelY    float64    // and to the left [m/s²]
	Accel     float64    // acceleration along the car, without the slope's part [m/s²]
	Speed     float64    // along the car [m/s]
	Vel       r3.Vec     // of the centre of mass [m/s]
}

// Orders are first what the driver wishes, and then what the electronics make of it.
type Orders struct {
	Throttle   float64    // 0..1
	Cut        float64    // share of the engine's torque that is taken away, 0..1
	Clutch     float64    // pedal, 1 opens it
	AutoClutch bool       // the car works it
	AutoShift  bool       // the car chooses the forward gear
	Gear       int8       // wanted
	Start      bool       // the starter turns the engine
	Off        bool       // the ignition is off
	Ask        [4]float64 // braking pressure asked for beside the driver's, as a share of full pressure
	Yaw        float64    // extra moment on the body about its z [N·m]
	Drag       float64    // extra drag on the rear axle's sideways motion [N·s/m]
}

// takeTorque cuts a share of the torque that is left.
func (o *Orders) takeTorque(share float64) { o.Cut = 1 - (1-o.Cut)*(1-share) }

// Vehicle is what the electronics must know of their car.
type Vehicle struct {
	Driveline  *driveline.System
	Steering   *steering.System
	Mass       float64 // [kg]
	InertiaZZ  float64 // about the vertical axis [kg·m²]
	Wheelbase  float64 // [m]
	Axles      [2]Axle
	Radius     [4]float64 // effective, of the wheels at rest [m]
	Understeer float64    // gradient by the tires alone [rad·s²/m]
	Lateral    float64    // acceleration that the tires hold on a dry road [m/s²]
}

// Axle is what the electronics must know of an axle.
type Axle struct {
	Track   float64 // [m]
	Inertia float64 // of each wheel [kg·m²]
	Braking float64 // torque at each wheel at full pressure [N·m]
	Slip    float64 // from which its tires hold about as much as they can when they drive
}

// Electronics are those of one car: what never changes during a run. They may be shared by
// goroutines.
type Electronics struct {
	driveline *driveline.System
	steering  *steering.System
	dt        float64 // [s]
	wheelbase float64 // [m]
	traction  tractionLaw
	stability stabilityLaw
	launch    launchLaw
	pit       float64    // limit [m/s]
	yaw       float64    // the whole extra torque [N·m]
	slow      float64    // the whole drag on sliding [N·s/m]
	radius    [4]float64 // of the wheels at rest [m]
	half      [2]float64 // of the tracks [m]
	driven    [2]bool    // axles
	full      [4]float64 // brakes' torque at full pressure [N·m]
}

// New returns the electronics of a car whose driveline has the parameters d; dt is the time
// step [s]. p must be valid.
func New(p Params, d *driveline.Params, car *Vehicle, dt float64) Electronics {
	e := Electronics{
		driveline: car.Driveline, steering: car.Steering, dt: dt, wheelbase: car.Wheelbase,
		pit:    p.PitLimit / 3.6,
		yaw:    p.Yaw * car.InertiaZZ,
		slow:   p.LowSpeed * car.Mass,
		radius: car.Radius,
		half:   [2]float64{car.Axles[0].Track / 2, car.Axles[1].Track / 2},
		driven: [2]bool{car.Driveline.Drives(0), car.Driveline.Drives(1)},
	}
	for i := range e.full {
		e.full[i] = max(car.Axles[i/2].Braking, 1)
	}
	e.traction = newTractionLaw(p.Traction, d, car, &e)
	e.stability = newStabilityLaw(p.Stability, car, dt)
	e.launch = newLaunchLaw(p.Launch, d)
	return e
}

// Step makes orders of the driver's wish, which o holds; d is the driveline's state. Each part
// that is off forgets all, so that the order in which parts go off leaves no trace: with nothing
// switched on, o stays as it is, and s becomes its zero value.
func (e *Electronics) Step(s *State, d *driveline.State, in *Sensors, o *Orders) {
	a := &in.Switches
	o.AutoClutch, o.AutoShift = a.Clutch, a.Shifting
	e.arcadeAids(in, o)
	level := int(min(a.Traction, mostHelp))
	if !a.Launch {
		s.Launch = LaunchState{}
	}
	if level == 0 && a.Stability == 0 && !a.Launch {
		s.Reference, s.Traction, s.Stability = 0, TractionState{}, StabilityState{}
	} else {
		var m measured
		e.measure(&m, s, in, o)
		if a.Launch {
			level = e.controlLaunch(s, d, in, o, &m, level)
		}
		e.controlTraction(s, d, in, o, &m, level)
		e.stabilize(&s.Stability, o, &m, int(min(a.Stability, mostHelp)))
	}
	e.limit(&s.Pit, d, in, o)
}

const (
	mostHelp = 10 // level of an assist
	makers   = 5  // the level whose thresholds are those in the car's file
)

// late returns what a level makes of a threshold.
func late(level int) float64 { return 1 + 0.1*float64(makers-level) }

// arcadeAids asks for what no car has.
func (e *Electronics) arcadeAids(in *Sensors, o *Orders) {
	if in.Switches.Yaw != 0 {
		o.Yaw = e.extraYaw(in)
	}
	if in.Switches.LowSpeed != 0 {
		o.Drag = e.slideDrag(in)
	}
}
