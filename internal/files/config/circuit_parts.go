package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/valid"
)

// Ground is a file that a circuit's ground is read from.
type Ground struct {
	// file of the ground: a mesh (`.glb`, `.gltf`, `.obj`), an OpenDRIVE network (`.xodr`), an OpenCRG surface
	// (`.crg`) or an ESRI height grid (`.asc`)
	File string `toml:"file"`
	// surface of everything whose material names no other one
	Surface string `toml:"surface"`
	// axis of a mesh that points up
	Up string `toml:"up" oneof:"y,z"`
	// length of the unit of a mesh [m], such as 0.01 for a file in centimetres
	Scale float64 `toml:"scale" range:"1e-6..1e6"`
	// `[x, y, z]` of the point of the file, after `up` and `scale`, that becomes 0, 0, 0 in a drive; at most
	// 1000 km from the ground. `[0, 0, 0]` leaves the ground where it is; without the key rig chooses, see
	// [coordinates of maps](../grounds.md#coordinates-of-maps)
	Origin []float64 `toml:"origin_m" range:"-1e8..1e8"`
	// faces of a mesh that meet at a smaller angle form one smooth surface, at a larger one they keep their
	// edge, as kerbs do; 0 leaves all faces flat
	Smooth float64 `toml:"smooth_deg" range:"0..90"`
	// whether faces of a mesh that face down carry wheels as well: for meshes whose faces point up or down at
	// random
	TwoSided bool `toml:"two_sided"`
	// largest distance between a triangle and the surface of an OpenDRIVE road; a larger value makes fewer
	// triangles
	Chord float64 `toml:"chord_mm" range:"0.1..1000"`
	// seed of the roughness, also of a layout's: another seed gives other bumps of the same class
	Seed uint64 `toml:"seed"`
}

// DefaultGround returns the defaults: axes and unit as in glTF and of most exporters.
func DefaultGround() Ground {
	return Ground{Surface: "tarmac", Up: "y", Scale: 1, Smooth: 20, Chord: 2, Seed: 1}
}

// GroundKinds lists the file name extensions of ground files.
func GroundKinds() []string {
	return []string{".glb", ".gltf", ".obj", ".xodr", ".crg", ".asc"}
}

// Line is the center line of a road that another file has.
type Line struct {
	// table of the center line with a header: `x`, `y`, and if known `z`, `left`, `right` (distances to the
	// road's edges, m) and `bank_deg`; separated by commas, semicolons or tabs. Tables of TU München's
	// racetrack database can be used as they are
	File string `toml:"file"`
	// id of the road of an OpenDRIVE file that the line follows
	Road string `toml:"road"`
	// ids of several roads of an OpenDRIVE file in driving order, at most 1000; connecting roads may be left
	// out
	Roads []string `toml:"roads"`
	// whether the line is closed: the last point of a table is joined to the first, and the roads of an
	// OpenDRIVE file lead back to the first one, see
	// [a lap on linked roads](../tracks.md#a-lap-on-linked-roads)
	Closed bool `toml:"closed"`
	// width of the road where the table does not give it; 0 means 10 m
	Width float64 `toml:"width_m" range:"0..100"`
}

// Mark is a place along a road.
type Mark struct {
	// name of the piece of the layout from whose start `at_m` is measured; empty means the line's start
	On string `toml:"on"`
	// distance along the road
	At float64 `toml:"at_m" range:"-200000..200000"`
}

// Start is where laps start, or where the car starts on a ground without a center line.
type Start struct {
	Mark
	// without a center line: x of the car's first position, in the coordinates of the ground's file
	X float64 `toml:"x_m" range:"-1e8..1e8"`
	// without a center line: y of the car's first position. If 0, 0 lies beside the ground, the car starts in the
	// ground's middle, and where the middle has no ground, at the nearest point that has, with a warning
	Y float64 `toml:"y_m" range:"-1e8..1e8"`
	// without a center line: direction of the car, 0 along x, positive to the left
	Heading float64 `toml:"heading_deg" range:"-360..360"`
}

// Pit is a lane beside the road.
type Pit struct {
	From Mark `toml:"from"` // start of the pit lane, as `{ on = "start", at_m = 20 }`
	To   Mark `toml:"to"`   // end of the pit lane
	// lateral position of its right side, positive left of the line; both sides 0 mean that there is no pit
	// lane
	RightEdge float64 `toml:"right_m" range:"-1000..1000"`
	// lateral position of its left side, positive left of the line
	LeftEdge float64 `toml:"left_m" range:"-1000..1000"`
	Limit    float64 `toml:"limit_kph" range:"0..500"` // speed limit in the pit lane
}

// Wall is a wall between two places, or along a part of the road.
type Wall struct {
	// `[x, y]` of one end of the wall's face, in the coordinates of the ground's file. The face looks to the
	// left of the way from here to `to`. Give `from` and `to`, or the keys of a wall along the road
	Start []float64 `toml:"from" range:"-1e8..1e8" valid:"-"`
	// `[x, y]` of the other end of its face
	End []float64 `toml:"to" range:"-1e8..1e8" valid:"-"`
	// for a wall along the road: name of the piece from whose start `from_m` and `to_m` are measured; empty
	// means the road's start
	On   string  `toml:"on"`
	From float64 `toml:"from_m" range:"-200000..200000" valid:"-"` // start of the wall along the road
	To   float64 `toml:"to_m" range:"-200000..200000" valid:"-"`   // end of the wall along the road
	Side string  `toml:"side" oneof:"left,right" valid:"-"`        // side of the road on which the wall stands
	// distance between the wall's face and the road's edge, or the kerb on it
	Offset    float64 `toml:"offset_m" range:"0..1000"`
	Height    float64 `toml:"height_m" range:"0 (1 m) or 0.1..100"`  // height of the wall; 0 means 1 m
	Thickness float64 `toml:"thickness_m" range:"0 (2 m) or 2..100"` // thickness behind its face; 0 means 2 m
}

// Cones are a row of cones along a part of the road, or the lanes that ISO 3888 marks with cones.
type Cones struct {
	// name of the piece from whose start `from_m` and `to_m` are measured; empty means the road's start
	On   string  `toml:"on"`
	From float64 `toml:"from_m" range:"-200000..200000" valid:"-"` // start of the row or of the lanes along the road
	// end of the row along the road; lanes of a standard do not use it, they have their own length
	To float64 `toml:"to_m" range:"-200000..200000" valid:"-"`
	// lateral position of the row, or of the middle of the first lane; positive left of the line
	Left  float64 `toml:"left_m" range:"-1000..1000"`
	Every float64 `toml:"every_m" range:"0 (5 m) or 0.5..1000" valid:"-"` // distance between the cones of a row; 0 means 5 m
	// lanes in place of a row: of the double lane change (ISO 3888-1) or of the obstacle avoidance (ISO 3888-2)
	Lanes string `toml:"lanes" oneof:",iso-3888-1,iso-3888-2"`
	// width of the car from which the standard derives the width of the lanes; 0 means 1.8 m
	CarWidth float64 `toml:"car_width_m" range:"0 (1.8 m) or 0.5..3" valid:"-"`
	// side to which the lanes swerve; empty means left
	Side string `toml:"side" oneof:",left,right"`
}

// Change is a change of an area's grip during a run.
type Change struct {
	// area whose grip changes: an `area` of a part or of a material, `"rest"` for everything that belongs to
	// none, `"all"` (or empty) for everything
	Area string  `toml:"area"`
	At   float64 `toml:"at_s" range:"0..1000000"`   // driven time at which the change begins
	Over float64 `toml:"over_s" range:"0..1000000"` // duration of the change
	// grip afterwards, as a fraction of the grip of the area's surface
	Grip float64 `toml:"grip" range:"0.01..1"`
}

// Validate reports every value that is out of range.
func (c *Circuit) Validate() error {
	if n := len(c.Sectors) + len(c.Walls) + len(c.Cones) + len(c.Changes); n > 4000 {
		return fmt.Errorf("sector, wall, cone and change: %d entries in total: must be at most 4000", n)
	}
	return errors.Join(c.validateGround(), valid.Struct(c))
}

func (c *Circuit) validateGround() error {
	g := &c.Ground
	if g.File == "" {
		return errors.Join(valid.WithPrefix("layout", c.Layout.Validate()), c.validateSurfaces())
	}
	if len(c.Layout.Pieces) > 0 {
		return fmt.Errorf("ground.file = %q: conflicts with layout.piece; remove one of them", g.File)
	}
	errs := []error{valid.Struct(g)}
	if kind := strings.ToLower(filepath.Ext(g.File)); !slices.Contains(GroundKinds(), kind) {
		errs = append(errs, fmt.Errorf("file = %q: must end with %s", g.File, strings.Join(GroundKinds(), ", ")))
	}
	if _, err := c.Surface(g.Surface); err != nil {
		errs = append(errs, fmt.Errorf("surface = %q: %w", g.Surface, err))
	}
	if g.Origin != nil && len(g.Origin) != 3 {
		errs = append(errs, fmt.Errorf("origin_m = %v: give x, y and z of the ground's file in metres, as [691000, 5336000, 0]", g.Origin))
	}
	return valid.WithPrefix("ground", errors.Join(errs...))
}

// validateSurfaces reports surfaces of the layout that are not known or not valid.
func (c *Circuit) validateSurfaces() error {
	var errs []error
	check := func(key, name string) {
		if _, err := c.Surface(name); err != nil {
			errs = append(errs, fmt.Errorf("%s = %q: %s", key, name, OneLine(err)))
		}
	}
	check("layout.road", c.Layout.Road)
	check("layout.verge", c.Layout.Verge)
	for i := range c.Layout.Parts {
		if name := c.Layout.Parts[i].Surface; name != "" {
			check(fmt.Sprintf("layout.part[%d].surface", i), name)
		}
	}
	return errors.Join(errs...)
}

// Validate reports every value that is out of range.
func (l *Line) Validate() error {
	err := valid.Struct(l)
	if len(l.Roads) > 0 && (l.Road != "" || l.File != "") {
		err = errors.Join(err, fmt.Errorf("roads = %q: conflicts with road and file; remove one of them", l.Roads))
	}
	return err
}

// Validate reports every value that is out of range.
func (p *Pit) Validate() error {
	err := valid.Struct(p)
	if p.LeftEdge < p.RightEdge {
		err = errors.Join(err, fmt.Errorf("left_m = %g: must be greater than right_m = %g", p.LeftEdge, p.RightEdge))
	}
	return err
}

// Validate reports every value that is out of range, and keys that do not belong to this kind of wall: one
// between two points, or one along the road.
func (w *Wall) Validate() error {
	err := valid.Struct(w)
	if w.Start == nil && w.End == nil {
		return errors.Join(err, valid.Fields(w, "side"), checkStretch(w, w.From, w.To))
	}
	for _, end := range [2]struct {
		key string
		at  []float64
	}{{"from", w.Start}, {"to", w.End}} {
		if len(end.at) != 2 {
			err = errors.Join(err, fmt.Errorf("%s = %v: give x and y in metres, as [12.5, 3]", end.key, end.at))
			continue
		}
		err = errors.Join(err, valid.Fields(w, end.key))
	}
	if w.On != "" || w.From != 0 || w.To != 0 || w.Side != "" || w.Offset != 0 {
		err = errors.Join(err, errors.New("from: on, from_m, to_m, side and offset_m describe a wall along the road; "+
			"remove them, or remove from and to"))
	}
	return err
}

// Validate reports every value that is out of range.
func (k *Cones) Validate() error {
	err := valid.Struct(k)
	switch k.Lanes {
	case "":
		return errors.Join(err, checkStretch(k, k.From, k.To), valid.Fields(k, "every_m"))
	case "iso-3888-1", "iso-3888-2":
		return errors.Join(err, valid.Fields(k, "from_m", "car_width_m"))
	}
	return err
}

// checkStretch checks from_m and to_m, the ends of a section of the road, in the struct that v points to.
func checkStretch(v any, from, to float64) error {
	if err := valid.Fields(v, "from_m", "to_m"); err != nil {
		return err
	}
	if !(to > from) {
		return fmt.Errorf("to_m = %g: must be greater than from_m = %g", to, from)
	}
	return nil
}
