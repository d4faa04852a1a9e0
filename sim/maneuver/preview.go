package maneuver

import (
	"math"

	"rig.example/rig/sim/trial"
)

const (
	previews     = 8      // points looked at
	fastestWheel = 1200.0 // of a person at the steering wheel [°/s]
)

// preview is a driver who steers so that the way ahead, as a linear single-track
// model foretells it, misses the wanted one least: MacAdam's optimal preview
// control (IEEE Trans. SMC 11, 1981). The model's path turns with a lag behind the
// steering angle.
type preview struct {
	t       *run
	lane    *lane
	nose    float64           // front axle ahead of the centre of mass [m]
	base    float64           // wheelbase [m]
	under   float64           // understeer [rad·s²/m]
	slip    float64           // most slip angle asked of the front tires [rad]
	ahead   [previews]float64 // times looked ahead [s]
	carry   [previews]float64 // way across for each m/s² that the car has now [s²]
	command [previews]float64 // for each m/s² that the steering angle asks for [s²]
}

// skill is what differs between drivers.
type skill struct {
	look float64 // time looked ahead [s]
	lag  float64 // that the driver expects of the car [s]
	slip float64 // most slip angle asked of the front tires [rad]
}

func newPreview(t *run, l *lane, k skill) *preview {
	d := &preview{
		t: t, lane: l, slip: k.slip,
		nose: t.Params.CGToFront, base: t.Params.Wheelbase, under: t.Car.Understeer(),
	}
	const parts = 40 // of each preview step
	step := k.look / previews / parts
	// The lag's answer to a fading and to a steady acceleration, by Euler's rule.
	left, speed, way := 1.0, 0.0, 0.0
	for i := range d.ahead {
		for range parts {
			speed += step * left
			way += step * speed
			left -= step / k.lag * left
		}
		now := float64(i+1) * step * parts
		d.ahead[i], d.carry[i], d.command[i] = now, way, now*now/2-way
	}
	return d
}

// steer returns the steering wheel angle [rad] a tick after it was was.
func (d *preview) steer(was float64) float64 {
	s := &d.t.State
	speed := max(math.Hypot(s.Vel.X, s.Vel.Y), 0.5)
	cos, sin := s.Vel.X/speed, s.Vel.Y/speed
	m := trial.MotionOf(s)
	across := m.YawRate * speed
	gain := speed * speed / max(d.base+d.under*speed*speed, 0.3*d.base)
	above, below := 0.0, 0.0
	for i, ahead := range d.ahead {
		x, y := s.Pos.X+speed*cos*ahead, s.Pos.Y+speed*sin*ahead
		miss := d.lane.at(x) - (y + across*d.carry[i])
		reach := gain * d.command[i]
		above += miss * reach
		below += reach * reach
	}
	road := d.within(above/below, m)
	most := fastestWheel * degree * d.t.Dt
	return min(max(d.t.Wheel(road), was-most), was+most)
}

// within keeps the front tires' slip angle where more of it still turns the car.
func (d *preview) within(road float64, m trial.Motion) float64 {
	if m.Vx < 2 {
		return road
	}
	path := math.Atan((m.Vy + d.nose*m.YawRate) / m.Vx) // direction of the front axle
	return min(max(road, path-d.slip), path+d.slip)
}
