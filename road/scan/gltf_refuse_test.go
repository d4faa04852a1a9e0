package scan

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"rig.example/rig/road/gltfmesh/gltfmeshtest"
)

func TestGLTFRefuses(t *testing.T) {
	const indices = `,{"bufferView":1,"componentType":5123,"type":"SCALAR","count":6}`
	vertices := func(text string) doc { return doc{accessors: text + indices} }
	nan := doc{buffer: append(floats(0, 0, 0, 2, 0, 0, 0, float32(math.NaN()), -2, 2, 0, -2), shorts(0, 1, 2, 1, 3, 2)...)}
	beyond := doc{buffer: append(quad(), shorts(0, 1, 2, 1, 4, 2)...)}
	const views = `{"buffer":0,"byteLength":48},`
	const sparse = `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4,"sparse":`
	tests := []struct {
		name string
		doc  doc
		want string
	}{
		{"NaN", nan, "scan: a.gltf: node 0: mesh 0 (road), primitive 0: vertex 2 is at NaN, NaN, NaN m"},
		{"index out of range", beyond, "primitive 0: triangle 1: index 4 is 4: there are 4 vertices"},
		{"node out of range", doc{scene: `"scenes":[{"nodes":[3]}],`}, "scan: a.gltf: node 3 not found: the file has 1"},
		{"negative node", doc{scene: `"scenes":[{"nodes":[-3]}],`}, "node -3 not found"},
		{"null node", doc{nodes: "null"}, "node 0 not found"},
		{"scene out of range", doc{scene: `"scene":2,"scenes":[{"nodes":[0]}],`}, "scene 2 not found"},
		{"node below itself", doc{nodes: `{"name":"loop","children":[1]},{"children":[0]}`}, "node 0 (loop) is below itself"},
		{"node below two", doc{nodes: `{"children":[1,1]},{"mesh":0}`}, "node 1 is below itself or below two nodes"},
		{"no rotation", doc{nodes: `{"mesh":0,"rotation":[0,0,0,0]}`}, "node 0: rotation [0 0 0 0] is none"},
		{"absurd place", doc{nodes: `{"mesh":0,"translation":[1e300,0,0]}`}, "vertex 0 is at 1e+300, 0, 0 m"},
		{"mesh out of range", doc{nodes: `{"mesh":5}`}, "node 0: mesh 5 not found"},
		{"no accessor", doc{meshes: `{"primitives":[{"attributes":{"POSITION":7}}]}`}, "accessor 7 not found"},
		{"absurd count", vertices(`{"bufferView":0,"componentType":5126,"type":"VEC3","count":4000000000}`), "accessor 0: 4000000000 elements do not fit"},
		{"large count", vertices(`{"bufferView":0,"componentType":5126,"type":"VEC3","count":300000000}`), "accessor 0: 300000000 elements do not fit into the 48 bytes of buffer view 0"},
		{"large count of nothing", vertices(`{"componentType":5126,"type":"VEC3","count":300000000}`), "accessor 0: count of 300000000 without a buffer view"},
		{"negative count", vertices(`{"bufferView":0,"componentType":5126,"type":"VEC3","count":-4}`), "accessor 0: count of -4"},
		{"one too many", vertices(`{"bufferView":0,"componentType":5126,"type":"VEC3","count":5}`), "5 elements do not fit"},
		{"beyond its view", vertices(`{"bufferView":0,"byteOffset":8,"componentType":5126,"type":"VEC3","count":4}`), "4 elements do not fit"},
		{"negative offset", vertices(`{"bufferView":0,"byteOffset":-8,"componentType":5126,"type":"VEC3","count":4}`), "4 elements do not fit"},
		{"no view", vertices(`{"bufferView":8,"componentType":5126,"type":"VEC3","count":4}`), "buffer view 8 not found"},
		{"no positions", vertices(`{"bufferView":0,"componentType":5126,"type":"VEC2","count":4}`), "accessor 0 holds no positions"},
		{"indices of floats", doc{accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5126,"type":"SCALAR","count":3}`}, "accessor 1 holds no indices: must be whole numbers without a sign"},
		{"view beyond its buffer", doc{views: views + `{"buffer":0,"byteOffset":52,"byteLength":12}`}, "buffer view 1 is beyond the 60 bytes of buffer 0"},
		{"view of absurd length", doc{views: views + `{"buffer":0,"byteOffset":52,"byteLength":9223372036854775807}`}, "buffer view 1 is beyond"},
		{"negative view", doc{views: views + `{"buffer":0,"byteOffset":-52,"byteLength":12}`}, "buffer view 1 is beyond"},
		{"narrow stride", doc{views: `{"buffer":0,"byteLength":48,"byteStride":-12},{"buffer":0,"byteOffset":48,"byteLength":12}`}, "buffer view 0 has a stride of -12"},
		{"indices with a stride", doc{views: views + `{"buffer":0,"byteOffset":48,"byteLength":12,"byteStride":4}`}, "buffer view 1 has a stride of 4"},
		{"no buffer", doc{views: `{"buffer":3,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}`}, "buffer 3 not found"},
		{"buffer nowhere", doc{bufferText: `{"byteLength":60}`}, "buffer 0: neither a file nor data"},
		{"buffer cut off", doc{bufferText: `{"byteLength":60,"uri":"data:application/octet-stream;base64,AAAA"}`}, "buffer 0 has 3 bytes of the 60"},
		{"buffer not in base64", doc{bufferText: `{"byteLength":60,"uri":"data:application/octet-stream;base64,?"}`}, "is not base64"},
		{"negative buffer", doc{bufferText: `{"byteLength":-60,"uri":"data:application/octet-stream;base64,AAAA"}`}, "buffer 0 has 3 bytes of the -60"},
		{"sparse index", doc{accessors: sparse + `{"count":1,"indices":{"bufferView":0,"componentType":5125,"byteOffset":12},"values":{"bufferView":0}}}` + indices}, "accessor 0: sparse: index 0 of 1073741824 is beyond the count of 4"},
		{"sparse count", doc{accessors: sparse + `{"count":5,"indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}}` + indices}, "sparse: count of 5"},
		{"sparse view", doc{accessors: sparse + `{"count":1,"indices":{"bufferView":-1,"componentType":5125},"values":{"bufferView":0}}}` + indices}, "sparse: buffer view -1"},
		{"compressed", doc{head: `"extensionsRequired":["KHR_draco_mesh_compression"],`}, "extension KHR_draco_mesh_compression is required but not supported"},
		{"version 1", doc{head: `"asset":{"version":"1.0"},`}, ""},
		{"nothing in it", doc{scene: `"scenes":[{"nodes":[]}],`}, "scan: a.gltf: no triangles"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := string(tt.doc.text())
			if tt.want == "" {
				text, tt.want = strings.Replace(text, `"version":"2.0"`, `"version":"1.0"`, 1), `asset.version "1.0"`
			}
			_, err := ParseGLTF([]byte(text), "a.gltf", nil)
			wantError(t, err, tt.want)
		})
	}
	for _, text := range []string{"", "{", "[]", `{"nodes":7}`, "glTF", "\x00"} {
		_, err := ParseGLTF([]byte(text), "a.gltf", nil)
		wantError(t, err, "scan: a.gltf: ")
	}
}

// What a small file claims is not reserved.
func TestSmallFilesTakeLittleMemory(t *testing.T) {
	tests := map[string]func(){
		"glTF": func() {
			ParseGLTF(doc{accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4000000000}`}.text(), "a.gltf", nil)
			ParseGLTF(doc{accessors: `{"componentType":5126,"type":"VEC3","count":400000000}`}.text(), "a.gltf", nil)
			ParseGLTF(doc{bufferText: `{"byteLength":4294967296}`}.text(), "a.gltf", nil)
		},
		"GLB": func() {
			ParseGLTF([]byte("glTF\x02\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xffJSON{}"), "a.glb", nil)
			ParseGLTF(gltfmeshtest.GLB(string(doc{bufferText: `{"byteLength":4294967356}`}.text()), quad()), "a.glb", nil)
		},
		"grid": func() {
			ParseASC([]byte("ncols 16000\nnrows 16000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1"), "a.asc", nil)
		},
	}
	for name, parse := range tests {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		parse()
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: %d bytes used", name, used)
		}
	}
}
