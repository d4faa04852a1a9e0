package circuit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/source"
	"rig.example/rig/sim/road"
	"rig.example/rig/sim/road/crg"
	"rig.example/rig/sim/road/layout"
	"rig.example/rig/sim/road/mesh"
	"rig.example/rig/sim/road/opendrive"
	"rig.example/rig/sim/road/scan"
)

// Kinds of grounds, as people are told. A layout is built along its line.
const (
	Layout     = "layout"
	triangles  = "mesh"
	openDrive  = "OpenDRIVE"
	openCRG    = "OpenCRG"
	heightGrid = "height grid"
)

// ground builds what the file describes, and the line where that has one.
func (s *Site) ground() error {
	g := &s.file.Ground
	if g.File == "" {
		return s.ribbon()
	}
	if err := s.ofFile(); err != nil {
		return err
	}
	if s.file.Line.File != "" {
		return s.lineOfTable()
	}
	if l := &s.file.Line; l.Road != "" && s.line == nil {
		return s.file.Fault(fmt.Errorf("line.road = %q: only an OpenDRIVE file has roads; give a table with line.file", l.Road))
	} else if len(l.Roads) > 0 && s.line == nil {
		return s.file.Fault(fmt.Errorf("line.roads = %q: only an OpenDRIVE file has roads; give a table with line.file", l.Roads))
	}
	return nil
}

// ofFile reads the ground of a file by its ending.
func (s *Site) ofFile() error {
	g := &s.file.Ground
	s.o.Tell("reading " + g.File)
	data, err := s.read(g.File, source.Scan)
	if err != nil {
		return s.file.Fault(fmt.Errorf("ground.file = %q: cannot be read: %w", g.File, err))
	}
	switch strings.ToLower(filepath.Ext(g.File)) {
	case ".crg":
		return s.crg(data)
	case ".asc":
		return s.grid(data)
	case ".xodr":
		return s.network(data)
	}
	s.Kind = triangles
	return s.mesh(data)
}

// read reads a file that the circuit's names.
func (s *Site) read(name string, most int64) ([]byte, error) {
	path := s.file.Beside(name)
	s.Sources = append(s.Sources, path)
	return source.Read(path, most)
}

func (s *Site) ribbon() error {
	s.Kind = Layout
	ribbon, areas, err := layout.NewRibbon(s.file.Layout, s.surface)
	if err != nil {
		return s.file.Fault(err)
	}
	s.Bare, s.areas, s.line = ribbon, areas, ribbon.Line()
	s.Surfaces = slices.Clone(ribbon.Surfaces())
	if !s.line.Kerbed() && !s.lays("kerb") { // nothing is made of it
		at := slices.IndexFunc(s.Surfaces, func(u road.Surface) bool { return u.Name == "kerb" })
		s.Surfaces[at].Profile, s.Surfaces[at].Rough = road.Profile{}, road.Roughness{}
	}
	return nil
}

// lays tells whether a layout names a surface.
func (s *Site) lays(name string) bool {
	l := &s.file.Layout
	return l.Road == name || l.Verge == name || slices.ContainsFunc(l.Parts, func(p layout.Part) bool { return p.Surface == name })
}

// measured returns the surface of a ground that was measured: its roughness is in the
// heights, unless the circuit describes a surface of its own.
func (s *Site) measured() (road.Surface, error) {
	name := s.file.Ground.Surface
	u, err := s.surface(name)
	if err != nil {
		return u, s.file.Fault(fmt.Errorf("ground.surface = %q: %w", name, err))
	}
	if _, own := s.file.Surfaces[name]; !own {
		u.Rough, u.Profile = road.Roughness{}, road.Profile{}
	}
	return u, nil
}

func (s *Site) crg(data []byte) error {
	s.Kind = openCRG
	g, err := crg.Parse(data, s.file.Ground.File)
	if err != nil {
		return err
	}
	u, err := s.measured()
	if err != nil {
		return err
	}
	if err := s.settle(around(g)); err != nil {
		return err
	}
	g.Shift(s.Origin)
	g.Surface = u.Tire
	s.Bare, s.Surfaces = g, []road.Surface{u}
	s.Warnings = append(s.Warnings, g.Warnings...)
	if s.file.Line.File == "" {
		if s.line, err = g.Course(); err != nil {
			s.warn("%s: no line: %v; there are no laps", s.file.Ground.File, err)
		}
	}
	return nil
}

func (s *Site) grid(data []byte) error {
	s.Kind = heightGrid
	g, err := scan.ParseASC(data, s.file.Ground.File, func(low, high r3.Vec) (r3.Vec, error) {
		err := s.settle(low, high)
		return s.Origin, err
	})
	if err != nil {
		return err
	}
	u, err := s.measured()
	if err != nil {
		return err
	}
	g.Pave([]road.Surface{u})
	s.Bare, s.Surfaces = g, []road.Surface{u}
	return nil
}

// mesh builds a ground of triangles, or takes it from the cache.
func (s *Site) mesh(data []byte) error {
	key := s.key(data)
	if s.fetch(key) {
		return s.dress()
	}
	scene, err := s.scene(data)
	if err != nil {
		return err
	}
	return s.build(scene, key)
}

// scene returns the triangles of a file that are ground.
func (s *Site) scene(data []byte) (*scan.Scene, error) {
	var scene *scan.Scene
	var err error
	if s.roads != nil {
		scene, err = s.lanes(len(data))
	} else {
		scene, err = s.parse(data)
	}
	if err == nil {
		err = s.clear(scene)
	}
	if err == nil && s.roads == nil { // a network was moved already
		if err = s.settle(scene.Extent()); err == nil {
			scene.Shift(s.Origin)
		}
	}
	return scene, err
}

// Triangles reads once more the file of a ground that is a mesh, and returns what is ground of it:
// the mesh itself has none of the file's faults left.
func (s *Site) Triangles() (*scan.Scene, error) {
	data, err := s.read(s.file.Ground.File, source.Scan)
	if err != nil {
		return nil, err
	}
	return s.scene(data)
}

// parse reads a file of triangles.
func (s *Site) parse(data []byte) (*scan.Scene, error) {
	g := &s.file.Ground
	open := s.companions()
	var scene *scan.Scene
	var err error
	if strings.EqualFold(filepath.Ext(g.File), ".obj") {
		scene, err = scan.ParseOBJ(data, g.File, scan.Options{Up: g.Up, Scale: g.Scale, Spare: s.spare()}, open)
	} else if scene, err = scan.ParseGLTF(data, g.File, open, s.spare()...); err == nil {
		lay(scene, g.Up, g.Scale)
	}
	return scene, err
}

// companions returns what reads the files that a ground names, beside it: not without end, and of
// pictures no more than whether they are there.
func (s *Site) companions() scan.Open {
	const most = 1000
	files, left := 0, int64(source.Scan)
	return func(name string) ([]byte, error) {
		if files++; files > most {
			return nil, fmt.Errorf("%s names more than %d files, which is the most", s.file.Ground.File, most)
		}
		name = filepath.Join(filepath.Dir(s.file.Ground.File), name)
		if picture(name) {
			path := s.file.Beside(name)
			s.Sources = append(s.Sources, path)
			return nil, there(path)
		}
		data, err := s.read(name, left)
		left -= int64(len(data))
		return data, err
	}
}

// picture reports whether a file is one by its name.
func picture(name string) bool {
	return slices.Contains([]string{".png", ".jpg", ".jpeg", ".webp", ".ktx2", ".dds", ".tga", ".bmp", ".tif", ".tiff", ".gif", ".exr", ".hdr"},
		strings.ToLower(filepath.Ext(name)))
}

// there returns why a file cannot be read, or nil.
func there(path string) error {
	r, _, err := source.Open(path, source.Scan)
	if err != nil {
		return err
	}
	return r.Close()
}

// spare lists the materials that are no ground.
func (s *Site) spare() []string {
	var list []string
	for _, name := range sortedKeys(s.file.Materials) {
		if s.file.Materials[name] == noGround {
			list = append(list, name)
		}
	}
	return list
}

// lay turns a scene that was read with y up, and scales it.
func lay(scene *scan.Scene, up string, scale float64) {
	p := scene.Positions
	for i := 0; i+2 < len(p); i += 3 {
		if up == "z" {
			p[i+1], p[i+2] = p[i+2], -p[i+1]
		}
		p[i], p[i+1], p[i+2] = scale*p[i], scale*p[i+1], scale*p[i+2]
	}
}

// clear leaves out what the table of materials says is no ground.
func (s *Site) clear(scene *scan.Scene) error {
	kept := 0
	for t, m := range scene.Materials {
		if s.file.Materials[scene.Names[m]] == noGround {
			continue
		}
		scene.Materials[kept] = m
		copy(scene.Indices[3*kept:3*kept+3], scene.Indices[3*t:3*t+3])
		kept++
	}
	scene.Materials, scene.Indices = scene.Materials[:kept], scene.Indices[:3*kept]
	if kept == 0 {
		return s.file.Fault(fmt.Errorf("materials: %q is what all of %s is: something must be ground", noGround, s.file.Ground.File))
	}
	return nil
}

// noGround is what the table of materials gives what no wheel meets.
const noGround = "none"

// build makes a ground of triangles and keeps it.
func (s *Site) build(scene *scan.Scene, key [sha256.Size]byte) error {
	g := &s.file.Ground
	s.o.Tell(fmt.Sprintf("building the ground of %d triangles", len(scene.Materials)))
	o := mesh.DefaultOptions()
	o.Smooth, o.TwoSided = g.Smooth > 0, g.Both
	if o.Smooth {
		o.Crease = g.Smooth * math.Pi / 180
	}
	m, err := mesh.Build(mesh.Triangles{Positions: scene.Positions, Indices: scene.Indices, Materials: scene.Materials}, o, Parallel)
	if err != nil {
		return fmt.Errorf("%s: %w", g.File, err)
	}
	s.Bare, s.Materials, s.Dropped = m, covered(scene), m.Dropped()
	s.Warnings = append(s.Warnings, scene.Warnings...)
	s.keep(key, m, scene.Warnings)
	return s.dress()
}

// Material is what a material of a mesh covers.
type Material struct {
	Name      string  `json:"name"`
	Triangles int     `json:"triangles"`
	Area      float64 `json:"area_m2"` // seen from above
}

// covered returns what each material of a scene covers.
func covered(scene *scan.Scene) []Material {
	list := make([]Material, len(scene.Names))
	for i, name := range scene.Names {
		list[i].Name = name
	}
	at := func(v uint32) r3.Vec {
		p := scene.Positions[3*v : 3*v+3]
		return r3.Vec{X: p[0], Y: p[1], Z: p[2]}
	}
	for t, m := range scene.Materials {
		a, b, c := at(scene.Indices[3*t]), at(scene.Indices[3*t+1]), at(scene.Indices[3*t+2])
		list[m].Triangles++
		list[m].Area += math.Abs(r3.Cross(r3.Sub(b, a), r3.Sub(c, a)).Z) / 2
	}
	return list
}

// network reads roads, and lays the line along the one that is named or the only one.
func (s *Site) network(data []byte) error {
	s.Kind = openDrive
	roads, err := opendrive.Parse(data, s.file.Ground.File)
	if err != nil {
		return err
	}
	if err := s.settle(roads.Extent()); err != nil {
		return err
	}
	roads.Shift(s.Origin)
	s.roads, s.Warnings = roads, append(s.Warnings, roads.Warnings...)
	if gives(roads) {
		s.warn("%s: friction and roughness of its materials are not used: give the materials surfaces in [materials]", s.file.Ground.File)
	}
	if err := s.lineOfRoad(roads); err != nil {
		return err
	}
	return s.mesh(data)
}

// gives tells whether a network has figures of its own for a material.
func gives(roads *opendrive.Map) bool {
	figures := func(m opendrive.Material) bool { return m.Friction != 0 || m.Roughness != 0 }
	lane := func(l opendrive.Lane) bool { return slices.ContainsFunc(l.Materials, figures) }
	section := func(s opendrive.Section) bool {
		return slices.ContainsFunc(s.Left, lane) || slices.ContainsFunc(s.Right, lane)
	}
	return slices.ContainsFunc(roads.Roads, func(r *opendrive.Road) bool { return slices.ContainsFunc(r.Sections, section) })
}

// lanes returns the triangles of a network. How many it may have grows with its file [bytes]: a
// few lines must not ask for gigabytes.
func (s *Site) lanes(size int) (*scan.Scene, error) {
	const least, perByte = 2_000_000, 8
	o := opendrive.DefaultOptions()
	o.Chord = s.file.Ground.Chord / 1e3
	if most := least + perByte*size; most < o.MaxTriangles {
		o.MaxTriangles, o.MaxWork = most, int(float64(o.MaxWork)*float64(most)/float64(o.MaxTriangles))
	}
	made, err := s.roads.Mesh(o)
	if err != nil {
		return nil, err
	}
	if len(made.Surfaces) > math.MaxUint8 {
		return nil, fmt.Errorf("%s: %d kinds of lanes and materials: at most %d can be told apart", s.file.Ground.File, len(made.Surfaces), math.MaxUint8)
	}
	scene := &scan.Scene{Indices: made.Indices}
	for _, p := range made.Positions {
		scene.Positions = append(scene.Positions, p.X, p.Y, p.Z)
	}
	for _, m := range made.Surface {
		scene.Materials = append(scene.Materials, uint8(m))
	}
	for _, u := range made.Surfaces {
		scene.Names = append(scene.Names, u.Name)
	}
	return scene, nil
}

// key tells meshes apart: by what the file holds and what is made of it.
func (s *Site) key(data []byte) [sha256.Size]byte {
	g := &s.file.Ground
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%q %q %v %v %v %v %v\n", cacheForm, filepath.Ext(g.File), filepath.Base(g.File), g.Up, g.Scale, g.Smooth, g.Both, g.Chord, g.Origin)
	fmt.Fprintf(&b, "%q\n", s.spare())
	sum := sha256.Sum256(data)
	b.Write(sum[:])
	return sha256.Sum256(b.Bytes())
}
