package assist

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/driveline"
	"rig.example/rig/sim/steering"
)

// Switches holds which electronics are on in a tick. In the zero value, all are off. The switches may change
// in every tick; the state of what is switched off becomes zero.
type Switches struct {
	ABS       uint8 // anti-lock brakes: 0 off, 1 intervenes late, 5 as in the car's file, 10 early
	Traction  uint8 // traction control: levels as ABS
	Stability uint8 // stability control: levels as ABS

	AutoClutch bool // automatic clutch: opens near idle and for each change of gear
	AutoShift  bool // automatic shifting: the driver's gear only selects forward, neutral or reverse
	Launch     bool // launch control: holds the engine's speed at standstill, then controls clutch and slip
	PitLimiter bool // limits the speed to the pit lane's

	// strength of an extra yaw moment towards the direction of the front wheels, 0..1; no real car has it
	YawAid float64
	// strength of a drag against sliding sideways at walking speed, 0..1; no real car has it
	LowSpeedAid float64
}

// Params describes the electronics of a car. The driver chooses which of them are on and how early they
// intervene: see Switches.
type Params struct {
	Traction  Traction  `toml:"traction"`
	Stability Stability `toml:"stability"`
	Launch    Launch    `toml:"launch"`
	// speed that the pit limiter holds, by the throttle alone
	PitLimit float64 `toml:"pit_limit_kph" range:"10..200"`
	// yaw acceleration by the yaw aid at its full strength; no real car has it
	YawAidAccel float64 `toml:"yaw_torque_rad_per_s2" range:"0..20"`
	// share of the sideways speed that the low-speed aid removes in each second; no real car has it
	LowSpeedAidRate float64   `toml:"low_speed_per_s" range:"0..50"`
	Pedals          PedalKeys `toml:"pedal_keys"`
}

// Default returns settings that suit most modern cars.
func Default() Params {
	return Params{
		Traction: defaultTraction(), Stability: defaultStability(), Launch: defaultLaunch(),
		PitLimit: 60, YawAidAccel: 2, LowSpeedAidRate: 4,
		Pedals: defaultPedalKeys(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (a Params) Validate() error {
	return valid.Struct(a)
}

// State is the state of the electronics. Each part is zero while it is off.
type State struct {
	Reference float64 // estimated speed along the car [m/s]; 0 while no assist needs it
	Traction  TractionState
	Stability StabilityState
	Launch    LaunchState
	Pit       PitState
}

// Sensors are the electronics' inputs in a tick, besides Orders and the driveline's state.
type Sensors struct {
	Switches    Switches   // what is switched on
	Steer       float64    // steering wheel angle [rad], positive left
	Brake       float64    // position of the brake pedal, 0..1
	Handbrake   float64    // position of the handbrake, 0..1
	Spin        [4]float64 // speeds of the wheels [rad/s]
	BrakeTorque [4]float64 // largest torque that each brake can hold [N·m]
	YawRate     float64    // yaw rate [rad/s], positive left
	AccelX      float64    // reading of an accelerometer at the center of mass, forward [m/s²]
	AccelY      float64    // the same, to the left [m/s²]
	Accel       float64    // forward acceleration of the center of mass, without gravity [m/s²]
	Speed       float64    // forward speed [m/s]
	Vel         r3.Vec     // velocity of the center of mass [m/s, world]
}

// Orders holds the driver's commands, after the changes by the electronics.
type Orders struct {
	Throttle    float64 // throttle, 0..1
	TorqueCut   float64 // share of the engine's torque that is cut, 0..1
	Clutch      float64 // position of the clutch pedal, 0..1; 1 is pressed, the clutch open
	AutoClutch  bool    // the clutch is automatic
	AutoShift   bool    // automatic shifting chooses the forward gear
	Gear        int8    // wanted gear: -1 reverse, 0 neutral, 1 and up forward
	Starter     bool    // the starter turns the engine
	IgnitionOff bool    // the ignition is off
	// demanded brake pressure of each wheel, as a share of that at full pedal; the larger of it and the
	// driver's counts
	BrakeRequest [4]float64
	YawMoment    float64 // extra moment on the body about its z [N·m], positive left
	SideDrag     float64 // extra drag on the rear axle's sideways motion [N·s/m]
}

// cutTorque cuts a share of the torque that earlier cuts have left.
func (o *Orders) cutTorque(share float64) { o.TorqueCut = 1 - (1-o.TorqueCut)*(1-share) }

// Vehicle holds the data of the car that the electronics need.
type Vehicle struct {
	Driveline  *driveline.System
	Steering   *steering.System
	Mass       float64    // mass of the car [kg]
	InertiaZZ  float64    // moment of inertia about the vertical axis [kg·m²]
	Wheelbase  float64    // wheelbase [m]
	Axles      [2]Axle    // front and rear
	Radius     [4]float64 // effective rolling radius of the wheels at rest [m]
	Understeer float64    // understeer gradient that the tires' cornering stiffnesses alone give [rad·s²/m]
	MaxLateral float64    // largest lateral acceleration on a dry road [m/s²]
}

// Axle holds the data of an axle that the electronics need.
type Axle struct {
	Track       float64 // track [m]
	Inertia     float64 // moment of inertia of each wheel [kg·m²]
	BrakeTorque float64 // brake torque of each wheel at full pressure [N·m]
	PeakSlip    float64 // driving slip at which the tires have about their largest force
}

// Electronics holds everything of a car's electronics that is constant in a run. Goroutines may share it.
type Electronics struct {
	driveline     *driveline.System
	steering      *steering.System
	dt            float64 // time step [s]
	wheelbase     float64 // wheelbase [m]
	traction      tractionLaw
	stability     stabilityLaw
	launch        launchLaw
	pitLimit      float64    // speed limit of the pit lane [m/s]
	fullYawMoment float64    // moment of the yaw aid at full strength [N·m]
	fullSideDrag  float64    // drag of the low-speed aid at full strength [N·s/m]
	radius        [4]float64 // rolling radius of the wheels at rest [m]
	halfTrack     [2]float64 // half the track of each axle [m]
	driven        [2]bool    // whether the front and the rear axle are driven
	brakeTorque   [4]float64 // brake torque of each wheel at full pressure, at least 1 [N·m]
}

// New returns the electronics of a car. d holds the parameters of its driveline; dt is the time step [s]. p
// must be valid.
func New(p Params, d *driveline.Params, car *Vehicle, dt float64) Electronics {
	e := Electronics{
		driveline: car.Driveline, steering: car.Steering, dt: dt, wheelbase: car.Wheelbase,
		pitLimit:      p.PitLimit / 3.6,
		fullYawMoment: p.YawAidAccel * car.InertiaZZ,
		fullSideDrag:  p.LowSpeedAidRate * car.Mass,
		radius:        car.Radius,
		halfTrack:     [2]float64{car.Axles[0].Track / 2, car.Axles[1].Track / 2},
		driven:        [2]bool{car.Driveline.DrivesAxle(0), car.Driveline.DrivesAxle(1)},
	}
	for i := range e.brakeTorque {
		e.brakeTorque[i] = max(car.Axles[i/2].BrakeTorque, 1)
	}
	e.traction = newTractionLaw(p.Traction, d, car, &e)
	e.stability = newStabilityLaw(p.Stability, car, dt)
	e.launch = newLaunchLaw(p.Launch, d)
	return e
}

// Step moves the electronics by one tick and changes the driver's commands in o. d is the state of the
// driveline. The state of each part that is off becomes zero. If everything is off, o stays as it is.
func (e *Electronics) Step(s *State, d *driveline.State, in *Sensors, o *Orders) {
	a := &in.Switches
	o.AutoClutch, o.AutoShift = a.AutoClutch, a.AutoShift
	if a.YawAid != 0 {
		o.YawMoment = e.yawAidMoment(in)
	}
	if a.LowSpeedAid != 0 {
		o.SideDrag = e.lowSpeedDrag(in)
	}
	level := int(min(a.Traction, maxLevel))
	if !a.Launch {
		s.Launch = LaunchState{}
	}
	if level == 0 && a.Stability == 0 && !a.Launch {
		s.Reference, s.Traction, s.Stability = 0, TractionState{}, StabilityState{}
	} else {
		var m measurement
		e.measure(&m, s, in, o)
		if a.Launch {
			level = e.controlLaunch(s, d, in, o, &m, level)
		}
		e.controlTraction(s, d, in, o, &m, level)
		e.stabilize(&s.Stability, o, &m, int(min(a.Stability, maxLevel)))
	}
	e.limitPitSpeed(&s.Pit, d, in, o)
}

const (
	maxLevel     = 10 // highest level of an assist
	neutralLevel = 5  // level at which the thresholds are those in the car's file
)

// thresholdFactor returns the factor by which a level multiplies thresholds: 1.4 at level 1, 1 at level 5,
// 0.5 at level 10.
func thresholdFactor(level int) float64 { return 1 + 0.1*float64(neutralLevel-level) }
