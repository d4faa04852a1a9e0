package maneuver

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// style is how a driver starts and shifts.
type style struct {
	slip     float64 // at which the throttle holds the driven wheels; 0: it is down
	revs     float64 // engine speed at which the pedal lets the clutch in [rad/s]; 0: the car works its clutch
	lift     bool    // off the throttle while gears change
	shifting bool    // the car chooses the gears
	traction uint8   // level of the traction control
}

// String says what the driver does.
func (st style) String() string {
	text := "full throttle"
	if st.slip > 0 {
		text = fmt.Sprintf("the throttle held where driven wheels slip by %.2f", st.slip)
	}
	if st.revs > 0 {
		text += fmt.Sprintf(", the clutch let in at %.0f 1/min", st.revs*30/math.Pi)
	}
	if st.lift {
		text += ", off the throttle while gears change"
	}
	if st.shifting {
		text += ", the car choosing the gears"
	}
	return text
}

// pilot is a good driver on a straight road: hands that shift at the best moment and a
// foot that knows how much the tires take.
type pilot struct {
	t *trial.Run
	style
	pulls  []pull // of each gear; none where the box chooses
	lever  int8
	gear   int8 // that was engaged last
	shifts int
	closed bool // the clutch has come in
	helm   helm
}

// newPilot returns a driver who knows the gears of the car in t, and has found its
// quickest start.
func newPilot(t *trial.Run) *pilot {
	d := &pilot{t: t, pulls: pullAll(t)}
	quickest, best := math.Inf(1), style{}
	try := func(st style) {
		d.style = st
		if score := d.practise(); score < quickest {
			quickest, best = score, st
		}
	}
	starts := []float64{0, 0.4, 0.65} // revs, as shares of those at which gears change
	if d.pulls == nil {
		starts = starts[:1] // no pedal
	}
	for _, slip := range []float64{0, 0.06, 0.1, 0.15, 0.22} {
		for _, share := range starts {
			try(style{slip: slip, revs: share * t.Params.Driveline.ShiftUp * math.Pi / 30})
		}
	}
	st := best
	st.lift = true
	try(st)
	st.lift, st.shifting = false, true
	try(st)
	d.style = best
	return d
}

// practise returns how long 200 m take [s], or more than the time limit where they are
// not reached.
func (d *pilot) practise() float64 {
	const way, longest = 200.0, 40.0 // [m], [s]
	d.ready()
	from, end := d.t.State.Pos.X, trial.NewGate(way)
	for d.t.Now() < longest && !d.t.RolledOver() {
		before := d.t.State.Pos.X - from
		d.step()
		if end.Watch(d.t.Now(), d.t.Dt, before, d.t.State.Pos.X-from) {
			return end.At
		}
	}
	return longest + way - min(d.t.State.Pos.X-from, way)
}

// ready stands the car at the start, in first gear, on the brake, and makes this time 0.
func (d *pilot) ready() {
	const settles = 2.0 // [s]
	t := d.t
	t.Rest(0, 0, 0)
	*d = pilot{t: t, style: d.style, pulls: d.pulls, lever: 1, closed: d.revs == 0}
	t.Until(settles, func(float64) {
		d.hands()
		t.Input.Brake = 1
		if !d.closed {
			t.Input.Clutch = 1
			t.Input.Throttle = min(max(0.3+(d.revs-t.State.Driveline.Engine)/50, 0), 1)
		}
	})
	t.Begin()
}

// Step drives a tick of full acceleration.
func (d *pilot) step() {
	d.shift()
	d.hands()
	d.foot()
	d.clutch()
	d.t.Step()
	if now := d.t.State.Driveline.Gear; now > 0 && now != d.gear {
		if d.gear > 0 {
			d.shifts++
		}
		d.gear = now
	}
}

// hands hold wheel and lever, and the switches of the assists.
func (d *pilot) hands() {
	t := d.t
	t.Input.Steer = d.helm.steer(t)
	t.Input.Gear = d.lever
	t.Input.Assists.Clutch, t.Input.Assists.Shifting = d.closed, d.shifting
	if d.traction > 0 {
		t.Input.Assists.Traction = d.traction
	}
}

// shift takes the next gear where it pulls more, if the lever's gear is engaged, or at the
// end of the revs, unless that is because the wheels spin.
func (d *pilot) shift() {
	s, last := &d.t.State, int8(len(d.pulls))
	if d.shifting || s.Driveline.Gear != d.lever || d.lever >= last {
		return
	}
	p := &d.pulls[d.lever-1]
	const same = 10.0 // [rad/s]
	out := s.Driveline.Engine >= margin*p.top && math.Abs(s.Driveline.Engine-s.Driveline.Box.Shaft) < same
	if s.Speed >= p.until || out && s.Speed >= 0.8*p.until {
		d.lever++
	}
}

// foot is on the throttle, and off the brake.
func (d *pilot) foot() {
	t := d.t
	want := 1.0
	if d.slip > 0 {
		const eager = 25.0 // pedals a second, for a slip of 1
		want = min(max(t.Input.Throttle+eager*(d.slip-spinning(t))*t.Dt, 0), 1)
	}
	if d.lift && t.State.Driveline.Gear != d.lever {
		want = 0
	}
	t.Input.Throttle, t.Input.Brake = foot(t.Input.Throttle, want, t.Dt), foot(t.Input.Brake, 0, t.Dt)
}

// clutch lets the pedal come up so that the engine keeps its revs until the wheels have
// caught up; then the car works it.
func (d *pilot) clutch() {
	t := d.t
	if d.closed {
		t.Input.Clutch = 0
		return
	}
	bite := (t.State.Driveline.Engine - 0.8*d.revs) / (0.2 * d.revs)
	t.Input.Clutch = foot(t.Input.Clutch, min(max(1-bite, 0), 1), t.Dt)
	d.closed = t.State.Speed > 1 && math.Abs(t.State.Driveline.Engine-t.State.Driveline.Box.Shaft) < 0.02*d.revs
}

// spinning returns the largest slip of a driven wheel.
func spinning(t *trial.Run) float64 {
	w, slip := &t.State.Wheels, 0.0
	if t.Params.Driveline.FrontShare > 0 {
		slip = max(w[tire.FL].Kappa, w[tire.FR].Kappa)
	}
	if t.Params.Driveline.FrontShare < 1 {
		slip = max(slip, w[tire.RL].Kappa, w[tire.RR].Kappa)
	}
	return slip
}

// margin is the share of the highest revs that a driver uses.
const margin = 0.985

// pull is what a gear is good for at full throttle.
type pull struct {
	revs  float64 // of the engine for each m/s [rad/m]
	speed []float64
	ax    []float64 // acceleration at each [m/s, m/s²]
	top   float64   // highest speed of the engine, in first gear [rad/s]
	until float64   // speed at which the next gear pulls more [m/s]
}

// pullAll measures the forward gears and where each is left. It returns none where the
// box does not stay in a gear.
func pullAll(t *trial.Run) []pull {
	defer t.Unaided()()
	all := make([]pull, len(t.Params.Driveline.Gears))
	enough := math.Inf(1)
	for i := range all {
		if i > 0 && i == len(all)-1 { // the last is only compared
			enough = slices.Max(append(all[i-1].speed, 0))
		}
		if !all[i].measure(t, int8(i+1), enough) {
			return nil
		}
	}
	for i := range all {
		all[i].top, all[i].until = all[0].top, math.Inf(1)
		if i+1 < len(all) {
			all[i].until = all[i].meets(&all[i+1])
		}
	}
	return all
}

// measure drives a gear up at full throttle from below half of its revs, until it pulls no
// more or the speed is enough [m/s]. It tells whether the gear stayed.
func (p *pull) measure(t *trial.Run, gear int8, enough float64) bool {
	const longest, span = 60.0, 0.1 // [s]
	p.revs = math.Abs(t.Car.Underway(r3.Vec{}, 0, 1, gear).Driveline.Engine)
	if p.revs == 0 {
		return false
	}
	t.Roll(0.42*t.Params.Driveline.ShiftUp*math.Pi/30/p.revs, gear)
	was, at := t.State.Speed, 0.0
	for t.Now() < longest && !t.RolledOver() {
		t.Input.Throttle = foot(t.Input.Throttle, 1, t.Dt)
		if slip := spinning(t); slip > 0.1 {
			t.Input.Throttle = max(t.Input.Throttle-(slip-0.1)*t.Dt*300, 0)
		}
		t.Step()
		if p.top = max(p.top, t.State.Driveline.Engine); t.Now() < at+span {
			continue
		}
		ax := (t.State.Speed - was) / (t.Now() - at)
		was, at = t.State.Speed, t.Now()
		if at < 0.5 { // until the shafts are wound up
			continue
		}
		if t.State.Driveline.Gear != gear {
			return false
		}
		if ax < 0.02 || was > enough {
			break
		}
		p.speed, p.ax = append(p.speed, was), append(p.ax, ax)
	}
	return true
}

// meets returns the highest speed at which the gear pulls no less than the next, within
// its revs [m/s]; 0 where it never does.
func (p *pull) meets(next *pull) float64 {
	last := len(p.speed) - 1
	for i := last; i >= 0; i-- {
		v := p.speed[i]
		more := p.ax[i] - next.at(v)
		if more < 0 {
			continue
		}
		if i < last && !math.IsInf(more, 1) { // between this and the one above it
			less := next.at(p.speed[i+1]) - p.ax[i+1]
			v += (p.speed[i+1] - v) * more / (more + less)
		}
		return min(v, margin*p.speed[last])
	}
	return 0
}

// at returns the acceleration at a speed, and none outside of what was measured.
func (p *pull) at(v float64) float64 {
	for i := 1; i < len(p.speed); i++ {
		a, b := p.speed[i-1], p.speed[i]
		if v >= a && v <= b && b > a {
			return p.ax[i-1] + (p.ax[i]-p.ax[i-1])*(v-a)/(b-a)
		}
	}
	return math.Inf(-1)
}
