package driver

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
	"rig.example/rig/sim/trial"
)

// Style is how a driver starts and shifts.
type Style struct {
	slip     float64 // at which the throttle holds the driven wheels; 0: it is down
	revs     float64 // engine speed at which the pedal lets the clutch in [rad/s]; 0: the car works its clutch
	lift     bool    // off the throttle while gears change
	Shifting bool    // the car chooses the gears
	Traction uint8   // level of the traction control
}

// String says what the driver does.
func (st Style) String() string {
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
	if st.Shifting {
		text += ", the car choosing the gears"
	}
	return text
}

// StraightLine is a good driver on a straight road: hands that shift at the best moment and a
// foot that knows how much the tires take.
type StraightLine struct {
	Run *trial.Run // of the car that is driven
	Style
	Pulls  []Pull     // of each gear; none where the box chooses
	Lever  int8       // the gear that it is in
	Shifts int        // changes of gear since Ready
	Closed bool       // the clutch has come in
	Lane   LaneKeeper // at the steering wheel
	gear   int8       // that was engaged last
}

// NewStraightLine returns a driver who knows the gears of the car in t, and has found its
// quickest start.
func NewStraightLine(t *trial.Run) *StraightLine {
	d := &StraightLine{Run: t, Pulls: MeasurePulls(t)}
	quickest, best := math.Inf(1), Style{}
	try := func(st Style) {
		d.Style = st
		if score := d.practise(); score < quickest {
			quickest, best = score, st
		}
	}
	starts := []float64{0, 0.4, 0.65} // revs, as shares of those at which gears change
	if d.Pulls == nil {
		starts = starts[:1] // no pedal
	}
	for _, slip := range []float64{0, 0.06, 0.1, 0.15, 0.22} {
		for _, share := range starts {
			try(Style{slip: slip, revs: share * t.Params.Driveline.ShiftUp * math.Pi / 30})
		}
	}
	st := best
	st.lift = true
	try(st)
	st.lift, st.Shifting = false, true
	try(st)
	d.Style = best
	return d
}

// practise returns how long 200 m take [s], or more than the time limit where they are
// not reached.
func (d *StraightLine) practise() float64 {
	const way, longest = 200.0, 40.0 // [m], [s]
	d.Ready()
	from, end := d.Run.State.Pos.X, trial.NewGate(way)
	for d.Run.Now() < longest && !d.Run.RolledOver() {
		before := d.Run.State.Pos.X - from
		d.Step()
		if end.Watch(d.Run.Now(), d.Run.Dt, before, d.Run.State.Pos.X-from) {
			return end.At
		}
	}
	return longest + way - min(d.Run.State.Pos.X-from, way)
}

// Ready stands the car at the start, in first gear, on the brake, and makes this time 0.
func (d *StraightLine) Ready() {
	const settles = 2.0 // [s]
	t := d.Run
	t.Rest(0, 0, 0)
	*d = StraightLine{Run: t, Style: d.Style, Pulls: d.Pulls, Lever: 1, Closed: d.revs == 0}
	t.Until(settles, func(float64) {
		d.Hands()
		t.Input.Brake = 1
		if !d.Closed {
			t.Input.Clutch = 1
			t.Input.Throttle = min(max(0.3+(d.revs-t.State.Driveline.Engine)/50, 0), 1)
		}
	})
	t.Begin()
}

// Step drives a tick of full acceleration.
func (d *StraightLine) Step() {
	d.Shift()
	d.Hands()
	d.Pedals()
	d.clutch()
	d.Run.Step()
	if now := d.Run.State.Driveline.Gear; now > 0 && now != d.gear {
		if d.gear > 0 {
			d.Shifts++
		}
		d.gear = now
	}
}

// Hands hold wheel and lever, and the switches of the assists.
func (d *StraightLine) Hands() {
	t := d.Run
	t.Input.Steer = d.Lane.Steer(t)
	t.Input.Gear = d.Lever
	t.Input.Assists.Clutch, t.Input.Assists.Shifting = d.Closed, d.Shifting
	if d.Traction > 0 {
		t.Input.Assists.Traction = d.Traction
	}
}

// Shift takes the next gear where it pulls more, if the lever's gear is engaged, or at the
// end of the revs, unless that is because the wheels spin.
func (d *StraightLine) Shift() {
	s, last := &d.Run.State, int8(len(d.Pulls))
	if d.Shifting || s.Driveline.Gear != d.Lever || d.Lever >= last {
		return
	}
	p := &d.Pulls[d.Lever-1]
	const same = 10.0 // [rad/s]
	out := s.Driveline.Engine >= margin*p.top && math.Abs(s.Driveline.Engine-s.Driveline.Box.Shaft) < same
	if s.Speed >= p.Until || out && s.Speed >= 0.8*p.Until {
		d.Lever++
	}
}

// Pedals has a foot on the throttle, and off the brake.
func (d *StraightLine) Pedals() {
	t := d.Run
	want := 1.0
	if d.slip > 0 {
		const eager = 25.0 // pedals a second, for a slip of 1
		want = min(max(t.Input.Throttle+eager*(d.slip-DrivenSlip(t))*t.Dt, 0), 1)
	}
	if d.lift && t.State.Driveline.Gear != d.Lever {
		want = 0
	}
	t.Input.Throttle, t.Input.Brake = MovePedal(t.Input.Throttle, want, t.Dt), MovePedal(t.Input.Brake, 0, t.Dt)
}

// clutch lets the pedal come up so that the engine keeps its revs until the wheels have
// caught up; then the car works it.
func (d *StraightLine) clutch() {
	t := d.Run
	if d.Closed {
		t.Input.Clutch = 0
		return
	}
	bite := (t.State.Driveline.Engine - 0.8*d.revs) / (0.2 * d.revs)
	t.Input.Clutch = MovePedal(t.Input.Clutch, min(max(1-bite, 0), 1), t.Dt)
	d.Closed = t.State.Speed > 1 && math.Abs(t.State.Driveline.Engine-t.State.Driveline.Box.Shaft) < 0.02*d.revs
}

// DrivenSlip returns the largest slip of a driven wheel.
func DrivenSlip(t *trial.Run) float64 {
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

// Pull is what a gear is good for at full throttle.
type Pull struct {
	Revs  float64   // of the engine for each m/s [rad/m]
	Speed []float64 // at which it was measured [m/s]
	Ax    []float64 // acceleration at each of them [m/s²]
	Until float64   // speed at which the next gear pulls more [m/s]
	top   float64   // highest speed of the engine, in first gear [rad/s]
}

// MeasurePulls measures the forward gears and where each is left. It returns none where the
// box does not stay in a gear.
func MeasurePulls(t *trial.Run) []Pull {
	defer t.Unaided()()
	all := make([]Pull, len(t.Params.Driveline.Gears))
	enough := math.Inf(1)
	for i := range all {
		if i > 0 && i == len(all)-1 { // the last is only compared
			enough = slices.Max(append(all[i-1].Speed, 0))
		}
		if !all[i].measure(t, int8(i+1), enough) {
			return nil
		}
	}
	for i := range all {
		all[i].top, all[i].Until = all[0].top, math.Inf(1)
		if i+1 < len(all) {
			all[i].Until = all[i].meets(&all[i+1])
		}
	}
	return all
}

// measure drives a gear up at full throttle from below half of its revs, until it pulls no
// more or the speed is enough [m/s]. It reports whether the gear stayed.
func (p *Pull) measure(t *trial.Run, gear int8, enough float64) bool {
	const longest, span = 60.0, 0.1 // [s]
	p.Revs = math.Abs(t.Car.Underway(r3.Vec{}, 0, 1, gear).Driveline.Engine)
	if p.Revs == 0 {
		return false
	}
	t.Roll(0.42*t.Params.Driveline.ShiftUp*math.Pi/30/p.Revs, gear)
	was, at := t.State.Speed, 0.0
	for t.Now() < longest && !t.RolledOver() {
		t.Input.Throttle = MovePedal(t.Input.Throttle, 1, t.Dt)
		if slip := DrivenSlip(t); slip > 0.1 {
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
		p.Speed, p.Ax = append(p.Speed, was), append(p.Ax, ax)
	}
	return true
}

// meets returns the highest speed at which the gear pulls no less than the next, within
// its revs [m/s]; 0 where it never does.
func (p *Pull) meets(next *Pull) float64 {
	last := len(p.Speed) - 1
	for i := last; i >= 0; i-- {
		v := p.Speed[i]
		more := p.Ax[i] - next.at(v)
		if more < 0 {
			continue
		}
		if i < last && !math.IsInf(more, 1) { // between this and the one above it
			less := next.at(p.Speed[i+1]) - p.Ax[i+1]
			v += (p.Speed[i+1] - v) * more / (more + less)
		}
		return min(v, margin*p.Speed[last])
	}
	return 0
}

// at returns the acceleration at a speed, and none outside of what was measured.
func (p *Pull) at(v float64) float64 {
	for i := 1; i < len(p.Speed); i++ {
		a, b := p.Speed[i-1], p.Speed[i]
		if v >= a && v <= b && b > a {
			return p.Ax[i-1] + (p.Ax[i]-p.Ax[i-1])*(v-a)/(b-a)
		}
	}
	return math.Inf(-1)
}
