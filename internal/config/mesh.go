package config

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/sim"
)

// loadMesh reads the points of a car's hull from the file that it names. One that
// cannot be read is a fault with its place in the car's file, what is wrong in it
// one in the mesh's own.
func loadMesh(name string, data []byte, p *sim.Params, read reader) error {
	h := &p.Hull
	if h.Mesh == "" {
		return nil
	}
	if len(h.Points) > 0 {
		return locate(name, data, fmt.Errorf("hull: mesh = %q stands beside points_m: give one of them", h.Mesh))
	}
	text, path, err := read(name, h.Mesh)
	if err != nil {
		return locate(name, data, fmt.Errorf("hull: mesh = %q: %w", h.Mesh, err))
	}
	points, rows, err := parseMesh(path, text)
	if err != nil {
		return err
	}
	h.Points = points
	if err = h.Validate(); len(h.Points) == 0 {
		err = errors.New("it has no vertices")
	}
	if err == nil {
		return nil
	}
	fault := &Problem{File: path, Text: "is no hull: " + err.Error()}
	var at int
	if n, _ := fmt.Sscanf(err.Error(), "points_m[%d]", &at); n == 1 { // a vertex has a line of its own
		fault.Line, fault.Column = rows[at], 1
	}
	return fault
}

// parseMesh returns the vertices of a mesh, and the line of each: the v lines of a Wavefront OBJ,
// whose name ends with .obj, or else the lines of a list, x y z in metres each.
func parseMesh(name string, data []byte) (points [][]float64, rows []int, err error) {
	obj := strings.EqualFold(filepath.Ext(name), ".obj")
	joined := false // with the line before, by a backslash at its end
	row := 0
	for line := range strings.Lines(string(data)) {
		row++
		text, _, _ := strings.Cut(line, "#")
		words := strings.Fields(text)
		rest := joined
		joined = obj && len(words) > 0 && strings.HasSuffix(words[len(words)-1], `\`)
		if rest || len(words) == 0 {
			continue
		}
		at := meshLine{name, row, line, words}
		if obj && words[0] != "v" {
			if !slices.Contains(objWords, words[0]) {
				return nil, nil, at.fault(0, "%q is no statement of a Wavefront OBJ", words[0])
			}
			continue
		}
		p, err := at.vertex(obj)
		if err != nil {
			return nil, nil, err
		}
		points, rows = append(points, p), append(rows, row)
	}
	return points, rows, nil
}

// objWords are the statements of a Wavefront OBJ that say nothing about where
// vertices are, and those of free-form surfaces, of which the control points count.
var objWords = strings.Fields(`vt vn vp p l f g s mg o usemtl mtllib usemap maplib
	cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con
	bevel c_interp d_interp lod shadow_obj trace_obj ctech stech`)

// meshLine is a line of a mesh and where it stands.
type meshLine struct {
	file  string
	row   int
	text  string
	words []string
}

// fault says what is wrong with a word of the line.
func (l meshLine) fault(word int, format string, args ...any) error {
	column, from := 1, 0
	for i, w := range l.words[:word+1] {
		at := from + strings.Index(l.text[from:], w)
		if i == word {
			column = at + 1
		}
		from = at + len(w)
	}
	return &Problem{l.file, l.row, column, fmt.Sprintf(format, args...)}
}

// vertex returns the place on the line. Behind it an OBJ may have a weight or a colour.
func (l meshLine) vertex(obj bool) ([]float64, error) {
	first, lengths := 0, []int{3}
	if obj {
		first, lengths = 1, []int{3, 4, 6}
	}
	if n := len(l.words) - first; !slices.Contains(lengths, n) {
		return nil, l.fault(0, "a vertex has %d values: give three, x y z in metres", n)
	}
	p := make([]float64, 0, 3)
	for i := first; i < len(l.words); i++ {
		v, err := strconv.ParseFloat(l.words[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, l.fault(i, "%q is not a number", l.words[i])
		}
		if len(p) < 3 {
			p = append(p, v)
		}
	}
	return p, nil
}
