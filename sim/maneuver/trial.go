package maneuver

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

const (
	degree   = math.Pi / 180
	rollIn   = 2.0   // straight ahead before a test begins, until springs and tires are at rest [s]
	fineRate = 200.0 // rows a second that metrics are taken from
)

// Run is one run of a car: it steps, holds the speed where asked and records.
type Run struct {
	car    *sim.Car
	ground road.Ground
	p      sim.Params
	s      sim.State
	in     sim.Input   // of the next tick
	help   sim.Assists // that every input begins with
	dt     float64
	zero   uint64   // tick at time 0
	out    recorder // what the user gets
	fine   recorder // what metrics are taken from
	lock   float64  // largest steering wheel angle [rad]
	road   []float64
	lifts  lifts
}

// New returns a run of a car with parameters p on a ground, in steps of dt [s], which takes rate
// rows a second for the user; help is on in every input.
func New(p sim.Params, g road.Ground, dt, rate float64, help sim.Assists) (*Run, error) {
	car, err := sim.New(p, g, dt)
	if err != nil {
		return nil, err
	}
	t := &Run{car: car, ground: g, p: car.Params(), dt: dt, help: help}
	t.out.every, t.fine.every = 1/(rate*dt), 1/(fineRate*dt)
	t.measureSteering()
	return t, nil
}

// rest puts the car on the ground at x and y, at time 0 [m, rad].
func (t *Run) rest(x, y, heading float64) {
	t.s = t.car.Rest(r3.Vec{X: x, Y: y}, heading)
	t.press(sim.Input{})
	t.begin()
}

// restOn does so on a line, at its height.
func (t *Run) restOn(p road.Point) {
	t.s = t.car.Rest(p.Pos, p.Heading)
	t.press(sim.Input{})
	t.begin()
}

// press makes an input the next one, with the help that is on in every run.
func (t *Run) press(in sim.Input) {
	t.in = in
	t.in.Assists = t.help
}

// unaided switches help off, for what is measured of the car alone, until back is called.
func (t *Run) unaided() (back func()) {
	help := t.help
	t.help = sim.Assists{}
	return func() { t.help = help }
}

// roll brings the car to x = 0 at a speed [m/s] along the world's x, in a gear, its
// springs and tires at rest, at time 0.
func (t *Run) roll(speed float64, gear int8) {
	t.rollTo(0, 0, 0, speed, gear)
}

// rollTo does so for any place and heading of a level ground.
func (t *Run) rollTo(x, y, heading, speed float64, gear int8) {
	sin, cos := math.Sincos(heading)
	t.rest(x-cos*speed*rollIn, y-sin*speed*rollIn, heading)
	if speed == 0 {
		return
	}
	t.s = t.car.Underway(t.s.Pos, heading, speed, gear)
	t.in.Gear = gear
	t.until(rollIn, func(float64) { t.hold(speed, 0) })
	t.in.Push = 0
	t.begin()
}

// begin makes this moment time 0 and forgets what was recorded.
func (t *Run) begin() {
	t.zero = t.s.Tick
	t.lifts = lifts{}
	for _, r := range []*recorder{&t.out, &t.fine} {
		r.next, r.rows = 0, nil
		r.note(t)
	}
}

// now returns the time [s].
func (t *Run) now() float64 { return float64(t.s.Tick-t.zero) * t.dt }

// step drives one tick with t.in.
func (t *Run) step() {
	t.car.Step(&t.s, t.in)
	t.out.note(t)
	t.fine.note(t)
	t.lifts.watch(t)
}

// until drives to a time [s], or until the car is rolled over; before every tick
// it asks drive for the input, which starts out as the last one.
func (t *Run) until(end float64, drive func(now float64)) {
	for ticks := math.Round(end / t.dt); float64(t.s.Tick-t.zero) < ticks && !t.over(); {
		drive(t.now())
		t.step()
	}
}

// over tells whether the car is rolled over: tipped by more than 60° to any side.
func (t *Run) over() bool {
	const upright = 0.5 // cosine of that
	return toWorld(t.s.Att, r3.Vec{Z: 1}).Z < upright
}

// spun tells whether the car moves more sideways than ahead.
func (t *Run) spun() bool {
	m := motionOf(&t.s)
	return math.Abs(m.vy) > 0.5 && math.Abs(m.vy) > m.vx
}

// lighter returns the share of the weight on the wheels of the lighter side.
func (t *Run) lighter() float64 {
	w := &t.s.Wheels
	least := min(w[tire.FL].Load+w[tire.RL].Load, w[tire.FR].Load+w[tire.RR].Load)
	return least / max(t.p.Mass*t.p.Gravity, 1)
}

// height returns how far a point is above the ground [m].
func (t *Run) height(p r3.Vec) float64 { return -t.ground.Touch(p).Depth }

// motion is how a car moves along the level axes of its heading.
type motion struct {
	vx, vy float64 // [m/s]
	ax, ay float64 // [m/s²]
	yaw    float64 // rate about the vertical [rad/s]
}

func motionOf(s *sim.State) motion {
	ahead := toWorld(s.Att, r3.Vec{X: 1})
	size := max(math.Hypot(ahead.X, ahead.Y), 1e-9)
	cos, sin := ahead.X/size, ahead.Y/size
	acc := toWorld(s.Att, s.Acc)
	return motion{
		vx: cos*s.Vel.X + sin*s.Vel.Y, vy: cos*s.Vel.Y - sin*s.Vel.X,
		ax: cos*acc.X + sin*acc.Y, ay: cos*acc.Y - sin*acc.X,
		yaw: toWorld(s.Att, s.Rate).Z,
	}
}

// hold sets the push of an ideal controller that keeps the speed along the car at
// one that changes by rate [m/s, m/s²]. The wheels stay free of drive torque.
func (t *Run) hold(speed, rate float64) {
	const quick = 10.0 // [1/s]
	m := motionOf(&t.s)
	t.push(m, rate+quick*(speed-m.vx)-m.yaw*m.vy)
}

// holdAx sets the push that keeps the acceleration along the car [m/s²].
func (t *Run) holdAx(ax float64) { t.push(motionOf(&t.s), ax) }

// push integrates the missing acceleration. A car that slides more sideways than
// ahead is let go, for pushing it along would drive it round.
func (t *Run) push(m motion, ax float64) {
	const lag, most = 0.01, 30.0 // [s], [m/s²]
	if t.spun() {
		t.in.Push = 0
		return
	}
	force := t.in.Push + t.p.Mass*(ax-m.ax)*min(t.dt/lag, 1)
	t.in.Push = min(max(force, -most*t.p.Mass), most*t.p.Mass)
}

// recorder takes a row at even times.
type recorder struct {
	every float64 // ticks
	next  float64 // tick
	rows  []Row
}

func (r *recorder) note(t *Run) {
	n := float64(t.s.Tick - t.zero)
	if n < r.next-0.5 {
		return
	}
	row := rowOf(t.car, &t.s, n*t.dt)
	row.Throttle, row.Brake, row.Clutch = t.in.Throttle, t.in.Brake, t.in.Clutch
	r.rows = append(r.rows, row)
	r.next = max(r.next, n-0.5) + r.every
}

// lifts watches how high wheels rise.
type lifts struct {
	stood   [4]r3.Vec // hub when the tire last touched [m, world]
	touched [4]bool
	highest float64 // of any hub above its height then [m]
	pairs   bool    // both wheels of a side were up at once
}

func (l *lifts) watch(t *Run) {
	up := [4]bool{}
	for i := range t.s.Wheels {
		w := &t.s.Wheels[i]
		if w.Load > 0 {
			l.stood[i], l.touched[i] = w.Hub, true
		} else if up[i] = true; l.touched[i] {
			l.highest = max(l.highest, t.height(w.Hub)-t.height(l.stood[i]))
		}
	}
	l.pairs = l.pairs || up[tire.FL] && up[tire.RL] || up[tire.FR] && up[tire.RR]
}
