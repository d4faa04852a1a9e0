// Package trial runs a car on a test ground, for a standard manoeuvre or for a driver model that
// has to know what the car can do.
//
// Its input is a car's parameters, a ground and, every tick, the driver's input (Run). Its output is the
// car's state and recordings of it (Row), which Compare compares with a reference. It evaluates no
// manoeuvre, follows no course, and reads no file and no clock.
package trial

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/tire"
)

// degree is one degree [rad].
const degree = math.Pi / 180

const (
	SettleTime = 2.0   // time that a car rolls straight ahead before a test begins, so that springs and tires are at rest [s]
	FineRate   = 200.0 // rows per second of Run.Fine
)

// Run is one run of a car: it steps the car, holds the speed where asked, and records.
type Run struct {
	Car             *sim.Car
	Ground          road.Ground     // ground under the car
	Params          sim.Params      // parameters of the car
	State           sim.State       // state after the last tick
	Input           sim.Input       // input of the next tick
	Assists         assist.Switches // assists that SetInput switches on in every input
	Dt              float64         // [s]
	startTick       uint64          // tick at time 0
	Out             Recording       // recording for the user
	Fine            Recording       // recording from which metrics are computed
	Lock            float64         // largest steering wheel angle [rad]
	Lifts           Lifts           // wheels that left the ground
	roadWheelAngles []float64       // mean angles of the front road wheels, at even steps of the steering wheel angle from 0 to the lock [rad]
}

// New returns a run of a car with parameters p on a ground, in steps of dt [s]. Out records rate rows
// per second, and the assists are on in every input.
func New(p sim.Params, g road.Ground, dt, rate float64, assists assist.Switches) (*Run, error) {
	car, err := sim.New(p, g, dt)
	if err != nil {
		return nil, err
	}
	t := &Run{Car: car, Ground: g, Params: car.Params(), Dt: dt, Assists: assists}
	t.Out.Every, t.Fine.Every = 1/(rate*dt), 1/(FineRate*dt)
	t.measureSteering()
	return t, nil
}

// PlaceAtRest puts the car at rest on the ground at x and y [m] with a heading [rad], and restarts time
// and recordings.
func (t *Run) PlaceAtRest(x, y, heading float64) {
	t.State = t.Car.Rest(r3.Vec{X: x, Y: y}, heading)
	t.SetInput(sim.Input{})
	t.StartRecording()
}

// PlaceAtRestOn is PlaceAtRest at a point of a line, at the height of the line.
func (t *Run) PlaceAtRestOn(p road.Point) {
	t.State = t.Car.Rest(p.Pos, p.Heading)
	t.SetInput(sim.Input{})
	t.StartRecording()
}

// SetInput sets the input of the next tick to in, but with the assists of the run.
func (t *Run) SetInput(in sim.Input) {
	t.Input = in
	t.Input.Assists = t.Assists
}

// AssistsOff switches the assists off, to measure the car alone, until the returned function is called.
func (t *Run) AssistsOff() (back func()) {
	assists := t.Assists
	t.Assists = assist.Switches{}
	return func() { t.Assists = assists }
}

// PlaceRolling puts the car at x = 0, rolling at a speed [m/s] along the world's x axis in a gear, with
// springs and tires settled, and restarts time and recordings.
func (t *Run) PlaceRolling(speed float64, gear int8) {
	t.PlaceRollingAt(0, 0, 0, speed, gear)
}

// PlaceRollingAt is PlaceRolling for any position [m] and heading [rad] on level ground.
func (t *Run) PlaceRollingAt(x, y, heading, speed float64, gear int8) {
	sin, cos := math.Sincos(heading)
	t.PlaceAtRest(x-cos*speed*SettleTime, y-sin*speed*SettleTime, heading)
	if speed == 0 {
		return
	}
	t.State = t.Car.Underway(t.State.Pos, heading, speed, gear)
	t.Input.Gear = gear
	t.RunUntil(SettleTime, func(float64) { t.HoldSpeed(speed, 0) })
	t.Input.PushForce = 0
	t.StartRecording()
}

// StartRecording makes this moment time 0 and discards everything recorded so far.
func (t *Run) StartRecording() {
	t.startTick = t.State.Tick
	t.Lifts = Lifts{}
	for _, r := range []*Recording{&t.Out, &t.Fine} {
		r.next, r.Rows = 0, nil
		r.record(t)
	}
}

// Now returns the time since StartRecording [s].
func (t *Run) Now() float64 { return float64(t.State.Tick-t.startTick) * t.Dt }

// Step advances the car by one tick with t.Input, and records.
func (t *Run) Step() {
	t.Car.Step(&t.State, t.Input)
	t.Out.record(t)
	t.Fine.record(t)
	t.Lifts.update(t)
}

// RunUntil steps the car until a time [s], or until it has rolled over. It calls drive before every tick
// to change t.Input, which otherwise keeps its value.
func (t *Run) RunUntil(end float64, drive func(now float64)) {
	for ticks := math.Round(end / t.Dt); float64(t.State.Tick-t.startTick) < ticks && !t.RolledOver(); {
		drive(t.Now())
		t.Step()
	}
}

// RolledOver reports whether the car is tilted by more than 60° in any direction.
func (t *Run) RolledOver() bool {
	const upright = 0.5 // cosine of 60°
	return toWorld(t.State.Att, r3.Vec{Z: 1}).Z < upright
}

// Spun reports whether the car moves more sideways than ahead.
func (t *Run) Spun() bool {
	m := MotionOf(&t.State)
	return math.Abs(m.Vy) > 0.5 && math.Abs(m.Vy) > m.Vx
}

// LighterSideShare returns the load on the wheels of the less loaded side over the car's weight.
func (t *Run) LighterSideShare() float64 {
	w := &t.State.Wheels
	load := min(w[tire.FL].Load+w[tire.RL].Load, w[tire.FR].Load+w[tire.RR].Load)
	return load / max(t.Params.Mass*t.Params.Gravity, 1)
}

// Height returns the height of a point above the ground [m].
func (t *Run) Height(p r3.Vec) float64 { return -t.Ground.Touch(p).Depth }

// Motion is the motion of a car in the level axes of its heading: x forward and y to the left, both
// horizontal.
type Motion struct {
	Vx, Vy  float64 // [m/s]
	Ax, Ay  float64 // [m/s²]
	YawRate float64 // yaw rate about the vertical axis [rad/s], positive to the left
}

// MotionOf returns the motion of a car.
func MotionOf(s *sim.State) Motion {
	ahead := toWorld(s.Att, r3.Vec{X: 1})
	length := max(math.Hypot(ahead.X, ahead.Y), 1e-9)
	cos, sin := ahead.X/length, ahead.Y/length
	acc := toWorld(s.Att, s.Acc)
	return Motion{
		Vx: cos*s.Vel.X + sin*s.Vel.Y, Vy: cos*s.Vel.Y - sin*s.Vel.X,
		Ax: cos*acc.X + sin*acc.Y, Ay: cos*acc.Y - sin*acc.X,
		YawRate: toWorld(s.Att, s.Rate).Z,
	}
}

// HoldSpeed sets the push of an ideal controller that keeps the speed along the car at speed [m/s],
// which changes by rate [m/s²]. The wheels stay free of drive torque.
func (t *Run) HoldSpeed(speed, rate float64) {
	const gain = 10.0 // [1/s]
	m := MotionOf(&t.State)
	t.setPush(m, rate+gain*(speed-m.Vx)-m.YawRate*m.Vy)
}

// HoldAx sets the push that keeps the acceleration along the car [m/s²].
func (t *Run) HoldAx(ax float64) { t.setPush(MotionOf(&t.State), ax) }

// setPush sets Input.PushForce, the external force that pushes the car along its heading, by an integral
// controller of the acceleration ax [m/s²]. While the car slides more sideways than ahead the force is 0,
// because pushing would turn it further.
func (t *Run) setPush(m Motion, ax float64) {
	const lag, maxAccel = 0.01, 30.0 // [s], [m/s²]
	if t.Spun() {
		t.Input.PushForce = 0
		return
	}
	force := t.Input.PushForce + t.Params.Mass*(ax-m.Ax)*min(t.Dt/lag, 1)
	t.Input.PushForce = min(max(force, -maxAccel*t.Params.Mass), maxAccel*t.Params.Mass)
}

// Recording records rows at even times.
type Recording struct {
	Every   float64 // ticks between two rows
	Rows    []Row
	Observe Observer // sets Row.Extra; may be nil
	next    float64  // tick of the next row
}

// Observer returns further values of a car after a step with an input, for Row.Extra.
type Observer func(c *sim.Car, s *sim.State, in *sim.Input) []float64

// record appends a row if one is due.
func (r *Recording) record(t *Run) {
	n := float64(t.State.Tick - t.startTick)
	if n < r.next-0.5 {
		return
	}
	row := RowOf(t.Car, &t.State, n*t.Dt)
	row.Throttle, row.Brake, row.Clutch = t.Input.Throttle, t.Input.Brake, t.Input.Clutch
	if r.Observe != nil {
		row.Extra = r.Observe(t.Car, &t.State, &t.Input)
	}
	r.Rows = append(r.Rows, row)
	r.next = max(r.next, n-0.5) + r.Every
}

// Lifts records how high wheels rise off the ground.
type Lifts struct {
	lastContact [4]r3.Vec // position of the hub when the tire last touched the ground [m, world]
	hadContact  [4]bool   // whether the tire has touched the ground since the start
	MaxHeight   float64   // largest rise of a hub above its height at the last contact [m]
	OneSide     bool      // both wheels of a side were off the ground at once
}

// update takes in the state after a tick.
func (l *Lifts) update(t *Run) {
	up := [4]bool{}
	for i := range t.State.Wheels {
		w := &t.State.Wheels[i]
		if w.Load > 0 {
			l.lastContact[i], l.hadContact[i] = w.Hub, true
		} else if up[i] = true; l.hadContact[i] {
			l.MaxHeight = max(l.MaxHeight, t.Height(w.Hub)-t.Height(l.lastContact[i]))
		}
	}
	l.OneSide = l.OneSide || up[tire.FL] && up[tire.RL] || up[tire.FR] && up[tire.RR]
}
