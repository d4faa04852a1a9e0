package layout

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// roadPosition is a position in coordinates of the road.
type roadPosition struct {
	road.Foot          // on the center line
	station    float64 // along the center line, wrapped [m]
	beyondEdge float64 // distance outside the nearer edge of the road [m], negative on the road
	kerbWidth  float64 // width of the kerb at that edge [m]
}

// locate sets b to the coordinates of p relative to the road.
func (r *Ribbon) locate(b *roadPosition, p r3.Vec) {
	r.line.Project(&b.Foot, p, math.NaN())
	b.station = r.line.Wrap(b.Station)
	if b.Lateral < 0 {
		b.beyondEdge, b.kerbWidth = -b.Lateral-b.Right, b.KerbRight
	} else {
		b.beyondEdge, b.kerbWidth = b.Lateral-b.Left, b.KerbLeft
	}
}

// edgeSlopes returns the derivatives of beyondEdge and kerbWidth along the line.
func (r *Ribbon) edgeSlopes(b *roadPosition) (edge, kerb float64) {
	from, to := r.line.Segment(b.station)
	if b.Lateral < 0 {
		edge, kerb = from.Right-to.Right, to.KerbRight-from.KerbRight
	} else {
		edge, kerb = from.Left-to.Left, to.KerbLeft-from.KerbLeft
	}
	return edge / r.line.Step(), kerb / r.line.Step()
}

// Locate returns the station of p and its distance to the left of the center line [m].
func (r *Ribbon) Locate(p r3.Vec) (along, across float64) {
	s, lateral := r.line.Nearest(p, math.NaN())
	return s, lateral
}

// Touch returns the tangent plane of the ground straight above or below p. Its error against the nearest
// point is of second order in the slope.
func (r *Ribbon) Touch(p r3.Vec) (c road.Contact) {
	if !(math.Abs(p.X) < 1e9 && math.Abs(p.Y) < 1e9) {
		c = road.Flat{Surface: r.surfaces[vergeMaterial].Tire}.Touch(r3.Vec{Z: p.Z})
		c.Material = vergeMaterial
		return c
	}
	var b roadPosition
	r.locate(&b, p)
	h := r.height(&b, p)
	c.Normal = h.normal()
	c.Depth = (h.z - p.Z) * c.Normal.Z
	c.Point = r3.Add(p, r3.Scale(c.Depth, c.Normal))
	c.Material, c.AreaNumber = r.materialAt(&b)
	c.Surface = r.surfaces[c.Material].Tire
	return c
}

// materialAt returns the material and the area at a position. Of several parts there, the last one counts.
func (r *Ribbon) materialAt(b *roadPosition) (material, area uint8) {
	onRoad := b.beyondEdge <= 0
	switch {
	case onRoad:
		material = roadMaterial
	case b.beyondEdge <= b.kerbWidth:
		material = kerbMaterial
	default:
		material = vergeMaterial
	}
	list := r.parts.at(b.station)
	for i := len(list) - 1; i >= 0; i-- {
		if s := &list[i]; s.contains(b.station, b.Lateral, r.line.Length(), onRoad) {
			return s.material, s.area
		}
	}
	return material, 0
}

// surfaceHeight is a height [m] and its derivatives along x and y.
type surfaceHeight struct{ z, dx, dy float64 }

// normal returns the upward unit normal of the surface.
func (h *surfaceHeight) normal() r3.Vec {
	n := r3.Vec{X: -h.dx, Y: -h.dy, Z: 1}
	if h.dx != 0 || h.dy != 0 {
		n = r3.Scale(1/math.Sqrt(1+h.dx*h.dx+h.dy*h.dy), n)
	}
	return n
}

// height returns the height of the ground at a position: that of the road with its kerbs and features, and of
// the terrain beside it.
func (r *Ribbon) height(b *roadPosition, p r3.Vec) surfaceHeight {
	tan := 0.0
	if b.Bank != 0 {
		tan = math.Tan(b.Bank)
	}
	z := b.Pos.Z + b.Lateral*tan
	along := b.Slope + b.Lateral*b.Twist*(1+tan*tan)
	across := tan
	kerb := r.kerbProfile(b)
	z, along, across = z+kerb.z, along+kerb.dx, across+kerb.dy
	list := r.features.at(b.station)
	for i := range list {
		f := &list[i]
		d := f.distanceInto(b.station, r.line.Length())
		rise, grade := f.at(d)
		fraction, slope := f.across(b.Lateral, &b.Point)
		z, along, across = z+rise*fraction, along+grade*fraction, across+rise*slope
	}
	along /= max(1-b.Curvature*b.Lateral, 0.2)
	h := surfaceHeight{z, along*b.Cos - across*b.Sin, along*b.Sin + across*b.Cos}
	return r.blendTerrain(h, b, p)
}

// kerbProfile returns the height of the kerb above the road at a position [m], and its derivatives along the
// road (dx) and to the left (dy).
func (r *Ribbon) kerbProfile(b *roadPosition) surfaceHeight {
	const rise, fall = 0.25, 0.2 // widths over which a kerb rises at its front and falls at its back [m]
	if b.kerbWidth == 0 || b.beyondEdge <= 0 || b.beyondEdge >= b.kerbWidth+fall {
		return surfaceHeight{}
	}
	up, dup := smoothstep(b.beyondEdge / rise)
	down, ddown := smoothstep((b.kerbWidth + fall - b.beyondEdge) / fall)
	dup, ddown = dup/rise, ddown/fall
	top := r.kerbHeight * b.kerbWidth / r.kerbWidth
	outward := top * (dup*down - up*ddown)
	edgeSlope, kerbSlope := r.edgeSlopes(b)
	along := r.kerbHeight*kerbSlope/r.kerbWidth*up*down + top*up*ddown*kerbSlope
	return surfaceHeight{top * up * down, along + outward*edgeSlope, math.Copysign(outward, outward*b.Lateral)}
}

// blendTerrain blends the road's surface h into the open terrain across the verge.
func (r *Ribbon) blendTerrain(h surfaceHeight, b *roadPosition, p r3.Vec) surfaceHeight {
	beyondShoulder := b.beyondEdge - r.shoulder
	if beyondShoulder <= 0 {
		return h
	}
	fraction, slope := smoothstep(beyondShoulder / (r.vergeWidth - r.shoulder))
	slope /= r.vergeWidth - r.shoulder
	terrain := r.terrainHeight(p)
	difference := terrain.z - h.z
	edgeSlope, _ := r.edgeSlopes(b)
	slopeAlong := difference * slope * edgeSlope / max(1-b.Curvature*b.Lateral, 0.2)
	slopeAcross := math.Copysign(difference*slope, difference*slope*b.Lateral)
	return surfaceHeight{
		h.z + fraction*difference,
		h.dx + fraction*(terrain.dx-h.dx) + slopeAlong*b.Cos - slopeAcross*b.Sin,
		h.dy + fraction*(terrain.dy-h.dy) + slopeAlong*b.Sin + slopeAcross*b.Cos,
	}
}

// terrainHeight returns the height of the open terrain at p. Outside its grid the terrain continues level.
func (r *Ribbon) terrainHeight(p r3.Vec) surfaceHeight {
	if r.terrain == nil {
		return surfaceHeight{}
	}
	x0, y0, x1, y1 := r.terrain.Extent()
	inGrid := r3.Vec{X: min(max(p.X, x0), x1), Y: min(max(p.Y, y0), y1)}
	c := r.terrain.Touch(inGrid)
	n := c.Normal
	h := surfaceHeight{z: c.Depth / n.Z}
	if inGrid.X == p.X {
		h.dx = -n.X / n.Z
	}
	if inGrid.Y == p.Y {
		h.dy = -n.Y / n.Z
	}
	return h
}
