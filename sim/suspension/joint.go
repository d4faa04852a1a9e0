package suspension

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim/chassis"
)

// Joint describes a solid axle that can move sideways under the body, against a spring and a damper. Both
// wheels move with the axle. Moments that roll the axle move its wheels up and down in opposite directions.
//
// It is the axle of NHTSA's multi-body model (R. W. Allen and others, Vehicle Dynamics of Tactical and
// Commercial Vehicles, 1992) that CommonRoad's vehicle models took over, and simplifies as they do: the tires
// slip by the body's speed alone, the shift moves no contact, and the spring lies in the road plane. Momentum
// is conserved. Energy is not, as far as the tires' forces do work on the sideways motion and on the roll
// center's. Camber, toe and roll center only affect how the wheels stand and slip; the joint, not the links,
// carries their forces.
type Joint struct {
	// lateral stiffness of the joint, for the whole axle; 0 for an axle that does not move sideways
	Rate float64 `toml:"rate_n_per_m" range:"0 (rigid) or 10000..1e8"`
	// lateral damping of the joint, for the whole axle
	Damping float64 `toml:"damping_ns_per_m" range:"0..1000000"`
	// how far the joint's force leans with the body in roll: 0 stays parallel to the axle, 1 acts along the
	// body's y
	LeanWithBody float64 `toml:"lean" range:"0..1"`
	// the tires' side forces turn the car directly, without the delay by the axle's sideways motion, as in
	// the models named above
	YawByTires bool `toml:"yaw_by_tires"`
}

// Validate reports every parameter that is out of range.
func (j Joint) Validate() error {
	if j.Rate == 0 {
		if j.Damping != 0 {
			return errors.New("damping_ns_per_m counts only with rate_n_per_m: give that too, as 175e3, or neither")
		}
		return nil
	}
	return valid.Struct(j)
}

// JointState is the lateral motion of a solid axle on its joint.
type JointState struct {
	Shift float64 // displacement to the left in the body [m]
	Speed float64 // rate of Shift [m/s]
}

// joint is an axle on a joint in the form that a tick needs; all 0 without a joint.
type joint struct {
	mass    float64 // mass of the axle, which moves sideways [kg]
	rate    float64 // lateral stiffness [N/m]
	damping float64 // lateral damping [N·s/m]
	ahead   float64 // position of the axle's mass ahead of the center of mass [m]
	up      float64 // position of the axle's mass above the center of mass [m]
	height  float64 // height of the hubs above the ground [m]
	track   float64 // [m]
	lean    float64 // share of the body's roll by which the spring leans, 0..1
}

// joints holds the joints of both axles. The body couples their motions.
type joints struct {
	any      bool // an axle is on a joint
	axles    [2]joint
	inverse  [3]float64 // inverse of the effective mass matrix of both axles in the implicit step: front, off-diagonal, rear [1/kg]
	freeMass [3]float64 // mass matrix without spring and damper, in the same order [kg]
}

// newJoints returns the joints of the axles under a body.
func newJoints(s *System, at *[4]Station, body *chassis.Body) (j joints) {
	dt := s.dt
	for i := range j.axles {
		left := 2 * i
		k := &s.Corners[left]
		a, hub := k.p, k.HubAt(k.RestTravel)
		if a.Joint.Rate == 0 {
			continue
		}
		j.any = true
		j.axles[i] = joint{
			mass: 2 * a.UnsprungMass, rate: a.Joint.Rate, damping: a.Joint.Damping,
			ahead: hub.X, up: hub.Z, height: at[left].CGHeight + hub.Z, track: at[left].Track, lean: a.Joint.LeanWithBody,
		}
		if a.Joint.YawByTires {
			j.axles[i].ahead = 0
		}
	}
	front, rear := &j.axles[0], &j.axles[1]
	j.freeMass = [3]float64{
		front.mass * (1 - front.mass*front.lateralMobility(front, body)),
		-front.mass * rear.mass * front.lateralMobility(rear, body),
		rear.mass * (1 - rear.mass*rear.lateralMobility(rear, body)),
	}
	// effectiveMass is the mass matrix of the implicit step: front, off-diagonal, rear.
	effectiveMass := [3]float64{j.freeMass[0] + front.implicitMass(dt), j.freeMass[1],
		j.freeMass[2] + rear.implicitMass(dt)}
	det := effectiveMass[0]*effectiveMass[2] - effectiveMass[1]*effectiveMass[1]
	j.inverse = [3]float64{effectiveMass[2] / det, -effectiveMass[1] / det, effectiveMass[0] / det}
	return j
}

// implicitMass returns the mass that spring and damper add in the implicit step [kg].
func (k *joint) implicitMass(dt float64) float64 {
	if k.rate == 0 {
		return 1 // any value, for an axle without a joint has no force
	}
	return dt * (k.damping + dt*k.rate)
}

// lateralMobility returns the lateral speed of the body at the axle k for each N·s of lateral impulse at the axle o
// [1/kg].
func (k *joint) lateralMobility(o *joint, body *chassis.Body) float64 {
	d := body.FreeResponse(&chassis.Impulse{0, -o.up, 0, o.ahead})
	return body.InverseMass() + k.lateralSpeed(&d)
}

// lateralSpeed returns the speed to the left of the point of the body at the axle, by a rotation d of the
// body [m/s].
func (k *joint) lateralSpeed(d *chassis.DeltaV) float64 { return k.ahead*d[3] - k.up*d[1] }

// leaveSprungMass reports whether the body without the axles that are on joints has positive mass and inertia.
func (j *joints) leaveSprungMass() bool {
	for i, k := range j.axles {
		if k.mass > 0 && !(j.freeMass[2*i] > 0) {
			return false
		}
	}
	a, b := &j.axles[0], &j.axles[1]
	return !(a.mass > 0 && b.mass > 0) || j.freeMass[0]*j.freeMass[2] > j.freeMass[1]*j.freeMass[1]
}

// TireForces holds the force and moment of the ground on one tire [N, N·m, world], and Lateral, the part of
// the force to the wheel's left [N].
type TireForces struct {
	Force, Moment r3.Vec
	Lateral       float64
}

// HasJoints reports whether an axle is on a joint.
func (s *System) HasJoints() bool { return s.joints.any }

// StepJoints moves the axles that are on joints sideways by a linearly implicit step. It subtracts the forces
// that accelerate the axles from the load on, adds the resulting forces to the wheels' LinkForce, and returns
// the axles' momentum relative to the body.
//
// The equation of an axle is m (a + v') = F - K y - C v, where a is the acceleration of the body, which
// depends on both axles. The force m v' is subtracted from the body's load at the hubs, so that the tires
// accelerate the whole car. The couple on the wheels consists of the tires' overturning moments and of the
// difference between the tires' and the joint's lateral force, times the height of the hubs.
func (s *System) StepJoints(js *[2]JointState, ws *[4]Wheel, gs *[4]TireForces, body *chassis.Body,
	slides *[4]chassis.Wheel, b *chassis.Axes, on *chassis.Load) chassis.Momentum {
	j := &s.joints
	rigid := body.Response(on.Force, on.Moment, on.Gravity.Z, slides)
	var lateral, net [2]float64
	for i := range j.axles {
		k, st := &j.axles[i], &js[i]
		lateral[i] = r3.Dot(r3.Add(gs[2*i].Force, gs[2*i+1].Force), b.Y)
		inertial := k.mass * (on.Force.Y*body.InverseMass() + k.lateralSpeed(&rigid)/s.dt)
		net[i] = lateral[i] - k.springForce(st.Shift+s.dt*st.Speed, st.Speed) - inertial
	}
	accel := [2]float64{
		j.inverse[0]*net[0] + j.inverse[1]*net[1],
		j.inverse[1]*net[0] + j.inverse[2]*net[1],
	}
	var axleForces r3.Vec // Y: lateral force that accelerates the axles [N]; X and Z: its moments about the center of mass [N·m]
	for i := range j.axles {
		k, st := &j.axles[i], &js[i]
		if k.rate == 0 {
			continue
		}
		st.Speed += s.dt * accel[i]
		st.Shift += s.dt * st.Speed
		ownForce := k.mass * accel[i]
		axleForces = r3.Add(axleForces, r3.Vec{X: -k.up * ownForce, Y: ownForce, Z: k.ahead * ownForce})
		left, right := 2*i, 2*i+1
		couple := r3.Dot(gs[left].Moment, b.X) + r3.Dot(gs[right].Moment, b.X)
		couple += (lateral[i] - k.springForce(st.Shift, st.Speed)) * k.height
		lift := k.lean * (alongTravel(&gs[left], ws[left].Contact, b) + alongTravel(&gs[right],
			ws[right].Contact, b))
		ws[left].State.LinkForce += lift/2 + couple/k.track
		ws[right].State.LinkForce += lift/2 - couple/k.track
	}
	on.Force.Y -= axleForces.Y
	on.Moment = r3.Sub(on.Moment, r3.Vec{X: axleForces.X, Z: axleForces.Z})
	return s.momentum(js)
}

// springForce returns the lateral force of spring and damper on the body [N], positive left.
func (k *joint) springForce(shift, speed float64) float64 { return k.rate*shift + k.damping*speed }

// momentum returns the axles' momentum relative to the body.
func (s *System) momentum(js *[2]JointState) (all chassis.Momentum) {
	front, rear := &s.joints.axles[0], &s.joints.axles[1]
	f, r := front.mass*js[0].Speed, rear.mass*js[1].Speed
	all.Lateral += f + r
	all.Angular = r3.Vec{X: -(front.up*f + rear.up*r), Z: front.ahead*f + rear.ahead*r}
	return all
}

// alongTravel returns the component of a tire's side force along the body's z [N].
func alongTravel(g *TireForces, t *Contact, b *chassis.Axes) float64 {
	return g.Lateral * r3.Dot(t.Left, b.Z)
}
