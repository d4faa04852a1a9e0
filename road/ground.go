// Package road describes the ground under the wheels, the line along a road, and circuits.
//
// A Ground takes a point in the world and returns the contact plane there, its surface and its area
// (Contact). A Line gives positions along a road, and a Circuit adds start line, sectors and pit lane.
// Grounds keep no state between calls and read no files: the subfolders build grounds and lines from files
// and plans, and import this package.
//
// Flat, Grid, crg.Road, mesh.Mesh and layout.Ribbon are grounds. WithLine adds a line and areas to a
// ground, Pave adds roughness and profiles, WithWalls adds walls, and Circuit combines them. A Line is a
// sequence of points at equal steps along the middle of a road or along the path of a car. Map coordinates
// are moved to an Origin in float64 before anything else; messages to users give the coordinates of the
// file.
package road

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Contact is the tangent plane of the ground near a point p: (Point - p)·Normal is Depth. On a plane Point
// is the nearest point; on grids and meshes it is straight above or below p, elsewhere the foot of the
// perpendicular on the tangent plane.
type Contact struct {
	Point   r3.Vec       // on the plane [m, world]
	Normal  r3.Vec       // unit, out of the ground
	Depth   float64      // how far p is below the plane, along the normal [m]; negative above it
	Surface tire.Surface // factors for the tire's grip, stiffness and rolling resistance

	Material   uint8 // index into the ground's Surfaces; 0 if it lists none
	AreaNumber uint8 // number of the area whose grip may change during a run; 0 is the rest of the ground
}

// AreaCount is the number of areas whose grip can change during a run. Area 0 is all ground that belongs to no
// other.
const AreaCount = 8

// Ground is anything that a wheel can stand on. Touch is called in every tick: it must not allocate, and
// its result must depend on p alone.
type Ground interface {
	Touch(p r3.Vec) Contact
}

// Touch sets c to what g.Touch returns. The grounds of this package write through the pointer: a contact takes long to
// copy just after it was stored, and a pointer that is passed through an interface would be allocated.
func Touch(g Ground, c *Contact, p r3.Vec) {
	switch g := g.(type) {
	case Flat:
		g.touch(c, p)
	case *Circuit:
		Touch(g.Ground, c, p)
	case *GroundWithWalls:
		Touch(g.Ground, c, p)
	case *Pavement:
		g.touch(c, p)
	default:
		*c = g.Touch(p)
	}
}

// NoGroundDepth is the depth [m] at which Touch puts the ground where there is none.
const NoGroundDepth = 1e3

// NoGround returns the contact of p where there is no ground: a horizontal plane NoGroundDepth below p. It is finite for
// every p.
func NoGround(p r3.Vec, s tire.Surface) Contact {
	const limit = MaxCoordinate
	if !(math.Abs(p.X) < limit && math.Abs(p.Y) < limit && math.Abs(p.Z) < limit) { // also true for NaN
		p = r3.Vec{}
	}
	p.Z -= NoGroundDepth
	return Contact{Point: p, Normal: r3.Vec{Z: 1}, Depth: -NoGroundDepth, Surface: s}
}

// TangentPlane returns the contact of p with a ground that has the height z [m] straight above or below p, and there the
// slopes x and y along the world's axes.
func TangentPlane(p r3.Vec, z, x, y float64, s tire.Surface) Contact {
	up := 1 / math.Sqrt(1+x*x+y*y)
	return Contact{
		Point: r3.Vec{X: p.X, Y: p.Y, Z: z}, Normal: r3.Vec{X: -x * up, Y: -y * up, Z: up}, Depth: (z - p.Z) * up, Surface: s,
	}
}

// Flat is a horizontal ground at height 0.
type Flat struct {
	Surface tire.Surface
}

// Asphalt returns a flat ground of dry asphalt.
func Asphalt() Flat { return Flat{tire.Dry()} }

// Touch returns the contact straight below or above p.
func (f Flat) Touch(p r3.Vec) (c Contact) {
	f.touch(&c, p)
	return c
}

func (f *Flat) touch(c *Contact, p r3.Vec) {
	c.Point, c.Normal, c.Depth = r3.Vec{X: p.X, Y: p.Y}, r3.Vec{Z: 1}, -p.Z
	c.Surface, c.Material, c.AreaNumber = f.Surface, 0, 0
}
