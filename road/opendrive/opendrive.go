// Package opendrive reads OpenDRIVE road networks (.xodr, ASAM OpenDRIVE 1.4 to
// 1.7). It takes the content of a file (Parse) and returns a Map, with the surface
// of its roads as points (Road.At) or triangles (Map.Mesh) and lines along them
// (Map.Route). It opens no file and ignores signals and objects, with a warning.
//
// World axes are the file's: x east, y north, z up [m]. Along a road, s is
// measured on the reference line seen from above, and t to the left of it in
// the banked cross section. Banking is positive where the left side is higher:
// it rolls about s, right-handed.
package opendrive

// Map is a road network.
type Map struct {
	Name      string // name of the file
	Header    Header
	Roads     []*Road
	Junctions []Junction
	Warnings  []string // contents of the file that were ignored or look wrong, one line each
}

// Header describes the origin of a network.
type Header struct {
	Major, Minor int // version of the format
	Name, Vendor string
	GeoReference string // coordinate system as a PROJ string, unchanged from the file
}

// Road is a reference line with lanes on both sides.
type Road struct {
	ID, Name    string
	Length      float64 // length of the reference line seen from above [m]
	Junction    string  // id of the junction that the road is part of, or empty
	Predecessor Link
	Successor   Link
	Sections    []Section // in ascending order of s; at least one

	plan           []curve    // geometries of the reference line seen from above
	elevation      profile    // height of the reference line over s [m]
	superelevation profile    // bank angle over s [rad]
	crossfall      [2]profile // angle down from the reference line over s, by side [rad]
	shape          []shapeRow // heights above the banked plane
	laneOffset     profile    // t of lane 0 over s [m]
}

// Link names the road or junction that a road joins at one of its ends.
type Link struct {
	Kind    string // "road", "junction", or empty for none
	ID      string
	Contact string // end of the linked road: "start" or "end"
}

// Section is a stretch of a road with the same lanes from S to End [m].
type Section struct {
	S, End float64
	Left   []Lane // lanes of the left side, from lane 0 outwards
	Right  []Lane // lanes of the right side, from lane 0 outwards
	Center []Mark // paint on lane 0, the line between both sides; their Offset is measured from S
}

// Lane is one lane of a section.
type Lane struct {
	ID           int    // number of the lane: 1, 2, … to the left of lane 0, -1, -2, … to the right
	Type         string // "driving", "shoulder", "sidewalk", …
	Level        bool   // the lane is horizontal, also if the road is banked
	Predecessors []int  // ids of the lanes before it, in the previous section or road
	Successors   []int  // ids of the lanes after it, in the next section or road
	Materials    []Material
	Marks        []Mark

	start   float64      // s from which its offsets are measured [m]
	width   profile      // width over the offset [m]
	border  profile      // distance of the outer edge from lane 0 over the offset [m], if width is empty
	heights []laneHeight // rise above the road's surface
}

// Material is the material of a lane from Offset to the next material.
type Material struct {
	Offset    float64 // distance from the lane's start [m]
	Surface   string  // name in the file, often empty
	Friction  float64 // coefficient of friction, 0 if not given
	Roughness float64 // value in the file, for example the texture depth [mm]; 0 if not given
}

// Mark is the paint on the outer edge of a lane from Offset to the next mark.
type Mark struct {
	Offset   float64 // distance from the lane's start [m]
	Type     string  // "solid", "broken", "none", …
	Color    string
	Material string
	Width    float64 // [m], 0 if not given
}

// Junction is a place where roads meet. The connecting roads inside it are in Map.Roads like all others.
type Junction struct {
	ID, Name    string
	Connections []Connection
}

// Connection leads from a road into a junction.
type Connection struct {
	ID         string
	Incoming   string // id of the road that leads to the junction
	Connecting string // id of the road inside the junction that continues it
	Contact    string // end of the connecting road: "start" or "end"
	Lanes      []LaneLink
}

// LaneLink is a lane of the incoming road and the lane that continues it.
type LaneLink struct{ From, To int }

// Road returns the road with an id, or nil.
func (m *Map) Road(id string) *Road {
	for _, r := range m.Roads {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Parse reads a network. name is the name of the file in errors, which are of type *Fault.
func Parse(data []byte, name string) (*Map, error) {
	return parseWithin(data, name, defaultLimits)
}

// parseWithin is Parse with other limits.
func parseWithin(data []byte, name string, limit limits) (*Map, error) {
	f := &reader{file: name, limits: limit, unused: map[[2]string]int{}}
	var raw rawMap
	f.decode(data, &raw)
	m := f.readNetwork(&raw)
	if f.fault != nil {
		return nil, f.fault
	}
	m.Name = name
	m.Warnings = f.allWarnings()
	return m, nil
}
