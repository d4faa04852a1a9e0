package layout

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
)

// beside is a place as the road sees it.
type beside struct {
	station, lateral float64    // [m]
	at               road.Point // on the line
	out              float64    // beyond the road's edge [m], negative on the road
	kerb             float64    // width of the kerb there [m]
	widens, grows    float64    // how out and kerb change along the line
	sin, cos         float64    // of the line's heading
}

// locate finds a place on the road or beside it.
func (r *Ribbon) locate(p r3.Vec) beside {
	s, at, lateral := r.line.Foot(p, math.NaN())
	b := beside{station: r.line.Wrap(s), lateral: lateral, at: at}
	from, to := r.line.Around(b.station)
	if lateral < 0 {
		b.out, b.kerb = -lateral-at.Right, at.KerbRight
		b.widens, b.grows = from.Right-to.Right, to.KerbRight-from.KerbRight
	} else {
		b.out, b.kerb = lateral-at.Left, at.KerbLeft
		b.widens, b.grows = from.Left-to.Left, to.KerbLeft-from.KerbLeft
	}
	b.widens, b.grows = b.widens/r.line.Step(), b.grows/r.line.Step()
	b.sin, b.cos = math.Sincos(at.Heading)
	return b
}

// Locate returns the station of a place and how far it is to the left of the centre
// line [m].
func (r *Ribbon) Locate(p r3.Vec) (along, across float64) {
	s, lateral := r.line.Nearest(p, math.NaN())
	return s, lateral
}

// Touch returns the tangent of the ground straight above or below p: the nearest
// place but for terms in the square of the slope times curvature times distance.
func (r *Ribbon) Touch(p r3.Vec) road.Contact {
	if !(math.Abs(p.X) < 1e9 && math.Abs(p.Y) < 1e9) {
		c := road.Flat{Surface: r.surfaces[ofVerge].Tire}.Touch(r3.Vec{Z: p.Z})
		c.Material = ofVerge
		return c
	}
	b := r.locate(p)
	h := r.height(&b, p)
	c := h.tangent(p)
	c.Material, c.Area = r.ground(&b)
	c.Surface = r.surfaces[c.Material].Tire
	return c
}

// ground returns what a place is made of and the area it belongs to.
func (r *Ribbon) ground(b *beside) (material, area uint8) {
	road := b.out <= 0
	switch {
	case road:
		material = ofRoad
	case b.out <= b.kerb:
		material = ofKerb
	default:
		material = ofVerge
	}
	list := r.parts.near(b.station)
	for i := len(list) - 1; i >= 0; i-- {
		if s := &list[i]; s.holds(b.station, b.lateral, r.line.Length(), road) {
			return s.material, s.area
		}
	}
	return material, 0
}

// rising is a height and how it grows along x and y.
type rising struct{ z, dx, dy float64 }

// tangent returns the contact of p with a plane through the height below it.
func (h *rising) tangent(p r3.Vec) road.Contact {
	n := r3.Vec{X: -h.dx, Y: -h.dy, Z: 1}
	if h.dx != 0 || h.dy != 0 {
		n = r3.Scale(1/math.Sqrt(1+h.dx*h.dx+h.dy*h.dy), n)
	}
	depth := (h.z - p.Z) * n.Z
	return road.Contact{Point: r3.Add(p, r3.Scale(depth, n)), Normal: n, Depth: depth}
}

// height returns the surface at a place: the road's plane, what is laid on it, and
// further out the open terrain.
func (r *Ribbon) height(b *beside, p r3.Vec) rising {
	tan := 0.0
	if b.at.Bank != 0 {
		tan = math.Tan(b.at.Bank)
	}
	z := b.at.Pos.Z + b.lateral*tan
	along := b.at.Slope + b.lateral*b.at.Twist*(1+tan*tan)
	across := tan
	k := r.kerbAt(b)
	z, along, across = z+k.z, along+k.dx, across+k.dy
	list := r.features.near(b.station)
	for i := range list {
		f := &list[i]
		d := f.into(b.station, r.line.Length())
		up, grade := f.at(d)
		share, slope := f.across(b.lateral, &b.at)
		z, along, across = z+up*share, along+grade*share, across+up*slope
	}
	along /= max(1-b.at.Curvature*b.lateral, 0.2)
	h := rising{z, along*b.cos - across*b.sin, along*b.sin + across*b.cos}
	return r.blend(h, b, p)
}

// kerbAt returns how high the kerb is under a place, and how it grows along the road
// and to the left.
func (r *Ribbon) kerbAt(b *beside) rising {
	const rise, fall = 0.25, 0.2 // [m]
	if b.kerb == 0 || b.out <= 0 || b.out >= b.kerb+fall {
		return rising{}
	}
	up, dup := smooth(b.out / rise)
	down, ddown := smooth((b.kerb + fall - b.out) / fall)
	dup, ddown = dup/rise, ddown/fall
	top := r.back * b.kerb / r.kerb
	out := top * (dup*down - up*ddown)
	along := r.back*b.grows/r.kerb*up*down + top*up*ddown*b.grows
	return rising{top * up * down, along + out*b.widens, math.Copysign(out, out*b.lateral)}
}

// blend passes over from the road to the open terrain.
func (r *Ribbon) blend(h rising, b *beside, p r3.Vec) rising {
	out := b.out - r.shoulder
	if out <= 0 {
		return h
	}
	share, slope := smooth(out / (r.verge - r.shoulder))
	slope /= r.verge - r.shoulder
	land := r.land(p)
	gap := land.z - h.z
	along := gap * slope * b.widens / max(1-b.at.Curvature*b.lateral, 0.2)
	across := math.Copysign(gap*slope, gap*slope*b.lateral)
	return rising{
		h.z + share*gap,
		h.dx + share*(land.dx-h.dx) + along*b.cos - across*b.sin,
		h.dy + share*(land.dy-h.dy) + along*b.sin + across*b.cos,
	}
}

// land returns the open terrain, which goes on level beyond its ends.
func (r *Ribbon) land(p r3.Vec) rising {
	if r.terrain == nil {
		return rising{}
	}
	x0, y0, x1, y1 := r.terrain.Extent()
	in := r3.Vec{X: min(max(p.X, x0), x1), Y: min(max(p.Y, y0), y1)}
	c := r.terrain.Touch(in)
	n := c.Normal
	h := rising{z: c.Depth / n.Z}
	if in.X == p.X {
		h.dx = -n.X / n.Z
	}
	if in.Y == p.Y {
		h.dy = -n.Y / n.Z
	}
	return h
}
