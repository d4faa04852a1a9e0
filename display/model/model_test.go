package model

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"rig.example/rig/display/model/modeltest"
	"rig.example/rig/road/gltfmesh/gltfmeshtest"
)

// parse reads a document with the buffer of modeltest.
func parse(document string, c Config, bothSides bool) (*Model, error) {
	return Parse(gltfmeshtest.GLB(document, modeltest.Buffer()), nil, c, bothSides)
}

func mustParse(t *testing.T, document string, c Config, bothSides bool) *Model {
	t.Helper()
	m, err := parse(document, c, bothSides)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reach returns the lowest and highest coordinates of a mesh.
func reach(m *Mesh) (low, high [3]float32) {
	low, high = m.Vertices[0].Pos, m.Vertices[0].Pos
	for _, v := range m.Vertices {
		for i, x := range v.Pos {
			low[i], high[i] = min(low[i], x), max(high[i], x)
		}
	}
	return low, high
}

func near(a, b [3]float32) bool {
	for i := range a {
		if math.Abs(float64(a[i]-b[i])) > 1e-5 {
			return false
		}
	}
	return true
}

// The body is 12 triangles and its nose 12; the wheel and what is below it are left out; what hides the driver's view is apart.
func TestPartsOfAModel(t *testing.T) {
	m := mustParse(t, modeltest.Document, DefaultConfig(), false)
	if body, cabin := len(m.Body.Indices)/3, len(m.Cabin.Indices)/3; body != 24 || cabin != 12 {
		t.Errorf("%d triangles of the body and %d of the cabin, want 24 and 12", body, cabin)
	}
	glass := strings.Replace(modeltest.Document, `"Cabin"`, `"top"`, 1)
	if m = mustParse(t, glass, DefaultConfig(), false); len(m.Cabin.Indices) != 36 {
		t.Errorf("%d corners of glass, want 36", len(m.Cabin.Indices))
	}
	solid := strings.Replace(modeltest.Document, `"alphaMode":"BLEND",`, "", 1)
	if m = mustParse(t, solid, DefaultConfig(), false); len(m.Cabin.Indices) != 36 {
		t.Errorf("%d corners below the cabin, want 36", len(m.Cabin.Indices))
	}
}

// +Z of the file is ahead, +X left and +Y up; the nose is the red part ahead of 2.1 m.
func TestAxesAndScale(t *testing.T) {
	turned := strings.Replace(modeltest.Document, `"translation":[0,0.7,0]`, `"rotation":[0,1,0,1],"translation":[0,0.7,3]`, 1)
	for _, tt := range []struct {
		name, document string
		c              Config
		low, high      [3]float32
	}{
		{"metres", modeltest.Document, Config{Scale: 1}, [3]float32{-2.1, -0.9, 0.2}, [3]float32{2.3, 0.9, 1.2}},
		{"moved", modeltest.Document, Config{Scale: 1, Ahead: 1.5, Up: -0.2}, [3]float32{-0.6, -0.9, 0}, [3]float32{3.8, 0.9, 1}},
		{"half", modeltest.Document, Config{Scale: 0.5, Up: 1}, [3]float32{-1.05, -0.45, 1.1}, [3]float32{1.15, 0.45, 1.6}},
		{"to the left", turned, Config{Scale: 1}, [3]float32{2.1, -2.1, 0.2}, [3]float32{3.9, 2.3, 1.2}},
	} {
		m := mustParse(t, tt.document, tt.c, false)
		if low, high := reach(&m.Body); !near(low, tt.low) || !near(high, tt.high) {
			t.Errorf("%s: from %v to %v, want %v to %v", tt.name, low, high, tt.low, tt.high)
		}
	}
}

// Normals and triangles look outward, also where a node mirrors.
func TestNormalsLookOutward(t *testing.T) {
	mirrored := strings.Replace(modeltest.Document, `"scale":[0.9,0.5,2.1]`, `"scale":[-0.9,0.5,2.1]`, 1)
	shared := strings.ReplaceAll(modeltest.Document, `{"POSITION":0}`, `{"POSITION":0,"NORMAL":0}`)
	middle := [3]float32{0, 0, 0.7}
	for name, document := range map[string]string{"flat": modeltest.Document, "mirrored": mirrored, "shared": shared} {
		m := mustParse(t, document, DefaultConfig(), false).Body
		for i := 0; i < 36; i += 3 { // the body, whose middle is known
			var at [3][3]float32
			for c := range at {
				v := m.Vertices[m.Indices[i+c]]
				at[c] = v.Pos
				out, length := 0.0, 0.0
				for k := range v.Pos {
					out += float64((v.Pos[k] - middle[k]) * v.Normal[k])
					length += float64(v.Normal[k] * v.Normal[k])
				}
				if !(out > 0) || math.Abs(length-1) > 1e-5 {
					t.Fatalf("%s: normal %v at %v", name, v.Normal, v.Pos)
				}
			}
			u, w := sub(at[1], at[0]), sub(at[2], at[0])
			flat := [3]float32{u[1]*w[2] - u[2]*w[1], u[2]*w[0] - u[0]*w[2], u[0]*w[1] - u[1]*w[0]}
			if from := sub(at[0], middle); flat[0]*from[0]+flat[1]*from[1]+flat[2]*from[2] <= 0 {
				t.Errorf("%s: triangle %d is clockwise from outside", name, i/3)
			}
		}
		if name == "shared" && len(m.Vertices) != 24 { // 8 for each of three materials
			t.Errorf("%d vertices, want 24", len(m.Vertices))
		}
	}
}

func sub(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Colors are those of the materials, in sRGB: half of the light is 0.73.
func TestColors(t *testing.T) {
	m := mustParse(t, modeltest.Document, DefaultConfig(), false).Body
	yellow := Vertex{Color: [3]float32{1, 0.72974, 0}, Gloss: 0.6}
	if v := m.Vertices[m.Indices[0]]; !near(v.Color, yellow.Color) || math.Abs(float64(v.Gloss-yellow.Gloss)) > 1e-6 {
		t.Errorf("sides %v, gloss %v, want %v", v.Color, v.Gloss, yellow)
	}
	if v := m.Vertices[m.Indices[3*8]]; v.Color != [3]float32{1, 1, 1} || v.Gloss != 0 {
		t.Errorf("roof %v, gloss %v, want white and matt", v.Color, v.Gloss)
	}
	own := strings.ReplaceAll(modeltest.Document, `{"POSITION":0}`, `{"POSITION":0,"COLOR_0":0}`)
	m = mustParse(t, own, DefaultConfig(), false).Body // the corners of the cube as colors: below 0 is black
	for _, i := range m.Indices[:24] {
		v := m.Vertices[i]
		want := [3]float32{}
		if v.Pos[1] > 0 {
			want[0] = 1
		}
		if v.Pos[2] > 0.7 {
			want[1] = 0.72974
		}
		if !near(v.Color, want) {
			t.Fatalf("vertex at %v has the color %v, want %v", v.Pos, v.Color, want)
		}
	}
}

func TestBothSides(t *testing.T) {
	double := strings.Replace(modeltest.Document, `"materials":[{`, `"materials":[{"doubleSided":true,`, 1)
	for _, tt := range []struct {
		document  string
		bothSides bool
		triangles int
	}{{double, true, 32}, {double, false, 24}, {modeltest.Document, true, 24}} {
		m := mustParse(t, tt.document, DefaultConfig(), tt.bothSides)
		if got := len(m.Body.Indices) / 3; got != tt.triangles {
			t.Errorf("%d triangles, want %d", got, tt.triangles)
		}
	}
}

func TestFaultsOfAModel(t *testing.T) {
	replaced := func(old, new string) []byte {
		if !strings.Contains(modeltest.Document, old) {
			t.Fatalf("the document has no %s", old)
		}
		return gltfmeshtest.GLB(strings.Replace(modeltest.Document, old, new, 1), modeltest.Buffer())
	}
	nan := modeltest.Buffer()
	binary.LittleEndian.PutUint32(nan, math.Float32bits(float32(math.NaN())))
	car := modeltest.Car()
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"old", append([]byte("glTF\x01"), car[5:]...), "must be 2; export as glTF 2.0"},
		{"material", replaced(`"material":2`, `"material":8`), "material 8 not found"},
		{"centimetres", replaced(`"scale":[0.9,0.5,2.1]`, `"scale":[90,50,210]`), "set model.scale to the file's unit"},
		{"NaN", gltfmeshtest.GLB(modeltest.Document, nan), "vertex 0 is NaN m from the car"},
		{"nothing", replaced(`"nodes":[0,1,2]`, `"nodes":[1]`), "it has no triangles"},
	} {
		_, err := Parse(tt.data, nil, DefaultConfig(), false)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A file with more triangles than allowed is refused.
func TestTooManyTriangles(t *testing.T) {
	buffer := modeltest.Buffer()[:96]
	for len(buffer) < 96+3*(MaxTriangles+1) {
		buffer = append(buffer, 1, 3, 7)
	}
	document := strings.NewReplacer(`"byteOffset":96,"byteLength":36`, `"byteOffset":96,"byteLength":6000003`, `"count":24`, `"count":6000003`,
		`"byteLength":132`, `"byteLength":6000099`).Replace(modeltest.Document)
	_, err := Parse(gltfmeshtest.GLB(document, buffer), nil, DefaultConfig(), false)
	if err == nil || !strings.Contains(err.Error(), "more than 2000000 triangles in total; simplify the model") {
		t.Error(err)
	}
}

// Whatever a file holds, it is shown or refused in one line, and every corner of what is shown is a vertex at a finite place.
func FuzzModel(f *testing.F) {
	f.Add(modeltest.Car())
	f.Add([]byte(strings.Replace(modeltest.Document, `{"byteLength":132}`, `{"byteLength":132,"uri":"a.bin"}`, 1)))
	f.Add(gltfmeshtest.GLB(strings.ReplaceAll(modeltest.Document, `{"POSITION":0}`, `{"POSITION":0,"NORMAL":0,"COLOR_0":0},"mode":5`), modeltest.Buffer()))
	open := func(string) ([]byte, error) { return modeltest.Buffer(), nil }
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data, open, DefaultConfig(), true)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("error %q", err)
			}
			return
		}
		for _, mesh := range []*Mesh{&m.Body, &m.Cabin} {
			for _, i := range mesh.Indices {
				for _, x := range mesh.Vertices[i].Pos {
					if !(math.Abs(float64(x)) <= maxDistance) {
						t.Fatalf("vertex %d at %v", i, mesh.Vertices[i].Pos)
					}
				}
			}
		}
	})
}
