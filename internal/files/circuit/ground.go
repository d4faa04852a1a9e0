package circuit

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/userfile"
	"rig.example/rig/road"
	"rig.example/rig/road/crg"
	"rig.example/rig/road/layout"
	"rig.example/rig/road/mesh"
	"rig.example/rig/road/opendrive"
	"rig.example/rig/road/scan"
)

// The kinds of grounds, as messages and reports name them.
const (
	Layout     = "layout"
	triangles  = "mesh"
	openDrive  = "OpenDRIVE"
	openCRG    = "OpenCRG"
	heightGrid = "height grid"
)

// buildGround builds the ground and, if the file has one, the line.
func (s *Site) buildGround() error {
	g := &s.file.Ground
	if g.File == "" {
		return s.buildLayout()
	}
	if err := s.buildFromFile(); err != nil {
		return err
	}
	if s.file.Line.File != "" {
		return s.lineFromTable()
	}
	if l := &s.file.Line; l.Road != "" && s.line == nil {
		return s.file.Locate(fmt.Errorf("line.road = %q: only an OpenDRIVE file has roads; give a table with line.file",
			l.Road))
	} else if len(l.Roads) > 0 && s.line == nil {
		return s.file.Locate(fmt.Errorf("line.roads = %q: only an OpenDRIVE file has roads; give a table with line.file",
			l.Roads))
	}
	return nil
}

// buildFromFile builds a ground from its file; the extension tells the format.
func (s *Site) buildFromFile() error {
	g := &s.file.Ground
	s.o.Progress("reading " + g.File)
	data, err := s.read(g.File, userfile.MaxScan)
	if err != nil {
		return s.file.Locate(fmt.Errorf("ground.file = %q: cannot be read: %w", g.File, err))
	}
	switch strings.ToLower(filepath.Ext(g.File)) {
	case ".crg":
		return s.buildCRG(data)
	case ".asc":
		return s.buildGrid(data)
	case ".xodr":
		return s.buildNetwork(data)
	}
	s.Kind = triangles
	return s.buildMesh(data)
}

// read reads a file of at most limit bytes, named relative to the circuit's file, and adds it to Sources.
func (s *Site) read(name string, limit int64) ([]byte, error) {
	path := s.file.ResolvePath(name)
	data, err := s.readOwn(path, limit)
	if err == nil {
		s.addSource(path)
	}
	return data, err
}

// addSource adds a file to Sources, once.
func (s *Site) addSource(path string) {
	if !slices.Contains(s.Sources, path) {
		s.Sources = append(s.Sources, path)
	}
}

// readOwn reads a file that Options.Files has, or any file if that is nil.
func (s *Site) readOwn(path string, limit int64) ([]byte, error) {
	if s.o.Files != nil && !slices.Contains(s.o.Files, path) {
		return nil, errors.New("it is none of the circuit's recorded files; name a recording that was not changed")
	}
	return userfile.Read(path, limit)
}

// buildLayout builds a ground of road pieces.
func (s *Site) buildLayout() error {
	s.Kind = Layout
	ribbon, areas, err := layout.NewRibbon(s.file.Layout, s.surface)
	if err != nil {
		return s.file.Locate(err)
	}
	s.Bare, s.areaNames, s.line = ribbon, areas, ribbon.Line()
	s.Surfaces = slices.Clone(ribbon.Surfaces())
	if !s.line.HasKerb() && !s.layoutUses("kerb") { // kerb is not used: do not count it as uneven
		at := slices.IndexFunc(s.Surfaces, func(u road.Surface) bool { return u.Name == "kerb" })
		s.Surfaces[at].Profile, s.Surfaces[at].Roughness = road.Profile{}, road.Roughness{}
	}
	return nil
}

// layoutUses reports whether the layout uses the surface with this name.
func (s *Site) layoutUses(name string) bool {
	l := &s.file.Layout
	return l.Road == name || l.Verge == name || slices.ContainsFunc(l.Parts, func(p layout.Part) bool { return p.Surface == name })
}

// measuredSurface returns the surface of a measured ground. It has no roughness of its own, because that is in
// the measured heights, unless the circuit's file describes the surface.
func (s *Site) measuredSurface() (road.Surface, error) {
	name := s.file.Ground.Surface
	u, err := s.surface(name)
	if err != nil {
		return u, s.file.Locate(fmt.Errorf("ground.surface = %q: %w", name, err))
	}
	if _, own := s.file.Surfaces[name]; !own {
		u.Roughness, u.Profile = road.Roughness{}, road.Profile{}
	}
	return u, nil
}

// buildCRG builds a ground from an OpenCRG file, with the file's reference line unless the circuit
// has a table of its line.
func (s *Site) buildCRG(data []byte) error {
	s.Kind = openCRG
	g, err := crg.Parse(data, s.file.Ground.File)
	if err != nil {
		return err
	}
	u, err := s.measuredSurface()
	if err != nil {
		return err
	}
	if err := s.chooseOrigin(crgExtent(g)); err != nil {
		return err
	}
	g.Shift(s.Origin)
	g.Surface = u.Tire
	s.Bare, s.Surfaces = g, []road.Surface{u}
	s.Warnings = append(s.Warnings, g.Warnings...)
	if s.file.Line.File == "" {
		if s.line, err = g.Line(); err != nil {
			s.warnf("%s: no line, so no laps: %v", s.file.Ground.File, err)
		}
	}
	return nil
}

// buildGrid builds a ground from an ESRI ASCII grid of heights.
func (s *Site) buildGrid(data []byte) error {
	s.Kind = heightGrid
	g, err := scan.ParseASC(data, s.file.Ground.File, func(low, high r3.Vec) (r3.Vec, error) {
		err := s.chooseOrigin(low, high)
		return s.Origin, err
	})
	if err != nil {
		return err
	}
	u, err := s.measuredSurface()
	if err != nil {
		return err
	}
	g.SetSurfaces([]road.Surface{u})
	s.Bare, s.Surfaces = g, []road.Surface{u}
	return nil
}

// buildMesh builds a ground of triangles, or loads it from the cache.
func (s *Site) buildMesh(data []byte) error {
	key := s.cacheKey(data)
	if s.loadCached(key) {
		return s.assignSurfaces()
	}
	scene, err := s.readTriangles(data)
	if err != nil {
		return err
	}
	return s.meshFrom(scene, key)
}

// readTriangles returns the triangles of a file, without those that are not ground.
func (s *Site) readTriangles(data []byte) (*scan.Scene, error) {
	var scene *scan.Scene
	var err error
	if s.roads != nil {
		scene, err = s.networkTriangles(len(data))
	} else {
		scene, err = s.parseTriangles(data)
	}
	if err == nil {
		err = s.dropIgnored(scene)
	}
	if err == nil && s.roads == nil { // a network has been shifted already
		if err = s.chooseOrigin(scene.Extent()); err == nil {
			scene.Shift(s.Origin)
		}
	}
	return scene, err
}

// Triangles reads the file of a mesh again and returns its triangles that are ground, including the faults that
// building the mesh removes.
func (s *Site) Triangles() (*scan.Scene, error) {
	data, err := s.read(s.file.Ground.File, userfile.MaxScan)
	if err != nil {
		return nil, err
	}
	return s.readTriangles(data)
}

// parseTriangles parses an OBJ or glTF file.
func (s *Site) parseTriangles(data []byte) (*scan.Scene, error) {
	g := &s.file.Ground
	var scene *scan.Scene
	var err error
	if strings.EqualFold(filepath.Ext(g.File), ".obj") {
		scene, err = scan.ParseOBJ(data, g.File, scan.Options{Up: g.Up, Scale: g.Scale, Optional: s.ignoredMaterials()})
	} else if scene, err = scan.ParseGLTF(data, g.File, s.companionReader(), s.ignoredMaterials()...); err == nil {
		orient(scene, g.Up, g.Scale)
	}
	return scene, err
}

// companionReader returns a function that reads the files to which a ground's file refers, by their URIs in it. It reads
// only files in the folder of that file, and adds those to Sources.
func (s *Site) companionReader() func(uri string) ([]byte, error) {
	beside := userfile.NextTo(s.file.ResolvePath(s.file.Ground.File), userfile.MaxScan, userfile.GLTFBuffers...)
	s.companions = map[string]string{}
	return func(uri string) ([]byte, error) {
		path, err := beside.Path(uri)
		var data []byte
		switch {
		case err != nil:
		case s.o.Files != nil:
			data, err = s.readOwn(path, userfile.MaxScan)
		default:
			data, err = beside.Read(uri)
		}
		if s.companions[uri] = missing; err != nil {
			return nil, err
		}
		s.companions[uri] = contentHash(data)
		s.addSource(path)
		return data, nil
	}
}

// ignoredMaterials returns the sorted names of the materials that are not ground.
func (s *Site) ignoredMaterials() []string {
	var list []string
	for _, name := range sortedKeys(s.file.Materials) {
		if s.file.Materials[name] == notGround {
			list = append(list, name)
		}
	}
	return list
}

// orient scales a scene that was read with y up, and rotates it if its z axis points up.
func orient(scene *scan.Scene, up string, scale float64) {
	p := scene.Positions
	for i := 0; i+2 < len(p); i += 3 {
		if up == "z" {
			p[i+1], p[i+2] = p[i+2], -p[i+1]
		}
		p[i], p[i+1], p[i+2] = scale*p[i], scale*p[i+1], scale*p[i+2]
	}
}

// dropIgnored removes the triangles whose material is not ground according to the table of materials.
func (s *Site) dropIgnored(scene *scan.Scene) error {
	kept := 0
	for t, m := range scene.Materials {
		if s.file.Materials[scene.Names[m]] == notGround {
			continue
		}
		scene.Materials[kept] = m
		copy(scene.Indices[3*kept:3*kept+3], scene.Indices[3*t:3*t+3])
		kept++
	}
	scene.Materials, scene.Indices = scene.Materials[:kept], scene.Indices[:3*kept]
	if kept == 0 {
		return s.file.Locate(fmt.Errorf("materials: all materials of %[2]s are %[1]q: at least one must be ground", notGround, s.file.Ground.File))
	}
	return nil
}

// notGround is the value in the table of materials for materials that are not part of the ground.
const notGround = "none"

// meshFrom builds the mesh of scene and saves it to the cache.
func (s *Site) meshFrom(scene *scan.Scene, key [sha256.Size]byte) error {
	g := &s.file.Ground
	s.o.Progress(fmt.Sprintf("building the ground of %d triangles", len(scene.Materials)))
	o := mesh.DefaultOptions()
	o.Smooth, o.TwoSided = g.Smooth > 0, g.TwoSided
	if o.Smooth {
		o.Crease = g.Smooth * math.Pi / 180
	}
	m, err := mesh.Build(mesh.Triangles{Positions: scene.Positions, Indices: scene.Indices, Materials: scene.Materials}, o, Parallel)
	if err != nil {
		return fmt.Errorf("%s: %w", g.File, err)
	}
	s.Bare, s.Materials, s.DroppedTriangles = m, materialAreas(scene), m.Dropped()
	s.Warnings = append(s.Warnings, scene.Warnings...)
	s.saveToCache(key, m, scene.Warnings)
	return s.assignSurfaces()
}

// Material is a material of a mesh and how much of the mesh has it.
type Material struct {
	Name      string  `json:"name"`
	Triangles int     `json:"triangles"`
	Area      float64 `json:"area_m2"` // area seen from above [m²]
}

// materialAreas returns the number and the area of the triangles of each material.
func materialAreas(scene *scan.Scene) []Material {
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

// buildNetwork builds a ground from an OpenDRIVE file, and the line along its roads.
func (s *Site) buildNetwork(data []byte) error {
	s.Kind = openDrive
	roads, err := opendrive.Parse(data, s.file.Ground.File)
	if err != nil {
		return err
	}
	if err := s.chooseOrigin(roads.Extent()); err != nil {
		return err
	}
	roads.Shift(s.Origin)
	s.roads, s.Warnings = roads, append(s.Warnings, roads.Warnings...)
	if hasMaterialData(roads) {
		s.warnf("%s: friction and roughness of its materials have no effect: assign surfaces in [materials]", s.file.Ground.File)
	}
	if err := s.lineFromRoads(roads); err != nil {
		return err
	}
	return s.buildMesh(data)
}

// hasMaterialData reports whether a network gives friction or roughness of a material.
func hasMaterialData(roads *opendrive.Map) bool {
	figures := func(m opendrive.Material) bool { return m.Friction != 0 || m.Roughness != 0 }
	lane := func(l opendrive.Lane) bool { return slices.ContainsFunc(l.Materials, figures) }
	section := func(s opendrive.Section) bool {
		return slices.ContainsFunc(s.Left, lane) || slices.ContainsFunc(s.Right, lane)
	}
	return slices.ContainsFunc(roads.Roads, func(r *opendrive.Road) bool { return slices.ContainsFunc(r.Sections, section) })
}

// networkOptions returns the options for a network. The maximum number of triangles grows with the size of
// the file [bytes], so that a file of a few lines cannot need gigabytes.
func networkOptions(size int) opendrive.Options {
	const base, perByte = 2_000_000, 8
	o := opendrive.DefaultOptions()
	if limit := base + perByte*size; limit < o.MaxTriangles {
		o.MaxTriangles, o.MaxWork = limit, int(float64(o.MaxWork)*float64(limit)/float64(o.MaxTriangles))
	}
	return o
}

// networkTriangles returns the triangles of a network in a file of a size [bytes].
func (s *Site) networkTriangles(size int) (*scan.Scene, error) {
	o := networkOptions(size)
	o.Chord = s.file.Ground.Chord / 1e3
	made, err := s.roads.Mesh(o)
	if err != nil {
		return nil, err
	}
	if len(made.Surfaces) > math.MaxUint8 {
		return nil, fmt.Errorf("%s: %d kinds of lanes and materials: must be at most %d", s.file.Ground.File, len(made.Surfaces), math.MaxUint8)
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

// cacheKey returns the hash of everything that the mesh depends on: the content of the file and the settings.
func (s *Site) cacheKey(data []byte) [sha256.Size]byte {
	g := &s.file.Ground
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%q %q %v %v %v %v %v\n", cacheFormat, filepath.Ext(g.File), filepath.Base(g.File),
		g.Up, g.Scale, g.Smooth, g.TwoSided, g.Chord, g.Origin)
	fmt.Fprintf(&b, "%q\n", s.ignoredMaterials())
	sum := sha256.Sum256(data)
	b.Write(sum[:])
	return sha256.Sum256(b.Bytes())
}
