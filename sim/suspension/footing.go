package suspension

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/valid"
	"rig.example/rig/sim/road"
)

// Footing says how the wheels of an axle find the ground.
//
// A ray looks straight down from the hub and jumps where the ground does. Rays
// look down along the wheel's chord and beside it, each for the piece of ground
// around it: a kerb's edge comes in a few small jumps. A sweep also finds out
// where between two rays the ground breaks, so that the wheel rolls over an edge
// as a cylinder does.
//
// A sphere or a cylinder is lowered from above, and the wheel stands on what that
// meets first: a sphere of the wheel's radius, which also feels what is beside
// it, or a cylinder as wide as the tread. They need a ground that road.CasterOf
// knows to cast, as a mesh; on others they are a sweep. On even ground all five are
// the same.
type Footing struct {
	Contact string  `toml:"ground_contact"` // ray, rays, sweep, sphere or cylinder
	Rays    int     `toml:"ground_rays"`    // along the chord, of all but ray: 3, 5, 7 or 9
	Width   float64 `toml:"tire_width_m"`   // of the tread, which averages the ground across it
}

// DefaultFooting is the single ray, which costs least.
func DefaultFooting() Footing { return Footing{Contact: "ray", Rays: 7, Width: 0.2} }

const (
	mostRays  = 9
	mostFinds = 10 // touches that look for one place of the ground
)

// Validate reports every parameter that is out of range.
func (f Footing) Validate() error {
	var errs []error
	switch f.Contact {
	case "ray", "rays", "sweep", "sphere", "cylinder":
	default:
		errs = append(errs, fmt.Errorf("ground_contact %q is not known; choose ray, rays, sweep, sphere or cylinder", f.Contact))
	}
	if f.Rays%2 == 0 {
		errs = append(errs, fmt.Errorf("ground_rays = %d: one is below the hub, so take an odd number", f.Rays))
	}
	return errors.Join(append(errs,
		valid.InRange("ground_rays", float64(f.Rays), 3, mostRays),
		valid.InRange("tire_width_m", f.Width, 0.05, 0.6))...)
}

// footing is a Footing as a tick needs it. The zero value is a single ray.
type footing struct {
	side  int     // rays before the hub, and as many behind it
	finds int     // touches that look for a break
	width float64 // of the tread [m]
	cast  cast    // what is lowered where the ground allows it
}

func newFooting(f Footing) footing {
	switch f.Contact {
	case "rays":
		return footing{f.Rays / 2, 0, f.Width, castNothing}
	case "sweep":
		return footing{f.Rays / 2, mostFinds, f.Width, castNothing}
	case "sphere":
		return footing{f.Rays / 2, mostFinds, f.Width, castSphere}
	case "cylinder":
		return footing{f.Rays / 2, mostFinds, f.Width, castCylinder}
	}
	return footing{}
}

// looks tells whether the wheel looks further than straight below its hub.
func (f *footing) looks() bool { return f.side != 0 }

// feel returns the plane that a wheel stands on, by the ground around what is
// below its hub: a thin disc on it deflects as the wheel does on the ground.
// axle is a unit vector to the left, in the world.
//
// The disc's deflection is its radius less the distance from the hub to the
// ground, in the disc's plane, and the plane is square to the gradient of that:
// on ground that stays where it is a wheel gains nothing on its way.
func (f *footing) feel(g road.Ground, below road.Contact, hub, axle r3.Vec, radius float64) road.Contact {
	if !(below.Depth < 0 && radius > 0) {
		return below
	}
	if f.cast != castNothing {
		if c, ok := f.land(g, &below, hub, axle, radius); ok {
			return c
		}
	}
	d, ok := newDisc(hub, axle, below)
	if !ok {
		return below
	}
	var seen sight
	if f.look(g, &d, below, radius, &seen) {
		return below
	}
	return f.roll(g, &d, &seen, radius)
}

// sight is what the rays of a wheel see.
type sight struct {
	chord       [mostRays]road.Contact // from the rear to the front
	left, right road.Contact           // at the sides of the tread
}

// look tells whether all that the rays see is the plane below the hub.
func (f *footing) look(g road.Ground, d *disc, below road.Contact, radius float64, seen *sight) bool {
	even := true
	for i := -f.side; i <= f.side; i++ {
		c := &seen.chord[i+f.side]
		if i == 0 && !d.leans {
			*c = below
			continue
		}
		*c = g.Touch(d.above(radius*float64(i)/float64(f.side), 0))
		even = even && flush(c, &below)
	}
	seen.left, seen.right = g.Touch(d.above(0, f.width/2)), g.Touch(d.above(0, -f.width/2))
	return even && flush(&seen.left, &below) && flush(&seen.right, &below)
}

// flush tells whether two contacts are of one plane.
func flush(c, o *road.Contact) bool {
	const close = 1e-9
	n, m := &c.Normal, &o.Normal
	return math.Abs(n.X-m.X) <= close && math.Abs(n.Y-m.Y) <= close && math.Abs(n.Z-m.Z) <= close &&
		math.Abs(r3.Dot(*m, r3.Sub(c.Point, o.Point))) <= close
}

// roll finds what carries the wheel on uneven ground.
func (f *footing) roll(g road.Ground, d *disc, seen *sight, radius float64) road.Contact {
	below := seen.chord[f.side]
	under, ok := d.facet(&below)
	if !ok {
		return below
	}
	p := profile{optimistic: f.finds > 0}
	for i := range 2*f.side + 1 {
		if next, ok := d.facet(&seen.chord[i]); ok {
			p.facets[p.n] = next
			p.n++
		}
	}
	p.measure(0, p.n)
	f.find(g, d, radius, &p)
	best := p.supports[p.nearest()]
	if bank, level := f.across(g, d, seen, &under); !level && -bank.c < best.d {
		best = bank.support()
	}
	return d.contact(p.stand(&best, radius), below)
}

// find looks where it is not certain what carries the wheel, or helps to.
func (f *footing) find(g road.Ground, d *disc, radius float64, p *profile) {
	for range f.finds {
		best := p.nearest()
		x, y, at, ok := p.doubt(best)
		if !ok {
			if rival := p.rival(&p.supports[best], radius); rival >= 0 {
				x, y, at, ok = p.doubt(rival)
			}
		}
		if !ok {
			return
		}
		c := g.Touch(d.place(x, y))
		seen, ok := d.facet(&c)
		if !ok {
			return
		}
		p.insert(at, seen)
	}
}

// disc is a wheel's own plane: places in it count from the hub, x along its
// heading on the ground below and y up from that ground.
type disc struct {
	hub, forward, up, axle r3.Vec
	eye                    r3.Vec // as high as the hub, above where the disc meets the ground
	leans                  bool   // and therefore not at the hub
}

// newDisc tells too whether the wheel stands at all; it may lie down.
func newDisc(hub, axle r3.Vec, below road.Contact) (disc, bool) {
	forward := r3.Cross(axle, below.Normal)
	lean := math.Sqrt(r3.Dot(forward, forward))
	if !(lean >= leastLean) {
		return disc{}, false
	}
	forward = r3.Scale(1/lean, forward)
	d := disc{hub: hub, forward: forward, up: r3.Cross(forward, axle), axle: axle, eye: hub}
	tilt := r3.Dot(axle, below.Normal)
	if math.Abs(tilt) > 1e-9 {
		aside := r3.Sub(axle, r3.Scale(tilt, below.Normal))
		d.eye = r3.Sub(hub, r3.Scale(below.Depth*tilt/(lean*lean), aside))
		d.leans = true
	}
	return d, true
}

// place returns the place in the world of one in the disc [m].
func (d *disc) place(x, y float64) r3.Vec {
	return r3.Add(d.hub, r3.Add(r3.Scale(x, d.forward), r3.Scale(y, d.up)))
}

// above returns the place to look down from at the ground below x and beside it.
func (d *disc) above(x, left float64) r3.Vec {
	return r3.Add(d.eye, r3.Add(r3.Scale(x, d.forward), r3.Scale(left, d.axle)))
}

// facet is a plane of the ground, cut by the disc: a·x + b·y = c, with (a, b) a
// unit vector out of the ground. A step to the left on it is one of tilt up, as
// a·x + b·y + tilt·left = c.
type facet struct {
	a, b, c, tilt float64
	x, y          float64 // where it was seen, on the line
	Ground
}

// facet cuts a contact's plane; it fails if that stands along the disc.
func (d *disc) facet(c *road.Contact) (facet, bool) {
	a, b := r3.Dot(c.Normal, d.forward), r3.Dot(c.Normal, d.up)
	long := math.Sqrt(a*a + b*b)
	if !(long > 1e-3) {
		return facet{}, false
	}
	to := r3.Sub(c.Point, d.hub)
	f := facet{a: a / long, b: b / long, c: r3.Dot(c.Normal, to) / long,
		tilt: r3.Dot(c.Normal, d.axle) / long, Ground: groundOf(c)}
	f.x, f.y = f.foot(r3.Dot(to, d.forward), r3.Dot(to, d.up))
	return f, true
}

// foot returns the place on the facet's line nearest to another.
func (f *facet) foot(x, y float64) (float64, float64) {
	off := f.over(x, y)
	return x - off*f.a, y - off*f.b
}

// over returns how far a place is above the facet's line [m].
func (f *facet) over(x, y float64) float64 { return f.a*x + f.b*y - f.c }

// along returns how far a place is along the line, forwards.
func (f *facet) along(x, y float64) float64 { return f.b*x - f.a*y }

// contact returns the plane of a support.
func (d *disc) contact(s support, below road.Contact) road.Contact {
	lean := 1 / math.Sqrt(1+s.tilt*s.tilt)
	if !(lean > 0) || !(math.Abs(s.d) < math.Inf(1)) {
		return below
	}
	out := r3.Add(r3.Scale(s.x, d.forward), r3.Scale(s.y, d.up))
	return road.Contact{
		Point:   r3.Sub(d.hub, r3.Scale(s.d, out)),
		Normal:  r3.Scale(lean, r3.Add(out, r3.Scale(s.tilt, d.axle))),
		Depth:   -s.d * lean,
		Surface: s.Surface, Material: s.Material, Area: s.Area,
	}
}

// across looks for steps of the ground under either half of the tread, and tells
// whether there are none. The bank is the plane below the hub, raised to the mean
// over the tread.
//
// The mean is weighted with the parabola 6·(1/4 - t²), t from -1/2 to 1/2 of the
// width, so that an edge along the wheel lifts it by degrees.
func (f *footing) across(g road.Ground, d *disc, seen *sight, under *facet) (bank facet, level bool) {
	left := f.flank(g, d, under, &seen.left, f.width)
	right := f.flank(g, d, under, &seen.right, -f.width)
	bank = *under
	bank.c += left.lift + right.lift
	bank.tilt += right.slope - left.slope
	bank.x, bank.y = bank.foot(0, 0)
	return bank, left == flank{} && right == flank{}
}

// flank is what a step under one half of the tread adds to the mean height [m],
// and for each metre that the wheel moves towards that side.
type flank struct{ lift, slope float64 }

func (f *footing) flank(g road.Ground, d *disc, under *facet, side *road.Contact, width float64) flank {
	outer, ok := d.facet(side)
	if !ok || under.meets(&outer, width/2) {
		return flank{}
	}
	t, step := 0.25, outer.higher(under, width/4) // of the width
	if f.finds > 0 {
		t, step = f.ledge(g, d, *under, outer, width)
	}
	return flank{step * (0.5 - (1.5-2*t*t)*t), step * 6 * (0.25 - t*t) / f.width}
}

// higher returns how far one facet is above another, to the left of the hub [m].
func (f *facet) higher(g *facet, left float64) float64 {
	return f.c - f.tilt*left - (g.c - g.tilt*left)
}

// meets tells whether two facets are one plane, or cross between the hub and a
// place beside it.
func (f *facet) meets(g *facet, left float64) bool {
	const close = 1e-9 // [m]
	here, there := f.higher(g, 0), f.higher(g, left)
	return !(min(here, there) > close || max(here, there) < -close)
}

// ledge finds where between the hub and the tread's side the ground steps, as a
// share of the width, and by how much [m].
func (f *footing) ledge(g road.Ground, d *disc, under, outer facet, width float64) (t, step float64) {
	low, high := 0.0, 0.5
	for range f.finds {
		t = (low + high) / 2
		c := g.Touch(d.above(0, t*width))
		seen, ok := d.facet(&c)
		if !ok {
			break
		}
		if math.Abs(seen.higher(&outer, t*width)) < math.Abs(seen.higher(&under, t*width)) {
			high, outer = t, seen
		} else {
			low, under = t, seen
		}
	}
	t = (low + high) / 2
	return t, outer.higher(&under, t*width)
}
