package scan

import "gonum.org/v1/gonum/spatial/r3"

// Kind is a kind of fault.
type Kind string

// The faults, in the order of a report.
const (
	Broken      Kind = "broken"       // a triangle of vertices that are not there or not numbers
	Degenerate  Kind = "degenerate"   // a triangle without area
	Sliver      Kind = "sliver"       // a triangle of too little height
	Duplicate   Kind = "duplicate"    // a triangle on the same three places as another
	NonManifold Kind = "non-manifold" // an edge of more than two faces
	Flipped     Kind = "flipped"      // a face turned against those beside it
	Down        Kind = "down"         // a face that looks down
	Hole        Kind = "hole"         // a gap with faces all round
	Crack       Kind = "crack"        // a vertex on an edge that is not its own
	Thin        Kind = "thin"         // faces back to back
	Overlap     Kind = "overlap"      // faces one on the other
	Bump        Kind = "bump"         // a vertex above its neighbours
	Dent        Kind = "dent"         // a vertex below its neighbours
	Step        Kind = "step"         // a low steep face
)

// remedies say what to do about a kind, in a sentence.
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

// Place is where a fault is.
type Place struct {
	Triangle int     // one that has it, counted from 0 as in the scene
	Position r3.Vec  // [m]
	Material uint8   // of the triangle
	Size     float64 // [m] how long, thick or high it is, as the kind has it; 0 if it has none
}

// Finding is all faults of a kind.
type Finding struct {
	Kind   Kind
	Count  int
	Places []Place // the first few
	Remedy string
	Capped bool // the search was given up where too much lies in one place; there may be more
}

// Report is what Check found.
type Report struct {
	Triangles int
	Vertices  int       // after joining those at the same place
	Low, High r3.Vec    // corners of the box about it [m]
	Area      float64   // of all faces [m²]
	Findings  []Finding // those that were found, in a fixed order
}

// tally collects findings while they are found.
type tally struct {
	places int // kept of each kind
	found  [len(remedies)]Finding
}

func (t *tally) of(k Kind) *Finding {
	for i := range remedies {
		if remedies[i].kind == k {
			return &t.found[i]
		}
	}
	return nil
}

func (t *tally) add(k Kind, p Place) {
	f := t.of(k)
	f.Count++
	if len(f.Places) < t.places {
		f.Places = append(f.Places, p)
	}
}

// list returns what was found, in the order of the kinds.
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
