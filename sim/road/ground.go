// Package road is what the wheels stand on: grounds behind one small
// interface, and circuits to drive on them.
//
// In goes a place in the world (Ground.Touch); out comes the plane of the ground there, what it is
// made of and the area whose grip may change (Contact). A Line says where along a road a place is,
// a Circuit what a lap needs. No ground keeps anything from call to call, and none reads a file:
// the subfolders make grounds and lines of files and plans, and import this package.
//
// Flat, Plane, Grid, crg.Road, mesh.Mesh and layout.Ribbon are grounds; Roadside gives one a line and areas,
// Pavement lays roughness and patterns on it, Fenced puts walls on it, Circuit adds what a lap needs. A Line is a
// road's middle or what a car drives: points at even steps with all that the road has there, and a grid of hints
// that finds the nearest. Coordinates of a map are moved to an Origin in doubles before anything else; what people
// are told is in those of the file.
package road

import (
	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/sim/tire"
)

// Contact is the plane that touches the ground next to a point: (Point - the point)·Normal
// is Depth. On even ground Point is the nearest place; on grids it is the one straight below,
// elsewhere the foot on the plane.
type Contact struct {
	Point   r3.Vec       // on the plane [m, world]
	Normal  r3.Vec       // unit, out of the ground
	Depth   float64      // how far the point is below the ground along the normal [m], negative above
	Surface tire.Surface // what it changes about a tire

	Material uint8 // which of the ground's surfaces it is, where it is Paved
	Area     uint8 // which of the areas whose grip changes during a run; 0 is the rest
}

// Areas is how many areas of a ground can change their grip by themselves during a
// run. The first is all that belongs to no other.
const Areas = 8

// Ground is anything a wheel can stand on. Touch is called in the loop: it
// allocates nothing and depends on p alone.
type Ground interface {
	Touch(p r3.Vec) Contact
}

// NoGround is how far below a place a ground is where there is none [m].
const NoGround = 1e3

// Flat is a level ground at height 0.
type Flat struct {
	Surface tire.Surface
}

// Asphalt is dry and level.
func Asphalt() Flat { return Flat{tire.Dry()} }

// Touch returns the ground straight below p.
func (f Flat) Touch(p r3.Vec) Contact {
	return Contact{Point: r3.Vec{X: p.X, Y: p.Y}, Normal: r3.Vec{Z: 1}, Depth: -p.Z, Surface: f.Surface}
}
