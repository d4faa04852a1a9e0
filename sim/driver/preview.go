package driver

import (
	"math"

	"rig.example/rig/sim/trial"
)

const (
	previews     = 8      // points looked at
	fastestWheel = 1200.0 // of a person at the steering wheel [°/s]
)

// Preview is a driver who steers so that the way ahead, as a linear single-track
// model foretells it, misses the wanted one least: MacAdam's optimal preview
// control (IEEE Trans. SMC 11, 1981). The model's path turns with a lag behind the
// steering angle.
type Preview struct {
	t       *trial.Run
	lane    *LaneChanges
	nose    float64           // front axle ahead of the centre of mass [m]
	base    float64           // wheelbase [m]
	under   float64           // understeer [rad·s²/m]
	slip    float64           // most slip angle asked of the front tires [rad]
	ahead   [previews]float64 // times looked ahead [s]
	carry   [previews]float64 // way across for each m/s² that the car has now [s²]
	command [previews]float64 // for each m/s² that the steering angle asks for [s²]
}

// Skill is what differs between drivers.
type Skill struct {
	Look float64 // time looked ahead [s]
	Lag  float64 // that the driver expects of the car [s]
	Slip float64 // most slip angle asked of the front tires [rad]
}

// NewPreview returns a driver of some skill who steers the car of t along l.
func NewPreview(t *trial.Run, l *LaneChanges, k Skill) *Preview {
	d := &Preview{
		t: t, lane: l, slip: k.Slip,
		nose: t.Params.CGToFront, base: t.Params.Wheelbase, under: t.Car.Understeer(),
	}
	const parts = 40 // of each preview step
	step := k.Look / previews / parts
	// The lag's answer to a fading and to a steady acceleration, by Euler's rule.
	left, speed, way := 1.0, 0.0, 0.0
	for i := range d.ahead {
		for range parts {
			speed += step * left
			way += step * speed
			left -= step / k.Lag * left
		}
		now := float64(i+1) * step * parts
		d.ahead[i], d.carry[i], d.command[i] = now, way, now*now/2-way
	}
	return d
}

// Steer returns the steering wheel angle [rad] a tick after it was was.
func (d *Preview) Steer(was float64) float64 {
	s := &d.t.State
	speed := max(math.Hypot(s.Vel.X, s.Vel.Y), 0.5)
	cos, sin := s.Vel.X/speed, s.Vel.Y/speed
	m := trial.MotionOf(s)
	across := m.YawRate * speed
	gain := speed * speed / max(d.base+d.under*speed*speed, 0.3*d.base)
	above, below := 0.0, 0.0
	for i, ahead := range d.ahead {
		x, y := s.Pos.X+speed*cos*ahead, s.Pos.Y+speed*sin*ahead
		miss := d.lane.At(x) - (y + across*d.carry[i])
		reach := gain * d.command[i]
		above += miss * reach
		below += reach * reach
	}
	road := d.within(above/below, m)
	most := fastestWheel * degree * d.t.Dt
	return toward(was, d.t.Wheel(road), most)
}

// within keeps the front tires' slip angle where more of it still turns the car.
func (d *Preview) within(road float64, m trial.Motion) float64 {
	if m.Vx < 2 {
		return road
	}
	path := math.Atan((m.Vy + d.nose*m.YawRate) / m.Vx) // direction of the front axle
	return min(max(road, path-d.slip), path+d.slip)
}

// LaneChanges is the way of the body's middle through the course: along three lines, with
// smooth changes between places.
type LaneChanges struct {
	X, Y   [3]float64 // a point of each line, in the middle of its section [m]
	Lean   [3]float64 // slope of each line
	Leaves [2]float64 // where the change begins [m]
	Meets  [2]float64 // where it ends [m]
}

// At returns where the lane is across, at a place along the course [m].
func (l *LaneChanges) At(x float64) float64 {
	i := 0
	if x >= l.Meets[0] {
		i = 1
	}
	part := min(max((x-l.Leaves[i])/(l.Meets[i]-l.Leaves[i]), 0), 1)
	part = part * part * part * (10 + part*(6*part-15))
	return (1-part)*l.line(i, x) + part*l.line(i+1, x)
}

func (l *LaneChanges) line(i int, x float64) float64 { return l.Y[i] + l.Lean[i]*(x-l.X[i]) }
