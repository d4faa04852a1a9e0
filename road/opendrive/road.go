package opendrive

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is a point on a road's surface.
type Pose struct {
	Pos       r3.Vec  // [m, world]
	Normal    r3.Vec  // unit, out of the surface; includes slopes along and across
	Heading   float64 // of the reference line [rad], 0 along x, positive to the left; not wrapped
	Bank      float64 // superelevation [rad], positive where the left side is higher
	Curvature float64 // of the reference line [1/m], positive to the left
	Lane      int     // id of the lane, 0 beside the road
}

// At returns the surface at s along the reference line and t to its left [m]. s is limited to the road's length.
// Beside the road, the surface of the outermost lane continues.
func (r *Road) At(s, t float64) Pose {
	const maxT = 1e4 // [m]
	s, t = r.clamp(s), min(max(t, -maxT), maxT)
	if math.IsNaN(t) {
		t = 0
	}
	x := r.crossSection(r.section(s), s)
	side, i, inside := x.laneAt(t)
	f := x.frame
	pose := Pose{
		Heading: f.heading, Bank: f.bank, Curvature: f.curvature,
		Pos: f.point(t, x.height(side, i, t)),
	}
	if inside {
		pose.Lane = x.sides[side][i].lane.ID
	}
	pose.Normal = r.normal(&x, side, i, t)
	return pose
}

// clamp returns s limited to the road.
func (r *Road) clamp(s float64) float64 {
	if !(s > 0) {
		return 0
	}
	return min(s, r.Length)
}

// section returns the section at s.
func (r *Road) section(s float64) *Section {
	i := sort.Search(len(r.Sections), func(i int) bool { return r.Sections[i].S > s }) - 1
	return &r.Sections[max(i, 0)]
}

// planPoint returns the reference line at s, seen from above.
func (r *Road) planPoint(s float64) planPoint {
	i := sort.Search(len(r.plan), func(i int) bool { return r.plan[i].s > s }) - 1
	return r.plan[max(i, 0)].at(s)
}

// frame is the reference line at one s, with the axes of the banked plane.
type frame struct {
	planPoint
	z, grade       float64 // elevation [m] and its slope
	bank, bankRate float64 // superelevation [rad] and its slope [rad/m]
	ahead          r3.Vec  // horizontal unit tangent
	across, up     r3.Vec  // unit vectors along t and along heights above the banked plane
	s              float64
}

// frame returns the frame at s.
func (r *Road) frame(s float64) frame {
	f := frame{planPoint: r.planPoint(s), s: s}
	f.z, f.grade = r.elevation.at(s), r.elevation.derivative(s)
	f.bank, f.bankRate = r.superelevation.at(s), r.superelevation.derivative(s)
	sin, cos := math.Sincos(f.heading)
	sinBank, cosBank := math.Sincos(f.bank)
	f.ahead = r3.Vec{X: cos, Y: sin}
	f.across = r3.Vec{X: -sin * cosBank, Y: cos * cosBank, Z: sinBank}
	f.up = r3.Vec{X: sin * sinBank, Y: -cos * sinBank, Z: cosBank}
	return f
}

// point returns the position at t and at a height h above the banked plane.
func (f *frame) point(t, h float64) r3.Vec {
	p := r3.Add(r3.Vec{X: f.x, Y: f.y, Z: f.z}, r3.Scale(t, f.across))
	return r3.Add(p, r3.Scale(h, f.up))
}

// normal returns the unit normal of the surface of lane i at t. It computes the slopes of the reference line in
// closed form and those of the heights by finite differences.
func (r *Road) normal(x *crossSection, side, i int, t float64) r3.Vec {
	const step = 1e-4 // [m]
	f := &x.frame
	h := x.height(side, i, t)
	slopeT := (x.height(side, i, t+step) - x.height(side, i, t-step)) / (2 * step)
	from, to := r.within(x.section, f.s-step), r.within(x.section, f.s+step)
	slopeS := 0.0
	if to > from {
		before, after := r.crossSection(x.section, from), r.crossSection(x.section, to)
		slopeS = (after.height(side, i, t) - before.height(side, i, t)) / (to - from)
	}
	sinBank, cosBank := math.Sincos(f.bank)
	along := r3.Scale(1+f.curvature*(h*sinBank-t*cosBank), f.ahead)
	along = r3.Add(along, r3.Vec{Z: f.grade})
	along = r3.Add(along, r3.Scale(t*f.bankRate+slopeS, f.up))
	along = r3.Sub(along, r3.Scale(h*f.bankRate, f.across))
	n := r3.Cross(along, r3.Add(f.across, r3.Scale(slopeT, f.up)))
	if size := r3.Norm(n); size > 1e-12 {
		return r3.Scale(1/size, n)
	}
	return f.up
}

// within returns s limited to a section.
func (r *Road) within(sec *Section, s float64) float64 {
	return min(max(s, sec.S), sec.End)
}
