// Package crg reads OpenCRG files: roads measured as heights over a curved reference line.
//
// It takes the content of a file (Parse). It returns a Road, a road.Ground that also locates points along its
// reference line, and the line for laps (Line). It opens no file, logs nothing and does not guess missing
// values: errors and warnings name the line of the file and what to do.
//
// file.go, keys.go, channels.go and rows.go read the file. mods.go scales, fills holes and moves the road;
// build.go builds the reference line. line.go, with the tree of boxes in tree.go, computes u and v of a
// position, and height.go the height there. Heights are bilinear; the gradient is interpolated between grid points, so
// that normals have no jumps at the grid's lines.
package crg

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/tire"
)

// Road is a curved regular grid as in the OpenCRG standard (ASAM, versions 1.1 and 1.2): heights over the
// coordinates u along a reference line and v to its left, plus the line's banking and slope.
//
// Its position is that of its file: the standard leaves it to programs whether a file without modifiers is
// moved to the origin, and this package does not move it. Where the line comes near itself, the part that is
// nearest in plan view counts.
type Road struct {
	Surface  tire.Surface // surface of the whole road; dry asphalt until it is set
	Warnings []string     // contents of the file that were ignored or look wrong, one line each

	line   refLine
	uAxis  axis
	vAxis  axis
	v      []float64 // v of the long sections [m], ascending; nil if they are evenly spaced
	z      []float32 // heights above the banked reference line [m], v varies fastest; NaN is a hole
	bank   []float64 // cross slope at each u, positive where the left side is higher; nil means level
	refZ   []float64 // height of the reference line at each u [m]; nil if its slope is constant
	slope  float64   // slope of the reference line if refZ is nil
	zBegin float64   // height of the reference line at its begin [m]
	zEnd   float64   // height of the reference line at its end [m]
}

// Parse reads an OpenCRG file in the formats LRFI, LDFI, KRBI and KDBI. name is the name of the file in
// errors.
//
// Holes are filled as the modifier GRID_NAN_MODE demands. If the file has no section $ROAD_CRG_MODS, they are
// filled with the last value beside them, as in the standard's own tools.
func Parse(data []byte, name string) (*Road, error) {
	f := file{name: name}
	body, err := f.readHead(data)
	if err != nil {
		return nil, err
	}
	if err := f.readRows(body); err != nil {
		return nil, err
	}
	f.scale()
	if err := f.fillHoles(); err != nil {
		return nil, err
	}
	return f.buildRoad()
}

// Touch returns the tangent plane of the ground straight above or below p. Its normal changes continuously
// from grid point to grid point. Where the file has no road, in a hole or outside a border of mode 0, the
// contact is horizontal, NoGroundDepth below p.
func (g *Road) Touch(p r3.Vec) road.Contact {
	const limit = road.MaxCoordinate
	if !(math.Abs(p.X) < limit && math.Abs(p.Y) < limit && math.Abs(p.Z) < limit) { // also true for NaN
		return road.NoGround(p, g.Surface)
	}
	at := g.line.locate(p.X, p.Y)
	h, ok := g.height(at.u, at.v)
	if !ok {
		return road.NoGround(p, g.Surface)
	}
	ahead := h.du / at.stretch
	return road.TangentPlane(p, h.z, ahead*at.dirX-h.dv*at.dirY, ahead*at.dirY+h.dv*at.dirX, g.Surface)
}

// Shift moves the road so that origin becomes 0, 0, 0.
func (g *Road) Shift(origin r3.Vec) {
	if origin == (r3.Vec{}) {
		return
	}
	l := &g.line
	l.move(rigidMotion{from: point{origin.X, origin.Y}})
	if l.points != nil {
		l.tree = newTree(l.points)
	}
	g.raise(-origin.Z)
	for _, a := range [...]*axis{&g.uAxis, &g.vAxis} {
		if a.borderMode == borderZero { // in this mode the offset is the height itself
			a.borderOffset -= origin.Z
		}
	}
}

// Extent returns the borders of the grid [m]: the first and the last u, and v at the right and the left border.
func (g *Road) Extent() (begin, end, right, left float64) {
	return g.uAxis.low, g.uAxis.high, g.vAxis.low, g.vAxis.high
}

// Covers reports whether a position seen from above is within the grid's borders.
func (g *Road) Covers(x, y float64) bool {
	u, v := g.Locate(x, y)
	return (g.line.lapLength > 0 || !g.uAxis.isOutside(u)) && !g.vAxis.isOutside(v)
}

// At returns the ground at u and v [m], and false where there is none.
func (g *Road) At(u, v float64) (r3.Vec, bool) {
	h, ok := g.height(u, v)
	x, y := g.line.place(g.line.wrap(u), v)
	return r3.Vec{X: x, Y: y, Z: h.z}, ok
}

// Locate returns u and v [m] of a position seen from above.
func (g *Road) Locate(x, y float64) (u, v float64) {
	at := g.line.locate(x, y)
	return at.u, at.v
}
