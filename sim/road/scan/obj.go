package scan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Options say what a file without units and axes means.
type Options struct {
	Up    string  // the axis that points up: "y", as most programs export, or "z"
	Scale float64 // metres of the file's unit, 1e-6 to 1e6

	Spare []string // names of parts that are left out with a warning if they are broken
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	var up error
	if o.Up != "y" && o.Up != "z" {
		up = fmt.Errorf(`scan: up = %q: must be "y" or "z"`, clip(o.Up))
	}
	return errors.Join(up, inRange("scale", o.Scale, 1e-6, 1e6))
}

func inRange(key string, v, low, high float64) error {
	if v >= low && v <= high {
		return nil
	}
	return fmt.Errorf("scan: %s = %g: must be from %g to %g", key, v, low, high)
}

// objReader is a Wavefront file on its way to a scene.
type objReader struct {
	builder
	lines    lines
	options  Options
	open     Open
	given    string // by usemtl
	group    string
	object   string
	current  int // material of the faces; -1 if it must be looked up
	needs    []objNeed
	mentions map[string]bool // names that a material library has
	read     map[string]bool // libraries that were read
	corners  []uint32
	ears     earClipper
}

// objNeed is a material's first use.
type objNeed struct {
	name string
	line int
}

// ParseOBJ reads a mesh in Wavefront's OBJ form; name stands for it in errors.
// With y up, a place x, y, z of the file is x, -z, y of ours. Vertices, faces,
// groups, objects and materials count; normals and texture coordinates do not.
//
// A face of more than three corners is cut into triangles: from its first corner
// if it is convex, else by cutting ears off.
func ParseOBJ(data []byte, name string, o Options, open Open) (*Scene, error) {
	return parseOBJ(data, name, o, open, sane())
}

func parseOBJ(data []byte, name string, o Options, open Open, most bounds) (*Scene, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &objReader{builder: newBuilder(name, len(data), most), lines: newLines(data), options: o, open: open, current: -1, mentions: map[string]bool{}, read: map[string]bool{}}
	r.spare = o.Spare
	for {
		line, more := r.lines.take()
		if !more {
			break
		}
		if err := r.statement(line); err != nil {
			return nil, r.fault(data, err)
		}
	}
	r.checkMaterials()
	return r.finish()
}

// fault puts the file and line before an error: a vertex's own, not that of the face that has it.
func (r *objReader) fault(data []byte, err error) error {
	if v, ok := vertexOf(err, -1); ok {
		return fmt.Errorf("scan: %s:%d: vertex %d %w (the face at line %d has it)", r.file, lineOfVertex(data, v), v, err, r.lines.number)
	}
	return fmt.Errorf("scan: %s:%d: %w", r.file, r.lines.number, err)
}

// lineOfVertex returns the line of a vertex, counted from 1.
func lineOfVertex(data []byte, vertex int) int {
	for l := newLines(data); ; {
		line, more := l.take()
		if !more {
			return l.number
		}
		if key, _ := word(line); string(key) == "v" {
			if vertex--; vertex == 0 {
				return l.number
			}
		}
	}
}

// statement reads one line.
func (r *objReader) statement(line []byte) error {
	key, rest := word(line)
	switch string(key) {
	case "v":
		return r.vertex(rest)
	case "f", "fo":
		triangles := r.scene
		if err := r.face(rest); !r.forgive(r.name(), err) {
			return err
		}
		r.cut(&Scene{Positions: r.scene.Positions, Indices: triangles.Indices, Materials: triangles.Materials})
	case "usemtl":
		r.given, r.current = text(rest), -1
		return nil
	case "g":
		r.group, r.current = text(rest), -1
	case "o":
		r.object, r.current = text(rest), -1
	case "mtllib":
		r.library(text(rest))
	case "curv", "curv2", "surf":
		r.warn("curved parts (%s) are left out; export them as faces", key)
	case "call", "csh":
		r.warn("%q is left out; export all into one file", clip(string(line)))
	}
	return nil
}

func text(b []byte) string { return string(bytes.TrimSpace(b)) }

// vertex reads a place; what follows the third number is weight or colour.
func (r *objReader) vertex(rest []byte) error {
	if r.vertices() >= r.most.vertices {
		return fmt.Errorf("more than %d vertices; thin the mesh out or split it", r.most.vertices)
	}
	var p [3]float64
	for i := range p {
		var number []byte
		number, rest = word(rest)
		v, err := strconv.ParseFloat(string(number), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("vertex %d: %q is no number; a vertex is v X Y Z", r.vertices()+1, clip(string(number)))
		}
		p[i] = v * r.options.Scale
	}
	if r.options.Up == "y" {
		p = upright(p)
	}
	r.scene.Positions = append(r.scene.Positions, p[:]...)
	return nil
}

// upright turns axes with y up into ours; 0 stays 0, not -0.
func upright(p [3]float64) [3]float64 { return [3]float64{p[0], 0 - p[2], p[1]} }

// name returns what the material is called: by usemtl, else by group, else by object.
func (r *objReader) name() string {
	for _, name := range [...]string{r.given, r.group, r.object} {
		if name != "" {
			return name
		}
	}
	return unnamed
}

// unnamed is the material of what has no name at all.
const unnamed = "unnamed"

// face reads a polygon.
func (r *objReader) face(rest []byte) error {
	if r.current < 0 {
		i, err := r.material(r.name())
		if err != nil {
			return err
		}
		r.current = int(i)
		if r.given != "" {
			r.need(r.given)
		}
	}
	r.corners = r.corners[:0]
	for {
		var corner []byte
		corner, rest = word(rest)
		if len(corner) == 0 || corner[0] == '#' {
			break
		}
		v, err := r.corner(corner)
		if err != nil {
			return err
		}
		if r.corners = append(r.corners, v); len(r.corners) > cornersMost {
			return fmt.Errorf("a face of more than %d corners; cut it into triangles before the export", cornersMost)
		}
	}
	if len(r.corners) < 3 {
		return fmt.Errorf("a face of %d corners: must have 3 at least; export the mesh again", len(r.corners))
	}
	return r.polygon()
}

// corner reads one corner of a face, as v, v/vt, v//vn or v/vt/vn.
func (r *objReader) corner(field []byte) (uint32, error) {
	number, _, _ := bytes.Cut(field, []byte{'/'})
	i, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("face corner %q is no vertex number; it is V, V/T, V//N or V/T/N", clip(string(field)))
	}
	n := int64(r.vertices())
	at := i - 1
	if i < 0 {
		at = n + i
	}
	if i == 0 || at < 0 || at >= n || at > math.MaxUint32-1 {
		return 0, fmt.Errorf("face corner %q: there are %d vertices so far; numbers are 1 to that, or -1 for the last; is the file cut off?", clip(string(field)), n)
	}
	return uint32(at), nil
}

// need remembers where a material was used first.
func (r *objReader) need(name string) {
	for _, n := range r.needs {
		if n.name == name {
			return
		}
	}
	r.needs = append(r.needs, objNeed{name, r.lines.number})
}

// checkMaterials warns of materials that no library has.
func (r *objReader) checkMaterials() {
	if len(r.mentions) == 0 {
		return // there was no library, or it is missing as a whole
	}
	for _, n := range r.needs {
		if !r.mentions[n.name] {
			r.warn("line %d: material %q is in no mtllib; its name alone counts", n.line, clip(n.name))
		}
	}
}

// library reads a material library's names, and looks for its textures.
func (r *objReader) library(name string) {
	if r.read[name] {
		return
	}
	r.read[name] = true
	data, err := openWith(r.open, name)
	if err != nil {
		r.warn("line %d: material library %q cannot be read (%s); put it beside the file, or go on without", r.lines.number, clip(name), clip(err.Error()))
		return
	}
	material := ""
	for l := newLines(data); ; {
		line, more := l.take()
		if !more {
			return
		}
		key, rest := word(line)
		switch k := strings.ToLower(string(key)); {
		case k == "newmtl":
			material = text(rest)
			r.mentions[material] = true
		case strings.HasPrefix(k, "map_") || k == "bump" || k == "disp" || k == "decal" || k == "norm":
			r.texture(material, name, text(rest))
		}
	}
}

// texture warns if a picture is missing. Options before its name are passed over.
func (r *objReader) texture(material, library, args string) {
	file := args
	if strings.HasPrefix(args, "-") {
		fields := strings.Fields(args)
		file = fields[len(fields)-1]
	}
	if file == "" {
		return
	}
	if _, err := openWith(r.open, strings.ReplaceAll(file, `\`, "/")); err != nil {
		r.warn("material %q in %s: texture %q cannot be read (%s); only its picture is missing", clip(material), clip(library), clip(file), clip(err.Error()))
	}
}

// openWith calls open, which may be nil.
func openWith(open Open, name string) ([]byte, error) {
	if open == nil {
		return nil, errors.New("this file was given alone")
	}
	return open(name)
}
