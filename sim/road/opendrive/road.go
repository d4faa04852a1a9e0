package opendrive

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is a place on a road's surface.
type Pose struct {
	Pos       r3.Vec  // [m, world]
	Normal    r3.Vec  // unit, out of the surface; slopes along and across counted
	Heading   float64 // of the reference line [rad], 0 along x, to the left; not wrapped
	Bank      float64 // superelevation [rad], positive where the left side is higher
	Curvature float64 // of the reference line [1/m], to the left
	Lane      int     // id of the lane, 0 beside the road
}

// At returns the surface at s along the reference line and t to its left [m].
// Beyond the road's ends it is the end, beside the lanes the outermost one goes
// on.
func (r *Road) At(s, t float64) Pose {
	const far = 1e4 // [m]
	s, t = r.clamp(s), min(max(t, -far), far)
	if math.IsNaN(t) {
		t = 0
	}
	x := r.cross(r.section(s), s)
	side, i, inside := x.find(t)
	f := x.frame
	pose := Pose{
		Heading: f.heading, Bank: f.roll, Curvature: f.curvature,
		Pos: f.point(t, x.height(side, i, t)),
	}
	if inside {
		pose.Lane = x.side[side][i].lane.ID
	}
	pose.Normal = r.normal(&x, side, i, t)
	return pose
}

// clamp returns s within the road.
func (r *Road) clamp(s float64) float64 {
	if !(s > 0) {
		return 0
	}
	return min(s, r.Length)
}

// section returns the section that holds at s.
func (r *Road) section(s float64) *Section {
	i := sort.Search(len(r.Sections), func(i int) bool { return r.Sections[i].S > s }) - 1
	return &r.Sections[max(i, 0)]
}

// place returns the reference line at s, seen from above.
func (r *Road) place(s float64) place {
	i := sort.Search(len(r.plan), func(i int) bool { return r.plan[i].s > s }) - 1
	return r.plan[max(i, 0)].at(s)
}

// frame is the reference line at one s with the banked axes.
type frame struct {
	place
	z, climb    float64 // elevation [m] and its slope
	roll, twist float64 // superelevation [rad] and its slope [rad/m]
	ahead       r3.Vec  // level tangent
	across, up  r3.Vec  // the axes of t and of height
	s           float64
}

func (r *Road) frame(s float64) frame {
	f := frame{place: r.place(s), s: s}
	f.z, f.climb = r.elevation.at(s), r.elevation.slope(s)
	f.roll, f.twist = r.superelevation.at(s), r.superelevation.slope(s)
	sin, cos := math.Sincos(f.heading)
	sinr, cosr := math.Sincos(f.roll)
	f.ahead = r3.Vec{X: cos, Y: sin}
	f.across = r3.Vec{X: -sin * cosr, Y: cos * cosr, Z: sinr}
	f.up = r3.Vec{X: sin * sinr, Y: -cos * sinr, Z: cosr}
	return f
}

// point returns the place at t and at a height above the banked plane.
func (f *frame) point(t, h float64) r3.Vec {
	p := r3.Add(r3.Vec{X: f.x, Y: f.y, Z: f.z}, r3.Scale(t, f.across))
	return r3.Add(p, r3.Scale(h, f.up))
}

// normal returns the unit normal from the surface's slopes: those of the
// reference line in closed form, those of heights by differences.
func (r *Road) normal(x *cross, side, i int, t float64) r3.Vec {
	const step = 1e-4 // [m]
	f := &x.frame
	h := x.height(side, i, t)
	ht := (x.height(side, i, t+step) - x.height(side, i, t-step)) / (2 * step)
	lo, hi := r.within(x.section, f.s-step), r.within(x.section, f.s+step)
	hs := 0.0
	if hi > lo {
		before, after := r.cross(x.section, lo), r.cross(x.section, hi)
		hs = (after.height(side, i, t) - before.height(side, i, t)) / (hi - lo)
	}
	sinr, cosr := math.Sincos(f.roll)
	along := r3.Scale(1+f.curvature*(h*sinr-t*cosr), f.ahead)
	along = r3.Add(along, r3.Vec{Z: f.climb})
	along = r3.Add(along, r3.Scale(t*f.twist+hs, f.up))
	along = r3.Sub(along, r3.Scale(h*f.twist, f.across))
	n := r3.Cross(along, r3.Add(f.across, r3.Scale(ht, f.up)))
	if size := r3.Norm(n); size > 1e-12 {
		return r3.Scale(1/size, n)
	}
	return f.up
}

// within returns s inside a section.
func (r *Road) within(sec *Section, s float64) float64 {
	return min(max(s, sec.S), sec.End)
}
