// Package crg reads OpenCRG files: roads measured as heights over a curved reference line.
//
// In goes a file's text or bytes (Parse), which the caller has read. Out comes a Road, a
// road.Ground that also knows where along its line a place is, and its line for laps
// (Course). It opens no file, logs nothing and never guesses what a file does not say:
// faults and warnings name the line of the file and what to do.
//
// file.go, keys.go, channels.go and rows.go read the file, mods.go scales, fills and moves, build.go lays the
// reference line; line.go, with tree.go (boxes in the line's own order), finds u and v of a place, height.go the height
// there. Heights are bilinear; the gradient goes over from grid point to grid point, so that normals do not jump at
// the grid's lines.
package crg

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/road"
	"rig.example/rig/sim/tire"
)

// Road is a curved regular grid as the OpenCRG standard (ASAM, versions 1.1 and
// 1.2) has it: heights over coordinates u along a reference line and v to its
// left, with the line's banking and slope added.
//
// It lies where its file says: the standard leaves it to programs whether a file
// without modifiers is moved to the origin, and this one does not move it. Where
// the line comes near itself the nearest part of it counts, as seen from above.
type Road struct {
	Surface  tire.Surface // everywhere on it
	Warnings []string     // what the file says in vain, a line each

	line   refLine
	length axis
	width  axis
	v      []float64 // where the long sections are [m], ascending; nil if they are evenly spaced
	z      []float32 // heights over the reference line [m], by u and then by v; NaN is a hole
	bank   []float64 // rise to the left at each u; nil is level
	refZ   []float64 // height of the reference line at each u [m]; nil if its slope is constant
	slope  float64   // then this one
	zBegin float64   // of the reference line at its ends [m]
	zEnd   float64
}

// Parse reads an OpenCRG file; name stands for it in errors. The formats LRFI,
// LDFI, KRBI and KDBI are known. The surface is dry asphalt until it is set.
//
// Holes are filled as GRID_NAN_MODE says, and by the last value beside them if
// the file has no section $ROAD_CRG_MODS, as the standard's own tools do.
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
	return f.build()
}

// Touch returns the tangent of the ground straight below p. Its normal changes
// evenly from one grid point to the next. Where the file has no road, in a hole
// that was kept or beyond a border of mode 0, the ground is level and a kilometre
// below p.
func (g *Road) Touch(p r3.Vec) road.Contact {
	if !(math.Abs(p.X) < road.MostFar && math.Abs(p.Y) < road.MostFar && math.Abs(p.Z) < road.MostFar) { // also true for NaN
		return road.Contact{Point: r3.Vec{Z: -road.NoGround}, Normal: r3.Vec{Z: 1}, Depth: -road.NoGround, Surface: g.Surface}
	}
	at := g.line.locate(p.X, p.Y)
	h, ok := g.height(at.u, at.v)
	if !ok {
		return road.Contact{Point: r3.Vec{X: p.X, Y: p.Y, Z: p.Z - road.NoGround}, Normal: r3.Vec{Z: 1}, Depth: -road.NoGround, Surface: g.Surface}
	}
	ahead := h.du / at.stretch
	x, y := ahead*at.x-h.dv*at.y, ahead*at.y+h.dv*at.x
	up := 1 / math.Sqrt(1+x*x+y*y)
	return road.Contact{
		Point: r3.Vec{X: p.X, Y: p.Y, Z: h.z}, Normal: r3.Vec{X: -x * up, Y: -y * up, Z: up},
		Depth: (h.z - p.Z) * up, Surface: g.Surface,
	}
}

// Shift moves the road so that a place of its coordinates becomes 0, 0, 0.
func (g *Road) Shift(origin r3.Vec) {
	if origin == (r3.Vec{}) {
		return
	}
	l := &g.line
	l.move(movement{p: point{origin.X, origin.Y}})
	if l.points != nil {
		l.tree = newTree(l.points)
	}
	g.raise(-origin.Z)
	for _, a := range [...]*axis{&g.length, &g.width} {
		if a.mode == borderZero { // the offset is the height itself
			a.offset -= origin.Z
		}
	}
}

// Extent returns the borders of the grid [m]: where u begins and ends, and v at
// the right and the left border.
func (g *Road) Extent() (begin, end, right, left float64) {
	return g.length.low, g.length.high, g.width.low, g.width.high
}

// Covers reports whether a place seen from above lies within the grid's borders.
func (g *Road) Covers(x, y float64) bool {
	u, v := g.Locate(x, y)
	return (g.line.loop > 0 || !g.length.beyond(u)) && !g.width.beyond(v)
}

// Place returns the ground at u and v [m], and false where there is none.
func (g *Road) Place(u, v float64) (r3.Vec, bool) {
	h, ok := g.height(u, v)
	x, y := g.line.place(g.line.wrap(u), v)
	return r3.Vec{X: x, Y: y, Z: h.z}, ok
}

// Locate returns u and v [m] of a place seen from above.
func (g *Road) Locate(x, y float64) (u, v float64) {
	at := g.line.locate(x, y)
	return at.u, at.v
}
