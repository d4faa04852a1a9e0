// Package drive calculates one tick: the driver's orders, the safety states, the car, the laps, the
// torque at the rim, the platform's pose, and the gate that limits all outputs.
//
// A tick goes through its parts in one direction: the cockpit, the source of motion (own.go or follow.go), the guard, the
// rim, the watch and the frame. Each part is a plain value with its own state and step, and sees no other; Drive connects them.
//
// It is pure: Step turns Inputs and State into Outputs and the next State. It uses no device, clock, file
// or goroutine, so that recorded inputs repeat a drive bit for bit.
package drive

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// Setup holds the constants of a drive. It does not change after the first tick.
type Setup struct {
	Dt       float64          // duration of a tick [s]
	Car      *sim.Car         // the car's simulation
	Circuit  *road.Circuit    // the circuit that the car drives on
	Cue      *cueing.Cue      // motion cueing: converts the car's motion to a pose of the platform
	Platform *cueing.Platform // inverse kinematics: converts the pose to actuator positions
	Guard    guard.Config     // configuration of the guard
	Assists  Assists          // initial settings of the driving aids
	Tuning   cueing.Tuning    // initial gain factors of the motion
	Rim

	// These may be set after New, before the first tick.
	Game
	InterlockButton bool    // a button reports, while held, that a belt is fastened or a door is shut
	TickLimit       uint64  // ticks of the car to drive; 0 is no limit
	LapLimit        int     // laps to drive, valid or not; 0 is no limit
	WaitTimeout     float64 // longest time without the car moving, or with LapLimit for a lap, before the drive gives up [s]; 0 is no limit
	LeaveTimeout    float64 // longest time from the order to end the drive to its end [s]
	AnyKeyStops     bool    // each key of the window and each button is an emergency stop
	Grid            Grid    // where the car waits for the start of a race; set it by StartOnGrid

	model *driver.Model // driver model of a demo; nil if a person drives
}

// Drive is a drive: its constant parts and its state. Equal setups, first states and inputs give equal
// drives.
type Drive struct {
	Setup Setup
	State State

	out     Outputs     // of the last tick
	timing  *lap.Timing // measures laps and sectors
	tank    tank
	cockpit cockpit
}

// New returns a parked drive at the start of its circuit. It returns an error if the circuit's lap
// timing cannot be set up.
func New(setup Setup) (*Drive, error) {
	c := setup.Circuit
	timing, err := lap.NewTiming(c.Line, c.Start, c.Sectors, c.Pit)
	if err != nil {
		return nil, err
	}
	p := setup.Car.Params()
	d := &Drive{Setup: setup, timing: timing, tank: newTank(p), cockpit: newCockpit(&p, setup.Dt)}
	d.State = State{
		Guard: *guard.New(setup.Guard, setup.Dt), Car: setup.carAtRest(0), Rim: RimState{Force: setup.ForceChains[0].Start()}, Motion: setup.Cue.Start(),
		Cockpit: CockpitState{panel: newPanel(setup.Assists, p.Driveline.Gearbox.Kind), tuner: newTuner(setup.Tuning)},
	}
	return d, nil
}

// UseDriverModel lets a driver model drive and puts the car shortly before the first bend, unless it is on a grid. It
// returns the model's first hand position. Call it before the first tick.
func (d *Drive) UseDriverModel(model *driver.Model) Hands {
	const before, bendCurvature = 15, 1e-3 // distance before the bend [m], curvature of a bend [1/m]
	s, c := &d.State, d.Setup.Circuit
	if d.Setup.Grid == (Grid{}) {
		for math.Abs(c.At(s.Station+before).Curvature) < bendCurvature && s.Station < c.Length() {
			s.Station++
		}
		s.Car = d.Setup.carAtRest(s.Station)
	}
	d.Setup.model = model
	d.restartDriver()
	d.stepDriverModel()
	return s.Cockpit.hands(s.model.Input.Steer)
}

// EnableOwnEffects enables the effects that the wheel plays by itself. Call it before the first tick.
func (d *Drive) EnableOwnEffects(vibration *ffb.Vibration) {
	d.Setup.Rim.vibration, d.State.Rim.vibration = vibration, vibration.Start()
}

// HasOwnEffects reports whether the wheel plays effects by itself.
func (d *Drive) HasOwnEffects() bool { return d.Setup.Rim.vibration != nil }

// UseRimServo makes the torque turn a real rim to the driver model's angle, instead of the car's forces,
// and lets the model steer the car whatever the rim does. Call it after UseDriverModel, before the first
// tick.
func (d *Drive) UseRimServo() { d.Setup.Rim.servo = true }

// HasRimServo reports whether the torque turns a real rim to the driver model's angle.
func (d *Drive) HasRimServo() bool { return d.Setup.Rim.servo }

// Model returns the driver model, or nil if a person drives.
func (d *Drive) Model() *driver.Model { return d.Setup.model }

// Step calculates one tick. It depends on in and the state alone and allocates nothing. The next Step
// overwrites the outputs.
func (d *Drive) Step(in *Inputs) *Outputs {
	s, out := &d.State, &d.out
	*out = Outputs{}
	if in.TorqueWithheld {
		s.Rim.Force.SetApplied(0)
	}
	s.Cockpit.readKeys(in, d.Setup.Dt)
	s.Cockpit.keys.stopByAny(d.Setup.AnyKeyStops, d.Setup.Guard.DeadMan, awaitsConfirmation(&s.Guard) || in.Platform.AwaitsHome)
	if d.Setup.Follower == nil {
		d.stepOwn(in, out)
	} else {
		d.stepFollowed(in, out)
	}
	out.Releasing, out.Done = s.Watch.releaseOrdered, s.Watch.isDone(&s.Guard, &in.Platform, d.Setup.LeaveTimeout, d.Setup.Dt)
	return out
}

// applyKeys applies the keys that were pressed in this tick, and the operator's orders that do the same.
func (d *Drive) applyKeys(in *Inputs) {
	s, state := &d.State, d.State.Guard.State()
	justPressed := s.Cockpit.keys.justPressed
	s.Watch.releaseOrdered = s.Watch.releaseOrdered || in.Operator.Release
	pauseEnds := state == guard.Fault || state == guard.Stopped || s.Watch.releaseOrdered
	if by := s.Cockpit.operate(&in.Operator, s.Car.Driveline.Engine.Running, pauseEnds); by != guard.Nobody {
		s.orders.orderedBy = by
	}
	s.Rim.adjustGain(justPressed, d.Setup.Dt)
	s.applyTune(in.Operator.Tune, &d.Setup.Tuning)
	d.Setup.Rim.stepRamps(&s.Rim, d.Setup.Dt)
	s.Cockpit.tuner.step(justPressed, &s.Motion, d.Setup.Dt)
}

// finish ends a tick with the outputs for rim, platform, hands and screens, for a torque [N·m] and a pose. The guard's gate
// is the last stage.
func (d *Drive) finish(in *Inputs, out *Outputs, torque float64, pose cueing.Pose) {
	s, g, rim := &d.State, &d.State.Guard, &d.Setup.Rim
	waits := in.Operator.Start && (d.Setup.LapLimit != 0 || !s.Cockpit.Paused && !g.State().Moves())
	out.GaveUp = s.Watch.countWait(waits, d.Setup.WaitTimeout, d.Setup.Dt)
	legs, scale := d.Setup.Platform.Legs(pose)
	out.Torque, out.Platform.Legs = g.Gate(torque, legs)
	out.Pose, out.Scale = scalePose(&pose, scale, g.MotionShare()), scale
	s.Rim.Force.SetApplied(out.Torque)
	ownEffects, vibration := rim.ownEffects(&s.Rim, &in.Wheel, &s.Car, g.MaxTorque())
	out.OwnEffects, out.Vibration = g.GateOwnEffects(ownEffects), Vibration{g.GateOwnEffects(vibration.Peak), vibration.Hz}
	if v := &s.Rim.servo; rim.servo {
		s.Watch.rim.step(v.target-v.angle, v.speed, out.Torque, rim.servoLimit(&s.Rim, &in.Wheel, g.MaxTorque()), d.Setup.Dt)
	}
	s.commandPlatform(in, out, d.Setup.interlockOpen(in, &s.Cockpit.keys))
	if d.Setup.model != nil {
		d.stepDriverModel()
		out.Hands = s.Cockpit.hands(s.model.Input.Steer)
	}
	if in.FrameWanted {
		d.show(in, out)
	}
}

// scalePose returns the pose that is sent. reached, 0..1, is the share of the pose in six degrees of freedom that
// the actuators can reach; it scales these six. The guard's share scales all degrees of freedom.
func scalePose(p *cueing.Pose, reached, share float64) cueing.Pose {
	scale := reached * share
	return cueing.Pose{
		Surge: scale * p.Surge, Sway: scale * p.Sway, Heave: scale * p.Heave, Roll: scale * p.Roll, Pitch: scale * p.Pitch, Yaw: scale * p.Yaw,
		Slide: share * p.Slide, Belt: share * p.Belt,
	}
}

// commandPlatform decides whether the platform gets targets. Without targets it parks by itself; in an
// emergency stop it does what its configuration says.
func (s *State) commandPlatform(in *Inputs, out *Outputs, interlockOpen bool) {
	c, state := &out.Platform, s.Guard.State()
	c.InterlockOpen = interlockOpen
	latched := s.Guard.LatchedCause() != guard.None
	waiting := (state == guard.Homing || state == guard.Ready) && !s.Watch.releaseOrdered && !latched
	fading := state == guard.Releasing && (!latched || s.Guard.MotionShare() > 0) // a platform that has parked must not follow again
	c.Home = s.homesPlatform(in, out.Changed) && !c.InterlockOpen
	c.Halt = state == guard.Stopped
	c.Push = waiting || state.Moves() || fading
}
