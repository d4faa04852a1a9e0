package suspension

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/curve"
	"rig.example/rig/sim/steering"
	"rig.example/rig/sim/tire"
)

// Station describes where a corner is in its car, and its load at rest.
type Station struct {
	Wheel     int     // number of the wheel, in the order of tire.FL
	Track     float64 // track of the axle [m]
	X         float64 // position of the axle ahead of the center of mass [m]
	CGLeft    float64 // center of mass to the left of the car's middle [m]
	CGHeight  float64 // height of the center of mass above the ground at rest [m]
	Gravity   float64 // [m/s²]
	Load      float64 // load of the wheel if the center of mass were in the car's middle [N]
	ExtraLoad float64 // additional load, because the center of mass is not in the car's middle [N]
	// forward motion of the contact for each metre of bump that gives 100 % anti-dive
	AntiDiveSlope float64
	// forward motion of the hub for each metre of bump that gives 100 % anti-squat
	AntiSquatSlope float64
	Vertical       *tire.Vertical // vertical stiffness and damping of the tire
	Deflection     float64        // deflection of the tire at rest [m]
	// largest ratio of force to speed of the contact within a tick, before it slides [N·s/m]
	ContactDamping float64
}

// Corner holds everything of one wheel's suspension that is constant after NewCorner.
type Corner struct {
	RestTravel float64 // compression from full droop while the car stands [m]

	p              *Params
	hubAtDroop     r3.Vec  // position of the hub at full droop if it only moved vertically [m, body]
	side           float64 // 1 on the left, -1 on the right
	mass           float64 // unsprung mass [kg]
	spring         springLaw
	damper         damperLaw
	links          links
	compliance     compliance
	footing        footing
	ratio          float64 // motion ratio, if it is constant
	contactDamping float64 // as Station.ContactDamping
	// heights above the contact at which Fx and Fy act on the body, and whose motion the tire feels [m]
	appX, appY float64
	vertical   *tire.Vertical
	gravity    float64 // [m/s²]
	dt, perDt  float64 // [s], [1/s]
}

// NewCorner returns a corner whose hub is placed so that the car stands level at rest, with its center of
// mass at the given height. It returns an error if the wheel would stand on its rim or on its bump stop.
func NewCorner(p *Params, at Station, dt float64) (Corner, error) {
	k := Corner{p: p, side: 1, footing: newFooting(p.Footing), gravity: at.Gravity, dt: dt, perDt: 1 / dt}
	if at.Wheel == tire.FR || at.Wheel == tire.RR {
		k.side = -1
	}
	k.mass, k.damper, k.vertical, k.contactDamping = p.UnsprungMass, newDamperLaw(p), at.Vertical, at.ContactDamping
	hubHeight := k.vertical.FreeRadius(0) - at.Deflection
	if hubHeight < k.vertical.FlatHubHeight() {
		return Corner{}, fmt.Errorf("tire of wheel %d stands on its rim under %.0f N: raise tire_vertical_n_per_m, choose a tire for that load, or lower mass_kg", at.Wheel, at.Load+at.ExtraLoad)
	}
	k.compliance = newCompliance(p.Compliance, hubHeight)
	k.staticEquilibrium(&at, at.Load-k.mass*at.Gravity, hubHeight)
	k.addPreload(at.ExtraLoad)
	if k.RestTravel > p.BumpStopTravel {
		return Corner{}, fmt.Errorf("axle of wheel %d rests on its bump stops, %.3f m down of %.3f m: stiffen its springs or lift the stops",
			at.Wheel, k.RestTravel, p.BumpStopTravel)
	}
	k.hubAtDroop = r3.Vec{X: at.X, Y: k.side*at.Track/2 - at.CGLeft, Z: hubHeight - at.CGHeight - k.RestTravel}
	return k, nil
}

// staticEquilibrium sets the spring, the links and the travel at rest, under a load at the wheel without its
// own weight [N]. They depend on each other if the motion ratio changes with the bump from rest.
func (k *Corner) staticEquilibrium(at *Station, load, hubHeight float64) {
	kin := &k.p.Kinematics
	k.ratio = kin.MotionRatio
	d := linkDims{radius: hubHeight, track: at.Track, dive: at.AntiDiveSlope, squat: at.AntiSquatSlope}
	if kin.MotionRatio == 1 && len(kin.Table) == 0 {
		k.spring = newSpringLaw(k.p, nil)
		k.RestTravel = k.spring.travelUnder(load)
	} else {
		k.findRest(load, kin.motionRatios())
	}
	d.rest = k.RestTravel
	k.links = newLinks(k.p, d)
	if kin.ApplyForceDirectly {
		k.appX, k.appY = kin.ForceHeight, kin.ForceHeight
	}
	k.appY += kin.RollReduction * (at.CGHeight - k.appY)
}

// addPreload preloads the spring so that it carries extraLoad [N] more at the same travel. So a car whose
// center of mass is not in its middle stands level.
func (k *Corner) addPreload(extraLoad float64) {
	if extraLoad == 0 {
		return
	}
	p, ratios := *k.p, k.p.Kinematics.motionRatios()
	p.Spring.Preload += extraLoad / ratios(0)
	k.spring = newSpringLaw(&p, func(travel float64) float64 { return ratios(travel - k.RestTravel) })
}

// findRest sets the travel at rest under a load at the wheel [N], and the spring that belongs to it, by
// bisection. ratios returns the motion ratio at a bump from rest [m].
func (k *Corner) findRest(load float64, ratios func(bump float64) float64) {
	ratio := func(travel float64) float64 { return ratios(travel - k.RestTravel) }
	low, high := 0.0, k.p.Travel
	for range 50 {
		k.RestTravel = (low + high) / 2
		k.spring = newSpringLaw(k.p, ratio)
		if force, _ := k.spring.at(k.RestTravel); force < load {
			low = k.RestTravel
		} else {
			high = k.RestTravel
		}
	}
}

// HubAt returns the position of the hub at a travel [m, body, from the center of mass].
func (k *Corner) HubAt(travel float64) r3.Vec {
	var motion linkMotion
	if !k.links.vertical {
		k.links.at(&motion, travel)
	}
	return k.hubWith(travel, &motion)
}

// hubWith is HubAt for a known position of the links.
func (k *Corner) hubWith(travel float64, motion *linkMotion) r3.Vec {
	at := k.hubAtDroop
	at.X += motion.forward
	at.Y += k.side * motion.outward
	at.Z += travel
	return at
}

// RimBottom returns the lowest point of the rim at full bump, where a flat tire touches the ground [m, body].
func (k *Corner) RimBottom() r3.Vec {
	at := k.HubAt(k.p.Travel)
	at.Z -= k.vertical.FlatHubHeight()
	return at
}

// Pose is the position and orientation of a wheel in a tick. They depend on its travel, steering angle and
// elastic angles alone. The fields with D are derivatives with respect to the travel.
type Pose struct {
	Hub       r3.Vec  // position of the hub [m, world]
	Steer     float64 // steer angle about the kingpin, with the links' toe [rad], positive left
	SteerRate float64 // rate of Steer in the body [rad/s]; set by the caller
	DSteer    float64 // change of Steer for each metre of travel, by the links' toe [rad/m]
	Axle      r3.Vec  // wheel axis, unit vector to the left [world]
	Pin       r3.Vec  // kingpin axis, unit vector up [world]

	fromKingpin r3.Vec // from the kingpin axis' point on the ground to the hub [m, world]
	// motion of the contact for each metre of travel, without its part along the body's z [world]; 0 if the
	// forces act on the body directly
	DContact r3.Vec
	DHub     r3.Vec  // motion of the hub for each metre of travel [world]
	DAxle    r3.Vec  // change of Axle for each metre of travel [1/m, world]
	DSpin    float64 // rotation of the hub carrier for each metre of travel, positive top backward [rad/m]
	Ratio    float64 // motion ratio: travel of spring and damper over that of the wheel

	// directions of a compliant wheel before it gives way, unit vectors [world]: ahead in its own plane across
	// the body's z, and up in it
	heading, upright r3.Vec
	ElasticRate      r3.Vec // rate at which the links let the wheel turn in the body [rad/s, world]
}

// Place sets p to the pose of the wheel on a body whose center of mass is at pos [m, world], with the axes b.
// angle is the steering angle [rad, positive left], sin and cos its sine and cosine. pin must be nil for rear
// wheels, which steer about the body's z.
func (k *Corner) Place(p *Pose, st *State, pos r3.Vec, b *chassis.Axes, pin *steering.Kingpin, angle, sin,
	cos float64) {
	var motion linkMotion
	p.Ratio = k.ratio
	axle, dAxle := r3.Vec{Y: 1}, r3.Vec{} // wheel axis [body] and its change for each metre of travel [1/m]
	p.DHub = b.Z
	if !k.links.vertical {
		k.links.at(&motion, st.Travel)
		angle -= k.side * motion.toe
		p.DSteer = -k.side * motion.dToe
		sinToe, cosToe := curve.SinCos(k.side * motion.toe)
		sinCamber, cosCamber := curve.SinCos(-k.side * motion.camber)
		axle = r3.Vec{X: cosCamber * sinToe, Y: cosCamber * cosToe, Z: sinCamber}
		if !k.p.Kinematics.ApplyForceDirectly || k.p.Joint.Rate != 0 {
			p.DContact = r3.Add(r3.Scale(motion.dHubForward, b.X), r3.Scale(k.side*motion.dContactOut, b.Y))
			p.DSpin = motion.dSpin
		}
		if k.p.Joint.Rate == 0 { // with a joint, the links do not hold the wheel laterally
			dAxle = motion.dAxle(k.side, sinToe, cosToe, sinCamber, cosCamber)
			p.DHub = r3.Add(b.Z, r3.Add(r3.Scale(motion.dHubForward, b.X), r3.Scale(k.side*motion.dHubOut, b.Y)))
		}
		p.Ratio = motion.ratio
	}
	hub := k.hubWith(st.Travel, &motion)
	if pin != nil {
		shift := pin.HubShift(sin, cos)
		hub = r3.Add(hub, shift)
		p.Pin, p.fromKingpin = b.ToWorld(pin.Axis), b.ToWorld(r3.Add(pin.GroundToHub, shift))
		p.Axle = b.ToWorld(pin.Rotate(axle, sin, cos))
		if !k.links.vertical {
			p.DAxle = b.ToWorld(pin.Rotate(dAxle, sin, cos))
		}
	} else {
		p.Pin = b.Z
		p.Axle = b.ToWorld(r3.Vec{X: cos*axle.X - sin*axle.Y, Y: sin*axle.X + cos*axle.Y, Z: axle.Z})
		if !k.links.vertical {
			p.DAxle = b.ToWorld(r3.Vec{X: cos*dAxle.X - sin*dAxle.Y, Y: sin*dAxle.X + cos*dAxle.Y, Z: dAxle.Z})
		}
	}
	p.Hub = r3.Add(pos, b.ToWorld(hub))
	p.Steer = angle
	if k.compliance.any {
		k.compliance.deflect(p, &st.Compliance, b.Z)
	}
}

// Contact is the contact of a tire with the ground in a tick.
type Contact struct {
	Arm            r3.Vec  // from the center of mass to the contact [m, world]
	Normal         r3.Vec  // normal of the ground, unit vector up [world]
	Forward        r3.Vec  // wheel heading in the ground plane, unit vector [world]
	Left           r3.Vec  // unit vector, normal to Normal and Forward [world]
	Lever          r3.Vec  // from the kingpin axis' point on the ground to the contact [m, world]
	Vx, Vy         float64 // velocity of the contact along Forward and Left [m/s]
	YawRate        float64 // angular velocity of the wheel about Normal [rad/s]
	Gamma          float64 // sine of the inclination angle, positive top to the right
	Deflection     float64 // vertical deflection of the tire [m], negative in the air
	InverseCosLean float64 // 1 over the cosine of the inclination angle, at most 1/minCosLean

	Ground  Ground             // surface below the tire
	Running tire.VerticalInput // values on which the tire's stiffness depends; set by the caller

	liftPerTravel float64 // decrease of Deflection for each metre of travel
	closingSpeed  float64 // rate of Deflection if the wheel had no travel in the body [m/s]
	// motion of the contact for each radian of elastic toe and camber [m/rad, world]
	perToe, perCamber r3.Vec
}

// Ground describes the ground at one point.
type Ground struct {
	Surface        tire.Surface // grip and stiffness factors
	Material, Area uint8        // as in road.Contact
}

// groundAt returns the surface, material and area of a contact.
func groundAt(c *road.Contact) Ground { return Ground{c.Surface, c.Material, c.AreaNumber} }

// Touch sets t to the contact of the wheel in pose p with the ground g. radius is the radius of the unloaded
// tire [m]. pos, vel and spin are the position, velocity and angular velocity of the body [m, m/s, rad/s,
// world].
func (k *Corner) Touch(t *Contact, p *Pose, st *State, g road.Ground, radius float64, pos, vel, spin r3.Vec) {
	var ground road.Contact
	road.Touch(g, &ground, p.Hub)
	if k.footing.usesManyRays() {
		ground = k.footing.supportPlane(g, ground, p.Hub, p.Axle, radius)
	}
	arm := t.setDiscContact(p, &ground, radius) // from the hub
	t.Lever = r3.Add(p.fromKingpin, arm)
	t.Arm = r3.Add(arm, r3.Sub(p.Hub, pos))
	v := r3.Add(vel, r3.Cross(spin, t.Arm))
	if t.YawRate = p.SteerRate; t.YawRate != 0 {
		turning := r3.Scale(t.YawRate, p.Pin)
		t.YawRate = r3.Dot(turning, t.Normal)
		v = r3.Add(v, r3.Cross(turning, t.Lever))
	}
	t.YawRate += r3.Dot(spin, t.Normal)
	if k.compliance.any {
		t.YawRate += r3.Dot(p.ElasticRate, t.Normal)
		v = r3.Add(v, k.compliance.move(t, p, &st.Compliance, arm))
	}
	t.closingSpeed = -r3.Dot(v, t.Normal) * t.InverseCosLean
	if !k.links.vertical {
		v = r3.Add(v, r3.Scale(st.TravelSpeed, p.DContact))
	}
	t.Vx, t.Vy = r3.Dot(v, t.Forward), r3.Dot(v, t.Left)
	if k.appX != 0 || k.appY != 0 { // the points at which the forces act move with the body
		lean := r3.Cross(spin, t.Normal)
		t.Vx += k.appX * r3.Dot(lean, t.Forward)
		t.Vy += k.appY * r3.Dot(lean, t.Left)
	}
}

// minCosLean is the smallest cosine of the inclination angle by which the deflection is divided, that of 60°.
// It keeps the deflection bounded when the car rolls over.
const minCosLean = 0.5

// setDiscContact sets t to the contact of a thin disc with the ground below its hub, and returns the vector
// from the hub to the contact [m, world].
//
// A tire deflects in its own plane, by the depth of its lowest point over the cosine of its inclination. At
// inclinations beyond 60° (minCosLean), its stiffness no longer changes and the force acts at its lowest
// point. Both forces have a potential, so that a car that rolls over gains no energy from its tires.
func (t *Contact) setDiscContact(p *Pose, ground *road.Contact, radius float64) (arm r3.Vec) {
	n, axle := ground.Normal, p.Axle
	forward := r3.Cross(axle, n)
	cosLean := math.Sqrt(r3.Dot(forward, forward))
	const minForward = 1e-6
	if cosLean < minForward { // the wheel lies flat and cannot roll
		t.Normal, t.InverseCosLean, t.Deflection = n, 1, -radius
		return arm
	}
	sinLean := r3.Dot(axle, n)
	down := r3.Sub(r3.Scale(sinLean, axle), n)
	t.Normal = n
	inverseCos := 1 / cosLean
	t.Forward = r3.Scale(inverseCos, forward)
	t.Left = r3.Cross(n, t.Forward)
	t.Gamma = sinLean
	t.Ground = groundAt(ground)
	height := -ground.Depth
	distance := height * inverseCos * inverseCos
	if cosLean >= minCosLean {
		t.Deflection = radius - height*inverseCos
		t.InverseCosLean = inverseCos
	} else {
		distance = radius * inverseCos
		t.Deflection = (radius*cosLean - height) / minCosLean
		t.InverseCosLean = 1 / minCosLean
	}
	t.Deflection = min(t.Deflection, radius) // a hub below the ground counts as at ground level
	t.liftPerTravel = (r3.Dot(p.DHub, n) + distance*sinLean*r3.Dot(p.DAxle, n)) * t.InverseCosLean
	return r3.Scale(distance, down)
}

// LinkForce returns the force of the links along the travel [N], positive in bump, by virtual work. inPlane
// is the tire's force in the road plane [N, world], moment its moment [N·m, world], and brakeMoment the
// moment of the brake on the hub carrier [N·m]. A joint holds its axle by itself: the links give nothing.
func (k *Corner) LinkForce(p *Pose, inPlane, moment r3.Vec, brakeMoment float64) float64 {
	if k.links.vertical || k.p.Joint.Rate != 0 {
		return 0
	}
	momentWork := r3.Dot(moment, r3.Cross(p.Axle, p.DAxle)) // work of the tire's moment for each metre of travel, as camber and toe change [N]
	return r3.Dot(inPlane, p.DContact) + brakeMoment*p.DSpin + momentWork
}

// ForceApplication returns the heights above the contact at which the tire's Fx and Fy act on the body [m].
// The tire slips by the speed of these points, so that its forces do the same work on the body as on it.
func (k *Corner) ForceApplication() (x, y float64) { return k.appX, k.appY }
