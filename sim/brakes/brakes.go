package brakes

import (
	"errors"
	"slices"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/tire"
)

// Params describes the brakes, which hold each wheel with a torque that grows with the pressure at
// it. The pedal makes that through a booster; valves, electronics and a lag stand between.
type Params struct {
	Torque        float64 `toml:"torque_nm"`   // of all wheels at full pedal, discs cold, without the valve
	FrontShare    float64 `toml:"front_share"` // 0..1 of that, in front
	Handbrake     float64 `toml:"handbrake_torque_nm"`
	HandbrakeAxle string  `toml:"handbrake_axle"` // rear, front or both
	Lag           float64 `toml:"lag_s"`          // time constant of the pressure at the wheels
	Limiter       float64 `toml:"limiter_bar"`    // pressure from which a valve holds the rear's back; 0 is no valve
	LimiterSlope  float64 `toml:"limiter_slope"`  // what the rear gets of each bar beyond

	Pedal     Pedal   `toml:"pedal"`
	Booster   Booster `toml:"booster"`
	FrontDisc Disc    `toml:"front_disc"`
	RearDisc  Disc    `toml:"rear_disc"`
	ABS       ABS     `toml:"abs"`
}

// Default returns those of a car of 1500 kg.
func Default() Params {
	return Params{
		Torque: 5600, FrontShare: 0.74, Handbrake: 2600, HandbrakeAxle: "rear", Lag: 0.015, LimiterSlope: 0.3,
		Pedal: defaultPedal(), Booster: defaultBooster(), FrontDisc: defaultDisc(), RearDisc: defaultDisc(), ABS: defaultABS(),
	}
}

// Validate returns an error that names every parameter that is out of range.
func (b Params) Validate() error {
	return errors.Join(
		valid.InRange("torque_nm", b.Torque, 0, 100e3),
		valid.InRange("front_share", b.FrontShare, 0, 1),
		valid.InRange("handbrake_torque_nm", b.Handbrake, 0, 50e3),
		valid.OneOf("handbrake_axle", b.HandbrakeAxle, "both", "front", "rear"),
		valid.InRange("lag_s", b.Lag, 0, 1),
		valid.InRange("limiter_bar", b.Limiter, 0, 1e3),
		valid.InRange("limiter_slope", b.LimiterSlope, 0, 1),
		valid.Within("pedal", b.Pedal.Validate()),
		valid.Within("booster", b.Booster.Validate()),
		valid.Within("front_disc", b.FrontDisc.Validate()),
		valid.Within("rear_disc", b.RearDisc.Validate()),
		valid.Within("abs", b.ABS.Validate()),
	)
}

// Clone returns a copy of b with lists of its own.
func (b Params) Clone() Params {
	b.Pedal.Curve = slices.Clone(b.Pedal.Curve)
	b.FrontDisc.Fade, b.RearDisc.Fade = slices.Clone(b.FrontDisc.Fade), slices.Clone(b.RearDisc.Fade)
	return b
}

// State is the state of all four brakes, and what the anti-lock brakes know of the car.
type State struct {
	Wheels [4]WheelState
	ABS    ABSState
	Pulse  float64 // 0..1, how much the brake pedal trembles from the ABS; found by the last tick
}

// WheelState is the state of one wheel's brake.
type WheelState struct {
	Pressure    float64  // at the wheel [bar]
	Temperature float64  // of the disc [°C]
	ABS         ABSWheel // all 0 while it is off

	// Found by the last tick.
	Torque float64 // the most it can hold [N·m]
	Power  float64 // that it took from the wheel [W]; the caller sets it before Warm
}

// Vehicle is what brakes must know of their car.
type Vehicle struct {
	Axles    [2]Axle // in front and behind
	Air      float64 // temperature [°C]
	CGHeight float64 // above the ground [m]
	Gravity  float64 // [m/s²]
}

// Axle is what brakes must know of an axle.
type Axle struct {
	Radius   float64 // that its wheels roll on [m]
	Inertia  float64 // of each wheel [kg·m²]
	BestSlip float64 // at which its tires brake best
	Track    float64 // [m]
}

// Input is what works the brakes in a tick, and what the anti-lock brakes' sensors read.
type Input struct {
	Pedal     float64    // 0..1
	Handbrake float64    // 0..1
	ABS       uint8      // 0 off; 1 helps late, 5 as the car's maker chose, 10 early
	Ask       [4]float64 // pressures that other electronics ask for, as shares of that at full pedal
	Spin      [4]float64 // of the wheels [rad/s]
	YawRate   float64    // [rad/s], positive left
	AccelX    float64    // what an accelerometer in the centre of mass shows along the car [m/s²]
	AccelY    float64    // and to the left [m/s²]
}

// System are all four brakes of one car, from the pedal to the discs: what never changes during a
// run. They may be shared by goroutines.
type System struct {
	pedal   pedal
	full    float64 // line pressure at full pedal [bar]
	follows float64 // share of its way that a pressure goes in a tick
	limiter float64 // [bar]; 0 is none
	slope   float64
	perBar  [2]float64 // torque of a cold brake, for each axle [N·m/bar]
	hand    [2]float64 // torque of the hand brake at each wheel of an axle [N·m]
	discs   [2]rotor
	air     float64 // temperature of the air [°C]
	abs     antilock
}

// New returns the brakes of a car; dt is the time step [s]. b must be valid.
func New(b Params, car *Vehicle, dt float64) System {
	k := System{
		pedal:   newPedal(b.Pedal, b.Booster),
		follows: dt / (b.Lag + dt),
		limiter: b.Limiter,
		slope:   b.LimiterSlope,
		hand:    b.hands(),
		air:     car.Air,
	}
	if b.Lag == 0 {
		k.follows = 1
	}
	k.full = k.pedal.line(1)
	torque := [2]float64{b.Torque * b.FrontShare / 2, b.Torque * (1 - b.FrontShare) / 2}
	for axle, d := range [...]Disc{b.FrontDisc, b.RearDisc} {
		k.perBar[axle] = torque[axle] / k.full
		k.discs[axle] = newRotor(d, torque[axle], dt)
	}
	k.abs = newAntilock(&b.ABS, car, &k, dt)
	return k
}

// hands returns the hand brake's torque at each wheel of an axle [N·m].
func (b *Params) hands() [2]float64 {
	switch b.HandbrakeAxle {
	case "front":
		return [2]float64{b.Handbrake / 2, 0}
	case "both":
		return [2]float64{b.Handbrake / 4, b.Handbrake / 4}
	}
	return [2]float64{0, b.Handbrake / 2}
}

// atAxle returns what valves leave of a line pressure [bar].
func (k *System) atAxle(line float64, axle int) float64 {
	if axle == 0 || k.limiter == 0 || line <= k.limiter {
		return line
	}
	return k.limiter + k.slope*(line-k.limiter)
}

// Step works the brakes for one tick, up to the torque that each can hold.
func (k *System) Step(s *State, in *Input) {
	line := k.pedal.line(in.Pedal)
	var want [4]float64
	for i := range want {
		want[i] = max(k.atAxle(line, i/2), valid.Clamp(in.Ask[i], 0, 1)*k.full)
	}
	if in.ABS > 0 {
		k.abs.control(s, in, &want)
	} else {
		k.abs.sleep(s)
	}
	for i := range s.Wheels {
		b := &s.Wheels[i]
		b.Pressure = b.ABS.hold(b.Pressure, k.follow(b.Pressure, want[i]))
		b.Torque = k.discs[i/2].fade.At(b.Temperature) * (b.Pressure*k.perBar[i/2] + in.Handbrake*k.hand[i/2])
	}
}

// follow returns a wheel's pressure a tick later if nothing but the lag holds it back [bar].
func (k *System) follow(pressure, want float64) float64 {
	const least = 1e-3 // [bar], below which a released brake is free
	if k.follows == 1 || want == 0 && pressure < least {
		return want
	}
	return pressure + (want-pressure)*k.follows
}

// Warm gives the discs the heat of the tick's work, and the air its part at a speed of the car
// [m/s].
func (k *System) Warm(s *State, speed float64) {
	for i := range s.Wheels {
		b := &s.Wheels[i]
		b.Temperature = k.discs[i/2].warmed(b.Temperature, b.Power, speed, k.air)
	}
}

// DiscEnergy returns the heat that the discs hold above the air's temperature [J].
func (k *System) DiscEnergy(s *State) float64 {
	heat := func(i int) float64 { return k.discs[i/2].capacity * (s.Wheels[i].Temperature - k.air) }
	return (heat(tire.FL) + heat(tire.FR)) + (heat(tire.RL) + heat(tire.RR))
}
