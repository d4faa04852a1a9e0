package sim

import (
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
)

// axle returns the axle of a wheel.
func (p *Params) axle(i int) *suspension.Params {
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

// stand puts the tires on, and returns where the corners stand and what they carry.
func (c *Car) stand(p *Params, tires [2]*tire.Tire) (at [4]suspension.Station, err error) {
	for i := range at {
		track, x, share := p.station(i)
		a, side := p.axle(i), 1.0
		if i == tire.FR || i == tire.RR {
			side = -1
		}
		load := p.Mass * p.Gravity * share / 2
		more := load * p.CGLeft / (side * track / 2) // on the side of the centre of mass
		w := &c.wheels[i]
		if *w, err = newWheel(a, i, tires[i/2], load+more, p.Mass*share/2, c.dt); err != nil {
			return at, err
		}
		at[i] = suspension.Station{
			Wheel: i, Track: track, X: x, CGLeft: p.CGLeft, CGHeight: p.CGHeight, Gravity: p.Gravity, Load: load, More: more,
			Vertical: w.vertical, Deflection: w.restDeflection(), Firm: w.firm,
		}
		at[i].Dive, at[i].Squat = p.pitching(i)
	}
	return at, nil
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

// sprungResponse returns how the body without its wheels responds to a push along
// its z, to the side of its centre of mass by y and ahead by x [1/kg].
func (p *Params) sprungResponse(y, x float64) float64 {
	mass, xx, yy := p.Mass, p.InertiaXX, p.InertiaYY
	for i := range 4 {
		track, ahead, _ := p.station(i)
		own := p.axle(i).Unsprung
		mass -= own
		xx -= own * track * track / 4
		yy -= own * ahead * ahead
	}
	const least = 0.05 // of what the whole car has, where New refuses the rest
	return 1/max(mass, least*p.Mass) + y*y/max(xx, least*p.InertiaXX) + x*x/max(yy, least*p.InertiaYY)
}
