package sim

import (
	"errors"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// Assists are the electronics that help, for one tick. The zero value is none. They may
// change from tick to tick; one that is off has forgotten all.
type Assists struct {
	ABS       uint8 // 0 off; 1 helps late, 5 as the car's maker chose, 10 early
	Traction  uint8 // the same
	Stability uint8 // the same

	Clutch   bool // works the clutch: opens it towards idle and for each gear
	Shifting bool // chooses the forward gear; Input.Gear says only whether forward, neutral or reverse
	Launch   bool // holds the engine's speed while the car stands with the throttle down, and starts it
	Pit      bool // keeps the pit lane's speed

	Yaw      float64 // 0..1, an extra yaw torque that no car has, towards where the wheels point
	LowSpeed float64 // 0..1, a drag on sliding at walking speed that no car has
}

// AssistParams are the electronics of a car. What is on, and how early it helps, is the
// driver's choice: see Assists.
type AssistParams struct {
	Traction  Traction  `toml:"traction"`
	Stability Stability `toml:"stability"`
	Launch    Launch    `toml:"launch"`
	PitLimit  float64   `toml:"pit_limit_kph"`
	Yaw       float64   `toml:"yaw_torque_rad_per_s2"` // yaw acceleration of the whole extra torque; no car has it
	LowSpeed  float64   `toml:"low_speed_per_s"`       // share of its sliding speed that a car loses each second; no car has it
	Pedals    PedalKeys `toml:"pedal_keys"`
}

// DefaultAssists suit most cars of today.
func DefaultAssists() AssistParams {
	return AssistParams{
		Traction: DefaultTraction(), Stability: DefaultStability(), Launch: DefaultLaunch(),
		PitLimit: 60, Yaw: 2, LowSpeed: 4,
		Pedals: DefaultPedalKeys(),
	}
}

// Validate reports every parameter that is out of range.
func (a AssistParams) Validate() error {
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

// AssistState is what the electronics remember; each part is zero while it is off.
type AssistState struct {
	Reference float64 // speed along the car that they reckon with [m/s]; 0 while none needs it
	Traction  TractionState
	Stability StabilityState
	Launch    LaunchState
	Pit       PitState
}

// orders are what the driver's wish becomes in the hands of electronics and gearbox.
type orders struct {
	throttle   float64    // 0..1
	cut        float64    // share of the engine's torque that is taken away, 0..1
	clutch     float64    // pedal, 1 opens it
	autoClutch bool       // the car works it
	autoShift  bool       // the car chooses the forward gear
	gear       int8       // wanted
	start      bool       // the starter turns the engine
	off        bool       // the ignition is off
	ask        [4]float64 // braking pressure asked for beside the driver's, as a share of full pressure
	yaw        float64    // extra moment on the body about its z [N·m]
	slow       float64    // extra drag on the rear axle's sideways motion [N·s/m]
}

// spare cuts a share of the torque that is left.
func (o *orders) spare(share float64) { o.cut = 1 - (1-o.cut)*(1-share) }

// electronics are the constant part of all of them.
type electronics struct {
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

// newElectronics returns those of a car whose corners and driveline are built.
func newElectronics(c *Car) electronics {
	p := &c.p
	e := electronics{
		pit:    p.Assists.PitLimit / 3.6,
		yaw:    p.Assists.Yaw * p.InertiaZZ,
		slow:   p.Assists.LowSpeed * p.Mass,
		half:   [2]float64{p.TrackFront / 2, p.TrackRear / 2},
		driven: [2]bool{c.line.Drives(0), c.line.Drives(1)},
	}
	for i := range e.radius {
		e.radius[i] = c.corners[i].radius()
		share := p.Brakes.FrontShare
		if i >= tire.RL {
			share = 1 - share
		}
		e.full[i] = max(p.Brakes.Torque*share/2, 1)
	}
	e.traction = newTractionLaw(c, &e)
	e.stability = newStabilityLaw(c)
	e.launch = newLaunchLaw(p)
	return e
}

// assist finds what the driver's wish becomes. Each part that is off forgets all, so
// that the order in which parts go off leaves no trace.
func (c *Car) assist(s *State, in *Input, o *orders) {
	o.throttle, o.clutch, o.gear, o.start, o.off = in.Throttle, in.Clutch, in.Gear, in.Start, in.Off
	a, h := &in.Assists, &s.Help
	if *a == (Assists{}) {
		*h = AssistState{}
		return
	}
	o.autoClutch, o.autoShift = a.Clutch, a.Shifting
	c.unreal(s, in, o)
	level := int(min(a.Traction, mostHelp))
	if !a.Launch {
		h.Launch = LaunchState{}
	}
	if level == 0 && a.Stability == 0 && !a.Launch {
		h.Reference, h.Traction, h.Stability = 0, TractionState{}, StabilityState{}
	} else {
		var m measured
		c.measure(&m, s, in)
		if a.Launch {
			level = c.launch(s, in, o, &m, level)
		}
		c.traction(s, o, &m, level)
		c.stabilize(s, o, &m, int(min(a.Stability, mostHelp)))
	}
	c.limit(s, in, o)
}

const (
	mostHelp = 10 // level of an assist
	makers   = 5  // the level whose thresholds are those in the car's file
)

// late returns what a level makes of a threshold.
func late(level int) float64 { return 1 + 0.1*float64(makers-level) }

// unreal asks for what no car has.
func (c *Car) unreal(s *State, in *Input, o *orders) {
	if in.Assists.Yaw != 0 {
		o.yaw = c.extraYaw(s, in)
	}
	if in.Assists.LowSpeed != 0 {
		o.slow = c.slideDrag(s, in)
	}
}
