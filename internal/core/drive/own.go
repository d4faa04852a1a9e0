package drive

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
)

// Trip is what the own car has driven.
type Trip struct {
	Laps     Laps    // lap and sector times
	Station  float64 // position of the front axle along the circuit's center line [m]
	Distance float64 // driven distance [m]
	Impulse  float64 // of ground and walls on the body's outside and on wheels at full bump, since the start [N·s]
	Consumed float64 // used fuel [L], or net energy taken from the battery [J], which regenerative braking lowers
}

// stepOwn calculates a tick in which the own car moves by the driver's input.
func (d *Drive) stepOwn(in *Inputs, out *Outputs) {
	s, rim := &d.State, &d.Setup.Rim
	d.resetCar()
	d.applyKeys(in)
	d.readDriver(in)
	d.stepGuard(in, out, in.Wheel.Present, rim.handsOn(&s.Rim))
	if s.Guard.State().Moves() {
		d.moveCar(out)
	}
	allowed := s.Guard.MaxTorque()
	s.Guard.ReserveTorque(rim.ownEffectsMax(&s.Rim, &in.Wheel, allowed))
	torque := rim.torque(&s.Rim, &in.Wheel, &rimInputs{&s.Car, s.Input.Steer, s.Cockpit.hands(s.model.Input.Steer).Angle, s.Guard.State(), allowed}, d.Setup.Dt)
	d.finish(in, out, torque, d.Setup.Cue.Pose(&s.Motion, &s.Car))
}

// readDriver sets the car's input, by the person or the driver model. A simulated rim follows the model and steers; a real
// one does not steer.
func (d *Drive) readDriver(in *Inputs) {
	s := &d.State
	if d.Setup.model == nil {
		s.Input = d.cockpit.humanInput(&s.Cockpit, &in.Wheel, &in.Pedals, &s.Car)
	} else {
		s.Input = d.cockpit.modelInput(&s.Cockpit, &s.model.Input, &s.Car, d.Setup.Car.DrivenSlip(&s.Car))
		if !d.Setup.Rim.servo {
			s.Input.Steer = in.Wheel.Angle
		}
	}
	d.Setup.Rim.switchChain(&s.Rim, in.ForceChainIndex, s.Guard.State())
	d.cockpit.applyButtons(&s.Cockpit, &s.Input)
	s.Input.Slick = d.Setup.Circuit.Weather.GripLoss(float64(s.Car.Tick)*d.Setup.Dt, s.Cockpit.Rain.gripLoss())
}

// moveCar steps the car. If the new state holds NaN or Inf, the old state stays and the fault is
// latched, so that nothing else reads them.
func (d *Drive) moveCar(out *Outputs) {
	s := &d.State
	before := s.Car
	d.Setup.Car.Step(&s.Car, s.Input)
	if bad := findBadValue(&s.Car); bad.index != 0 {
		s.Car = before
		out.BadValue = s.Watch.latch(bad)
		return
	}
	s.Trip.add(&s.Car, d.tank.remaining(&before)-d.tank.remaining(&s.Car), d.Setup.Dt)
	if !d.Setup.Circuit.Roadless && s.Trip.stepLap(d.timing, &s.Car, d.Setup.Dt) {
		s.Watch.waitTime = 0
	}
}

// add adds a tick in which the car has used some fuel [L] or energy [J].
func (t *Trip) add(car *sim.State, used, dt float64) {
	t.Consumed += used
	t.Distance += math.Abs(car.Speed) * dt
	t.Impulse += r3.Norm(car.Impact.Force) * dt
}

// resetCar puts the car back on its wheels where it is, once per press of the reset key. Torque and
// platform follow through their own filters.
func (d *Drive) resetCar() {
	s := &d.State
	if s.Cockpit.keys.justPressed&frame.KeyReset == 0 || s.Watch.badValueLatched {
		return
	}
	d.Setup.Car.Reset(&s.Car)
	d.Setup.Rim.chain(&s.Rim).Teleported(&s.Rim.Force)
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
	s.Car = d.Setup.carAtRest(s.Station)
	s.Car.Tick, s.Watch.badValueLatched = tick, false
	s.Laps.Clock.Invalidate()
	d.Setup.Rim.chain(&s.Rim).Reset(&s.Rim.Force)
	d.Setup.Cue.Reset(&s.Motion)
	d.restartDriver()
}

// carAtRest returns the car at rest on the center line at a station [m].
func (s *Setup) carAtRest(station float64) sim.State {
	at := s.Circuit.At(station)
	return s.Car.Rest(at.Pos, at.Heading)
}

// restartDriver resets gear lever and driver model to the car's present state.
func (d *Drive) restartDriver() {
	s := &d.State
	if s.Cockpit.lever = (gearSelector{}); d.Setup.model != nil {
		s.model, s.Cockpit.lever = d.Setup.model.Start(&s.Car), inDrive
	}
}

// stepDriverModel steps the driver model for the next tick. It starts when the car starts to move, so
// that the time that devices need to get ready does not change the drive.
func (d *Drive) stepDriverModel() {
	s, model := &d.State, d.Setup.model
	if s.Guard.State().Moves() {
		model.Drive(&s.model, &s.Car)
		return
	}
	s.model = model.Start(&s.Car)
}

// approach moves v towards target by at most step.
func approach(v, target, step float64) float64 {
	return v + math.Max(-step, math.Min(step, target-v))
}
