// Package driveline simulates everything from the engine to the half shafts: an engine or an electric motor
// with its fuel or battery, clutch or torque converter, gearbox, differentials and half shafts.
//
// Input of a tick is Input: pedals, gear and the wheels' speeds. Outputs are the torque on each wheel
// (Shaft), and State with all speeds and the Flow of power. The caller turns the wheels between Step and
// TwistShafts. This package knows no tire, body or road, reads no clock and allocates nothing after New.
//
// Gears are -1 for reverse, 0 for neutral, and 1 and up. Torques and speeds are positive forward.
//
// Everything between the crank and the half shafts is solved in one implicit step (train.go). From the wheels
// to the clutch, each part has a torque demand that is a linear function of its speed. The clutch (clutch.go)
// sticks or slips. Then each part from the clutch to the wheels gets its speed. Whether a differential slips
// or sticks is guessed and corrected, so that nothing chatters. To add a kind of gearbox, add it to
// gearbox_params.go, and write a step as those in gearbox_manual.go and gearbox_automatic.go, which sets
// State.Gear and the friction between input shaft and gear.
package driveline

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// State is the state of everything between the engine and the wheels, with fuel and battery.
type State struct {
	EngineSpeed float64       // speed of the crank [rad/s]
	Engine      EngineState   // engine or motor
	Gear        int8          // engaged gear; 0 in neutral and during a change
	Gearbox     GearboxState  // gearbox and clutch
	Shafts      [4]ShaftState // half shafts; all 0 for wheels that are not driven
	Fuel        float64       // in the tank [L]; 0 with a motor
	Battery     float64       // energy left in the battery [J]; constant with an engine

	Flow PowerFlow // power in the last tick
}

// Shaft is what the driveline applies to one wheel in a tick.
type Shaft struct {
	Torque float64 // [N·m], positive forward
	Slope  float64 // decrease of Torque for each rad/s that the wheel becomes faster [N·m·s/rad]
	mean   float64 // mean speed of the half shaft's inner end in the tick [rad/s]
	wheel  float64 // speed of the wheel at the tick's start [rad/s]
}

// Input is the input of a tick. Every value must be in its range.
type Input struct {
	Throttle    float64    // 0..1
	TorqueCut   float64    // share of the engine's torque that is cut, 0..1
	Clutch      float64    // pedal, 0..1; 1 is open
	AutoClutch  bool       // the car works the clutch, not the driver
	AutoShift   bool       // the car chooses the forward gear
	Gear        int8       // wanted gear, which must exist; with AutoShift only its sign counts
	Starter     bool       // the starter turns the engine
	IgnitionOff bool       // the ignition is off
	Speed       float64    // of the car along its x [m/s]
	Lateral     float64    // lateral acceleration that an accelerometer shows, positive left [m/s²]
	BrakeTorque float64    // sum of the brakes' torques [N·m]
	Spin        [4]float64 // wheel speeds at the tick's start [rad/s], positive forward
}

// orders is the Input of a tick after the changes by gearbox and automatic clutch.
type orders struct {
	Input
	gearFriction gearFriction // friction between the input shaft and the gear that is being engaged
}

// Wheel holds the data of each wheel of an axle that the driveline needs.
type Wheel struct {
	Inertia float64 // about its axle [kg·m²]
	Damping float64 // rotational damping of its bearing [N·m·s/rad]
	Radius  float64 // effective rolling radius at rest [m]
}

// System holds everything of a driveline that is constant in a run. Goroutines may share it.
type System struct {
	p         Params
	dt, perDt float64 // time step and its inverse [s, 1/s]
	engine    engine
	fuel      fuelMap
	motor     motor
	box       gearbox

	differentials  [3]differential // front, rear, center
	driven         [2]bool         // whether the front and the rear axle are driven
	halfShaft      halfShaft
	carrierPerDt   float64    // inertia of an axle's differential over the time step
	inputPerDt     float64    // inertia of the gearbox' input shaft over the time step
	crankPerDt     float64    // inertia of the engine over the time step
	crank          r3.Vec     // direction of the crank's angular velocity [body, unit vector]
	bearingDamping [4]float64 // of the wheels' bearings [N·m·s/rad]
	oilDrag        float64    // drag of bearings and oil, at the wheels [N·m]
	toothLoss      float64    // share of the torque lost in gear meshes
}

const center = 2 // index of the center differential, between the axles

// New returns the driveline of a car with these front and rear wheels; dt is the time step [s]. p and f must
// be valid. New returns an error if the time step is too long or the wheels are too light for a stable
// integration.
func New(p Params, f Fuel, front, rear Wheel, dt float64) (System, error) {
	d := p.Clone()
	d.TorqueCurve = d.Curve()
	l := System{
		p: d, dt: dt, perDt: 1 / dt,
		engine:       newEngine(d, dt),
		motor:        newMotor(d.Motor, d.EngineInertia, dt),
		box:          newGearbox(d, d.FrontShare*front.Radius+(1-d.FrontShare)*rear.Radius),
		driven:       [2]bool{d.FrontShare > 0, d.FrontShare < 1},
		halfShaft:    newHalfShaft(d.Shafts, dt),
		carrierPerDt: d.Shafts.CarrierInertia / dt,
		inputPerDt:   d.Shafts.InputInertia / dt,
		crankPerDt:   d.EngineInertia / dt,
		crank:        d.crankDirection(),
		oilDrag:      d.SpinLoss,
		toothLoss:    1 - d.Efficiency,
	}
	l.fuel = newFuelMap(f, &l.engine)
	if err := d.checkInertia(dt); err != nil {
		return l, err
	}
	if d.hasConverter() {
		l.inputPerDt += d.Converter.TurbineInertia / dt
	}
	l.differentials[0], l.differentials[1] = newDifferential(d.FrontDifferential, 0.5,
		1), newDifferential(d.RearDifferential, 0.5, 1)
	l.differentials[center] = newDifferential(d.CenterDifferential, d.FrontShare, d.FinalDrive)
	if d.CenterDifferential.Kind == "active" { // its clutch also drives the axle that has no torque share
		l.driven = [2]bool{true, true}
	}
	for i, wheel := range [...]Wheel{front, front, rear, rear} {
		l.bearingDamping[i] = wheel.Damping
		if !l.driven[i/2] {
			continue
		}
		if inertia := d.Shafts.CarrierInertia + 2*d.Shafts.InnerInertia; d.SpinLoss*dt > inertia {
			return l, fmt.Errorf("driveline.spin_loss_nm = %g: too much for what turns there, %g kg·m², at steps of %g ms: lower it to %.0f or raise shafts.carrier_inertia_kgm2",
				d.SpinLoss, inertia, dt*1e3, inertia/dt)
		}
		if err := d.Shafts.checkStiffness(wheel.Inertia, dt); err != nil {
			return l, err
		}
	}
	return l, nil
}

// checkInertia returns an error if the torque of engine, starter or friction could change the engine's speed
// by more than its idle speed within a time step [s].
func (d Params) checkInertia(dt float64) error {
	if d.Motor.Enabled {
		return nil
	}
	maxTorque := max(d.PeakTorque(), d.EngineFriction, d.resolvedEngine().StarterTorque)
	if minInertia := maxTorque * dt / (d.IdleRPM * PerRPM); d.EngineInertia < minInertia {
		return fmt.Errorf("driveline.engine_inertia_kgm2 = %g: too light for %.0f N·m at steps of %g ms: raise it to %.2g",
			d.EngineInertia, maxTorque, dt*1e3, minInertia)
	}
	return nil
}

// Rest returns the state of the driveline at standstill, in neutral, with the engine at idle. fuel is the
// amount in the tank [L].
func (l *System) Rest(fuel float64) State {
	return State{
		EngineSpeed: l.engine.idle,
		Engine:      EngineState{Running: true},
		Gearbox:     GearboxState{InputSpeed: l.engine.idle},
		Fuel:        fuel, Battery: l.motor.charge,
	}
}

// SetWheelSpeeds sets all speeds in s, which must come from Rest, to those that belong to the wheels' speeds
// [rad/s] with a closed clutch. The gear is limited to those that the car has.
func (l *System) SetWheelSpeeds(s *State, spins *[4]float64, gear int8) {
	var axles [2]float64
	for i := range spins {
		if l.driven[i/2] {
			s.Shafts[i].Speed = spins[i]
			axles[i/2] = s.Shafts[i].Speed
		}
	}
	gear = l.NearestGear(gear)
	if ratio := l.Ratio(gear); ratio != 0 {
		s.Gear = gear
		s.EngineSpeed = ratio * l.OutputSpeed(axles[0], axles[1])
		s.Gearbox.InputSpeed = s.EngineSpeed
	}
}

// KeepFuel copies the fuel and the battery's energy of s to fresh, which must come from Rest. It leaves fresh
// as it is if the tank or battery of s is empty, or the value is NaN or Inf.
func (l *System) KeepFuel(fresh, s *State) {
	if s.Fuel > 0 && s.Fuel <= fresh.Fuel {
		fresh.Fuel = s.Fuel
	}
	if s.Battery > flatBattery && s.Battery <= l.motor.capacity {
		fresh.Battery = s.Battery
	}
}

// DrivesAxle reports whether an axle is driven: 0 front, 1 rear.
func (l *System) DrivesAxle(axle int) bool { return l.driven[axle] }

// IdleSpeed returns the engine's idle speed [rad/s], 0 with a motor.
func (l *System) IdleSpeed() float64 { return l.engine.idle }

// OutputSpeed returns the speed of the gearbox' output that belongs to the speeds of the front and rear
// differential, all after the final drive [rad/s]. It is their weighted mean, so that any other unit of speed
// is possible too.
func (l *System) OutputSpeed(front, rear float64) float64 {
	switch {
	case !l.driven[0]:
		return rear
	case !l.driven[1]:
		return front
	}
	share := l.differentials[center].share
	return share*front + (1-share)*rear
}
