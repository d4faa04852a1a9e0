package brakes

import (
	"slices"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/tire"
)

// Params describes the brakes. The pedal and a booster make a line pressure, which reaches the wheels through
// valves and electronics and with a lag. The brake torque of a wheel is proportional to its pressure.
type Params struct {
	// torque of all four brakes at full pedal, with cold discs and no pressure limiter
	Torque     float64 `toml:"torque_nm" range:"0..100000"`
	FrontShare float64 `toml:"front_share" range:"0..1"` // share of torque_nm on the front axle
	// torque of the fully pulled handbrake, all wheels together
	HandbrakeTorque float64 `toml:"handbrake_torque_nm" range:"0..50000"`
	// axle on which the handbrake acts: rear, front or both
	HandbrakeAxle string `toml:"handbrake_axle" oneof:"both,front,rear"`
	// time constant of the pressure at the wheels; 0 for none
	Lag float64 `toml:"lag_s" range:"0..1"`
	// line pressure from which a valve limits the rear brakes; 0 for no valve
	LimiterPressure float64 `toml:"limiter_bar" range:"0..1000"`
	// rise of the rear pressure for each further bar of line pressure
	LimiterSlope float64 `toml:"limiter_slope" range:"0..1"`

	Pedal     Pedal   `toml:"pedal"`
	Booster   Booster `toml:"booster"`
	FrontDisc Disc    `toml:"front_disc"`
	RearDisc  Disc    `toml:"rear_disc"`
	ABS       ABS     `toml:"abs"`
}

// Default returns the brakes of a car of 1500 kg.
func Default() Params {
	return Params{
		Torque: 5600, FrontShare: 0.74, HandbrakeTorque: 2600, HandbrakeAxle: "rear", Lag: 0.015, LimiterSlope: 0.3,
		Pedal: defaultPedal(), Booster: defaultBooster(), FrontDisc: defaultDisc(), RearDisc: defaultDisc(), ABS: defaultABS(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (b Params) Validate() error {
	return valid.Struct(b)
}

// Clone returns a deep copy.
func (b Params) Clone() Params {
	b.Pedal.Curve = slices.Clone(b.Pedal.Curve)
	b.FrontDisc.Fade, b.RearDisc.Fade = slices.Clone(b.FrontDisc.Fade), slices.Clone(b.RearDisc.Fade)
	return b
}

// State is the state of all four brakes and of the ABS.
type State struct {
	Wheels     [4]WheelState
	ABS        ABSState
	PedalPulse float64 // strength of the vibration of the brake pedal by the ABS in the last tick, 0..1
}

// WheelState is the state of one wheel's brake.
type WheelState struct {
	Pressure    float64  // brake pressure at the wheel [bar]
	Temperature float64  // temperature of the disc [°C]
	ABS         ABSWheel // state of the ABS; all 0 while it is off

	// Results of the last tick.
	Torque float64 // largest torque that the brake can hold [N·m]
	Power  float64 // heating power by the turning wheel [W]; set by the caller before HeatDiscs
}

// Vehicle holds the data of the car that the brakes need.
type Vehicle struct {
	Axles          [2]Axle // front and rear
	AirTemperature float64 // temperature of the air [°C]
	CGHeight       float64 // height of the center of mass above the ground [m]
	Gravity        float64 // [m/s²]
}

// Axle holds the data of an axle that the brakes need.
type Axle struct {
	Radius   float64 // rolling radius of its wheels [m]
	Inertia  float64 // moment of inertia of each wheel [kg·m²]
	PeakSlip float64 // slip at which its tires have about their largest braking force
	Track    float64 // track [m]
}

// Input is the input of a tick, with the sensors of the ABS.
type Input struct {
	Pedal     float64    // position or force of the brake pedal, 0..1
	Handbrake float64    // position of the handbrake, 0..1
	ABS       uint8      // 0 off; 1 intervenes late, 5 as the car's maker chose, 10 early
	Request   [4]float64 // pressures that other electronics demand, as shares of the pressure at full pedal
	Spin      [4]float64 // speeds of the wheels [rad/s]
	YawRate   float64    // yaw rate [rad/s], positive left
	AccelX    float64    // reading of an accelerometer at the center of mass, forward [m/s²]
	AccelY    float64    // the same, to the left [m/s²]
}

// System holds everything of a car's brakes that is constant in a run. Goroutines may share it.
type System struct {
	pedal          pedal
	fullPressure   float64    // line pressure at full pedal [bar]
	lagGain        float64    // share of the remaining difference by which a pressure changes in a tick
	limiter        float64    // line pressure from which the rear is limited [bar]; 0 for no valve
	limiterSlope   float64    // rise of the rear pressure above that, for each bar of line pressure
	torquePerBar   [2]float64 // torque of a cold brake of each axle [N·m/bar]
	handTorque     [2]float64 // torque of the handbrake at each wheel of an axle [N·m]
	discs          [2]rotor
	airTemperature float64 // temperature of the air [°C]
	abs            antilock
}

// New returns the brakes of a car; dt is the time step [s]. b must be valid.
func New(b Params, car *Vehicle, dt float64) System {
	k := System{
		pedal:          newPedal(b.Pedal, b.Booster),
		lagGain:        dt / (b.Lag + dt),
		limiter:        b.LimiterPressure,
		limiterSlope:   b.LimiterSlope,
		handTorque:     b.handbrakeTorques(),
		airTemperature: car.AirTemperature,
	}
	if b.Lag == 0 {
		k.lagGain = 1
	}
	k.fullPressure = k.pedal.linePressure(1)
	torque := [2]float64{b.Torque * b.FrontShare / 2, b.Torque * (1 - b.FrontShare) / 2}
	for axle, d := range [...]Disc{b.FrontDisc, b.RearDisc} {
		k.torquePerBar[axle] = torque[axle] / k.fullPressure
		k.discs[axle] = newRotor(d, torque[axle], dt)
	}
	k.abs = newAntilock(&b.ABS, car, &k, dt)
	return k
}

// handbrakeTorques returns the handbrake's torque at each wheel of the front and of the rear axle [N·m].
func (b *Params) handbrakeTorques() [2]float64 {
	switch b.HandbrakeAxle {
	case "front":
		return [2]float64{b.HandbrakeTorque / 2, 0}
	case "both":
		return [2]float64{b.HandbrakeTorque / 4, b.HandbrakeTorque / 4}
	}
	return [2]float64{0, b.HandbrakeTorque / 2}
}

// axlePressure returns the pressure at an axle after its valve [bar], given the line pressure [bar].
func (k *System) axlePressure(line float64, axle int) float64 {
	if axle == 0 || k.limiter == 0 || line <= k.limiter {
		return line
	}
	return k.limiter + k.limiterSlope*(line-k.limiter)
}

// Step moves the brakes by one tick, and sets the largest torque that each can hold.
func (k *System) Step(s *State, in *Input) {
	line := k.pedal.linePressure(in.Pedal)
	var want [4]float64
	for i := range want {
		want[i] = max(k.axlePressure(line, i/2), valid.Clamp(in.Request[i], 0, 1)*k.fullPressure)
	}
	if in.ABS > 0 {
		k.abs.control(s, in, &want)
	} else {
		k.abs.reset(s)
	}
	for i := range s.Wheels {
		b := &s.Wheels[i]
		b.Pressure = b.ABS.nextPressure(b.Pressure, k.lagged(b.Pressure, want[i]))
		b.Torque = k.discs[i/2].fade.At(b.Temperature) * (b.Pressure*k.torquePerBar[i/2] + in.Handbrake*k.handTorque[i/2])
	}
}

// lagged returns the pressure of a wheel after this tick by the lag alone [bar], given its pressure and the
// demanded one [bar].
func (k *System) lagged(pressure, want float64) float64 {
	const released = 1e-3 // pressure below which a released brake has none [bar]
	if k.lagGain == 1 || want == 0 && pressure < released {
		return want
	}
	return pressure + (want-pressure)*k.lagGain
}

// HeatDiscs moves the discs' temperatures by a tick. The Power of each brake heats its disc; the air cools
// it, more at a higher speed of the car [m/s].
func (k *System) HeatDiscs(s *State, speed float64) {
	for i := range s.Wheels {
		b := &s.Wheels[i]
		b.Temperature = k.discs[i/2].nextTemperature(b.Temperature, b.Power, speed, k.airTemperature)
	}
}

// DiscEnergy returns the heat in the discs above the temperature of the air [J].
func (k *System) DiscEnergy(s *State) float64 {
	heat := func(i int) float64 { return k.discs[i/2].capacity * (s.Wheels[i].Temperature - k.airTemperature) }
	return (heat(tire.FL) + heat(tire.FR)) + (heat(tire.RL) + heat(tire.RR))
}
