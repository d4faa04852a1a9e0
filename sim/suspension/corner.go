package suspension

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
)

// Station is where a corner stands in its car, and what it carries there at rest.
type Station struct {
	Wheel      int // in the order of tire.FL
	Track      float64
	X          float64        // of the axle ahead of the centre of mass [m]
	CGLeft     float64        // centre of mass to the left of the car's middle [m]
	CGHeight   float64        // [m]
	Gravity    float64        // [m/s²]
	Load       float64        // of the wheel on the road, were the centre of mass in the middle [N]
	More       float64        // load beside that on this side [N]
	Dive       float64        // the contact's way ahead for each metre of bump at which the links carry all of the load transfer in braking
	Squat      float64        // the hub's for the same in driving
	Vertical   *tire.Vertical // spring of the tire
	Deflection float64        // of the tire at rest [m]
	Firm       float64        // how the contact's force answers to its speed within a tick, at most [N·s/m]
}

// Corner is the constant part of one wheel's suspension. RestTravel is its compression from full
// droop in a car that stands [m].
type Corner struct {
	RestTravel float64

	p          *Params
	place      r3.Vec  // hub at rest, less the travel [m, body]
	side       float64 // 1 on the left, -1 on the right
	mass       float64 // unsprung [kg]
	law        springLaw
	damper     damperLaw
	links      links
	footing    footing
	ratio      float64 // motion ratio of still links
	firm       float64 // as in Station
	appX, appY float64 // height above the contact at which the body takes Fx and Fy past the links [m]
	vertical   *tire.Vertical
	gravity    float64 // [m/s²]
	dt, perDt  float64 // [s], [1/s]
}

// NewCorner places the suspension so that the car stands level at its centre of mass height under
// its own weight. The error says which wheel stands on its rim or on its bump stop.
func NewCorner(p *Params, at Station, dt float64) (Corner, error) {
	k := Corner{p: p, side: 1, footing: newFooting(p.Footing), gravity: at.Gravity, dt: dt, perDt: 1 / dt}
	if at.Wheel == tire.FR || at.Wheel == tire.RR {
		k.side = -1
	}
	k.mass, k.damper, k.vertical, k.firm = p.Unsprung, newDamperLaw(p), at.Vertical, at.Firm
	hubHeight := k.vertical.FreeRadius(0) - at.Deflection
	if hubHeight < k.vertical.Flat() {
		return Corner{}, fmt.Errorf("tire of wheel %d stands on its rim under %.0f N: raise tire_vertical_n_per_m, choose a tire for that load, or lower mass_kg", at.Wheel, at.Load+at.More)
	}
	k.staticEquilibrium(&at, at.Load-k.mass*at.Gravity, hubHeight)
	k.seat(at.More)
	if k.RestTravel > p.StopStart {
		return Corner{}, fmt.Errorf("axle of wheel %d rests on its bump stops, %.3f m down of %.3f m: stiffen its springs or lift the stops",
			at.Wheel, k.RestTravel, p.StopStart)
	}
	k.place = r3.Vec{X: at.X, Y: k.side*at.Track/2 - at.CGLeft, Z: hubHeight - at.CGHeight - k.RestTravel}
	return k, nil
}

// staticEquilibrium finds spring, links and the travel at rest under a load on the spring
// [N]. A motion ratio that changes with the bump from rest makes them depend
// on each other.
func (k *Corner) staticEquilibrium(at *Station, load, hubHeight float64) {
	kin := &k.p.Kinematics
	k.ratio = kin.MotionRatio
	d := dims{radius: hubHeight, track: at.Track, dive: at.Dive, squat: at.Squat}
	if kin.MotionRatio == 1 && len(kin.Table) == 0 {
		k.law = newSpringLaw(k.p, nil)
		k.RestTravel = k.law.under(load)
	} else {
		k.settleOn(load, kin.ratios())
	}
	d.rest = k.RestTravel
	k.links = newLinks(k.p, d)
	if kin.ForceApp {
		k.appX, k.appY = kin.ForceAppPoint, kin.ForceAppPoint
	}
	k.appY += kin.RollReduction * (at.CGHeight - k.appY)
}

// seat lifts the spring's seat so that it carries more [N] where it rests, which
// leaves a car level whose centre of mass is not in its middle.
func (k *Corner) seat(more float64) {
	if more == 0 {
		return
	}
	p, ratios := *k.p, k.p.Kinematics.ratios()
	p.Spring.Preload += more / ratios(0)
	k.law = newSpringLaw(&p, func(travel float64) float64 { return ratios(travel - k.RestTravel) })
}

// settleOn finds the travel at rest under a load on the spring [N], and the spring
// that it has there, by halving: the higher the body is to hang, the less it carries.
func (k *Corner) settleOn(load float64, ratios func(bump float64) float64) {
	ratio := func(travel float64) float64 { return ratios(travel - k.RestTravel) }
	low, high := 0.0, k.p.Travel
	for range 50 {
		k.RestTravel = (low + high) / 2
		k.law = newSpringLaw(k.p, ratio)
		if force, _ := k.law.at(k.RestTravel); force < load {
			low = k.RestTravel
		} else {
			high = k.RestTravel
		}
	}
}

// Spring returns force [N] and rate [N/m] of spring and bump stop, as the wheel feels them, at a travel of the
// wheel from full droop [m].
func (k *Corner) Spring(travel float64) (force, rate float64) { return k.law.at(travel) }

// Local returns where the wheel's centre is at a travel [m, body].
func (k *Corner) Local(travel float64) r3.Vec {
	var st stance
	if !k.links.still {
		k.links.at(&st, travel)
	}
	return k.held(travel, &st)
}

// held returns the same for links that hold the wheel so.
func (k *Corner) held(travel float64, st *stance) r3.Vec {
	at := k.place
	at.X += st.ahead
	at.Y += k.side * st.out
	at.Z += travel
	return at
}

// Rim returns the lowest point of a wheel at full bump, its tire pressed flat [m, body].
func (k *Corner) Rim() r3.Vec {
	at := k.Local(k.p.Travel)
	at.Z -= k.vertical.Flat()
	return at
}

// Pose is how links and steering hold a wheel in a tick: all that follows from travel and steering alone.
type Pose struct {
	Hub   r3.Vec  // [m, world]
	Steer float64 // angle about the kingpin, with the links' toe [rad], positive left
	Yaw   float64 // rate of that, the kingpin's own turn in the body [rad/s]; for the caller to set
	Axle  r3.Vec  // the wheel's axis, unit, to the left [world]
	Pin   r3.Vec  // axis of the kingpin, unit, up [world]

	lever    r3.Vec  // from the kingpin's foot on the ground to the hub [m, world]
	DContact r3.Vec  // way of the contact in the body for each metre of travel, less that along its z [world]
	DHub     r3.Vec  // way of the hub for the same [world]
	DAxle    r3.Vec  // change of the wheel's axis for the same [1/m, world]
	DSpin    float64 // turn of the hub carrier for the same, top backward [rad/m]
	ratio    float64 // motion ratio
}

// Place finds in p how links and steering hold the wheel at a travel of a body at pos with the
// axes b. angle is what the steering turns it by [rad], sin and cos are those of it; pin is nil
// behind, where wheels turn about the body's z.
func (k *Corner) Place(p *Pose, st *State, pos r3.Vec, b *chassis.Axes, pin *steering.Kingpin, angle, sin, cos float64) {
	var hold stance
	p.ratio = k.ratio
	axle, swing := r3.Vec{Y: 1}, r3.Vec{}
	p.DHub = b.Z
	if !k.links.still {
		k.links.at(&hold, st.Travel)
		angle -= k.side * hold.toe
		toe, across := curve.SinCos(k.side * hold.toe)
		tilt, upright := curve.SinCos(-k.side * hold.camber)
		axle = r3.Vec{X: upright * toe, Y: upright * across, Z: tilt}
		p.DContact = r3.Add(r3.Scale(hold.along, b.X), r3.Scale(k.side*hold.scrub, b.Y))
		if k.p.Joint.Rate == 0 { // else the joint holds the wheel sideways, not the links
			swing = hold.dAxle(k.side, toe, across, tilt, upright)
			p.DHub = r3.Add(b.Z, r3.Add(r3.Scale(hold.along, b.X), r3.Scale(k.side*hold.outward, b.Y)))
		}
		p.DSpin, p.ratio = hold.dSpin, hold.ratio
	}
	local := k.held(st.Travel, &hold)
	if pin != nil {
		moved := pin.Hub(sin, cos)
		local = r3.Add(local, moved)
		p.Pin, p.lever = b.Out(pin.Axis), b.Out(r3.Add(pin.Foot, moved))
		p.Axle = b.Out(pin.Turn(axle, sin, cos))
		if !k.links.still {
			p.DAxle = b.Out(pin.Turn(swing, sin, cos))
		}
	} else {
		p.Pin = b.Z
		p.Axle = b.Out(r3.Vec{X: cos*axle.X - sin*axle.Y, Y: sin*axle.X + cos*axle.Y, Z: axle.Z})
		if !k.links.still {
			p.DAxle = b.Out(r3.Vec{X: cos*swing.X - sin*swing.Y, Y: sin*swing.X + cos*swing.Y, Z: swing.Z})
		}
	}
	p.Hub = r3.Add(pos, b.Out(local))
	p.Steer = angle
}

// Contact is where and how a tire stands on the ground in a tick.
type Contact struct {
	Arm     r3.Vec  // centre of mass to contact [m, world]
	Normal  r3.Vec  // out of the ground
	Forward r3.Vec  // the wheel's heading in the ground
	Left    r3.Vec  //
	Lever   r3.Vec  // the kingpin's foot on the ground to the contact [m, world]
	Vx, Vy  float64 // velocity of the contact along forward and left [m/s]
	Yaw     float64 // rate of the wheel about normal [rad/s]
	Gamma   float64 // sine of the wheel's inclination, top to the right
	Squeeze float64 // vertical deflection of the tire [m], negative in the air
	PerLean float64 // 1 over the cosine of the wheel's inclination, that no less than leastLean

	Ground  Ground       // what it stands on
	Running tire.Running // what changes the tire's spring; for the caller to set

	lift    float64 // how much Squeeze falls for each metre of travel
	closing float64 // speed at which Squeeze grows while the suspension stands [m/s]
}

// Ground is what a place of the ground is made of.
type Ground struct {
	Surface        tire.Surface
	Material, Area uint8 // as in road.Contact
}

func groundOf(c *road.Contact) Ground { return Ground{c.Surface, c.Material, c.Area} }

// Touch finds in t where the wheel held as in p stands on the ground g. Its tire has a free radius
// [m]; pos, vel and spin are place, velocity and angular velocity of the body [m, m/s, rad/s, world].
func (k *Corner) Touch(t *Contact, p *Pose, st *State, g road.Ground, radius float64, pos, vel, spin r3.Vec) {
	ground := g.Touch(p.Hub)
	if k.footing.looks() {
		ground = k.footing.feel(g, ground, p.Hub, p.Axle, radius)
	}
	arm := t.stand(p, &ground, radius) // from the hub
	t.Lever = r3.Add(p.lever, arm)
	t.Arm = r3.Add(arm, r3.Sub(p.Hub, pos))
	v := r3.Add(vel, r3.Cross(spin, t.Arm))
	if t.Yaw = p.Yaw; t.Yaw != 0 {
		turning := r3.Scale(t.Yaw, p.Pin)
		t.Yaw = r3.Dot(turning, t.Normal)
		v = r3.Add(v, r3.Cross(turning, t.Lever))
	}
	t.Yaw += r3.Dot(spin, t.Normal)
	t.closing = -r3.Dot(v, t.Normal) * t.PerLean
	if !k.links.still {
		v = r3.Add(v, r3.Scale(st.Bump, p.DContact))
	}
	t.Vx, t.Vy = r3.Dot(v, t.Forward), r3.Dot(v, t.Left)
}

// leastLean is the lean below which a wheel counts as no more inclined: an
// inclination of 60°. It keeps the division by the lean bounded when the car
// rolls over.
const leastLean = 0.5

// stand puts a wheel, a thin disc, on the ground below its hub, and returns
// the way from the hub to the contact.
//
// A tire deflects in its own plane, by its lowest point's depth over the lean.
// A tire further over than leastLean keeps the stiffness it has there and is
// pushed at its lowest point. Both are the force of a potential, in any
// attitude, so that a tumbling car gains nothing from its tires.
func (t *Contact) stand(p *Pose, ground *road.Contact, radius float64) (arm r3.Vec) {
	n, axle := ground.Normal, p.Axle
	forward := r3.Cross(axle, n)
	lean := math.Sqrt(r3.Dot(forward, forward))
	const flat = 1e-6
	if lean < flat { // lies on its face: no way it could roll
		t.Normal, t.PerLean, t.Squeeze = n, 1, -radius
		return arm
	}
	tilt := r3.Dot(axle, n)
	down := r3.Sub(r3.Scale(tilt, axle), n)
	t.Normal = n
	perLean := 1 / lean
	t.Forward = r3.Scale(perLean, forward)
	t.Left = r3.Cross(n, t.Forward)
	t.Gamma = tilt
	t.Ground = groundOf(ground)
	height := -ground.Depth
	reach := height * perLean * perLean
	if lean >= leastLean {
		t.Squeeze = radius - height*perLean
		t.PerLean = perLean
	} else {
		reach = radius * perLean
		t.Squeeze = (radius*lean - height) / leastLean
		t.PerLean = 1 / leastLean
	}
	t.Squeeze = min(t.Squeeze, radius) // a hub in the ground is pushed no harder than one on it
	t.lift = (r3.Dot(p.DHub, n) + reach*tilt*r3.Dot(p.DAxle, n)) * t.PerLean
	return r3.Scale(reach, down)
}

// Links returns what the links make of a tire's force in the road plane [N, world] and of its moments
// [N·m, world], along the travel [N]; held is the moment that the brake takes to the hub carrier [N·m].
func (k *Corner) Links(p *Pose, flat, moment r3.Vec, held float64) float64 {
	if k.links.still || k.p.Kinematics.ForceApp {
		return 0
	}
	turned := r3.Dot(moment, r3.Cross(p.Axle, p.DAxle)) // with the hub carrier, by camber and toe
	return r3.Dot(flat, p.DContact) + held*p.DSpin + turned
}

// ForceApplication returns the heights above the contact at which the body takes Fx and Fy past the
// links [m]; 0 where the links carry them.
func (k *Corner) ForceApplication() (x, y float64) { return k.appX, k.appY }
