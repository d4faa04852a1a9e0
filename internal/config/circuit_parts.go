package config

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"rig.example/rig/sim/road"
)

// Ground is a file that a circuit's ground is read from.
type Ground struct {
	File    string    `toml:"file"`       // beside the circuit's file
	Surface string    `toml:"surface"`    // of what no material says otherwise
	Up      string    `toml:"up"`         // axis of a mesh that points up, y or z
	Scale   float64   `toml:"scale"`      // metres of a mesh's unit
	Origin  []float64 `toml:"origin_m"`   // x, y, z of the file, up and scale applied, that become 0, 0, 0; nil: rig chooses
	Smooth  float64   `toml:"smooth_deg"` // faces of a mesh that meet at less than this are one smooth surface; 0: none are
	Both    bool      `toml:"two_sided"`  // faces of a mesh that look down carry from above, too
	Chord   float64   `toml:"chord_mm"`   // most that a triangle lies beside an OpenDRIVE road
	Seed    uint64    `toml:"seed"`       // of the roughness, also of a layout
}

// DefaultGround reads files as glTF and most exporters have them.
func DefaultGround() Ground {
	return Ground{Surface: "tarmac", Up: "y", Scale: 1, Smooth: 20, Chord: 2, Seed: 1}
}

// GroundKinds lists the endings of files that a ground is read from.
func GroundKinds() []string {
	return []string{".glb", ".gltf", ".obj", ".xodr", ".crg", ".asc"}
}

// Line is the centre line of a road that another file has.
type Line struct {
	File   string   `toml:"file"`    // a table of places
	Road   string   `toml:"road"`    // or a road of an OpenDRIVE file, by its id
	Roads  []string `toml:"roads"`   // or several in driving order; connecting roads may be left out
	Closed bool     `toml:"closed"`  // a table's last place is followed by its first; roads lead back to the first
	Width  float64  `toml:"width_m"` // of the road where the file does not say
}

// Mark is a place along a road.
type Mark struct {
	On string  `toml:"on"`   // a piece of the layout, by its name
	At float64 `toml:"at_m"` // from its start
}

// Start is where laps start; on a ground without a line, where a car does.
type Start struct {
	Mark
	X       float64 `toml:"x_m"` // without a line; of the ground's file, as all places of a circuit's file
	Y       float64 `toml:"y_m"`
	Heading float64 `toml:"heading_deg"` // 0 along x, positive to the left
}

// Pit is a lane beside the road.
type Pit struct {
	From  Mark    `toml:"from"`
	To    Mark    `toml:"to"`
	Right float64 `toml:"right_m"` // its sides beside the centre line, positive to the left
	Left  float64 `toml:"left_m"`
	Limit float64 `toml:"limit_kph"`
}

// Wall is a wall between two places, or along a part of the road.
type Wall struct {
	Start     []float64 `toml:"from"` // x, y of an end of its face, which looks to the left of the way to the other
	End       []float64 `toml:"to"`
	On        string    `toml:"on"`          // a piece of the layout, by its name
	From      float64   `toml:"from_m"`      // along the road from its start
	To        float64   `toml:"to_m"`        // the same
	Side      string    `toml:"side"`        // left or right of the road
	Offset    float64   `toml:"offset_m"`    // beyond the road's edge
	Height    float64   `toml:"height_m"`    // 0: 1 m
	Thickness float64   `toml:"thickness_m"` // behind its face; 0: 2 m
}

// Cones are a row of cones along a part of the road, or the lanes of a standard.
type Cones struct {
	On       string  `toml:"on"`          // a piece of the layout, by its name
	From     float64 `toml:"from_m"`      // along the road from its start
	To       float64 `toml:"to_m"`        // the same; not of lanes, which are as long as they are
	Left     float64 `toml:"left_m"`      // beside the centre line: of a row, or of the middle of the first lane
	Every    float64 `toml:"every_m"`     // of a row; 0: 5 m
	Lanes    string  `toml:"lanes"`       // iso-3888-1 or iso-3888-2; empty: a row
	CarWidth float64 `toml:"car_width_m"` // that the lanes are for; 0: 1.8 m
	Side     string  `toml:"side"`        // that the lanes swerve to, left or right; empty: left
}

// Change is a change of an area's grip during a run.
type Change struct {
	Area string  `toml:"area"`   // a name of a part or material; rest: what has none; all: everything
	At   float64 `toml:"at_s"`   // when it begins, in driven time
	Over float64 `toml:"over_s"` // how long it takes
	Grip float64 `toml:"grip"`   // afterwards, over that of the area's surface
}

// Validate reports every value that is out of range.
func (c *Circuit) Validate() error {
	if n := len(c.Sectors) + len(c.Walls) + len(c.Cones) + len(c.Changes); n > 4000 {
		return fmt.Errorf("sector, wall, cone and change: %d in all; allowed are 4000", n)
	}
	errs := []error{c.validateGround(), c.Line.validate(), c.Start.validate(), c.Pit.validate()}
	for i := range c.Sectors {
		errs = append(errs, c.Sectors[i].validate(fmt.Sprintf("sector[%d]", i)))
	}
	for i := range c.Walls {
		errs = append(errs, below(fmt.Sprintf("wall[%d]", i), c.Walls[i].validate()))
	}
	for i := range c.Cones {
		errs = append(errs, below(fmt.Sprintf("cone[%d]", i), c.Cones[i].validate()))
	}
	for i, ch := range c.Changes {
		errs = append(errs, below(fmt.Sprintf("change[%d]", i),
			errors.Join(within("at_s", ch.At, 0, 1e6), within("over_s", ch.Over, 0, 1e6), within("grip", ch.Grip, 0.01, 1))))
	}
	return errors.Join(errs...)
}

func (c *Circuit) validateGround() error {
	g := &c.Ground
	if g.File == "" {
		return errors.Join(below("layout", c.Layout.Validate()), c.validateSurfaces())
	}
	if len(c.Layout.Pieces) > 0 {
		return fmt.Errorf("ground.file = %q: the file has pieces of a layout as well; leave one of both out", g.File)
	}
	var errs []error
	if kind := strings.ToLower(filepath.Ext(g.File)); !slices.Contains(GroundKinds(), kind) {
		errs = append(errs, fmt.Errorf("file = %q: must end with %s", g.File, strings.Join(GroundKinds(), ", ")))
	}
	if !slices.Contains([]string{"y", "z"}, g.Up) {
		errs = append(errs, fmt.Errorf("up = %q: choose y or z", g.Up))
	}
	if _, err := c.Surface(g.Surface); err != nil {
		errs = append(errs, fmt.Errorf("surface = %q: %w", g.Surface, err))
	}
	errs = append(errs, within("scale", g.Scale, 1e-6, 1e6), within("smooth_deg", g.Smooth, 0, 90), within("chord_mm", g.Chord, 0.1, 1000), g.validateOrigin())
	return below("ground", errors.Join(errs...))
}

func (g *Ground) validateOrigin() error {
	if g.Origin == nil {
		return nil
	}
	if len(g.Origin) != 3 {
		return fmt.Errorf("origin_m = %v: give x, y and z of the ground's file in metres, as [691000, 5336000, 0]", g.Origin)
	}
	var errs []error
	for _, v := range g.Origin {
		errs = append(errs, within("origin_m", v, -road.MostFar, road.MostFar))
	}
	return errors.Join(errs...)
}

// validateSurfaces looks up what a layout is made of.
func (c *Circuit) validateSurfaces() error {
	var errs []error
	look := func(key, name string) {
		if _, err := c.Surface(name); err != nil {
			errs = append(errs, fmt.Errorf("%s = %q: %s", key, name, OneLine(err)))
		}
	}
	look("layout.road", c.Layout.Road)
	look("layout.verge", c.Layout.Verge)
	for i := range c.Layout.Parts {
		if name := c.Layout.Parts[i].Surface; name != "" {
			look(fmt.Sprintf("layout.part[%d].surface", i), name)
		}
	}
	return errors.Join(errs...)
}

func (l *Line) validate() error {
	errs := []error{within("width_m", l.Width, 0, 100)}
	if len(l.Roads) > 0 && (l.Road != "" || l.File != "") {
		errs = append(errs, fmt.Errorf("roads = %q: there is a road or a file as well; leave one of them out", l.Roads))
	}
	return below("line", errors.Join(errs...))
}

func (m *Mark) validate(table string) error {
	return below(table, within("at_m", m.At, -200e3, 200e3))
}

func (s *Start) validate() error {
	return errors.Join(s.Mark.validate("start"), below("start", errors.Join(
		within("x_m", s.X, -road.MostFar, road.MostFar), within("y_m", s.Y, -road.MostFar, road.MostFar), within("heading_deg", s.Heading, -360, 360))))
}

func (p *Pit) validate() error {
	if p.Left < p.Right {
		return fmt.Errorf("pit.left_m = %g: must be greater than right_m = %g", p.Left, p.Right)
	}
	return errors.Join(p.From.validate("pit.from"), p.To.validate("pit.to"), below("pit", errors.Join(
		within("right_m", p.Right, -1000, 1000), within("left_m", p.Left, -1000, 1000), within("limit_kph", p.Limit, 0, 500))))
}

func (w *Wall) validate() error {
	errs := []error{within("offset_m", w.Offset, 0, 1000)}
	if w.Height != 0 {
		errs = append(errs, within("height_m", w.Height, 0.1, 100))
	}
	if w.Thickness != 0 {
		errs = append(errs, within("thickness_m", w.Thickness, 2, 100))
	}
	if w.Start == nil && w.End == nil {
		if w.Side != "left" && w.Side != "right" {
			errs = append(errs, fmt.Errorf("side = %q: choose left or right", w.Side))
		}
		return errors.Join(append(errs, stretch(w.From, w.To))...)
	}
	for _, end := range [2]struct {
		key string
		at  []float64
	}{{"from", w.Start}, {"to", w.End}} {
		if len(end.at) != 2 {
			errs = append(errs, fmt.Errorf("%s = %v: give x and y in metres, as [12.5, 3]", end.key, end.at))
			continue
		}
		errs = append(errs, within(end.key, end.at[0], -road.MostFar, road.MostFar), within(end.key, end.at[1], -road.MostFar, road.MostFar))
	}
	if w.On != "" || w.From != 0 || w.To != 0 || w.Side != "" || w.Offset != 0 {
		errs = append(errs, errors.New("from: on, from_m, to_m, side and offset_m are of a wall along the road; leave them out, or from and to"))
	}
	return errors.Join(errs...)
}

func (k *Cones) validate() error {
	errs := []error{within("left_m", k.Left, -1000, 1000)}
	if !slices.Contains([]string{"", "left", "right"}, k.Side) {
		errs = append(errs, fmt.Errorf("side = %q: choose left or right", k.Side))
	}
	switch k.Lanes {
	case "":
		errs = append(errs, stretch(k.From, k.To))
		if k.Every != 0 {
			errs = append(errs, within("every_m", k.Every, 0.5, 1000))
		}
	case "iso-3888-1", "iso-3888-2":
		errs = append(errs, within("from_m", k.From, -200e3, 200e3))
		if k.CarWidth != 0 {
			errs = append(errs, within("car_width_m", k.CarWidth, 0.5, 3))
		}
	default:
		errs = append(errs, fmt.Errorf("lanes = %q: choose iso-3888-1 or iso-3888-2, or leave it out for a row", k.Lanes))
	}
	return errors.Join(errs...)
}

// stretch checks the ends of a part of the road.
func stretch(from, to float64) error {
	if err := errors.Join(within("from_m", from, -200e3, 200e3), within("to_m", to, -200e3, 200e3)); err != nil {
		return err
	}
	if !(to > from) {
		return fmt.Errorf("to_m = %g: must be greater than from_m = %g", to, from)
	}
	return nil
}

func within(key string, v, low, high float64) error {
	if math.Abs(v) <= math.MaxFloat64 && v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("%s = %g: allowed is %g to %g", key, v, low, high)
}

// below puts a table's name before every key that an error is about.
func below(table string, err error) error {
	var errs []error
	for _, e := range leaves(err) {
		errs = append(errs, fmt.Errorf("%s.%w", table, e))
	}
	return errors.Join(errs...)
}
