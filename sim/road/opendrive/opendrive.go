// Package opendrive reads OpenDRIVE road networks (.xodr, ASAM OpenDRIVE 1.4 to
// 1.7): where a road's surface is, as a point or as triangles, and what it is
// made of. Signals and objects are left out.
//
// World axes are the file's: x east, y north, z up [m]. Along a road, s is
// measured on the reference line seen from above, and t to the left of it in
// the banked cross section. Banking is positive where the left side is higher:
// it rolls about s, right-handed.
package opendrive

// Map is a road network.
type Map struct {
	Name      string // of the file
	Header    Header
	Roads     []*Road
	Junctions []Junction
	Warnings  []string // what was passed over or looks wrong, a line each
}

// Header says where a network comes from.
type Header struct {
	Major, Minor int // version of the format
	Name, Vendor string
	GeoReference string // a PROJ string, as it stands in the file
}

// Road is a reference line with lanes on both sides.
type Road struct {
	ID, Name    string
	Length      float64 // of the reference line seen from above [m]
	Junction    string  // that it crosses, or empty
	Predecessor Link
	Successor   Link
	Sections    []Section // in the order of s; at least one

	plan           []curve
	elevation      profile // [m]
	superelevation profile // [rad]
	crossfall      [2]profile
	shape          []row
	offset         profile // of lane 0 from the reference line [m]
}

// Link is what a road joins at one of its ends.
type Link struct {
	Kind    string // "road", "junction", or empty for none
	ID      string
	Contact string // the end of that road: "start" or "end"
}

// Section is a stretch of a road with the same lanes from S to End [m].
type Section struct {
	S, End float64
	Left   []Lane // from the middle outwards
	Right  []Lane
	Centre []Mark // paint between both sides, on lane 0; its offsets count from S
}

// Lane is one lane of a section.
type Lane struct {
	ID           int    // 1, 2, … to the left, -1, -2, … to the right
	Type         string // "driving", "shoulder", "sidewalk", …
	Level        bool   // kept level beside a banked lane
	Predecessors []int  // lanes of the section or road before
	Successors   []int
	Materials    []Material
	Marks        []Mark

	start   float64 // where its offsets count from [m]
	width   profile // [m]
	border  profile // distance of the outer edge from lane 0 [m], if there are no widths
	heights []height
}

// Material is what a lane is made of from Offset on.
type Material struct {
	Offset    float64 // from the lane's start [m]
	Surface   string  // as the file calls it, often empty
	Friction  float64 // coefficient, 0 if not given
	Roughness float64 // as the file has it, for example the depth of the texture [mm]; 0 if not given
}

// Mark is paint on the outer edge of a lane from Offset on.
type Mark struct {
	Offset   float64 // from the lane's start [m]
	Type     string  // "solid", "broken", "none", …
	Color    string
	Material string
	Width    float64 // [m], 0 if not given
}

// Junction is where roads meet. Its connecting roads are roads like others.
type Junction struct {
	ID, Name    string
	Connections []Connection
}

// Connection leads from a road into a junction.
type Connection struct {
	ID         string
	Incoming   string // road
	Connecting string // road within the junction
	Contact    string // the end of the connecting road: "start" or "end"
	Lanes      []LaneLink
}

// LaneLink is a lane of the incoming road and the one that goes on from it.
type LaneLink struct{ From, To int }

// Road returns a road by its id, or nil.
func (m *Map) Road(id string) *Road {
	for _, r := range m.Roads {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Parse reads a network; name stands for the file in errors, each a *Fault.
func Parse(data []byte, name string) (*Map, error) {
	return parseWithin(data, name, usual)
}

func parseWithin(data []byte, name string, most limits) (*Map, error) {
	f := &form{file: name, limits: most, leftOut: map[[2]string]int{}}
	var raw rawMap
	f.decode(data, &raw)
	m := f.network(&raw)
	if f.fault != nil {
		return nil, f.fault
	}
	m.Name = name
	m.Warnings = f.told()
	return m, nil
}
