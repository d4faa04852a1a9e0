package scan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/road/gltfmesh"
)

// Options are the unit and axes of an OBJ file, which does not define them itself.
type Options struct {
	Up    string  // the axis that points up: "y", as most programs export, or "z"
	Scale float64 // length of the file's unit [m], 1e-6 to 1e6

	Optional []string // names of materials whose faces are left out with a warning if they cannot be read
}

// Validate reports every option that is out of range.
func (o Options) Validate() error {
	var up error
	if o.Up != "y" && o.Up != "z" {
		up = fmt.Errorf(`scan: up = %q: must be "y" or "z"`, printable.Excerpt(o.Up))
	}
	return errors.Join(up, inScan(valid.InRange("scale", o.Scale, 1e-6, 1e6)))
}

// objReader is a Wavefront OBJ file while it is being read.
type objReader struct {
	builder
	lines   lineReader
	options Options
	usemtl  string   // material set by usemtl
	group   string   // name of the current group
	object  string   // name of the current object
	current int      // index of the current material; -1 if it must be looked up
	corners []uint32 // vertices of the current face
	ears    earClipper
}

// ParseOBJ reads a mesh in Wavefront's OBJ format. name is the name of the file in errors. If y is up, a
// position x, y, z of the file becomes x, -z, y. Vertices, faces, groups, objects and names of materials are read;
// normals, texture coordinates and material libraries (.mtl), which hold only colors and pictures, are ignored.
//
// A face of more than three corners is cut into triangles: convex faces directly, others by ear clipping.
func ParseOBJ(data []byte, name string, o Options) (*Scene, error) {
	return parseOBJ(data, name, o, defaultBounds())
}

// parseOBJ is ParseOBJ with other bounds.
func parseOBJ(data []byte, name string, o Options, limit bounds) (*Scene, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &objReader{
		builder: newBuilder(name, len(data), limit), lines: newLineReader(data), options: o, current: -1,
	}
	r.optional = o.Optional
	for {
		line, more := r.lines.next()
		if !more {
			break
		}
		if err := r.statement(line); err != nil {
			return nil, r.fault(data, err)
		}
	}
	return r.finish()
}

// fault adds file and line to an error. For an error of a vertex, this is the line of the vertex, not that of
// the face that uses it.
func (r *objReader) fault(data []byte, err error) error {
	if v, ok := badVertexOf(err, -1); ok {
		return fmt.Errorf("scan: %s:%d: vertex %d %w (the face at line %d has it)",
			r.file, lineOfVertex(data, v), v, err, r.lines.number)
	}
	return fmt.Errorf("scan: %s:%d: %w", r.file, r.lines.number, err)
}

// lineOfVertex returns the number of the line that defines a vertex. Both are counted from 1.
func lineOfVertex(data []byte, vertex int) int {
	for l := newLineReader(data); ; {
		line, more := l.next()
		if !more {
			return l.number
		}
		if key, _ := cutWord(line); string(key) == "v" {
			if vertex--; vertex == 0 {
				return l.number
			}
		}
	}
}

// statement reads one line.
func (r *objReader) statement(line []byte) error {
	key, rest := cutWord(line)
	switch string(key) {
	case "v":
		return r.vertex(rest)
	case "f", "fo":
		triangles := r.scene
		if err := r.face(rest); !r.skipBroken(r.name(), err) {
			return err
		}
		r.restore(&Scene{Positions: r.scene.Positions, Indices: triangles.Indices, Materials: triangles.Materials})
	case "usemtl":
		r.usemtl, r.current = trimmed(rest), -1
		return nil
	case "g":
		r.group, r.current = trimmed(rest), -1
	case "o":
		r.object, r.current = trimmed(rest), -1
	case "curv", "curv2", "surf":
		r.warn("curved parts (%s) are not supported; export them as faces", key)
	case "call", "csh":
		r.warn("%q is not supported; export everything into one file", printable.Excerpt(string(line)))
	}
	return nil
}

// trimmed returns text without surrounding white space.
func trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }

// vertex reads a position. Numbers after the third are a weight or a colour, which it ignores.
func (r *objReader) vertex(rest []byte) error {
	if r.vertices() >= r.bounds.vertices {
		return fmt.Errorf("more than %d vertices; simplify the mesh or split it", r.bounds.vertices)
	}
	var p [3]float64
	for i := range p {
		var number []byte
		number, rest = cutWord(rest)
		v, err := strconv.ParseFloat(string(number), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("vertex %d: %q is not a number; a vertex is v X Y Z", r.vertices()+1, printable.Excerpt(string(number)))
		}
		p[i] = v * r.options.Scale
	}
	if r.options.Up == "y" {
		p = toZUp(p)
	}
	r.scene.Positions = append(r.scene.Positions, p[:]...)
	return nil
}

// toZUp converts axes with y up to z up; 0 stays 0, not -0.
func toZUp(p [3]float64) [3]float64 { return [3]float64{p[0], 0 - p[2], p[1]} }

// name returns the name of the current material: that of usemtl, else of the group, else of the object.
func (r *objReader) name() string {
	for _, name := range [...]string{r.usemtl, r.group, r.object} {
		if name != "" {
			return name
		}
	}
	return gltfmesh.Unnamed
}

// face reads a polygon and adds its triangles.
func (r *objReader) face(rest []byte) error {
	if r.current < 0 {
		i, err := r.material(r.name())
		if err != nil {
			return err
		}
		r.current = int(i)
	}
	r.corners = r.corners[:0]
	for {
		var corner []byte
		corner, rest = cutWord(rest)
		if len(corner) == 0 || corner[0] == '#' {
			break
		}
		v, err := r.corner(corner)
		if err != nil {
			return err
		}
		if r.corners = append(r.corners, v); len(r.corners) > maxCorners {
			return fmt.Errorf("a face of more than %d corners; cut it into triangles before the export", maxCorners)
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
		return 0, fmt.Errorf("face corner %q is no vertex number; it is V, V/T, V//N or V/T/N", printable.Excerpt(string(field)))
	}
	n := int64(r.vertices())
	at := i - 1
	if i < 0 {
		at = n + i
	}
	if i == 0 || at < 0 || at >= n || at > math.MaxUint32-1 {
		return 0, fmt.Errorf("face corner %q: there are %d vertices so far; "+
			"numbers are 1 to that, or -1 for the last; is the file cut off?", printable.Excerpt(string(field)), n)
	}
	return uint32(at), nil
}
