package sim

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/chassis"
	"rig.example/rig/sim/tire"
)

// corner is the constant part of one wheel and its suspension.
type corner struct {
	axle       *Axle
	place      r3.Vec  // hub at rest, less the travel [m, body]
	side       float64 // 1 on the left, -1 on the right
	mass       float64 // unsprung [kg]
	law        springLaw
	damper     damperLaw
	links      links
	footing    footing
	ratio      float64 // motion ratio of still links
	firm       float64 // how the contact's force answers to its speed within a tick, at most [N·s/m]
	appX, appY float64 // height above the contact at which the body takes Fx and Fy past the links [m]
	restTravel float64
	restLoad   float64
	model      tire.Model
	wheel      tire.Roller
	vertical   *tire.Vertical
	pressure   float64       // inflation when cold [Pa]; 0 is the tire's own
	thermal    *tire.Thermal // nil where temperature and wear do not count
}

// axle returns the axle of a wheel.
func (p *Params) axle(i int) *Axle {
	if i < tire.RL {
		return &p.Front
	}
	return &p.Rear
}

// station returns the track of a wheel's axle, its place ahead of the centre
// of mass [m], and the share of the weight on that axle by the lever rule.
func (p *Params) station(i int) (track, x, share float64) {
	if i < tire.RL {
		return p.TrackFront, p.CGToFront, (p.Wheelbase - p.CGToFront) / p.Wheelbase
	}
	return p.TrackRear, p.CGToFront - p.Wheelbase, p.CGToFront / p.Wheelbase
}

// newCorner places the suspension so that the car stands level at its centre
// of mass height under its own weight.
func newCorner(p Params, i int, t *tire.Tire, dt float64) (corner, error) {
	track, x, share := p.station(i)
	k := corner{axle: p.axle(i), side: 1}
	k.footing = newFooting(k.axle.Footing)
	side := tire.Left
	if i == tire.FR || i == tire.RR {
		k.side, side = -1, tire.Right
	}
	y := k.side * track / 2
	load := p.Mass * p.Gravity * share / 2
	more := load * p.CGLeft / y // on the side of the centre of mass
	k.restLoad, k.mass, k.damper = load+more, k.axle.Unsprung, newDamperLaw(k.axle)
	if err := k.shoe(t, side, p.Mass*share/2, dt); err != nil {
		return corner{}, err
	}
	hubHeight := k.vertical.FreeRadius(0) - k.restDeflection()
	if hubHeight < k.vertical.Flat() {
		return corner{}, fmt.Errorf("tire of wheel %d stands on its rim under %.0f N: raise tire_vertical_n_per_m, choose a tire for that load, or lower mass_kg", i, k.restLoad)
	}
	k.hang(p, i, load-k.mass*p.Gravity, hubHeight)
	k.seat(more)
	if k.restTravel > k.axle.StopStart {
		return corner{}, fmt.Errorf("axle of wheel %d rests on its bump stops, %.3f m down of %.3f m: stiffen its springs or lift the stops",
			i, k.restTravel, k.axle.StopStart)
	}
	k.place = r3.Vec{X: x, Y: y - p.CGLeft, Z: hubHeight - p.CGHeight - k.restTravel}
	return k, nil
}

// hang finds spring, links and the travel at rest under a load on the spring
// [N]. A motion ratio that changes with the bump from rest makes them depend
// on each other.
func (k *corner) hang(p Params, i int, load, hubHeight float64) {
	a := k.axle
	kin := &a.Kinematics
	k.ratio = kin.MotionRatio
	track, _, _ := p.station(i)
	d := dims{radius: hubHeight, track: track}
	d.dive, d.squat = p.pitching(i)
	if kin.MotionRatio == 1 && len(kin.Table) == 0 {
		k.law = newSpringLaw(a, nil)
		k.restTravel = k.law.under(load)
	} else {
		k.settleOn(load, kin.ratios())
	}
	d.rest = k.restTravel
	k.links = newLinks(a, d)
	if kin.ForceApp {
		k.appX, k.appY = kin.ForceAppPoint, kin.ForceAppPoint
	}
	k.appY += kin.RollReduction * (p.CGHeight - k.appY)
}

// seat lifts the spring's seat so that it carries more [N] where it rests, which
// leaves a car level whose centre of mass is not in its middle.
func (k *corner) seat(more float64) {
	if more == 0 {
		return
	}
	a, ratios := *k.axle, k.axle.Kinematics.ratios()
	a.Spring.Preload += more / ratios(0)
	k.law = newSpringLaw(&a, func(travel float64) float64 { return ratios(travel - k.restTravel) })
}

// settleOn finds the travel at rest under a load on the spring [N], and the spring
// that it has there, by halving: the higher the body is to hang, the less it carries.
func (k *corner) settleOn(load float64, ratios func(bump float64) float64) {
	ratio := func(travel float64) float64 { return ratios(travel - k.restTravel) }
	low, high := 0.0, k.axle.Travel
	for range 50 {
		k.restTravel = (low + high) / 2
		k.law = newSpringLaw(k.axle, ratio)
		if force, _ := k.law.at(k.restTravel); force < load {
			low = k.restTravel
		} else {
			high = k.restTravel
		}
	}
}

// pitching returns the slopes of the links at which they carry all of the load
// transfer of braking and of driving: the contact's way ahead, and the hub's,
// for each metre of bump.
func (p *Params) pitching(i int) (dive, squat float64) {
	steep := p.CGHeight / p.Wheelbase
	b, d := p.Brakes.FrontShare, p.Driveline.FrontShare
	if i >= tire.RL {
		steep, b, d = -steep, 1-b, 1-d
	}
	const least = 0.1 // of a force that does not count
	if b >= least {
		dive = steep / b
	}
	if d >= least {
		squat = steep / d
	}
	return dive, squat
}

// shoe puts a tire on, on its side of the car, that is to carry a mass [kg].
func (k *corner) shoe(t *tire.Tire, side tire.Side, carried, dt float64) error {
	var err error
	if k.vertical, err = tire.NewVertical(k.axle.spring(t)); err != nil {
		return err
	}
	if k.wheel, err = k.axle.roller(t, side, dt); err != nil {
		return err
	}
	k.model, k.pressure = t.Model, t.Pressure
	k.firm = k.grasp(carried, dt)
	if own := k.axle.Tire.Pressure; own > 0 {
		k.pressure = own * 1e3
	}
	if k.axle.Tire.Heat.Enabled {
		k.thermal, err = tire.NewThermal(k.axle.Tire.Heat, dt)
	}
	return err
}

// grasp returns how the force of a contact that holds answers to its speed within
// a tick [N·s/m]: by the mass carried [kg] that dry friction stops, or by the carcass.
func (k *corner) grasp(carried, dt float64) float64 {
	if _, dry := k.model.(*tire.Coulomb); dry {
		return carried / dt
	}
	const relaxes = 0.1 // [m], less than most
	can := k.model.Capacity(tire.Contact{Load: k.restLoad, Surface: tire.Dry(), Pressure: k.pressure})
	return max(can.StiffnessX, can.StiffnessY)/relaxes*dt + k.axle.Wheel.Damping
}

// restDeflection returns how far the tire yields to the car at rest [m].
func (k *corner) restDeflection() float64 {
	if k.restLoad == 0 { // without gravity
		return 0
	}
	own := k.vertical.Deflection(k.restLoad)
	filled := k.vertical.Force(own, tire.Running{Pressure: k.pressure})
	return k.vertical.Deflection(k.restLoad * k.restLoad / filled)
}

// compliance returns the slip angle for each load of side force, at rest [rad].
func (k *corner) compliance() float64 {
	can := k.model.Capacity(tire.Contact{Load: k.restLoad, Surface: tire.Dry(), Pressure: k.pressure})
	return k.restLoad / can.StiffnessY
}

// radius returns the effective rolling radius at rest [m].
func (k *corner) radius() float64 { return k.vertical.EffectiveRadius(k.restLoad, 0) }

// local returns where the wheel's centre is at a travel [m, body].
func (k *corner) local(travel float64) r3.Vec {
	var st stance
	if !k.links.still {
		k.links.at(&st, travel)
	}
	return k.held(travel, &st)
}

// held returns the same for links that hold the wheel so.
func (k *corner) held(travel float64, st *stance) r3.Vec {
	at := k.place
	at.X += st.ahead
	at.Y += k.side * st.out
	at.Z += travel
	return at
}

// rim returns the lowest point of a wheel at full bump, its tire pressed flat [m, body].
func (k *corner) rim() r3.Vec {
	at := k.local(k.axle.Travel)
	at.Z -= k.vertical.Flat()
	return at
}

// hub returns what local does, in the world.
func (k *corner) hub(pos r3.Vec, b chassis.Axes, travel float64) r3.Vec {
	return r3.Add(pos, b.Out(k.local(travel)))
}
