package suspension

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"
	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/chassis"
)

// Joint makes an axle a solid one that hangs sideways under the body on a spring
// and a damper. Both wheels go with it, and what overturns it moves them against
// each other.
//
// It is the axle of NHTSA's multi-body model (R. W. Allen and others, Vehicle
// Dynamics of Tactical and Commercial Vehicles, 1992) that CommonRoad's vehicle
// models took over, and simplifies as they do: the tires slip by the body's speed
// alone, the shift moves no contact, and the spring lies in the road plane. Momentum
// is kept, energy only as far as the tires' forces may work on the sway unseen.
// Camber, toe and roll centre tell only how the wheels stand and slip; what holds
// them sideways is the joint.
type Joint struct {
	Rate       float64 `toml:"rate_n_per_m"`     // of the whole axle; 0 is an axle that does not sway
	Damping    float64 `toml:"damping_ns_per_m"` // of the whole axle
	Lean       float64 `toml:"lean"`             // how far its line of action leans with the body: 0 stays with the axle, 1 along the body's y
	YawByTires bool    `toml:"yaw_by_tires"`     // side forces turn the car at once, past the sway, as in those models
}

// Validate reports every parameter that is out of range.
func (j Joint) Validate() error {
	if j.Rate == 0 {
		if j.Damping != 0 {
			return errors.New("damping_ns_per_m counts only with rate_n_per_m: give that too, as 175e3, or neither")
		}
		return nil
	}
	return errors.Join(
		valid.InRange("rate_n_per_m", j.Rate, 1e4, 1e8),
		valid.InRange("damping_ns_per_m", j.Damping, 0, 1e6),
		valid.InRange("lean", j.Lean, 0, 1),
	)
}

// JointState is how an axle sways.
type JointState struct {
	Shift float64 // to the left of its place in the body [m]
	Speed float64 // of that [m/s]
}

// joint is the constant part of a swaying axle; all 0 where it does not sway.
type joint struct {
	mass    float64 // of both wheels with what sways with them [kg]
	rate    float64 // [N/m]
	damping float64 // [N·s/m]
	ahead   float64 // of the centre of mass, where the swaying mass counts [m]
	up      float64 // the same, above it
	height  float64 // of the hubs above the ground [m]
	track   float64 // [m]
	lean    float64 // share of the body's
}

// joints are both axles'. A push on one sways the other, through the body.
type joints struct {
	on      bool
	axles   [2]joint
	inverse [3]float64 // of what resists a change of their speeds: front, between, rear [1/kg]
	spare   [3]float64 // the mass alone that resists, without spring and damper [kg]
}

// newJoints must know how the body answers to pushes.
func newJoints(s *System, at *[4]Station, m *chassis.Body) (j joints) {
	dt := s.dt
	for i := range j.axles {
		left := 2 * i
		k := &s.Corners[left]
		a, hub := k.p, k.Local(k.RestTravel)
		if a.Joint.Rate == 0 {
			continue
		}
		j.on = true
		j.axles[i] = joint{
			mass: 2 * a.Unsprung, rate: a.Joint.Rate, damping: a.Joint.Damping,
			ahead: hub.X, up: hub.Z, height: at[left].CGHeight + hub.Z, track: at[left].Track, lean: a.Joint.Lean,
		}
		if a.Joint.YawByTires {
			j.axles[i].ahead = 0
		}
	}
	front, rear := &j.axles[0], &j.axles[1]
	j.spare = [3]float64{
		front.mass * (1 - front.mass*front.yields(front, m)),
		-front.mass * rear.mass * front.yields(rear, m),
		rear.mass * (1 - rear.mass*rear.yields(rear, m)),
	}
	resist := [3]float64{j.spare[0] + front.stiff(dt), j.spare[1], j.spare[2] + rear.stiff(dt)}
	det := resist[0]*resist[2] - resist[1]*resist[1]
	j.inverse = [3]float64{resist[2] / det, -resist[1] / det, resist[0] / det}
	return j
}

// stiff returns what spring and damper add to the mass within a tick [kg].
func (k *joint) stiff(dt float64) float64 {
	if k.rate == 0 {
		return 1 // of an axle without a joint, which nothing pushes
	}
	return dt * (k.damping + dt*k.rate)
}

// yields returns how fast the place of k moves sideways by a push at that of o [1/kg].
func (k *joint) yields(o *joint, m *chassis.Body) float64 {
	d := m.FreeResponse(&chassis.Impulse{0, -o.up, 0, o.ahead})
	return m.PerMass() + k.moved(&d)
}

// moved returns how much of a turn [rad/s] moves the joint's place to the left [m/s].
func (k *joint) moved(d *chassis.DeltaV) float64 { return k.ahead*d[3] - k.up*d[1] }

// sound tells whether the body that is left without the axles has a mass of its own.
func (j *joints) sound() bool {
	for i, k := range j.axles {
		if k.mass > 0 && !(j.spare[2*i] > 0) {
			return false
		}
	}
	a, b := &j.axles[0], &j.axles[1]
	return !(a.mass > 0 && b.mass > 0) || j.spare[0]*j.spare[2] > j.spare[1]*j.spare[1]
}

// Grip is what the ground does to one tire: force and moments [N, N·m, world], and the force to the
// wheel's left [N].
type Grip struct {
	Force, Moment r3.Vec
	Side          float64
}

// Sways reports whether an axle hangs on a joint.
func (s *System) Sways() bool { return s.joints.on }

// Sway moves the axles that hang on joints sideways, linearly implicitly. In on it leaves what they
// leave of force and moment to the body, and returns their own momentum.
//
// An axle's balance m (a + v') = F - K y - C v holds with the body's acceleration a
// as both axles leave it; m v' is then kept from the body at the hubs, so that the
// tires move the whole. The couple on the wheels is about the hubs: the tires'
// overturning moments, and what they push at the ground less what the joint passes on there.
func (s *System) Sway(js *[2]JointState, ws *[4]Wheel, gs *[4]Grip, body *chassis.Body, slides *[4]chassis.Wheel, b *chassis.Axes, on *chassis.Load) chassis.Momentum {
	j := &s.joints
	rigid := body.Response(on.Force, on.Moment, on.Fall.Z, slides)
	var side, free [2]float64
	for i := range j.axles {
		k, st := &j.axles[i], &js[i]
		side[i] = r3.Dot(r3.Add(gs[2*i].Force, gs[2*i+1].Force), b.Y)
		with := k.mass * (on.Force.Y*body.PerMass() + k.moved(&rigid)/s.dt)
		free[i] = side[i] - k.pull(st.Shift+s.dt*st.Speed, st.Speed) - with
	}
	gain := [2]float64{
		j.inverse[0]*free[0] + j.inverse[1]*free[1],
		j.inverse[1]*free[0] + j.inverse[2]*free[1],
	}
	var kept r3.Vec // by the axles: along y, and the moments of that
	for i := range j.axles {
		k, st := &j.axles[i], &js[i]
		if k.rate == 0 {
			continue
		}
		st.Speed += s.dt * gain[i]
		st.Shift += s.dt * st.Speed
		own := k.mass * gain[i]
		kept = r3.Add(kept, r3.Vec{X: -k.up * own, Y: own, Z: k.ahead * own})
		left, right := 2*i, 2*i+1
		over := r3.Dot(gs[left].Moment, b.X) + r3.Dot(gs[right].Moment, b.X)
		over += (side[i] - k.pull(st.Shift, st.Speed)) * k.height
		lifts := k.lean * (rise(&gs[left], ws[left].Contact, b) + rise(&gs[right], ws[right].Contact, b))
		ws[left].State.Links += lifts/2 + over/k.track
		ws[right].State.Links += lifts/2 - over/k.track
	}
	on.Force.Y -= kept.Y
	on.Moment = r3.Sub(on.Moment, r3.Vec{X: kept.X, Z: kept.Z})
	return s.momentum(js)
}

// pull returns the force of spring and damper on the body, to the left [N].
func (k *joint) pull(shift, speed float64) float64 { return k.rate*shift + k.damping*speed }

// momentum returns what the axles have from swaying in the body.
func (s *System) momentum(js *[2]JointState) (all chassis.Momentum) {
	front, rear := &s.joints.axles[0], &s.joints.axles[1]
	f, r := front.mass*js[0].Speed, rear.mass*js[1].Speed
	all.Across += f + r
	all.Spin = r3.Vec{X: -(front.up*f + rear.up*r), Z: front.ahead*f + rear.ahead*r}
	return all
}

// rise returns the part of the side force along the travel [N].
func rise(g *Grip, t *Contact, b *chassis.Axes) float64 { return g.Side * r3.Dot(t.Left, b.Z) }
