package scan

import "gonum.org/v1/gonum/spatial/r3"

// Kind is a kind of fault.
type Kind string

// The faults, in the order of a report.
const (
	Broken      Kind = "broken"       // a triangle whose vertices do not exist, or are NaN or Inf
	Degenerate  Kind = "degenerate"   // a triangle without area
	Sliver      Kind = "sliver"       // a triangle with a height below Limits.Sliver
	Duplicate   Kind = "duplicate"    // a triangle with the same three vertices as another one
	NonManifold Kind = "non-manifold" // an edge of more than two faces
	Flipped     Kind = "flipped"      // a face that is turned over relative to those beside it
	Down        Kind = "down"         // a face that faces down
	Hole        Kind = "hole"         // a gap with faces all round it
	Crack       Kind = "crack"        // a vertex on an edge of a face that does not have it
	Thin        Kind = "thin"         // two faces back to back with little distance
	Overlap     Kind = "overlap"      // two ground faces one above the other with little distance
	Bump        Kind = "bump"         // a vertex above its neighbours
	Dent        Kind = "dent"         // a vertex below its neighbours
	Step        Kind = "step"         // a steep face that is lower than a wall
)

// remedies are the advice for each kind of fault, one sentence each.
var remedies = [...]struct {
	kind Kind
	text string
}{
	{Broken, "Export the mesh again: these triangles are left out."},
	{Degenerate, "Delete these triangles: they have no area (in Blender: Mesh, Clean Up, Degenerate Dissolve)."},
	{Sliver, "Dissolve these needles into their neighbours: their normals are noise."},
	{Duplicate, "Delete all but one of the triangles on the same places."},
	{NonManifold, "Separate or delete faces until each edge has two at most."},
	{Flipped, "Turn these faces over, or recalculate normals to the outside: a wheel falls through a face from behind."},
	{Down, "Turn these faces over, or delete them if no car can get below."},
	{Hole, "Fill the hole: a wheel over it finds no ground."},
	{Crack, "Merge vertices by distance, and split the long edge where a vertex lies on it."},
	{Thin, "Make the part wider, or delete the side that no car can reach."},
	{Overlap, "Delete the lower of the faces, or give the upper one's material to it: the ground must be one layer."},
	{Bump, "Move the vertex down to its neighbours: small bumps belong into the picture, or into a surface's roughness."},
	{Dent, "Move the vertex up to its neighbours: small dents belong into the picture, or into a surface's roughness."},
	{Step, "Make it a ramp, or leave it to a kerb's profile if it is not meant to hit the wheel."},
}

// Place is the location of a fault.
type Place struct {
	Triangle int     // index in the scene of a triangle that has the fault
	Position r3.Vec  // [m]
	Material uint8   // of the triangle
	Size     float64 // length, thickness or height, depending on the kind [m]; 0 if it has none
}

// Finding is all faults of one kind.
type Finding struct {
	Kind   Kind
	Count  int
	Places []Place // the first ones, at most Limits.Places
	Remedy string  // what to do
	Capped bool    // the search stopped early because it took too long; there may be more faults
}

// Report is the result of Check.
type Report struct {
	Triangles int
	Vertices  int       // number after those at the same position were merged
	Low, High r3.Vec    // corners of the box around the mesh [m]
	Area      float64   // area of all faces [m²]
	Findings  []Finding // in the order of the kinds
}

// tally collects findings.
type tally struct {
	places int // maximum number of places stored for each kind
	found  [len(remedies)]Finding
}

// of returns the finding of a kind.
func (t *tally) of(k Kind) *Finding {
	for i := range remedies {
		if remedies[i].kind == k {
			return &t.found[i]
		}
	}
	return nil
}

// add adds a fault of a kind at a place.
func (t *tally) add(k Kind, p Place) {
	f := t.of(k)
	f.Count++
	if len(f.Places) < t.places {
		f.Places = append(f.Places, p)
	}
}

// list returns the findings, in the order of the kinds.
func (t *tally) list() []Finding {
	var list []Finding
	for i, f := range t.found {
		if f.Count > 0 || f.Capped {
			f.Kind, f.Remedy = remedies[i].kind, remedies[i].text
			list = append(list, f)
		}
	}
	return list
}
