// Package trial runs a car on a test ground, for a standard manoeuvre or for a driver model that
// has to know what the car can do.
//
// In go a car's parameters, a ground and, tick after tick, the driver's input (Run). Out come the
// car's state and recordings of it (Row), which Compare judges against a reference. It judges no
// manoeuvre and drives no course, reads no file and no clock.
package trial

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/assist"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

const degree = math.Pi / 180

const (
	RollIn   = 2.0   // straight ahead before a test begins, until springs and tires are at rest [s]
	FineRate = 200.0 // rows a second that metrics are taken from
)

// Run is one run of a car: it steps, holds the speed where asked and records.
type Run struct {
	Car     *sim.Car
	Ground  road.Ground     // that the car is on
	Params  sim.Params      // of the car
	State   sim.State       // after the last tick
	Input   sim.Input       // of the next tick
	Assists assist.Switches // that every input begins with
	Dt      float64         // [s]
	zero    uint64          // tick at time 0
	Out     Recording       // what the user gets
	Fine    Recording       // what metrics are taken from
	Lock    float64         // largest steering wheel angle [rad]
	Lifts   Lifts           // of wheels
	road    []float64       // mean road wheel angles at even steps of the steering wheel up to the lock [rad]
}

// New returns a run of a car with parameters p on a ground, in steps of dt [s], which takes rate rows
// a second for the user; help is on in every input.
func New(p sim.Params, g road.Ground, dt, rate float64, help assist.Switches) (*Run, error) {
	car, err := sim.New(p, g, dt)
	if err != nil {
		return nil, err
	}
	t := &Run{Car: car, Ground: g, Params: car.Params(), Dt: dt, Assists: help}
	t.Out.Every, t.Fine.Every = 1/(rate*dt), 1/(FineRate*dt)
	t.measureSteering()
	return t, nil
}

// Rest puts the car on the ground at x and y, at time 0 [m, rad].
func (t *Run) Rest(x, y, heading float64) {
	t.State = t.Car.Rest(r3.Vec{X: x, Y: y}, heading)
	t.Press(sim.Input{})
	t.Begin()
}

// RestOn does so on a line, at its height.
func (t *Run) RestOn(p road.Point) {
	t.State = t.Car.Rest(p.Pos, p.Heading)
	t.Press(sim.Input{})
	t.Begin()
}

// Press makes an input the next one, with the help that is on in every run.
func (t *Run) Press(in sim.Input) {
	t.Input = in
	t.Input.Assists = t.Assists
}

// Unaided switches help off, for what is measured of the car alone, until back is called.
func (t *Run) Unaided() (back func()) {
	help := t.Assists
	t.Assists = assist.Switches{}
	return func() { t.Assists = help }
}

// Roll brings the car to x = 0 at a speed [m/s] along the world's x, in a gear, its
// springs and tires at rest, at time 0.
func (t *Run) Roll(speed float64, gear int8) {
	t.RollTo(0, 0, 0, speed, gear)
}

// RollTo does so for any place and heading of a level ground.
func (t *Run) RollTo(x, y, heading, speed float64, gear int8) {
	sin, cos := math.Sincos(heading)
	t.Rest(x-cos*speed*RollIn, y-sin*speed*RollIn, heading)
	if speed == 0 {
		return
	}
	t.State = t.Car.Underway(t.State.Pos, heading, speed, gear)
	t.Input.Gear = gear
	t.Until(RollIn, func(float64) { t.HoldSpeed(speed, 0) })
	t.Input.Push = 0
	t.Begin()
}

// Begin makes this moment time 0 and forgets what was recorded.
func (t *Run) Begin() {
	t.zero = t.State.Tick
	t.Lifts = Lifts{}
	for _, r := range []*Recording{&t.Out, &t.Fine} {
		r.next, r.Rows = 0, nil
		r.note(t)
	}
}

// Now returns the time [s].
func (t *Run) Now() float64 { return float64(t.State.Tick-t.zero) * t.Dt }

// Step drives one tick with t.Input.
func (t *Run) Step() {
	t.Car.Step(&t.State, t.Input)
	t.Out.note(t)
	t.Fine.note(t)
	t.Lifts.watch(t)
}

// Until drives to a time [s], or until the car is rolled over; before every tick
// it asks drive for the input, which starts out as the last one.
func (t *Run) Until(end float64, drive func(now float64)) {
	for ticks := math.Round(end / t.Dt); float64(t.State.Tick-t.zero) < ticks && !t.RolledOver(); {
		drive(t.Now())
		t.Step()
	}
}

// RolledOver reports whether the car is rolled over: tipped by more than 60° to any side.
func (t *Run) RolledOver() bool {
	const upright = 0.5 // cosine of that
	return toWorld(t.State.Att, r3.Vec{Z: 1}).Z < upright
}

// Spun reports whether the car moves more sideways than ahead.
func (t *Run) Spun() bool {
	m := MotionOf(&t.State)
	return math.Abs(m.Vy) > 0.5 && math.Abs(m.Vy) > m.Vx
}

// LighterSide returns the share of the weight on the wheels of the lighter side.
func (t *Run) LighterSide() float64 {
	w := &t.State.Wheels
	least := min(w[tire.FL].Load+w[tire.RL].Load, w[tire.FR].Load+w[tire.RR].Load)
	return least / max(t.Params.Mass*t.Params.Gravity, 1)
}

// Height returns how far a point is above the ground [m].
func (t *Run) Height(p r3.Vec) float64 { return -t.Ground.Touch(p).Depth }

// Motion is how a car moves along the level axes of its heading.
type Motion struct {
	Vx, Vy  float64 // [m/s]
	Ax, Ay  float64 // [m/s²]
	YawRate float64 // about the vertical [rad/s]
}

// MotionOf returns how a car moves.
func MotionOf(s *sim.State) Motion {
	ahead := toWorld(s.Att, r3.Vec{X: 1})
	size := max(math.Hypot(ahead.X, ahead.Y), 1e-9)
	cos, sin := ahead.X/size, ahead.Y/size
	acc := toWorld(s.Att, s.Acc)
	return Motion{
		Vx: cos*s.Vel.X + sin*s.Vel.Y, Vy: cos*s.Vel.Y - sin*s.Vel.X,
		Ax: cos*acc.X + sin*acc.Y, Ay: cos*acc.Y - sin*acc.X,
		YawRate: toWorld(s.Att, s.Rate).Z,
	}
}

// HoldSpeed sets the push of an ideal controller that keeps the speed along the car at
// one that changes by rate [m/s, m/s²]. The wheels stay free of drive torque.
func (t *Run) HoldSpeed(speed, rate float64) {
	const quick = 10.0 // [1/s]
	m := MotionOf(&t.State)
	t.push(m, rate+quick*(speed-m.Vx)-m.YawRate*m.Vy)
}

// HoldAx sets the push that keeps the acceleration along the car [m/s²].
func (t *Run) HoldAx(ax float64) { t.push(MotionOf(&t.State), ax) }

// push integrates the missing acceleration. A car that slides more sideways than
// ahead is let go, for pushing it along would drive it round.
func (t *Run) push(m Motion, ax float64) {
	const lag, most = 0.01, 30.0 // [s], [m/s²]
	if t.Spun() {
		t.Input.Push = 0
		return
	}
	force := t.Input.Push + t.Params.Mass*(ax-m.Ax)*min(t.Dt/lag, 1)
	t.Input.Push = min(max(force, -most*t.Params.Mass), most*t.Params.Mass)
}

// Recording takes a row at even times.
type Recording struct {
	Every float64 // ticks
	Rows  []Row
	next  float64 // tick
}

func (r *Recording) note(t *Run) {
	n := float64(t.State.Tick - t.zero)
	if n < r.next-0.5 {
		return
	}
	row := RowOf(t.Car, &t.State, n*t.Dt)
	row.Throttle, row.Brake, row.Clutch = t.Input.Throttle, t.Input.Brake, t.Input.Clutch
	r.Rows = append(r.Rows, row)
	r.next = max(r.next, n-0.5) + r.Every
}

// Lifts watches how high wheels rise.
type Lifts struct {
	stood   [4]r3.Vec // hub when the tire last touched [m, world]
	touched [4]bool
	Highest float64 // of any hub above its height then [m]
	Pairs   bool    // both wheels of a side were up at once
}

func (l *Lifts) watch(t *Run) {
	up := [4]bool{}
	for i := range t.State.Wheels {
		w := &t.State.Wheels[i]
		if w.Load > 0 {
			l.stood[i], l.touched[i] = w.Hub, true
		} else if up[i] = true; l.touched[i] {
			l.Highest = max(l.Highest, t.Height(w.Hub)-t.Height(l.stood[i]))
		}
	}
	l.Pairs = l.Pairs || up[tire.FL] && up[tire.RL] || up[tire.FR] && up[tire.RR]
}
