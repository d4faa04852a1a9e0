package scan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/test/near"
)

func zUp() Options { return Options{Up: "z", Scale: 1} }

func obj(t *testing.T, text string, o Options) *Scene {
	t.Helper()
	s, err := ParseOBJ([]byte(text), "a.obj", o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const square = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n"

func TestOBJFaces(t *testing.T) {
	first, second := [9]float64{0, 0, 0, 2, 0, 0, 2, 2, 0}, [9]float64{0, 0, 0, 2, 2, 0, 0, 2, 0}
	tests := []struct {
		name string
		text string
		want [][9]float64
	}{
		{"triangle", square + "f 1 2 3\n", [][9]float64{first}},
		{"with texture", square + "vt 0 0\nf 1/1 2/1 3/1", [][9]float64{first}},
		{"with normal", square + "vn 0 0 1\nf 1//1 2//1 3//1", [][9]float64{first}},
		{"with both", square + "f 1/7/8 2/7/8 3/7/8", [][9]float64{first}},
		{"from the end", square + "f -4 -3 -2\nv 9 9 9", [][9]float64{first}},
		{"quad", square + "f 1 2 3 4", [][9]float64{first, second}},
		{"continued", square + "f 1 2 \\\n3\\\n 4\n", [][9]float64{first, second}},
		{"line ends and blanks", "\xef\xbb\xbf# by hand\r\n" + square + "\tf   1  2\t3  # the first\r\n", [][9]float64{first}},
		{"colours of vertices", "v 0 0 0 1 0 0\nv 2 0 0 1 0 0\nv 2 2 0 1 0 0\nf 1 2 3", [][9]float64{first}},
		{"numbers with exponents", "v 0 -0.0 0e0\nv 2e0 0 .0\nv 20e-1 +2 0\nf 1 2 3", [][9]float64{first}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := obj(t, tt.text, zUp())
			wantPlaces(t, s, tt.want...)
			wantWarnings(t, s)
		})
	}
}

// With y up, z of the file points back to us: to the right of x ahead.
func TestOBJAxesAndScale(t *testing.T) {
	const text = "v 1 2 3\nv 4 5 6\nv 7 8 10\nf 1 2 3"
	wantPlaces(t, obj(t, text, usual()), [9]float64{1, -3, 2, 4, -6, 5, 7, -10, 8})
	wantPlaces(t, obj(t, text, Options{Up: "z", Scale: 0.001}), [9]float64{0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.01})
}

// A polygon that is not convex is cut into triangles of its own area, all within.
func TestOBJConcave(t *testing.T) {
	tests := []struct {
		name string
		text string
		area float64 // positive if it looks up or ahead
	}{
		{"an arrow", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 3 1 0\nf 1 2 3 4", 4},
		{"an arrow from its notch", "v 3 1 0\nv 0 0 0\nv 4 0 0\nv 4 4 0\nf 1 2 3 4", 4},
		{"an L", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6", 3},
		{"an L upright", "v 0 0 0\nv 0 2 0\nv 0 2 1\nv 0 1 1\nv 0 1 2\nv 0 0 2\nf 1 2 3 4 5 6", 3},
		{"an L from behind", "v 0 0 0\nv 0 2 0\nv 1 2 0\nv 1 1 0\nv 2 1 0\nv 2 0 0\nf 1 2 3 4 5 6", -3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := obj(t, tt.text, zUp())
			sum, all := 0.0, 0.0
			for i := 0; i < len(s.Indices); i += 3 {
				a, b, c := s.at(s.Indices[i]), s.at(s.Indices[i+1]), s.at(s.Indices[i+2])
				area := r3.Scale(0.5, r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
				sum += area.X + area.Z
				all += r3.Norm(area)
			}
			near.Value(t, "area", sum, tt.area, 1e-12)
			near.Value(t, "area of the parts", all, math.Abs(tt.area), 1e-12)
			if got, want := len(s.Indices)/3, len(s.Positions)/3-2; got != want {
				t.Errorf("%d triangles, want %d", got, want)
			}
		})
	}
}

func TestOBJPolygonsThatCannotBeCut(t *testing.T) {
	bow := obj(t, "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nf 1 2 3 4", zUp())
	if len(bow.Indices) != 6 {
		t.Errorf("%d corners, want 6", len(bow.Indices))
	}
	wantWarnings(t, bow, "a.obj: line 5: a face of 4 corners crosses itself or has no area; cut it into triangles before the export")
	var star strings.Builder
	face := "f"
	for i := range 200 {
		fmt.Fprintf(&star, "v %d %d 0\n", i, 5*(i%2))
		face += fmt.Sprint(" ", i+1)
	}
	s := obj(t, star.String()+face, zUp())
	wantWarnings(t, s, "a.obj: line 201: a face of 200 corners is not convex and is cut from its first corner; cut it into triangles before the export")
}

// polygonOf is a face of n corners on a circle.
func polygonOf(corners int) string {
	var b strings.Builder
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		fmt.Fprintf(&b, "v %.9f %.9f 0\n", 100*cos, 100*sin)
	}
	b.WriteString("f")
	for i := range corners {
		fmt.Fprintf(&b, " %d", i+1)
	}
	return b.String()
}

// The triangles of a face with many corners do not all lie above each other: a place is below
// the boxes of a few of them.
func TestOBJManyCorners(t *testing.T) {
	s := obj(t, polygonOf(maxCorners), zUp())
	if got := len(s.Materials); got != maxCorners-2 {
		t.Fatalf("%d triangles, want %d", got, maxCorners-2)
	}
	area, sum := 0.0, 0.0
	for i := 0; i < len(s.Indices); i += 3 {
		a, b, c := s.at(s.Indices[i]), s.at(s.Indices[i+1]), s.at(s.Indices[i+2])
		area += r3.Cross(r3.Sub(b, a), r3.Sub(c, a)).Z / 2
		box := boxOf(0, a, b, c)
		sum += (box.high.X - box.low.X) * (box.high.Y - box.low.Y)
	}
	near.Value(t, "area", area, math.Pi*1e4, 1)
	if mean := sum / area; mean > 10 {
		t.Errorf("%.0f boxes above each other", mean)
	}
	_, err := ParseOBJ([]byte(polygonOf(200_000)), "a.obj", zUp())
	wantError(t, err, "scan: a.obj:200001: a face of more than 4096 corners; cut it into triangles")
}

// Cutting ears is given up where a file has very many of them.
func TestOBJEarsAreBounded(t *testing.T) {
	comb, face := "", "f"
	for i := range maxEarCorners {
		y := 50 * (i % 2)
		x := i
		if i >= maxEarCorners/2 {
			x, y = maxEarCorners-1-i, 60-5*(i%2)
		}
		comb += fmt.Sprintf("v %d %d 0\n", x, y)
		face += fmt.Sprint(" ", i+1)
	}
	r := &objReader{builder: newBuilder("a.obj", 0, defaultBounds()), lines: newLineReader([]byte(comb + face)), options: zUp(), current: -1}
	r.ears.work = maxEarWork
	for {
		line, more := r.lines.next()
		if !more {
			break
		}
		if err := r.statement(line); err != nil {
			t.Fatal(err)
		}
	}
	if r.ears.work != maxEarWork || len(r.scene.Materials) != maxEarCorners-2 || len(r.scene.Warnings) != 1 {
		t.Errorf("effort %d, %d triangles, warnings %q", r.ears.work, len(r.scene.Materials), r.scene.Warnings)
	}
}

func TestOBJNames(t *testing.T) {
	const f = "f 1 2 3\n"
	tests := []struct{ name, text, want string }{
		{"nothing", f, "unnamed"},
		{"material", "usemtl tarmac\n" + f + "usemtl grass\n" + f + "usemtl tarmac\n" + f, "tarmac grass tarmac"},
		{"group", "g left kerb\n" + f, "left kerb"},
		{"object", "o track\n" + f, "track"},
		{"material before group", "o track\ng kerb\nusemtl paint\n" + f, "paint"},
		{"group before object", "g kerb\no track\n" + f, "kerb"},
		{"only those in use", "usemtl a\nusemtl b\n" + f, "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := obj(t, square+tt.text, zUp())
			if got := names(s); got != tt.want {
				t.Errorf("called %q, want %q", got, tt.want)
			}
		})
	}
}

// Only the names of materials matter to a car: a library adds nothing to them.
func TestOBJMaterialLibrariesAreIgnored(t *testing.T) {
	s := obj(t, "mtllib road.mtl\n"+square+"usemtl tarmac\nf 1 2 3\nusemtl ice\nf 1 3 4\n", zUp())
	if wantWarnings(t, s); names(s) != "tarmac ice" {
		t.Errorf("called %q", names(s))
	}
}

// A vertex that is no place matters only if a face has it.
func TestOBJUnusedFault(t *testing.T) {
	s := obj(t, "v nan 0 0\n"+square+"f 2 3 4", zUp())
	wantPlaces(t, s, [9]float64{0, 0, 0, 2, 0, 0, 2, 2, 0})
	wantWarnings(t, s, "a.obj: 1 vertices are NaN or Inf; no face uses them")
	if len(s.Positions) != 9 {
		t.Errorf("%d coordinates, want 9", len(s.Positions))
	}
}

func TestOBJRefuses(t *testing.T) {
	many := square
	for i := range 256 {
		many += fmt.Sprintf("usemtl m%d\nf 1 2 3\n", i)
	}
	tests := []struct{ name, text, want string }{
		{"empty", "", "scan: a.obj: no triangles"},
		{"no faces", square, "scan: a.obj: no triangles"},
		{"cut off in a vertex", "v 0 0", `scan: a.obj:1: vertex 1: "" is not a number`},
		{"a word", "v 0 0 0\nv 0 x 0", `scan: a.obj:2: vertex 2: "x" is not a number`},
		{"two corners", square + "f 1 2", "scan: a.obj:5: a face of 2 corners"},
		{"beyond", square + "f 1 2 5", `scan: a.obj:5: face corner "5": there are 4 vertices`},
		{"before", square + "f 1 2 -5", `scan: a.obj:5: face corner "-5"`},
		{"zero", square + "f 0 1 2", `scan: a.obj:5: face corner "0"`},
		{"huge", square + "f 1 2 4000000000", `scan: a.obj:5: face corner "4000000000"`},
		{"not a number", square + "f 1 2 a", `scan: a.obj:5: face corner "a"`},
		{"NaN", "v 0 0 0\nv 1 0 nan\nv 0 1 0\n\nf 1 2 3", "scan: a.obj:2: vertex 2 is at 1, 0, NaN m: must be numbers from -1e+08 to 1e+08; reproject to metres, or export the mesh again (the face at line 5 has it)"},
		{"infinite", "v 0 0 0\nv 1 0 1e999\nv 0 1 0\nf 1 2 3", "scan: a.obj:2: vertex 2 is at 1, 0, +Inf m"},
		{"far away", "# v 1 2 3\nv 0 0 0\nvt 0 0\n v 1 \\\n 0 1e9\nv 0 1 0\nf 1 2 3", "scan: a.obj:4: vertex 2 is at 1, 0, 1e+09 m"},
		{"many materials", many, `scan: a.obj:516: material "m255": a road can have at most 255`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseOBJ([]byte(tt.text), "a.obj", zUp())
			wantError(t, err, tt.want)
		})
	}
}

func TestOptionsValidate(t *testing.T) {
	_, err := ParseOBJ(nil, "a.obj", Options{Up: "x", Scale: 1})
	wantError(t, err, `up = "x": must be "y" or "z"`)
	_, err = ParseOBJ(nil, "a.obj", Options{Up: "y"})
	wantError(t, err, "scale = 0: must be 1e-06 to 1000000")
}
