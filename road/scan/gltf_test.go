package scan

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road/gltfmesh/gltfmeshtest"
	"rig.example/rig/test/level"
)

// floats and shorts are the bytes of a buffer.
func floats(v ...float32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func shorts(v ...uint16) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

// quad is four corners of a square on the level of the file, 2 m wide, as a strip
// takes them: seen from above anticlockwise with y up.
func quad() []byte { return floats(0, 0, 0, 2, 0, 0, 0, 0, -2, 2, 0, -2) }

// The square's triangles in our axes.
var (
	firstHalf  = [9]float64{0, 0, 0, 2, 0, 0, 0, 2, 0}
	secondHalf = [9]float64{2, 0, 0, 2, 2, 0, 0, 2, 0}
)

// doc is a glTF file: its parts in JSON, empty for what most tests need.
type doc struct {
	head       string // more of the root's properties, each with a comma behind
	scene      string
	nodes      string
	meshes     string
	accessors  string
	views      string
	buffer     []byte
	bufferText string // instead of the buffer
}

func either(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

func (d doc) text() []byte {
	if d.buffer == nil {
		d.buffer = append(quad(), shorts(0, 1, 2, 1, 3, 2)...)
	}
	data := base64.StdEncoding.EncodeToString(d.buffer)
	buffer := fmt.Sprintf(`{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}`, len(d.buffer), data)
	return fmt.Appendf(nil, `{%s"asset":{"version":"2.0"},%s"nodes":[%s],"meshes":[%s],"accessors":[%s],"bufferViews":[%s],"buffers":[%s]}`,
		d.head, either(d.scene, `"scenes":[{"nodes":[0]}],`), either(d.nodes, `{"mesh":0}`),
		either(d.meshes, `{"name":"road","primitives":[{"attributes":{"POSITION":0},"indices":1}]}`),
		either(d.accessors, `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":6}`),
		either(d.views, `{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}`), either(d.bufferText, buffer))
}

func (d doc) parse(t *testing.T, files map[string]string) *Scene {
	t.Helper()
	s, err := ParseGLTF(d.text(), "a.gltf", besideIt(files))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Numbers of a map do not fit into 32 bits, but a translation does.
func TestGLTFFarPositions(t *testing.T) {
	s := doc{buffer: append(floats(4e6, 0, 0, 4e6+2, 0, 0, 4e6, 0, -2, 4e6+2, 0, -2), shorts(0, 1, 2, 1, 3, 2)...)}.parse(t, nil)
	wantWarnings(t, s, "a.gltf: accessor 0: its positions reach 4e+06 m, where 32-bit floats lie 0.25 m apart; export the mesh about zero, and its place as a translation of its node")
	s = doc{nodes: `{"mesh":0,"translation":[4e6,0,-3e6]}`}.parse(t, nil)
	wantWarnings(t, s)
	if low, high := s.Extent(); low != (r3.Vec{X: 4e6, Y: 3e6}) || high != (r3.Vec{X: 4e6 + 2, Y: 3e6 + 2}) {
		t.Errorf("from %v to %v", low, high)
	}
}

// A mesh that many nodes show is bounded by what there is to read.
func TestGLTFReuseIsBounded(t *testing.T) {
	level.SkipIfQuick(t)
	nodes, list := "", ""
	for i := range 5 {
		nodes += `{"mesh":0},`
		list += fmt.Sprint(i, ",")
	}
	d := doc{nodes: nodes[:len(nodes)-1], scene: `"scenes":[{"nodes":[` + list[:len(list)-1] + `]}],`, meshes: `{"primitives":[{"attributes":{"POSITION":0},"mode":5}]}`,
		accessors: `{"componentType":5126,"type":"VEC3","count":1048575}`}
	_, err := ParseGLTF(d.text(), "a.gltf", nil)
	wantError(t, err, "node 4: mesh 0, primitive 0: more than 419")
}

func TestGLTFTriangles(t *testing.T) {
	const plain = `{"bufferView":0,"componentType":5126,"type":"VEC3","count":%d}`
	mode := func(count, mode int, more string) doc {
		return doc{
			accessors: fmt.Sprintf(plain, count),
			meshes:    fmt.Sprintf(`{"primitives":[{"attributes":{"POSITION":0},"mode":%d%s}]}`, mode, more),
		}
	}
	fan := mode(4, 6, "")
	fan.buffer = floats(0, 0, 0, 2, 0, 0, 2, 0, -2, 0, 0, -2)
	bytes := doc{
		accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"byteOffset":1,"componentType":5121,"type":"SCALAR","count":3}`,
		buffer:    append(quad(), 9, 1, 3, 2, 9, 9, 9, 9, 9, 9, 9, 9),
	}
	wide := doc{
		accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}`,
		views:     `{"buffer":0,"byteLength":44,"byteStride":16}`,
		meshes:    `{"primitives":[{"attributes":{"POSITION":0}}]}`,
		buffer:    floats(0, 0, 0, 7, 2, 0, 0, 7, 0, 0, -2),
	}
	tests := []struct {
		name string
		doc  doc
		want [][9]float64
	}{
		{"indices", doc{}, [][9]float64{firstHalf, secondHalf}},
		{"indices of a byte", bytes, [][9]float64{secondHalf}},
		{"no indices", mode(3, 4, ""), [][9]float64{firstHalf}},
		{"strip", mode(4, 5, ""), [][9]float64{firstHalf, {2, 0, 0, 2, 2, 0, 0, 2, 0}}},
		{"fan", fan, [][9]float64{{0, 0, 0, 2, 0, 0, 2, 2, 0}, {0, 0, 0, 2, 2, 0, 0, 2, 0}}},
		{"interleaved", wide, [][9]float64{firstHalf}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.doc.parse(t, nil)
			wantPlaces(t, s, tt.want...)
			wantWarnings(t, s)
		})
	}
}

func TestGLTFSparse(t *testing.T) {
	d := doc{
		accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":2}}},` +
			`{"bufferView":3,"componentType":5123,"type":"SCALAR","count":6}`,
		views:  `{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":2},{"buffer":0,"byteOffset":52,"byteLength":12},{"buffer":0,"byteOffset":64,"byteLength":12}`,
		buffer: append(append(append(quad(), 3, 0, 0, 0), floats(2, 0.5, -2)...), shorts(0, 1, 2, 1, 3, 2)...),
	}
	wantPlaces(t, d.parse(t, nil), firstHalf, [9]float64{2, 0, 0, 2, 2, 0.5, 0, 2, 0})
	d.accessors = strings.Replace(d.accessors, `"bufferView":0,"componentType":5126`, `"componentType":5126`, 1)
	d.accessors = strings.Replace(d.accessors, `"count":1,`, `"count":1,"extras":0,`, 1)
	wantPlaces(t, d.parse(t, nil), [9]float64{}, [9]float64{0, 0, 0, 2, 2, 0.5, 0, 0, 0})
}

// Positions in whole numbers, as KHR_mesh_quantization allows.
func TestGLTFQuantised(t *testing.T) {
	d := doc{
		head:      `"extensionsRequired":["KHR_mesh_quantization"],`,
		accessors: `{"bufferView":0,"componentType":5122,"normalized":true,"type":"VEC3","count":3}`,
		views:     `{"buffer":0,"byteLength":24,"byteStride":8}`,
		meshes:    `{"primitives":[{"attributes":{"POSITION":0}}]}`,
		nodes:     `{"mesh":0,"scale":[2,2,2]}`,
		buffer:    shorts(0, 0, 0, 0, 32767, 0, 0, 0, 0, 0, 0x8001, 0),
	}
	s := d.parse(t, nil)
	wantPlaces(t, s, firstHalf)
	wantWarnings(t, s)
}

// Places to a millimetre, worked out by hand: quarter turns and shifts.
func TestGLTFNodes(t *testing.T) {
	const half = "0.7071067811865476"
	tests := []struct {
		name  string
		nodes string
		want  [9]float64 // the first triangle
	}{
		{"shift", `{"mesh":0,"translation":[1000,20,-3000]}`, [9]float64{1000, 3000, 20, 1002, 3000, 20, 1000, 3002, 20}},
		{"turn to the left", `{"mesh":0,"rotation":[0,` + half + `,0,` + half + `]}`, [9]float64{0, 0, 0, 0, 2, 0, -2, 0, 0}},
		{"turn that is not of length 1", `{"mesh":0,"rotation":[0,7,0,7]}`, [9]float64{0, 0, 0, 0, 2, 0, -2, 0, 0}},
		{"scale", `{"mesh":0,"scale":[3,1,0.5]}`, [9]float64{0, 0, 0, 6, 0, 0, 0, 1, 0}},
		{"mirror", `{"mesh":0,"scale":[-1,1,1]}`, [9]float64{0, 0, 0, 0, 2, 0, -2, 0, 0}},
		{"two mirrors", `{"mesh":0,"scale":[-1,1,-1]}`, [9]float64{0, 0, 0, -2, 0, 0, 0, -2, 0}},
		{"all of it", `{"mesh":0,"translation":[10,5,0],"rotation":[0,` + half + `,0,` + half + `],"scale":[2,1,1]}`, [9]float64{10, 0, 5, 10, 4, 5, 8, 0, 5}},
		{"matrix", `{"mesh":0,"matrix":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 10,5,0,1]}`, [9]float64{10, 0, 5, 10, 2, 5, 8, 0, 5}},
		{"mirror in a matrix", `{"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}`, [9]float64{0, 0, 0, 0, 2, 0, -2, 0, 0}},
		{"child", `{"translation":[10,0,0],"scale":[2,2,2],"children":[1]},{"mesh":0,"translation":[1,0,0]}`, [9]float64{12, 0, 0, 16, 0, 0, 12, 4, 0}},
		{"child of a turned one", `{"translation":[10,0,0],"rotation":[0,` + half + `,0,` + half + `],"children":[1]},{"mesh":0,"translation":[1,0,0]}`, [9]float64{10, 1, 0, 10, 3, 0, 8, 1, 0}},
		{"mirrored child of a mirror", `{"scale":[-1,1,1],"children":[1]},{"mesh":0,"scale":[-1,1,1]}`, firstHalf},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := doc{nodes: tt.nodes}.parse(t, nil)
			if got := places(s)[0]; got != tt.want {
				t.Errorf("triangle %v, want %v", got, tt.want)
			}
			if r := Check(s, DefaultLimits()); r.Count(Flipped)+r.Count(Down) != 0 {
				t.Errorf("findings %+v", r.Findings)
			}
		})
	}
}

func TestGLTFScenes(t *testing.T) {
	two := `{"mesh":0},{"mesh":0,"translation":[0,0,-5]}`
	tests := []struct {
		name, scene string
		triangles   int
	}{
		{"the first", `"scenes":[{"nodes":[0]},{"nodes":[0,1]}],`, 2},
		{"the one that is shown", `"scene":1,"scenes":[{"nodes":[0]},{"nodes":[0,1]}],`, 4},
		{"none", " ", 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := doc{scene: tt.scene, nodes: two}.parse(t, nil)
			if got := len(s.Materials); got != tt.triangles {
				t.Errorf("%d triangles, want %d", got, tt.triangles)
			}
		})
	}
}

func TestGLTFNames(t *testing.T) {
	mesh := func(mesh, material string) string {
		return `{"name":"` + mesh + `","primitives":[{"attributes":{"POSITION":0},"indices":1` + material + `}]}`
	}
	const materials = `"materials":[{"name":"tarmac"},{}],`
	tests := []struct{ name, nodes, meshes, want string }{
		{"material", `{"mesh":0}`, mesh("road", `,"material":0`), "tarmac tarmac"},
		{"material without a name", `{"mesh":0}`, mesh("road", `,"material":1`), "road road"},
		{"mesh", `{"mesh":0,"name":"n"}`, mesh("road", ""), "road road"},
		{"node", `{"mesh":0,"name":"n"}`, mesh("", ""), "n n"},
		{"nothing", `{"mesh":0}`, mesh("", ""), "unnamed unnamed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := doc{head: materials, nodes: tt.nodes, meshes: tt.meshes}.parse(t, nil)
			if got := names(s); got != tt.want {
				t.Errorf("called %q, want %q", got, tt.want)
			}
		})
	}
}

// A ground has no pictures: those that a file names are not even opened.
func TestGLTFTexturesAreIgnored(t *testing.T) {
	d := doc{
		head: `"materials":[{"name":"tarmac","pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"emissiveTexture":{"index":7}}],` +
			`"textures":[{"source":0}],"images":[{"uri":"a.png"}],`,
		meshes: `{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0},{"attributes":{"POSITION":0},"material":7}]}`,
	}
	open := func(uri string) ([]byte, error) { return nil, fmt.Errorf("%s is opened", uri) }
	s, err := ParseGLTF(d.text(), "a.gltf", open)
	if err != nil {
		t.Fatal(err)
	}
	wantWarnings(t, s, "a.gltf: material 7 not found: the file has 1; export it again, or the mesh's name counts", `a.gltf: "unnamed" has 4 corners, which does not make whole triangles; the rest is left out`)
}

func TestGLTFExternalBuffer(t *testing.T) {
	d := doc{bufferText: `{"byteLength":60,"uri":"my%20road.bin"}`}
	bin := string(append(quad(), shorts(0, 1, 2, 1, 3, 2)...))
	wantPlaces(t, d.parse(t, map[string]string{"my%20road.bin": bin}), firstHalf, secondHalf)
	_, err := ParseGLTF(d.text(), "a.gltf", besideIt(map[string]string{"my%20road.bin": bin[:50]}))
	wantError(t, err, "scan: a.gltf: node 0: mesh 0 (road), primitive 0: accessor 0: buffer 0 has 50 bytes of the 60 it claims")
	_, err = ParseGLTF(d.text(), "a.gltf", nil)
	wantError(t, err, `buffer 0: "my%20road.bin" cannot be read`)
	_, err = ParseGLTF(d.text(), "a.gltf", besideIt(nil))
	wantError(t, err, `buffer 0: "my%20road.bin" cannot be read: no such file`)
}

func binaryQuad() []byte {
	return gltfmeshtest.GLB(string(doc{bufferText: `{"byteLength":60}`}.text()), append(quad(), shorts(0, 1, 2, 1, 3, 2)...))
}

func TestGLB(t *testing.T) {
	whole := binaryQuad()
	s, err := ParseGLTF(whole, "a.glb", nil)
	if err != nil {
		t.Fatal(err)
	}
	wantPlaces(t, s, firstHalf, secondHalf)
	for n := range whole {
		if _, err := ParseGLTF(whole[:n], "a.glb", nil); err == nil {
			t.Fatalf("cut off after %d of %d bytes: no error", n, len(whole))
		}
	}
	_, err = ParseGLTF(whole[:100], "a.glb", nil)
	wantError(t, err, fmt.Sprintf("scan: a.glb: 100 bytes of %d: the file is cut off", len(whole)))
	binary.LittleEndian.PutUint32(whole[12:], math.MaxUint32)
	_, err = ParseGLTF(whole, "a.glb", nil)
	wantError(t, err, "of the 4294967295 it claims: the file is cut off")
}

// A part that is not in the scene may have any fault.
func TestGLTFUnusedFault(t *testing.T) {
	d := doc{
		nodes:  `{"mesh":0},{"mesh":99,"children":[1]}`,
		meshes: `{"name":"road","primitives":[{"attributes":{"POSITION":0},"indices":1}]},{"primitives":[{"attributes":{"POSITION":9}}]}`,
	}
	wantPlaces(t, d.parse(t, nil), firstHalf, secondHalf)
}

func TestGLTFLeavesOut(t *testing.T) {
	d := doc{meshes: `{"name":"road","primitives":[{"attributes":{"POSITION":0},"indices":1},{"attributes":{"POSITION":0},"mode":1},{"attributes":{}}]}`,
		nodes: `{"mesh":0,"skin":0}`, head: `"extensionsRequired":["KHR_materials_unlit","X_y"],`}
	s := d.parse(t, nil)
	wantPlaces(t, s, firstHalf, secondHalf)
	wantWarnings(t, s, `a.gltf: extension "X_y" is required but not supported; ignored`,
		"a.gltf: mesh 0 (road) has a skin or morph targets; they are ignored",
		`a.gltf: "road" has lines or points; ignored`, `a.gltf: "road" has triangles without positions; ignored`)
}
