// Package circuit builds circuits from their files: the ground, what it is made of, the
// line along the road, and what stands on it.
//
// config decodes a circuit's file; only here are the files that it names opened and goroutines started (mesh.Build
// takes a function that runs its parts). A mesh is smooth by Clough and Tocher's patches: flat triangles would kick the
// platform at each edge.
package circuit

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/config"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/layout"
	"rig.example/rig/sim/road/opendrive"
	"rig.example/rig/sim/tire"
)

// Options say how a circuit is built.
type Options struct {
	Paving string            // what its tarmac does to tires, by name, as wet after rain; empty and dry leave it
	Cache  string            // folder that keeps meshes; empty: none
	Set    []string          // changes of the file, as start.at_m=20
	Tell   func(text string) // hears what takes long; may be nil
}

// Load returns the circuit that name stands for: a built-in one, a file, or the ground
// of a file. The warnings are what its files say in vain, a line each.
func Load(name string, o Options) (*road.Circuit, []string, error) {
	s, err := Open(name, o)
	if err != nil {
		return nil, nil, err
	}
	return s.Circuit, s.Warnings, nil
}

// Site is a circuit with what it was built of, which a report tells and a drive does not need.
//
// All its places count from Origin.
type Site struct {
	Circuit   *road.Circuit
	Kind      string      // of the ground, as told: layout, mesh, OpenDRIVE, OpenCRG or height grid
	Origin    r3.Vec      // place of the ground's file that is 0, 0, 0 here [m]
	Bare      road.Ground // without what is laid on it
	Surfaces  []road.Surface
	Materials []Material // of a mesh
	Sources   []string   // all files
	Dropped   int        // triangles without area
	Cached    bool       // the mesh was
	Warnings  []string   // what its files say in vain, a line each

	file  config.Circuit
	o     Options
	roads *opendrive.Map // of an OpenDRIVE file
	areas []string
	area  []uint8 // of each material, where the ground does not know it
	line  *road.Line
}

// Open builds the circuit that name stands for, as Load does, and tells what it is built of.
func Open(name string, o Options) (*Site, error) {
	file, err := config.LoadCircuit(name, o.Set...)
	if err != nil {
		return nil, err
	}
	s := &Site{file: file, o: o, Warnings: file.Warnings}
	if s.o.Tell == nil {
		s.o.Tell = func(string) {}
	}
	if _, err := s.weather(); err != nil {
		return nil, err
	}
	if err := s.ground(); err != nil {
		return nil, err
	}
	s.Circuit = &road.Circuit{Title: file.Title, Line: s.line, Areas: s.areas}
	ground, err := s.pave()
	if err != nil {
		return nil, err
	}
	s.Circuit.Ground = ground
	if s.line == nil {
		if err := s.roadless(); err != nil {
			return nil, err
		}
	}
	return s, errors.Join(s.mark(), s.furnish(), s.forecast())
}

func (s *Site) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if ground, ok := strings.CutPrefix(text, filepath.Base(s.file.File)+": "); ok { // it alone was named
		text = ground
	}
	text = s.file.File + ": " + text
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// weather returns what tarmac is like.
func (s *Site) weather() (tire.Surface, error) {
	name := s.o.Paving
	if name == "" {
		name = "dry"
	}
	return tire.SurfaceNamed(name)
}

// surface returns a surface by its name, in the weather.
func (s *Site) surface(name string) (road.Surface, error) {
	out, err := s.file.Surface(name)
	if err != nil {
		return out, err
	}
	own, described := s.file.Surfaces[name]
	asphalt := name == "tarmac" || described && (own.Base == "" || own.Base == "tarmac")
	if !asphalt || s.o.Paving == "" || s.o.Paving == "dry" {
		return out, nil
	}
	weather, err := s.weather()
	grip := out.Tire.Grip / tire.Dry().Grip // of its own over common asphalt
	out.Tire = weather
	out.Tire.Grip *= grip
	return out, err
}

// pave lays what the ground is made of on it, where that is uneven or the ground does not
// tell of it itself.
func (s *Site) pave() (road.Ground, error) {
	ground := s.Bare
	if s.area != nil || s.line != nil && !stationed(ground) {
		ground = road.Beside(ground, s.line, s.area)
	}
	uneven := func(u road.Surface) bool { return u.Rough.Class != 0 || u.Profile.Kind != "" }
	if road.SurfacesOf(ground) != nil && !slices.ContainsFunc(s.Surfaces, uneven) {
		return ground, nil
	}
	p, err := road.Pave(ground, s.Surfaces, s.file.Ground.Seed)
	if err != nil {
		return nil, s.file.Fault(err)
	}
	return p, nil
}

func stationed(g road.Ground) bool {
	_, ok := g.(road.Stationed)
	return ok
}

// roadless gives a ground without a line one that says where a car starts.
func (s *Site) roadless() error {
	const length, wide = 1000.0, 1e5 // [m]
	start := s.file.Start
	at, free := s.here(start.X, start.Y), start.X == 0 && start.Y == 0
	low, high := s.Extent()
	if free && !(low.X < at.X && high.X > at.X && low.Y < at.Y && high.Y > at.Y) {
		at = r3.Scale(0.5, r3.Add(low, high))
	}
	z, ok := HeightBelow(s.Circuit.Ground, at.X, at.Y, high.Z+1)
	if !ok && free {
		at, z, ok = s.nearby(at, low, high)
	}
	if !ok {
		from, to := r3.Add(low, s.Origin), r3.Add(high, s.Origin)
		return s.file.Fault(fmt.Errorf("start.x_m = %.12g, y_m = %.12g: there is no ground; give a place that has some, it lies from %.1f, %.1f to %.1f, %.1f m",
			at.X+s.Origin.X, at.Y+s.Origin.Y, from.X, from.Y, to.X, to.Y))
	}
	heading := start.Heading * math.Pi / 180
	sin, cos := math.Sincos(heading)
	points := make([]road.Point, int(length)/4+1)
	for i := range points {
		far := 4 * float64(i)
		points[i] = road.Point{Pos: r3.Vec{X: at.X + far*cos, Y: at.Y + far*sin, Z: z}, Heading: heading, Left: wide, Right: wide}
	}
	line, err := road.NewLine(points, 4, false)
	s.Circuit.Line, s.Circuit.Roadless = line, true
	return err
}

// nearby finds ground that is near to a place without any, as inside of a ring, and
// warns that a car stands there.
func (s *Site) nearby(at, low, high r3.Vec) (found r3.Vec, z float64, ok bool) {
	const n = 256                                // places along each side
	for _, room := range [...]float64{5, 2, 0} { // beside the car, where there is a place with some [m]
		least := math.Inf(1)
		for i := range n * n {
			x := low.X + (high.X-low.X)*(float64(i%n)+0.5)/n
			y := low.Y + (high.Y-low.Y)*(float64(i/n)+0.5)/n
			far := math.Hypot(x-at.X, y-at.Y)
			if far >= least {
				continue
			}
			if h, there := s.roomy(x, y, high.Z+1, room); there {
				least, found, z, ok = far, r3.Vec{X: x, Y: y}, h, true
			}
		}
		if ok {
			break
		}
	}
	if !ok {
		return at, 0, false
	}
	s.warn("start: no ground at %.1f, %.1f m, so a car stands at %.1f, %.1f m, the nearest; give start.x_m, y_m and heading_deg, or a line",
		at.X+s.Origin.X, at.Y+s.Origin.Y, found.X+s.Origin.X, found.Y+s.Origin.Y)
	return found, z, true
}

// roomy returns the height of a place that has ground so far to all sides.
func (s *Site) roomy(x, y, high, room float64) (z float64, ok bool) {
	for _, by := range [...][2]float64{{-room, -room}, {-room, room}, {room, -room}, {room, room}} {
		if _, ok := HeightBelow(s.Circuit.Ground, x+by[0], y+by[1], high); !ok {
			return 0, false
		}
	}
	return HeightBelow(s.Circuit.Ground, x, y, high)
}

// mark puts start, sectors and pit on the line.
func (s *Site) mark() error {
	if s.line == nil {
		return nil
	}
	c, f := s.Circuit, &s.file
	var errs []error
	place := func(key string, m config.Mark) float64 {
		at, err := s.station(m.On, m.At)
		if err != nil {
			errs = append(errs, f.Fault(fmt.Errorf("%s.%w", key, err)))
		}
		return at
	}
	c.Start = place("start", f.Start.Mark)
	for i, m := range f.Sectors {
		if c.Sectors = append(c.Sectors, place(fmt.Sprintf("sector[%d]", i), m)); len(errs) == 10 {
			break
		}
	}
	if p := f.Pit; p.Left > p.Right {
		c.Pit = road.Pit{From: place("pit.from", p.From), To: place("pit.to", p.To), Right: p.Right, Left: p.Left, Limit: p.Limit / 3.6}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return s.ordered()
}

// ordered checks that the sectors follow each other from the start.
func (s *Site) ordered() error {
	c, before := s.Circuit, 0.0
	for i, at := range c.Sectors {
		far := at - c.Start
		if c.Closed() && far < 0 {
			far += c.Length()
		}
		if !(far > before) {
			return s.file.Fault(fmt.Errorf("sector[%d].at_m: at %.1f m of the line: must follow the start at %.1f m and the sectors before it", i, at, c.Start))
		}
		before = far
	}
	return nil
}

// station returns the station of a place that is measured from a piece of the layout,
// or from the line's start.
func (s *Site) station(on string, at float64) (float64, error) {
	if ribbon, ok := s.Bare.(*layout.Ribbon); ok {
		far, err := ribbon.Station(on, at)
		if err != nil {
			return 0, errors.New(strings.TrimPrefix(err.Error(), "road: "))
		}
		return far, nil
	}
	if on != "" {
		return 0, fmt.Errorf("on = %q: only a layout has pieces; give the way from the line's start", on)
	}
	length := s.line.Length()
	if s.line.Closed() {
		return at - math.Floor(at/length)*length, nil
	}
	if !(at >= 0 && at <= length) {
		return 0, fmt.Errorf("at_m = %g: the line is %.1f m long", at, length)
	}
	return at, nil
}

// forecast collects what happens to the areas' grip.
func (s *Site) forecast() error {
	var list []road.Change
	for i, c := range s.file.Changes {
		change := road.Change{At: c.At, Over: c.Over, Grip: c.Grip}
		switch at := slices.Index(s.areas, c.Area); {
		case c.Area == "" || c.Area == "all":
			for k := range change.Areas {
				change.Areas[k] = true
			}
		case c.Area == "rest":
			change.Areas[0] = true
		case at >= 0:
			change.Areas[at+1] = true
		default:
			s.warn("change[%d].area = %q: nothing belongs to it, so nothing changes; there are all, rest and %q", i, c.Area, s.areas)
			continue
		}
		list = append(list, change)
	}
	s.Circuit.Weather = road.NewForecast(list)
	return nil
}

// Cache returns the folder that keeps meshes for a user, or nothing if there is none.
func Cache(getenv func(string) string) string {
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		return dir + "/rig"
	}
	if home := getenv("HOME"); home != "" {
		return home + "/.cache/rig"
	}
	return ""
}

// UserCache is that of the one who runs the program.
func UserCache() string { return Cache(os.Getenv) }
