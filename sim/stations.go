package sim

import (
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// axle returns the parameters of the axle of wheel i.
func (p *Params) axle(i int) *suspension.Params {
	if i < tire.RL {
		return &p.Front
	}
	return &p.Rear
}

// axleGeometry returns the track of the axle of wheel i [m], the axle's position ahead of the center of mass
// [m], and the axle's share of the weight, which follows from the lever rule.
func (p *Params) axleGeometry(i int) (track, x, share float64) {
	if i < tire.RL {
		return p.TrackFront, p.CGToFront, (p.Wheelbase - p.CGToFront) / p.Wheelbase
	}
	return p.TrackRear, p.CGToFront - p.Wheelbase, p.CGToFront / p.Wheelbase
}

// newWheels builds c.wheels with the tires of the front and the rear axle. It returns the position and the
// load at rest of each corner.
func (c *Car) newWheels(p *Params, tires [2]*tire.Tire) (at [4]suspension.Station, err error) {
	for i := range at {
		track, x, share := p.axleGeometry(i)
		a, side := p.axle(i), 1.0
		if i == tire.FR || i == tire.RR {
			side = -1
		}
		load := p.Mass * p.Gravity * share / 2
		extra := load * p.CGLeft / (side * track / 2) // additional load, because the center of mass is beside the middle
		w := &c.wheels[i]
		if *w, err = newWheel(a, i, tires[i/2], load+extra, p.Mass*share/2, c.dt); err != nil {
			return at, err
		}
		at[i] = suspension.Station{
			Wheel: i, Track: track, X: x, CGLeft: p.CGLeft, CGHeight: p.CGHeight, Gravity: p.Gravity, Load: load, ExtraLoad: extra,
			Vertical: w.vertical, Deflection: w.restDeflection(), ContactDamping: w.contactDamping,
		}
		at[i].AntiDiveSlope, at[i].AntiSquatSlope = p.antiPitchSlopes(i)
	}
	return at, nil
}

// antiPitchSlopes returns the paths on which an axle has 100 % anti-dive and 100 % anti-squat: the forward
// motion of the contact (dive) and of the hub (squat) for each metre of bump.
func (p *Params) antiPitchSlopes(i int) (dive, squat float64) {
	slope := p.CGHeight / p.Wheelbase
	braking, driving := p.Brakes.FrontShare, p.Driveline.FrontShare
	if i >= tire.RL {
		slope, braking, driving = -slope, 1-braking, 1-driving
	}
	const minShare = 0.1 // share of the brake or drive torque below which an axle counts as not braked or not driven
	if braking >= minShare {
		dive = slope / braking
	}
	if driving >= minShare {
		squat = slope / driving
	}
	return dive, squat
}

// sprungMobility returns the vertical mobility of the body without its wheels [1/kg]: the speed that an impulse
// of 1 N·s gives to the point on which it acts. The point is y to the left of the center of mass and x ahead of
// it [m].
func (p *Params) sprungMobility(y, x float64) float64 {
	mass, xx, yy := p.Mass, p.InertiaXX, p.InertiaYY
	for i := range 4 {
		track, ahead, _ := p.axleGeometry(i)
		unsprung := p.axle(i).UnsprungMass
		mass -= unsprung
		xx -= unsprung * track * track / 4
		yy -= unsprung * ahead * ahead
	}
	const minShare = 0.05 // of the whole car's mass and inertia; with less, New returns an error
	return 1/max(mass, minShare*p.Mass) + y*y/max(xx, minShare*p.InertiaXX) + x*x/max(yy, minShare*p.InertiaYY)
}
