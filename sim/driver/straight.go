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
	holdSlip    float64 // longitudinal slip of the driven wheels that the throttle controls; 0 is full throttle
	clutchRevs  float64 // engine speed that the clutch pedal holds at the start [rad/s]; 0 leaves the clutch to the car
	liftOnShift bool    // releases the throttle while gears change
	Shifting    bool    // the car chooses the gears
	Traction    uint8   // level of traction control
}

// String describes the style in words.
func (st Style) String() string {
	text := "full throttle"
	if st.holdSlip > 0 {
		text = fmt.Sprintf("the throttle held where driven wheels slip by %.2f", st.holdSlip)
	}
	if st.clutchRevs > 0 {
		text += fmt.Sprintf(", the clutch let in at %.0f 1/min", st.clutchRevs*30/math.Pi)
	}
	if st.liftOnShift {
		text += ", off the throttle while gears change"
	}
	if st.Shifting {
		text += ", the car choosing the gears"
	}
	return text
}

// StraightLine is a good driver on a straight road, who shifts at the best moment and knows how much
// throttle the tires can transmit.
type StraightLine struct {
	Run *trial.Run // run of the car
	Style
	Gears        []GearPull // performance of each gear; nil where the gearbox chooses by itself
	Lever        int8       // gear selected by the lever
	Shifts       int        // gear changes since Stage
	ClutchClosed bool       // the clutch is fully engaged
	Lane         LaneKeeper // steers
	gear         int8       // gear that was engaged last
}

// NewStraightLine returns a driver of the car in t who has measured its gears and found its quickest
// start.
func NewStraightLine(t *trial.Run) *StraightLine {
	d := &StraightLine{Run: t, Gears: MeasureGears(t)}
	quickest, best := math.Inf(1), Style{}
	tryStyle := func(st Style) {
		d.Style = st
		if score := d.timeTrial(); score < quickest {
			quickest, best = score, st
		}
	}
	starts := []float64{0, 0.4, 0.65} // engine speeds at the start, over that of shifting up
	if d.Gears == nil {
		starts = starts[:1] // no clutch pedal
	}
	for _, slip := range []float64{0, 0.06, 0.1, 0.15, 0.22} {
		for _, share := range starts {
			tryStyle(Style{holdSlip: slip, clutchRevs: share * t.Params.Driveline.ShiftUpRPM * math.Pi / 30})
		}
	}
	st := best
	st.liftOnShift = true
	tryStyle(st)
	st.liftOnShift, st.Shifting = false, true
	tryStyle(st)
	d.Style = best
	return d
}

// timeTrial returns the time for 200 m from rest [s], or more than the time limit if they are not
// reached.
func (d *StraightLine) timeTrial() float64 {
	const distance, maxTime = 200.0, 40.0 // [m], [s]
	d.Stage()
	startX, end := d.Run.State.Pos.X, trial.NewLevelCrossing(distance)
	for d.Run.Now() < maxTime && !d.Run.RolledOver() {
		distanceBefore := d.Run.State.Pos.X - startX
		d.Step()
		if end.Update(d.Run.Now(), d.Run.Dt, distanceBefore, d.Run.State.Pos.X-startX) {
			return end.Time
		}
	}
	return maxTime + distance - min(d.Run.State.Pos.X-startX, distance)
}

// Stage puts the car at rest at the start, in first gear, braked, and restarts time and recordings.
func (d *StraightLine) Stage() {
	const settleTime = 2.0 // [s]
	t := d.Run
	t.PlaceAtRest(0, 0, 0)
	*d = StraightLine{Run: t, Style: d.Style, Gears: d.Gears, Lever: 1, ClutchClosed: d.clutchRevs == 0}
	t.RunUntil(settleTime, func(float64) {
		d.SteerAndSwitch()
		t.Input.Brake = 1
		if !d.ClutchClosed {
			t.Input.Clutch = 1
			t.Input.Throttle = min(max(0.3+(d.clutchRevs-t.State.Driveline.EngineSpeed)/50, 0), 1)
		}
	})
	t.StartRecording()
}

// Step drives one tick of full acceleration.
func (d *StraightLine) Step() {
	d.ChooseGear()
	d.SteerAndSwitch()
	d.MovePedals()
	d.moveClutch()
	d.Run.Step()
	if now := d.Run.State.Driveline.Gear; now > 0 && now != d.gear {
		if d.gear > 0 {
			d.Shifts++
		}
		d.gear = now
	}
}

// SteerAndSwitch sets steering wheel, gear lever and the switches of the assists.
func (d *StraightLine) SteerAndSwitch() {
	t := d.Run
	t.Input.Steer = d.Lane.Steer(t)
	t.Input.Gear = d.Lever
	t.Input.Assists.AutoClutch, t.Input.Assists.AutoShift = d.ClutchClosed, d.Shifting
	if d.Traction > 0 {
		t.Input.Assists.Traction = d.Traction
	}
}

// ChooseGear moves the lever to the next gear at the speed from which on that gear accelerates more, or
// at the highest engine speed unless the wheels spin. It does nothing while a gear change is under way.
func (d *StraightLine) ChooseGear() {
	s, last := &d.Run.State, int8(len(d.Gears))
	if d.Shifting || s.Driveline.Gear != d.Lever || d.Lever >= last {
		return
	}
	p := &d.Gears[d.Lever-1]
	const tolerance = 10.0 // [rad/s]
	atMaxRevs := s.Driveline.EngineSpeed >= usableRevs*p.maxEngine && math.Abs(s.Driveline.EngineSpeed-s.Driveline.Gearbox.InputSpeed) < tolerance
	if s.Speed >= p.ShiftSpeed || atMaxRevs && s.Speed >= 0.8*p.ShiftSpeed {
		d.Lever++
	}
}

// MovePedals moves the throttle as the style asks, and releases the brake.
func (d *StraightLine) MovePedals() {
	t := d.Run
	throttle := 1.0
	if d.holdSlip > 0 {
		const gain = 25.0 // full pedal travels per second, for a slip error of 1
		throttle = min(max(t.Input.Throttle+gain*(d.holdSlip-DrivenSlip(t))*t.Dt, 0), 1)
	}
	if d.liftOnShift && t.State.Driveline.Gear != d.Lever {
		throttle = 0
	}
	t.Input.Throttle, t.Input.Brake = MovePedal(t.Input.Throttle, throttle, t.Dt), MovePedal(t.Input.Brake, 0, t.Dt)
}

// moveClutch raises the clutch pedal so that the engine keeps its speed until the wheels have caught up;
// then the car's assist takes over.
func (d *StraightLine) moveClutch() {
	t := d.Run
	if d.ClutchClosed {
		t.Input.Clutch = 0
		return
	}
	engagement := (t.State.Driveline.EngineSpeed - 0.8*d.clutchRevs) / (0.2 * d.clutchRevs)
	t.Input.Clutch = MovePedal(t.Input.Clutch, min(max(1-engagement, 0), 1), t.Dt)
	d.ClutchClosed = t.State.Speed > 1 && math.Abs(t.State.Driveline.EngineSpeed-t.State.Driveline.Gearbox.InputSpeed) < 0.02*d.clutchRevs
}

// DrivenSlip returns the largest longitudinal slip of a driven wheel.
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

// usableRevs is the share of the highest engine speed up to which the driver accelerates in a gear.
const usableRevs = 0.985

// GearPull is the performance of a gear at full throttle.
type GearPull struct {
	EngineOverSpeed float64   // engine speed over car speed [rad/m]
	Speed           []float64 // measured speeds [m/s]
	Ax              []float64 // acceleration at each speed of Speed [m/s²]
	ShiftSpeed      float64   // speed from which on the next gear pulls more [m/s]
	maxEngine       float64   // highest engine speed, in first gear [rad/s]
}

// MeasureGears measures the forward gears and their shift speeds. It returns nil where the gearbox does
// not stay in a gear.
func MeasureGears(t *trial.Run) []GearPull {
	defer t.AssistsOff()()
	all := make([]GearPull, len(t.Params.Driveline.Gears))
	maxSpeed := math.Inf(1)
	for i := range all {
		if i > 0 && i == len(all)-1 { // the last gear is only compared with the one below
			maxSpeed = slices.Max(append(all[i-1].Speed, 0))
		}
		if !all[i].measure(t, int8(i+1), maxSpeed) {
			return nil
		}
	}
	for i := range all {
		all[i].maxEngine, all[i].ShiftSpeed = all[0].maxEngine, math.Inf(1)
		if i+1 < len(all) {
			all[i].ShiftSpeed = all[i].shiftSpeed(&all[i+1])
		}
	}
	return all
}

// measure accelerates in a gear at full throttle from 42 % of the shift-up engine speed, until the car
// gets no faster or its speed exceeds maxSpeed [m/s]. It reports whether the gearbox stayed in the gear.
func (p *GearPull) measure(t *trial.Run, gear int8, maxSpeed float64) bool {
	const maxTime, span = 60.0, 0.1 // [s]
	p.EngineOverSpeed = math.Abs(t.Car.Underway(r3.Vec{}, 0, 1, gear).Driveline.EngineSpeed)
	if p.EngineOverSpeed == 0 {
		return false
	}
	t.PlaceRolling(0.42*t.Params.Driveline.ShiftUpRPM*math.Pi/30/p.EngineOverSpeed, gear)
	lastSpeed, lastTime := t.State.Speed, 0.0
	for t.Now() < maxTime && !t.RolledOver() {
		t.Input.Throttle = MovePedal(t.Input.Throttle, 1, t.Dt)
		if slip := DrivenSlip(t); slip > 0.1 {
			t.Input.Throttle = max(t.Input.Throttle-(slip-0.1)*t.Dt*300, 0)
		}
		t.Step()
		if p.maxEngine = max(p.maxEngine, t.State.Driveline.EngineSpeed); t.Now() < lastTime+span {
			continue
		}
		ax := (t.State.Speed - lastSpeed) / (t.Now() - lastTime)
		lastSpeed, lastTime = t.State.Speed, t.Now()
		if lastTime < 0.5 { // until the shafts have twisted
			continue
		}
		if t.State.Driveline.Gear != gear {
			return false
		}
		if ax < 0.02 || lastSpeed > maxSpeed {
			break
		}
		p.Speed, p.Ax = append(p.Speed, lastSpeed), append(p.Ax, ax)
	}
	return true
}

// shiftSpeed returns the highest speed within the gear's range at which it pulls at least as much as the
// next gear [m/s], 0 if it never does.
func (p *GearPull) shiftSpeed(next *GearPull) float64 {
	last := len(p.Speed) - 1
	for i := last; i >= 0; i-- {
		v := p.Speed[i]
		advantage := p.Ax[i] - next.axAt(v)
		if advantage < 0 {
			continue
		}
		if i < last && !math.IsInf(advantage, 1) { // interpolate between this speed and the next higher one
			disadvantage := next.axAt(p.Speed[i+1]) - p.Ax[i+1]
			v += (p.Speed[i+1] - v) * advantage / (advantage + disadvantage)
		}
		return min(v, usableRevs*p.Speed[last])
	}
	return 0
}

// axAt returns the acceleration at a speed, -Inf outside of the measured range.
func (p *GearPull) axAt(v float64) float64 {
	for i := 1; i < len(p.Speed); i++ {
		a, b := p.Speed[i-1], p.Speed[i]
		if v >= a && v <= b && b > a {
			return p.Ax[i-1] + (p.Ax[i]-p.Ax[i-1])*(v-a)/(b-a)
		}
	}
	return math.Inf(-1)
}
