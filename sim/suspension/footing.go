package suspension

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road"
)

// Footing describes how the wheels of an axle find the ground. There are five kinds, which all give the same
// result on even ground.
//
// With ray, one ray points straight down from the hub; the load jumps at a step of the ground. With rays,
// several rays point down along the wheel and beside it, and each stands for the ground around it; the edge
// of a kerb gives a few small jumps. With sweep, edges of the ground between the rays are found too, and the
// wheel rolls over them as a cylinder does.
//
// With sphere or cylinder, a sphere of the wheel's radius (which also touches objects beside the wheel) or a
// cylinder as wide as the tread is moved down from above, and the wheel stands on its first contact. This
// needs a ground for which road.SweeperOf returns a sweeper, such as a mesh; on other grounds they work as
// sweep.
type Footing struct {
	// how a wheel finds the ground. `ray`: one ray straight down from its hub. `rays`: several along its arc
	// and at the sides of its tread. `sweep`: the wheel as a cylinder, which rolls over an edge where a ray
	// jumps. `sphere`, `cylinder`: a sphere of the wheel's radius or a cylinder as wide as the tread, lowered
	// from above onto what it meets first; these two need a mesh, be it paved, fenced or a circuit's, and are
	// a sweep on other grounds and where the wheel would start inside something
	Contact string `toml:"ground_contact" oneof:"ray,rays,sweep,sphere,cylinder"`
	// number of rays along the wheel, for all kinds but ray: 3, 5, 7 or 9
	Rays int `toml:"ground_rays" range:"3 or 5 or 7 or 9"`
	// width of the tread; uneven ground is averaged across it
	TreadWidth float64 `toml:"tire_width_m" range:"0.05..0.6"`
}

// DefaultFooting returns the single ray, which needs the least computing time.
func DefaultFooting() Footing { return Footing{Contact: "ray", Rays: 7, TreadWidth: 0.2} }

const (
	maxRays   = 9
	maxProbes = 10 // largest number of probes of the ground to find an edge
)

// Validate reports every parameter that is out of range.
func (f Footing) Validate() error { return valid.Struct(f) }

// footing is a Footing in the form that a tick needs. The zero value is a single ray.
type footing struct {
	raysPerSide int     // rays ahead of the hub, and as many behind it
	maxProbes   int     // largest number of probes to find an edge between rays; 0 to find none
	width       float64 // width of the tread [m]
	cast        cast    // shape that is swept down if the ground supports it
}

func newFooting(f Footing) footing {
	switch f.Contact {
	case "rays":
		return footing{f.Rays / 2, 0, f.TreadWidth, castNothing}
	case "sweep":
		return footing{f.Rays / 2, maxProbes, f.TreadWidth, castNothing}
	case "sphere":
		return footing{f.Rays / 2, maxProbes, f.TreadWidth, castSphere}
	case "cylinder":
		return footing{f.Rays / 2, maxProbes, f.TreadWidth, castCylinder}
	}
	return footing{}
}

// usesManyRays reports whether the wheel uses more than the single ray below its hub.
func (f *footing) usesManyRays() bool { return f.raysPerSide != 0 }

// supportPlane returns the plane on which a thin disc deflects as the wheel does on the uneven ground. below
// is the contact below the hub, axle the wheel axis (unit vector to the left) [world], radius that of the
// wheel [m].
//
// The deflection of the disc is its radius minus the distance from the hub to the ground, in the plane of the
// disc. The normal of the returned plane is the gradient of that distance. So a wheel gains no energy from
// ground at rest.
func (f *footing) supportPlane(g road.Ground, below road.Contact, hub, axle r3.Vec,
	radius float64) road.Contact {
	if !(below.Depth < 0 && radius > 0) {
		return below
	}
	if f.cast != castNothing {
		if c, ok := f.sweepDown(g, &below, hub, axle, radius); ok {
			return c
		}
	}
	d, ok := newDisc(hub, axle, below)
	if !ok {
		return below
	}
	var hits rayHits
	if f.castRays(g, &d, below, radius, &hits) {
		return below
	}
	return f.planeOnUneven(g, &d, &hits, radius)
}

// rayHits holds the contacts that the rays of a wheel find.
type rayHits struct {
	chord       [maxRays]road.Contact // from the rear to the front
	left, right road.Contact          // at the sides of the tread
}

// castRays stores the contacts of all rays in hits. It reports whether they all lie in the plane of the
// contact below the hub.
func (f *footing) castRays(g road.Ground, d *disc, below road.Contact, radius float64, hits *rayHits) bool {
	flat := true
	for i := -f.raysPerSide; i <= f.raysPerSide; i++ {
		c := &hits.chord[i+f.raysPerSide]
		if i == 0 && !d.inclined {
			*c = below
			continue
		}
		*c = g.Touch(d.rayStart(radius*float64(i)/float64(f.raysPerSide), 0))
		flat = flat && coplanar(c, &below)
	}
	hits.left, hits.right = g.Touch(d.rayStart(0, f.width/2)), g.Touch(d.rayStart(0, -f.width/2))
	return flat && coplanar(&hits.left, &below) && coplanar(&hits.right, &below)
}

// coplanar reports whether two contacts lie in the same plane.
func coplanar(c, o *road.Contact) bool {
	const close = 1e-9
	n, m := &c.Normal, &o.Normal
	return math.Abs(n.X-m.X) <= close && math.Abs(n.Y-m.Y) <= close && math.Abs(n.Z-m.Z) <= close &&
		math.Abs(r3.Dot(*m, r3.Sub(c.Point, o.Point))) <= close
}

// planeOnUneven is supportPlane for contacts that do not all lie in one plane.
func (f *footing) planeOnUneven(g road.Ground, d *disc, hits *rayHits, radius float64) road.Contact {
	below := hits.chord[f.raysPerSide]
	facetBelow, ok := d.facet(&below)
	if !ok {
		return below
	}
	p := profile{assumeNearEdges: f.maxProbes > 0}
	for i := range 2*f.raysPerSide + 1 {
		if next, ok := d.facet(&hits.chord[i]); ok {
			p.facets[p.n] = next
			p.n++
		}
	}
	p.updateSupports(0, p.n)
	f.refine(g, d, radius, &p)
	best := p.supports[p.nearest()]
	if mean, level := f.averageAcross(g, d, hits, &facetBelow); !level && -mean.c < best.distance {
		best = mean.support()
	}
	return d.contact(p.standingSupport(&best, radius), below)
}

// refine probes the ground at further points, until it is certain which parts of it carry the wheel.
func (f *footing) refine(g road.Ground, d *disc, radius float64, p *profile) {
	for range f.maxProbes {
		best := p.nearest()
		x, y, index, ok := p.nextProbe(best)
		if !ok {
			if second := p.secondSupport(&p.supports[best], radius); second >= 0 {
				x, y, index, ok = p.nextProbe(second)
			}
		}
		if !ok {
			return
		}
		c := g.Touch(d.toWorld(x, y))
		found, ok := d.facet(&c)
		if !ok {
			return
		}
		p.insert(index, found)
	}
}

// disc is the plane of a wheel with coordinates from the hub: x forward along the ground below the hub, y up
// from that ground.
type disc struct {
	hub, forward, up, axle r3.Vec
	// start of the middle ray: at the height of the hub, above the point where the disc meets the ground [m,
	// world]
	rayOrigin r3.Vec
	inclined  bool // the wheel is inclined, so that rayOrigin is not the hub
}

// newDisc returns the disc of a wheel. It returns false if the wheel is inclined by more than 60°.
func newDisc(hub, axle r3.Vec, below road.Contact) (disc, bool) {
	forward := r3.Cross(axle, below.Normal)
	cosLean := math.Sqrt(r3.Dot(forward, forward))
	if !(cosLean >= minCosLean) {
		return disc{}, false
	}
	forward = r3.Scale(1/cosLean, forward)
	d := disc{hub: hub, forward: forward, up: r3.Cross(forward, axle), axle: axle, rayOrigin: hub}
	tilt := r3.Dot(axle, below.Normal)
	if math.Abs(tilt) > 1e-9 {
		sideways := r3.Sub(axle, r3.Scale(tilt, below.Normal))
		d.rayOrigin = r3.Sub(hub, r3.Scale(below.Depth*tilt/(cosLean*cosLean), sideways))
		d.inclined = true
	}
	return d, true
}

// toWorld returns a point of the disc in the world [m].
func (d *disc) toWorld(x, y float64) r3.Vec {
	return r3.Add(d.hub, r3.Add(r3.Scale(x, d.forward), r3.Scale(y, d.up)))
}

// rayStart returns the start of the ray at the distance x ahead of the hub and left to its left [m].
func (d *disc) rayStart(x, left float64) r3.Vec {
	return r3.Add(d.rayOrigin, r3.Add(r3.Scale(x, d.forward), r3.Scale(left, d.axle)))
}

// facet is a plane of the ground in the coordinates of a disc: a·x + b·y + tilt·left = c. In the disc, where
// left is 0, it is a line whose unit normal (a, b) points out of the ground.
type facet struct {
	a, b, c, tilt float64
	x, y          float64 // point of the line where a ray found it
	Ground
}

// facet returns the plane of a contact as a facet. It returns false if the plane is parallel to the disc.
func (d *disc) facet(c *road.Contact) (facet, bool) {
	a, b := r3.Dot(c.Normal, d.forward), r3.Dot(c.Normal, d.up)
	length := math.Sqrt(a*a + b*b)
	if !(length > 1e-3) {
		return facet{}, false
	}
	toPoint := r3.Sub(c.Point, d.hub)
	f := facet{a: a / length, b: b / length, c: r3.Dot(c.Normal, toPoint) / length,
		tilt: r3.Dot(c.Normal, d.axle) / length, Ground: groundAt(c)}
	f.x, f.y = f.nearestPoint(r3.Dot(toPoint, d.forward), r3.Dot(toPoint, d.up))
	return f, true
}

// nearestPoint returns the point of the facet's line nearest to (x, y).
func (f *facet) nearestPoint(x, y float64) (float64, float64) {
	off := f.heightOver(x, y)
	return x - off*f.a, y - off*f.b
}

// heightOver returns the distance of a point from the facet's line, positive above the ground [m].
func (f *facet) heightOver(x, y float64) float64 { return f.a*x + f.b*y - f.c }

// alongLine returns the coordinate of a point along the facet's line, positive forward [m].
func (f *facet) alongLine(x, y float64) float64 { return f.b*x - f.a*y }

// contact returns the plane of a support as a contact. If the support is NaN or Inf, it returns below.
func (d *disc) contact(s support, below road.Contact) road.Contact {
	cosLean := 1 / math.Sqrt(1+s.tilt*s.tilt)
	if !(cosLean > 0) || !(math.Abs(s.distance) < math.Inf(1)) {
		return below
	}
	normal := r3.Add(r3.Scale(s.x, d.forward), r3.Scale(s.y, d.up))
	return road.Contact{
		Point:   r3.Sub(d.hub, r3.Scale(s.distance, normal)),
		Normal:  r3.Scale(cosLean, r3.Add(normal, r3.Scale(s.tilt, d.axle))),
		Depth:   -s.distance * cosLean,
		Surface: s.Surface, Material: s.Material, AreaNumber: s.Area,
	}
}

// averageAcross returns the plane below the hub, raised to the mean height over the width of the tread. level
// is true if there is no step under either half of the tread.
//
// The mean is weighted by the parabola 6·(1/4 - t²), with t from -1/2 to 1/2 of the width, so that an edge
// along the wheel lifts it gradually.
func (f *footing) averageAcross(g road.Ground, d *disc, hits *rayHits, below *facet) (mean facet, level bool) {
	left := f.treadStep(g, d, below, &hits.left, f.width)
	right := f.treadStep(g, d, below, &hits.right, -f.width)
	mean = *below
	mean.c += left.lift + right.lift
	mean.tilt += right.slope - left.slope
	mean.x, mean.y = mean.nearestPoint(0, 0)
	return mean, left == treadStep{} && right == treadStep{}
}

// treadStep is the effect of a step under one half of the tread: the rise of the mean height [m], and the
// further rise for each metre that the wheel moves towards that side.
type treadStep struct{ lift, slope float64 }

// treadStep returns the effect of a step between the facet below the hub and the contact at one side of the
// tread. width is the tread's width, negative for the right side [m].
func (f *footing) treadStep(g road.Ground, d *disc, below *facet, side *road.Contact, width float64) treadStep {
	outer, ok := d.facet(side)
	if !ok || below.crosses(&outer, width/2) {
		return treadStep{}
	}
	t, step := 0.25, outer.heightAbove(below, width/4) // of the width
	if f.maxProbes > 0 {
		t, step = f.findStep(g, d, *below, outer, width)
	}
	return treadStep{step * (0.5 - (1.5-2*t*t)*t), step * 6 * (0.25 - t*t) / f.width}
}

// heightAbove returns how far f is above g at a distance to the left of the hub [m].
func (f *facet) heightAbove(g *facet, left float64) float64 {
	return f.c - f.tilt*left - (g.c - g.tilt*left)
}

// crosses reports whether two facets are the same plane or cross between the hub and the distance left to its
// left [m].
func (f *facet) crosses(g *facet, left float64) bool {
	const close = 1e-9 // [m]
	here, there := f.heightAbove(g, 0), f.heightAbove(g, left)
	return !(min(here, there) > close || max(here, there) < -close)
}

// findStep returns the position of a step of the ground between the hub and the side of the tread, as a share
// of the width, and the height of the step [m]. It uses bisection.
func (f *footing) findStep(g road.Ground, d *disc, inner, outer facet, width float64) (t, step float64) {
	low, high := 0.0, 0.5
	for range f.maxProbes {
		t = (low + high) / 2
		c := g.Touch(d.rayStart(0, t*width))
		found, ok := d.facet(&c)
		if !ok {
			break
		}
		if math.Abs(found.heightAbove(&outer, t*width)) < math.Abs(found.heightAbove(&inner, t*width)) {
			high, outer = t, found
		} else {
			low, inner = t, found
		}
	}
	t = (low + high) / 2
	return t, outer.heightAbove(&inner, t*width)
}
