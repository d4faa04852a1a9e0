package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/sim"
)

// loadMesh reads the points of a car's hull from the mesh file that p names, if any. name and data are path
// and text of the car's file: an error about reading has its position there, an error in the mesh has
// its position in the mesh file.
func loadMesh(name string, data []byte, p *sim.Params, read fileReader) error {
	h := &p.Hull
	if h.Mesh == "" {
		return nil
	}
	if len(h.Points) > 0 {
		return locate(name, data, fmt.Errorf("hull.mesh = %q: conflicts with points_m; remove one of them", h.Mesh))
	}
	text, path, err := read(name, h.Mesh)
	if err != nil {
		return locate(name, data, fmt.Errorf("hull.mesh = %q: %w", h.Mesh, err))
	}
	points, lineNumbers, err := parseMesh(path, text)
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
	fault := &Problem{File: path, Text: "is not a valid hull: " + err.Error()}
	var at int
	if n, _ := fmt.Sscanf(err.Error(), "points_m[%d]", &at); n == 1 { // each vertex has its own line
		fault.Line, fault.Column = lineNumbers[at], 1
	}
	return fault
}

// parseMesh returns the vertices of a mesh [m] and the line number of each. A name that ends with .obj is a
// Wavefront OBJ (its v lines are read), any other file a list with one vertex, x y z, on each line.
func parseMesh(name string, data []byte) (points [][]float64, lineNumbers []int, err error) {
	obj := strings.EqualFold(filepath.Ext(name), ".obj")
	continued := false // the previous line ended with a backslash
	lineNumber := 0
	for line := range strings.Lines(string(data)) {
		lineNumber++
		text, _, _ := strings.Cut(line, "#")
		words := strings.Fields(text)
		continuesPrevious := continued
		continued = obj && len(words) > 0 && strings.HasSuffix(words[len(words)-1], `\`)
		if continuesPrevious || len(words) == 0 {
			continue
		}
		at := meshLine{name, lineNumber, line, words}
		if obj && words[0] != "v" {
			if !slices.Contains(objWords, words[0]) {
				return nil, nil, at.problem(0, "%q is not a Wavefront OBJ statement", words[0])
			}
			continue
		}
		p, err := at.vertex(obj)
		if err != nil {
			return nil, nil, err
		}
		points, lineNumbers = append(points, p), append(lineNumbers, lineNumber)
	}
	return points, lineNumbers, nil
}

// objWords are the Wavefront OBJ statements that are ignored: they give no vertex, or describe free-form
// surfaces, whose control points are v lines too.
var objWords = strings.Fields(`vt vn vp p l f g s mg o usemtl mtllib usemap maplib
	cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con
	bevel c_interp d_interp lod shadow_obj trace_obj ctech stech`)

// meshLine is a line of a mesh file, with its position for errors.
type meshLine struct {
	file       string
	lineNumber int // from 1
	text       string
	words      []string // words of text before a comment
}

// problem returns an error at the position of a word of the line.
func (l meshLine) problem(word int, format string, args ...any) error {
	column, from := 1, 0
	for i, w := range l.words[:word+1] {
		at := from + strings.Index(l.text[from:], w)
		if i == word {
			column = at + 1
		}
		from = at + len(w)
	}
	return &Problem{l.file, l.lineNumber, column, fmt.Sprintf(format, args...)}
}

// vertex returns the coordinates on the line [m]. In an OBJ a weight or a color may follow them.
func (l meshLine) vertex(obj bool) ([]float64, error) {
	first, lengths := 0, []int{3}
	if obj {
		first, lengths = 1, []int{3, 4, 6}
	}
	if n := len(l.words) - first; !slices.Contains(lengths, n) {
		return nil, l.problem(0, "a vertex has %d values: give three, x y z in metres", n)
	}
	p := make([]float64, 0, 3)
	for i := first; i < len(l.words); i++ {
		v, err := strconv.ParseFloat(l.words[i], 64)
		if err != nil || !valid.Finite(v) {
			return nil, l.problem(i, "%q is not a number", l.words[i])
		}
		if len(p) < 3 {
			p = append(p, v)
		}
	}
	return p, nil
}
