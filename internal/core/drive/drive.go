// Package drive calculates one tick: the driver's orders, the safety states, the car, the laps, the
// torque at the rim, the platform's pose, and the gate that limits all outputs.
//
// It is pure: Step turns Inputs and State into Outputs and the next State. It uses no device, clock, file
// or goroutine, so that recorded inputs repeat a drive bit for bit.
package drive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/road"
	"rig.example/rig/road/lap"
	"rig.example/rig/sim"
	"rig.example/rig/sim/driver"
)

// Setup holds the parts of a drive. It does not change after the first tick.
type Setup struct {
	Dt          float64          // duration of a tick [s]
	Car         *sim.Car         // the car's simulation
	Circuit     *road.Circuit    // the circuit that the car drives on
	ForceChains []*ffb.Chain     // force feedback, one chain for each preset; New starts with the first
	Cue         *cueing.Cue      // motion cueing: converts the car's motion to a pose of the platform
	Platform    *cueing.Platform // inverse kinematics: converts the pose to actuator positions
	Guard       guard.Config     // configuration of the guard
	Assists     Assists          // initial settings of the driving aids
	Tuning      cueing.Tuning    // initial gain factors of the motion

	// These may be set after New, before the first tick.
	Follower        *follow.Follower // follows another simulator instead of driving the own car; nil for a drive of one's own
	FollowTrust     []follow.Trust   // what the operator has confirmed
	InterlockButton bool             // a button reports, while held, that a belt is fastened or a door is shut
	TickLimit       uint64           // ticks of the car to drive; 0 is no limit
	LapLimit        int              // laps to drive, valid or not; 0 is no limit
	WaitTimeout     float64          // longest time without the car moving, or with LapLimit for a lap, before the drive gives up [s]; 0 is no limit
	LeaveTimeout    float64          // longest time from the order to end the drive to its end [s]
	AnyKeyStops     bool             // each key of the window and each button is an emergency stop
	Grid            Grid             // where the car waits for the start of a race; set it by StartOnGrid

	model     *driver.Model  // driver model of a demo; nil if a person drives
	vibration *ffb.Vibration // vibration of the wheel's own effects; nil if the wheel has none
	rimServo  bool           // the torque turns a real rim to the driver model's angle
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
		Guard: *guard.New(setup.Guard, setup.Dt), Car: d.carAtRest(0), Force: setup.ForceChains[0].Start(), Motion: setup.Cue.Start(),
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
		s.Car = d.carAtRest(s.Station)
	}
	d.Setup.model = model
	d.restartDriver()
	d.stepDriverModel()
	return s.Cockpit.hands(s.model.Input.Steer)
}

// EnableOwnEffects enables the effects that the wheel plays by itself. Call it before the first tick.
func (d *Drive) EnableOwnEffects(vibration *ffb.Vibration) {
	d.Setup.vibration, d.State.vibration = vibration, vibration.Start()
}

// HasOwnEffects reports whether the wheel plays effects by itself.
func (d *Drive) HasOwnEffects() bool { return d.Setup.vibration != nil }

// Model returns the driver model, or nil if a person drives.
func (d *Drive) Model() *driver.Model { return d.Setup.model }

// carAtRest returns the car at rest on the center line at a station [m].
func (d *Drive) carAtRest(station float64) sim.State {
	at := d.Setup.Circuit.At(station)
	return d.Setup.Car.Rest(at.Pos, at.Heading)
}

// Step calculates one tick. It depends on in and the state alone and allocates nothing. The next Step
// overwrites the outputs.
func (d *Drive) Step(in *Inputs) *Outputs {
	s, out := &d.State, &d.out
	*out = Outputs{}
	if in.TorqueWithheld {
		s.Force.SetApplied(0)
	}
	d.readKeys(in)
	if d.follows() {
		d.applyKeys(in)
		d.followSource(in)
	} else {
		d.resetCar()
		d.applyKeys(in)
		d.readDriver(in)
	}

	d.stepGuard(in, out)
	if s.Guard.State().Moves() {
		d.moveCar(out)
	}
	d.countWait(in, out)
	d.feedback(in, out)
	if d.Setup.model != nil {
		d.stepDriverModel()
		out.Hands = s.Cockpit.hands(s.model.Input.Steer)
	}
	if in.FrameWanted {
		d.show(in, out)
	}
	d.checkDone(in, out)
	return out
}

// readKeys updates the keys that are down in the window and the buttons of the cockpit.
func (d *Drive) readKeys(in *Inputs) {
	s := &d.State
	k := &s.Cockpit.keys
	k.step(s.Cockpit.window.keys(&in.Window, d.Setup.Dt)|in.Buttons.Down, in.Buttons.Pressed)
	k.stopByAny(d.Setup.AnyKeyStops, d.Setup.Guard.DeadMan, awaitsConfirmation(&s.Guard) || in.Platform.AwaitsHome)
	s.releaseOrdered = s.releaseOrdered || in.Operator.Release
}

// awaitsConfirmation reports whether the guard waits for the operator to confirm.
func awaitsConfirmation(g *guard.Guard) bool {
	return g.State() == guard.Fault || g.State() == guard.Stopped || g.LatchedCause() != guard.None
}

// applyKeys applies the keys that were pressed in this tick, and the operator's orders that do the same.
func (d *Drive) applyKeys(in *Inputs) {
	s, state := &d.State, d.State.Guard.State()
	pauseEnds := state == guard.Fault || state == guard.Stopped || s.releaseOrdered
	if by := s.Cockpit.operate(&in.Operator, s.Car.Driveline.Engine.Running, pauseEnds); by != guard.Nobody {
		s.orders.orderedBy = by
	}
	s.adjustGain(d.Setup.Dt)
	d.applyTune(in.Operator.Tune)
	d.stepForceRamps()
	s.Cockpit.tuner.step(s.Cockpit.keys.justPressed, &s.Motion, d.Setup.Dt)
}

// moveCar steps the car. If the new state holds NaN or Inf, the old state stays and the fault is
// latched, so that nothing else reads them.
func (d *Drive) moveCar(out *Outputs) {
	s := &d.State
	if d.follows() {
		d.moveFollowed()
		return
	}
	before := s.Car
	d.Setup.Car.Step(&s.Car, s.Input)
	if f := findBadValue(&s.Car); f.index != 0 {
		s.Car = before
		s.latchBadValue(f, out)
		return
	}
	s.Consumed += d.tank.remaining(&before) - d.tank.remaining(&s.Car)
	s.Distance += math.Abs(s.Car.Speed) * d.Setup.Dt
	s.Impulse += r3.Norm(s.Car.Impact.Force) * d.Setup.Dt
	if !d.Setup.Circuit.Roadless {
		d.stepLap()
	}
}

// feedback calculates the outputs for rim and platform. The guard's gate is the last stage.
func (d *Drive) feedback(in *Inputs, out *Outputs) {
	s, g := &d.State, &d.State.Guard
	var torque float64
	var pose cueing.Pose
	if d.follows() { // the wheel belongs to the game
		pose = d.followedPose()
	} else {
		torque, pose = d.rimTorque(in), d.Setup.Cue.Pose(&s.Motion, &s.Car)
	}
	legs, scale := d.Setup.Platform.Legs(pose)
	out.Torque, out.Platform.Legs = g.Gate(torque, legs)
	out.Pose, out.Scale = scalePose(&pose, scale, g.MotionShare()), scale
	s.Force.SetApplied(out.Torque)
	d.stepOwnEffects(in, out)
	if d.Setup.rimServo {
		d.watchRim(in, out.Torque)
	}
	d.commandPlatform(in, out)
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
func (d *Drive) commandPlatform(in *Inputs, out *Outputs) {
	s := &d.State
	c, state := &out.Platform, s.Guard.State()
	c.InterlockOpen = d.interlockOpen(in)
	latched := s.Guard.LatchedCause() != guard.None
	waiting := (state == guard.Homing || state == guard.Ready) && !s.releaseOrdered && !latched
	fading := state == guard.Releasing && (!latched || s.Guard.MotionShare() > 0) // a platform that has parked must not follow again
	c.Home = s.homesPlatform(in, out.Changed) && !c.InterlockOpen
	c.Halt = state == guard.Stopped
	c.Push = waiting || state.Moves() || fading
}

// resetCar puts the car back on its wheels where it is, once per press of the reset key. Torque and
// platform follow through their own filters.
func (d *Drive) resetCar() {
	s := &d.State
	if s.Cockpit.keys.justPressed&frame.KeyReset == 0 || s.badValueLatched {
		return
	}
	d.Setup.Car.Reset(&s.Car)
	d.forceChain().Teleported(&s.Force)
	s.Laps.Clock.Invalidate()
	d.restartDriver()
	if d.Setup.model != nil {
		d.stepDriverModel()
	}
}

// restartCar puts the car at rest on the center line after NaN or Inf. Its tick count continues.
func (d *Drive) restartCar() {
	s := &d.State
	tick := s.Car.Tick
	s.Car = d.carAtRest(s.Station)
	s.Car.Tick, s.badValueLatched = tick, false
	s.Laps.Clock.Invalidate()
	d.forceChain().Reset(&s.Force)
	d.Setup.Cue.Reset(&s.Motion)
	d.restartDriver()
}
