// Package circuit builds circuits from their files: the ground, its surfaces, the line along the road, and
// the walls and cones on it.
//
// It takes the name of a circuit (Load, Open) and returns a road.Circuit. Package config decodes the circuit's
// file; this package opens the files that it names, caches meshes, and starts the goroutines that build a mesh.
// It never changes a circuit after it was returned. Meshes are smoothed, because flat triangles would jolt the
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
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/road"
	"rig.example/rig/road/layout"
	"rig.example/rig/road/opendrive"
	"rig.example/rig/sim/tire"
)

// Options holds the settings for building a circuit.
type Options struct {
	Weather   string            // name of the surface that replaces dry tarmac, such as wet; empty or dry: no change
	Cache     string            // folder of cached meshes; empty: no cache
	Overrides []string          // changes to keys of the file, such as start.at_m=20
	Progress  func(text string) // is called before each step that takes long; may be nil
	Files     []string          // paths of the only files that the circuit's file may name, or nil for any: that of a recording may be anybody's
}

// Load returns the circuit with this name: a built-in circuit, the path of a circuit's file, or the path of a
// ground's file. The warnings, a line each, name entries of the files that have no effect.
func Load(name string, o Options) (*road.Circuit, []string, error) {
	s, err := Open(name, o)
	if err != nil {
		return nil, nil, err
	}
	return s.Circuit, s.Warnings, nil
}

// Site is a circuit and the parts that it was built from, which reports need and a drive does not.
//
// All its coordinates are relative to Origin.
type Site struct {
	Circuit          *road.Circuit
	Kind             string      // kind of ground: layout, mesh, OpenDRIVE, OpenCRG or height grid
	Origin           r3.Vec      // position in coordinates of the ground's file that becomes 0, 0, 0 [m]
	Bare             road.Ground // the ground without line, roughness and walls
	Surfaces         []road.Surface
	Materials        []Material // materials of a mesh
	Sources          []string   // paths of all files that were read
	DroppedTriangles int        // number of triangles that were left out because they have no area
	FromCache        bool       // whether the mesh came from the cache
	Warnings         []string   // entries of the files that have no effect, a line each

	file         config.Circuit
	o            Options
	roads        *opendrive.Map // of an OpenDRIVE file, or nil
	areaNames    []string
	materialArea []uint8 // area of each material of a mesh: 0, or 1 + index into areaNames
	line         *road.Line
	companions   map[string]string // of the ground's file, see cacheEntry
}

// Open builds the circuit with this name, as Load does, and returns it with what it was built from.
func Open(name string, o Options) (*Site, error) {
	file, err := config.LoadCircuit(name, o.Overrides...)
	if err != nil {
		return nil, err
	}
	s := &Site{file: file, o: o, Warnings: file.Warnings}
	if s.o.Progress == nil {
		s.o.Progress = func(string) {}
	}
	if _, err := s.weatherSurface(); err != nil {
		return nil, err
	}
	if err := s.buildGround(); err != nil {
		return nil, err
	}
	s.Circuit = &road.Circuit{Title: file.Title, Line: s.line, Areas: s.areaNames}
	ground, err := s.pave()
	if err != nil {
		return nil, err
	}
	s.Circuit.Ground = ground
	if s.line == nil {
		if err := s.addStartLine(); err != nil {
			return nil, err
		}
	}
	return s, errors.Join(s.placeMarks(), s.placeObjects(), s.forecast())
}

// warnf adds a warning that begins with the circuit's file, unless the same one is there already.
func (s *Site) warnf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if ground, ok := strings.CutPrefix(text, filepath.Base(s.file.File)+": "); ok { // the ground is the file itself
		text = ground
	}
	text = s.file.File + ": " + text
	if !slices.Contains(s.Warnings, text) {
		s.Warnings = append(s.Warnings, text)
	}
}

// weatherSurface returns the surface of tarmac in the chosen weather.
func (s *Site) weatherSurface() (tire.Surface, error) {
	name := s.o.Weather
	if name == "" {
		name = "dry"
	}
	return tire.SurfaceNamed(name)
}

// surface returns the surface with this name. In wet weather, tarmac and surfaces based on it get the wet
// surface, scaled by their own grip relative to dry tarmac.
func (s *Site) surface(name string) (road.Surface, error) {
	out, err := s.file.Surface(name)
	if err != nil {
		return out, err
	}
	own, described := s.file.Surfaces[name]
	asphalt := name == "tarmac" || described && (own.Base == "" || own.Base == "tarmac")
	if !asphalt || s.o.Weather == "" || s.o.Weather == "dry" {
		return out, nil
	}
	weather, err := s.weatherSurface()
	grip := out.Tire.Grip / tire.Dry().Grip // its own grip relative to dry tarmac
	out.Tire = weather
	out.Tire.Grip *= grip
	out.Wet = out.Wet || tire.IsWet(s.o.Weather)
	return out, err
}

// pave returns the ground with its line, and with the heights of its surfaces if any surface is uneven.
func (s *Site) pave() (road.Ground, error) {
	ground := s.Bare
	if s.materialArea != nil || s.line != nil && !hasStations(ground) {
		ground = road.WithLine(ground, s.line, s.materialArea)
	}
	uneven := func(u road.Surface) bool { return u.Roughness.Class != 0 || u.Profile.Kind != "" }
	if road.SurfacesOf(ground) != nil && !slices.ContainsFunc(s.Surfaces, uneven) {
		return ground, nil
	}
	p, err := road.PaveWith(ground, s.Surfaces, func() *road.Unevenness { return unevenness(s.file.Ground.Seed) })
	if err != nil {
		return nil, s.file.Locate(err)
	}
	return p, nil
}

// seededUnevenness is the random roughness of a seed.
type seededUnevenness struct {
	seed uint64
	*road.Unevenness
}

var lastUnevenness atomic.Pointer[seededUnevenness]

// unevenness returns the random roughness of a seed. The last one is kept, because to make it takes longer than all the
// rest of most circuits, and circuits have the same seed unless their files say otherwise.
func unevenness(seed uint64) *road.Unevenness {
	last := lastUnevenness.Load()
	if last == nil || last.seed != seed {
		last = &seededUnevenness{seed, road.NewUnevenness(seed)}
		lastUnevenness.Store(last)
	}
	return last.Unevenness
}

// hasStations reports whether g knows the station of a point.
func hasStations(g road.Ground) bool {
	_, ok := g.(road.Locator)
	return ok
}

// addStartLine adds a straight line to a circuit without a road. The line only gives the car's start position.
func (s *Site) addStartLine() error {
	const length, halfWidth = 1000.0, 1e5 // [m]
	start := s.file.Start
	at, free := s.toLocal(start.X, start.Y), start.X == 0 && start.Y == 0
	low, high := s.Extent()
	if free && !(low.X < at.X && high.X > at.X && low.Y < at.Y && high.Y > at.Y) {
		at = r3.Scale(0.5, r3.Add(low, high))
	}
	z, ok := HeightBelow(s.Circuit.Ground, at.X, at.Y, high.Z+1)
	if !ok && free {
		at, z, ok = s.nearestGround(at, low, high)
	}
	if !ok {
		lowInFile, highInFile := r3.Add(low, s.Origin), r3.Add(high, s.Origin)
		return s.file.Locate(fmt.Errorf("start.x_m = %.12g, y_m = %.12g: there is no ground at this point; "+
			"give one on the ground, which extends from %.1f, %.1f to %.1f, %.1f m",
			at.X+s.Origin.X, at.Y+s.Origin.Y, lowInFile.X, lowInFile.Y, highInFile.X, highInFile.Y))
	}
	heading := start.Heading * math.Pi / 180
	sin, cos := math.Sincos(heading)
	points := make([]road.Point, int(length)/4+1)
	for i := range points {
		far := 4 * float64(i)
		points[i] = road.Point{Pos: r3.Vec{X: at.X + far*cos, Y: at.Y + far*sin, Z: z}, Heading: heading, Left: halfWidth, Right: halfWidth}
	}
	line, err := road.NewLine(points, 4, false)
	s.Circuit.Line, s.Circuit.Roadless = line, true
	return err
}

// nearestGround returns the point with ground that is nearest to at, a point without ground such as the inside
// of a ring, and the height there. It adds a warning that the car starts at this point.
func (s *Site) nearestGround(at, low, high r3.Vec) (found r3.Vec, z float64, ok bool) {
	const n = 256                                  // points along each side of the grid
	for _, margin := range [...]float64{5, 2, 0} { // of ground around the car, as much as there is [m]
		nearest := math.Inf(1)
		for i := range n * n {
			x := low.X + (high.X-low.X)*(float64(i%n)+0.5)/n
			y := low.Y + (high.Y-low.Y)*(float64(i/n)+0.5)/n
			distance := math.Hypot(x-at.X, y-at.Y)
			if distance >= nearest {
				continue
			}
			if h, there := s.heightWithMargin(x, y, high.Z+1, margin); there {
				nearest, found, z, ok = distance, r3.Vec{X: x, Y: y}, h, true
			}
		}
		if ok {
			break
		}
	}
	if !ok {
		return at, 0, false
	}
	s.warnf("start: no ground at %.1f, %.1f m, so the car starts at %.1f, %.1f m, the nearest; "+
		"give start.x_m, y_m and heading_deg, or a line",
		at.X+s.Origin.X, at.Y+s.Origin.Y, found.X+s.Origin.X, found.Y+s.Origin.Y)
	return found, z, true
}

// heightWithMargin returns the height of the ground below x, y, high, if the four corners of a square
// around it have ground, too. margin is half the side of the square [m].
func (s *Site) heightWithMargin(x, y, high, margin float64) (z float64, ok bool) {
	for _, by := range [...][2]float64{{-margin, -margin}, {-margin, margin}, {margin, -margin}, {margin, margin}} {
		if _, ok := HeightBelow(s.Circuit.Ground, x+by[0], y+by[1], high); !ok {
			return 0, false
		}
	}
	return HeightBelow(s.Circuit.Ground, x, y, high)
}

// placeMarks sets the stations of start, sectors and pit lane.
func (s *Site) placeMarks() error {
	if s.line == nil {
		return nil
	}
	c, f := s.Circuit, &s.file
	var errs []error
	place := func(key string, m config.Mark) float64 {
		at, err := s.station(m.On, m.At)
		if err != nil {
			errs = append(errs, f.Locate(fmt.Errorf("%s.%w", key, err)))
		}
		return at
	}
	c.Start = place("start", f.Start.Mark)
	for i, m := range f.Sectors {
		if c.Sectors = append(c.Sectors, place(fmt.Sprintf("sector[%d]", i), m)); len(errs) == 10 {
			break
		}
	}
	if p := f.Pit; p.LeftEdge > p.RightEdge {
		c.Pit = road.PitLane{From: place("pit.from", p.From), To: place("pit.to", p.To), Right: p.RightEdge, Left: p.LeftEdge, Limit: p.Limit / 3.6}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return s.checkSectorOrder()
}

// checkSectorOrder returns an error unless the sectors follow the start in the order of the line.
func (s *Site) checkSectorOrder() error {
	c, before := s.Circuit, 0.0
	for i, at := range c.Sectors {
		far := at - c.Start
		if c.Closed() && far < 0 {
			far += c.Length()
		}
		if !(far > before) {
			return s.file.Locate(fmt.Errorf("sector[%d].at_m: at %.1f m of the line: "+
				"must follow the start at %.1f m and the sectors before it", i, at, c.Start))
		}
		before = far
	}
	return nil
}

// station returns the station [m] at the distance at from the start of a piece of the layout, or from the line's
// start if on is empty.
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

// forecast sets the changes of the areas' grip during a drive.
func (s *Site) forecast() error {
	var list []road.GripChange
	for i, c := range s.file.Changes {
		change := road.GripChange{At: c.At, Over: c.Over, Grip: c.Grip}
		switch at := slices.Index(s.areaNames, c.Area); {
		case c.Area == "" || c.Area == "all":
			for k := range change.Areas {
				change.Areas[k] = true
			}
		case c.Area == "rest":
			change.Areas[0] = true
		case at >= 0:
			change.Areas[at+1] = true
		default:
			s.warnf("change[%d].area = %q: no material belongs to it, so nothing changes; must be all, rest or one of %q",
				i, c.Area, s.areaNames)
			continue
		}
		list = append(list, change)
	}
	s.Circuit.Weather = road.NewForecast(list)
	return nil
}

// Cache returns the folder for a user's cached meshes, or an empty string if there is none.
func Cache(getenv func(string) string) string {
	if dir := getenv("XDG_CACHE_HOME"); dir != "" {
		return dir + "/rig"
	}
	if home := getenv("HOME"); home != "" {
		return home + "/.cache/rig"
	}
	return ""
}

// UserCache returns the folder for cached meshes of the user who runs the program.
func UserCache() string { return Cache(os.Getenv) }
