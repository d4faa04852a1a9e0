package sim

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig/sim/tire"
)

// patch is where and how one tire stands during a tick.
type patch struct {
	arm     r3.Vec  // centre of mass to contact [m, world]
	normal  r3.Vec  // out of the ground
	forward r3.Vec  // the wheel's heading in the ground
	left    r3.Vec  //
	vx, vy  float64 // velocity of the contact along forward and left [m/s]
	gamma   float64 // sine of the wheel's inclination, top to the right
	squeeze float64 // vertical deflection of the tire [m], negative in the air
	lift    float64 // how much squeeze falls for each metre of travel
	lean    float64 // cosine of the wheel's inclination, no less than leastLean
	closing float64 // speed at which squeeze grows while the suspension stands [m/s]
	yaw     float64 // rate of the wheel about normal [rad/s]
	surface tire.Surface
	running tire.Running // what changes the tire's spring
	load    float64      // normal force [N]
	mass    float64      // that this wheel has to stop [kg]
	bar     float64      // push of a bar on the body beside the spring [N, along the body's z]
}

// touch finds the contact of every wheel at its present travel.
func (c *Car) touch(s *State, b axes, steer steerAngles) (ps [4]patch) {
	spin := b.out(s.Rate)
	for i := range ps {
		w := &s.Wheels[i]
		turned := (steer.angle[i] - w.Steer) / c.dt
		w.Steer = steer.angle[i]
		k := &c.corners[i]
		w.Hub = k.hub(s.Pos, b, w.Travel)
		p := &ps[i]
		c.stand(p, w, b, k.vertical.FreeRadius(w.Roll.Spin))
		k.warm(p, w)
		p.arm = r3.Add(p.arm, r3.Sub(w.Hub, s.Pos))
		v := r3.Add(s.Vel, r3.Cross(spin, p.arm))
		p.vx, p.vy = r3.Dot(v, p.forward), r3.Dot(v, p.left)
		p.closing = -r3.Dot(v, p.normal) / p.lean
		p.yaw = r3.Dot(spin, p.normal) + turned*r3.Dot(b.z, p.normal)
	}
	return ps
}

// leastLean is the lean below which a wheel counts as no more inclined: an
// inclination of 60°. It keeps the division by the lean bounded when the car
// rolls over.
const leastLean = 0.5

// stand puts a wheel, a thin disc, on the ground below its hub; p.arm becomes
// the way from the hub to the contact.
//
// A tire deflects in its own plane, by its lowest point's depth over the lean.
// A tire further over than leastLean keeps the stiffness it has there and is
// pushed at its lowest point. Both are the force of a potential, in any
// attitude, so that a tumbling car gains nothing from its tires.
func (c *Car) stand(p *patch, w *Wheel, b axes, radius float64) {
	ground := c.ground.Touch(w.Hub)
	n := ground.Normal
	sin, cos := 0.0, 1.0
	if w.Steer != 0 {
		sin, cos = math.Sincos(w.Steer)
	}
	axle := r3.Sub(r3.Scale(cos, b.y), r3.Scale(sin, b.x))
	forward := r3.Cross(axle, n)
	lean := math.Sqrt(r3.Dot(forward, forward))
	const flat = 1e-6
	if lean < flat { // lies on its face: no way it could roll
		*p = patch{normal: n, lean: 1, squeeze: -radius}
		return
	}
	tilt := r3.Dot(axle, n)
	down := r3.Sub(r3.Scale(tilt, axle), n)
	p.normal = n
	p.forward = r3.Scale(1/lean, forward)
	p.left = r3.Cross(n, p.forward)
	p.gamma = tilt
	p.surface = ground.Surface
	height := -ground.Depth
	if lean >= leastLean {
		p.arm = r3.Scale(height/(lean*lean), down)
		p.squeeze = radius - height/lean
		p.lean = lean
	} else {
		p.arm = r3.Scale(radius/lean, down)
		p.squeeze = (radius*lean - height) / leastLean
		p.lean = leastLean
	}
	p.squeeze = min(p.squeeze, radius) // a hub in the ground is pushed no harder than one on it
	p.lift = r3.Dot(b.z, n) / p.lean
}

// suspension moves the wheels and finds their loads.
//
// The unsprung masses count as part of the body, so each wheel stands where
// tire, spring, damper and bar balance. That balance is solved for the travel
// speed, linearly implicitly and both sides of an axle at once, as the bar
// joins them: stable with any stiffness.
func (c *Car) suspension(s *State, ps *[4]patch) {
	for left := FL; left <= RL; left += 2 {
		right := left + 1
		l := c.corners[left].balance(c.dt, s.Wheels[left].Travel, &ps[left])
		r := c.corners[right].balance(c.dt, s.Wheels[right].Travel, &ps[right])
		bar := &c.bars[left/2]
		part := bar.part(s.Vel)
		if bar.beside > 0 {
			bar.lift(part, s, ps, left)
		}
		k := bar.link(c.dt, part, &l, &r)
		join := c.dt * k.join
		kl, kr := l.resist+c.dt*k.ownLeft, r.resist+c.dt*k.ownRight
		fl, fr := l.force-k.left, r.force-k.right
		det := kl*kr - join*join
		c.settle(s, ps, left, (fl*kr+fr*join)/det)
		c.settle(s, ps, right, (fr*kl+fl*join)/det)
		c.reportBar(s, left, [2]float64{l.travel, r.travel}, k)
	}
}

// strut is the force that compresses a suspension and what resists its speed.
type strut struct {
	force   float64 // [N]
	resist  float64 // [N·s/m]
	travel  float64 // before the tick [m]
	touches bool    // its tire is on the ground
}

func (k *corner) balance(dt, travel float64, p *patch) strut {
	spring, rate := k.axle.SpringRate*travel, k.axle.SpringRate
	if travel > k.axle.StopStart {
		spring += k.axle.StopRate * (travel - k.axle.StopStart)
		rate += k.axle.StopRate
	}
	push := -spring
	damper := 0.0
	// A tire that leaves the ground faster than it springs back does not pull.
	if lift := k.vertical.Force(p.squeeze, p.running) + k.vertical.Damping()*p.closing; p.squeeze > 0 && lift > 0 {
		push += p.lift * lift
		rate += p.lift * p.lift * k.vertical.Rate(p.squeeze, p.running)
		damper = p.lift * p.lift * k.vertical.Damping()
	}
	if push < 0 {
		damper += k.axle.Rebound
	} else {
		damper += k.axle.Bump
	}
	return strut{push, damper + dt*rate, travel, p.squeeze > 0}
}

// settle moves one wheel by its speed [m/s] and finds the load it then carries.
func (c *Car) settle(s *State, ps *[4]patch, i int, speed float64) {
	w, p, k := &s.Wheels[i], &ps[i], &c.corners[i]
	before := w.Travel
	w.Travel = min(max(before+c.dt*speed, 0), k.axle.Travel)
	moved := p.lift * (w.Travel - before)
	p.load = 0
	if squeeze := p.squeeze - moved; squeeze > 0 {
		load := k.vertical.Force(squeeze, p.running) + k.vertical.Damping()*(p.closing-moved/c.dt)
		p.load = max(0, load/p.lean)
	}
	w.Load = p.load
}
