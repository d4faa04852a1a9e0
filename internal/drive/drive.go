// Package drive is what one tick makes of its inputs: the driver's orders, the safety states, the
// car, the laps, the force at the rim and the platform's pose, and the gate that all of it passes
// before it goes out.
//
// It is pure: Inputs go in, Outputs come out, and State is all that lies in between. No device,
// no clock, no file and no other goroutine can be reached from here, so that a drive whose
// inputs are kept can be driven again to the last bit.
package drive

import (
	"math"

	"rig.example/rig/cueing"
	"rig.example/rig/ffb"
	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/driver"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/lap"
	"rig.example/rig/sim/steering"
)

// Setup is what a drive is made of. It never changes once the drive has begun.
type Setup struct {
	Dt       float64          // of a tick [s]
	Car      *sim.Car         // that is driven
	Circuit  *road.Circuit    // that it is driven on
	Feels    []*ffb.Feel      // one for each wheel that may come; New begins with the first
	Cue      *cueing.Cue      // makes the platform's pose of the car's motion
	Platform *cueing.Platform // makes the legs of the pose
	Guard    guard.Config     // of the guard that New makes
	Assists  Assists          // with which the driver begins
	Tuning   cueing.Tuning    // of the motion, with which the driver begins

	// What may be set after New, before the first tick.
	BeltButton bool    // a button is held while a belt is fastened or a door is shut
	Limit      uint64  // ticks of the car to drive, 0 without end
	Patience   float64 // longest time at a stretch that the car may wait to be driven [s], 0 without end
	Leave      float64 // longest time from the release to the end [s]

	model *driver.Model // drives in a demo; nil where a person does
	shake *ffb.Shake    // nil where the wheel makes nothing by itself
}

// Drive is a drive: what never changes, and its state. An equal Setup, an equal first State and equal
// inputs make an equal drive.
type Drive struct {
	Setup Setup
	State State

	out       Outputs // of the last tick
	timing    *lap.Timing
	keySteer  *steering.KeySteer
	keyPedals *assist.KeyPedals
	tank      tank
	gears     int8    // forward gears that the driver can choose
	bite      float64 // clutch pedal where the clutch bites, 0..1
}

// New returns a drive that stands at the beginning of its circuit, parked. The error is that of
// the circuit's clock.
func New(setup Setup) (*Drive, error) {
	c := setup.Circuit
	timing, err := lap.NewTiming(c.Line, c.Start, c.Sectors, c.Pit)
	if err != nil {
		return nil, err
	}
	p := setup.Car.Params()
	d := &Drive{
		Setup: setup, timing: timing, keySteer: steering.NewKeySteer(p.Steering, p.Wheelbase), keyPedals: assist.NewKeyPedals(p.Assists.Pedals), tank: newTank(p),
		gears: int8(len(p.Driveline.Gears)), bite: bite(p.Driveline.Clutch),
	}
	d.State = State{
		Guard: *guard.New(setup.Guard, setup.Dt), Car: d.standing(0), Force: setup.Feels[0].Start(), Motion: setup.Cue.Start(),
		panel: newPanel(setup.Assists, p.Driveline.Gearbox.Kind), tuner: newTuner(setup.Tuning),
	}
	return d, nil
}

// DrivenBy has a driver model drive, in a car that it finds shortly before the first bend, so that
// there is soon something to feel and to see. It returns what its hands do first, and is called
// before the first tick.
func (d *Drive) DrivenBy(model *driver.Model) Hands {
	const before, bend = 15, 1e-3 // [m], [1/m]
	s, c := &d.State, d.Setup.Circuit
	for math.Abs(c.At(s.Station+before).Curvature) < bend && s.Station < c.Length() {
		s.Station++
	}
	d.Setup.model, s.Car = model, d.standing(s.Station)
	d.restartDriver()
	d.plan()
	return d.wanted()
}

// ShakenBy lets the wheel make effects by itself, its vibration among them. It is called before the
// first tick.
func (d *Drive) ShakenBy(shake *ffb.Shake) { d.Setup.shake, d.State.shake = shake, shake.Start() }

// Model returns the driver model that drives, nil where a person does.
func (d *Drive) Model() *driver.Model { return d.Setup.model }

// standing is the car at rest on the centre line.
func (d *Drive) standing(station float64) sim.State {
	at := d.Setup.Circuit.At(station)
	return d.Setup.Car.Rest(at.Pos, at.Heading)
}

// Step makes of a tick's inputs what goes out, and moves the state on by a tick. It is a function
// of in and of the state alone, and allocates nothing: the outputs are overwritten by the next
// Step.
func (d *Drive) Step(in *Inputs) *Outputs {
	s, out := &d.State, &d.out
	*out = Outputs{}
	if in.Withheld {
		s.Force.SetApplied(0)
	}
	d.press(in)
	d.resetCar()
	d.adjust(in)
	s.Input = d.input(in)
	d.refit(in)
	s.clutch = s.Input.Clutch
	d.levers(&s.Input)
	s.Input.Slick = d.Setup.Circuit.Weather.Slick(float64(s.Car.Tick)*d.Setup.Dt, s.Rain.damp())

	d.judge(in, out)
	if s.Guard.State().Moves() {
		d.moveCar(out)
	}
	d.wait(in, out)
	d.feedback(in, out)
	if d.Setup.model != nil {
		d.plan()
		out.Hands = d.wanted()
	}
	if in.Watched {
		d.show(in, out)
	}
	d.end(in, out)
	return out
}

// moveCar moves the car by a tick. One that is left with NaN or Inf stays as it was before, so that
// nothing else meets them, and the next tick finds the flaw.
func (d *Drive) moveCar(out *Outputs) {
	s := &d.State
	before := s.Car
	d.Setup.Car.Step(&s.Car, s.Input)
	if f := flawOf(&s.Car); f.word != 0 {
		s.Car = before
		s.found(f, out)
		return
	}
	s.Used += d.tank.left(&before) - d.tank.left(&s.Car)
	s.Distance += math.Abs(s.Car.Speed) * d.Setup.Dt
	if !d.Setup.Circuit.Roadless {
		d.lap()
	}
}

// feedback finds what the rim and the platform get in this tick. The guard has the last word.
func (d *Drive) feedback(in *Inputs, out *Outputs) {
	s, g := &d.State, &d.State.Guard
	torque := d.force(in)
	pose := d.Setup.Cue.Pose(&s.Motion, &s.Car)
	legs, scale := d.Setup.Platform.Legs(pose)
	out.Torque, out.Platform.Legs = g.Gate(torque, legs)
	out.Pose, out.Scale = passed(&pose, scale, g.Motion()), scale
	s.Force.SetApplied(out.Torque)
	d.permit(in, out)
	d.command(in, out)
}

// passed is the part of a pose that comes through: of the platform itself what its actuators
// reach, and of all what the guard lets pass.
func passed(p *cueing.Pose, reached, share float64) cueing.Pose {
	by := reached * share
	return cueing.Pose{
		Surge: by * p.Surge, Sway: by * p.Sway, Heave: by * p.Heave, Roll: by * p.Roll, Pitch: by * p.Pitch, Yaw: by * p.Yaw,
		Slide: share * p.Slide, Belt: share * p.Belt,
	}
}

// command tells the platform whether to follow. Where nothing is pushed it parks by itself; under
// an emergency stop it does what its configuration says.
func (d *Drive) command(in *Inputs, out *Outputs) {
	s := &d.State
	c, state := &out.Platform, s.Guard.State()
	c.BeltOpen = d.beltOpen(in)
	waiting := (state == guard.Homing || state == guard.Ready) && !s.released && s.Guard.Waits() == guard.None
	c.Halt = state == guard.Stopped
	c.Push = waiting || state.Moves() || state == guard.Releasing
}

// resetCar puts the car back on its wheels where it is, once for each time that the key is
// pressed. Torque and platform follow by their own filters.
func (d *Drive) resetCar() {
	s := &d.State
	if s.fresh&frame.KeyReset == 0 || s.flawed {
		return
	}
	d.Setup.Car.Reset(&s.Car)
	d.feel().Teleported(&s.Force)
	s.Laps.Clock.Void()
	d.restartDriver()
	if d.Setup.model != nil {
		d.plan()
	}
}

// restart puts a car that met NaN or Inf back on its wheels, on the middle of the road. The ticks
// that it drove count on.
func (d *Drive) restart() {
	s := &d.State
	tick := s.Car.Tick
	s.Car = d.standing(s.Station)
	s.Car.Tick, s.flawed = tick, false
	s.Laps.Clock.Void()
	d.feel().Reset(&s.Force)
	d.Setup.Cue.Reset(&s.Motion)
	d.restartDriver()
}
