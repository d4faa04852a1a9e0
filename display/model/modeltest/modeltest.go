// Package modeltest makes small models of a car for tests.
package modeltest

import (
	"encoding/binary"
	"math"

	"rig.example/rig/road/gltfmesh/gltfmeshtest"
)

// Document is the JSON of a model: a body of 1.8 m by 4.2 m by 1 m, 0.2 m above the ground, yellow with roof and floor white, a red nose
// 0.2 m ahead of it, a wheel, and a roof of glass. Each is a cube from -1 to 1 without normals, which its node scales.
const Document = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1,2]}],
"nodes":[{"name":"car","children":[3],"mesh":0,"translation":[0,0.7,0],"scale":[0.9,0.5,2.1]},
{"name":"Wheel FL","mesh":0,"children":[4]},
{"name":"Cabin","children":[5]},
{"name":"nose","mesh":1,"translation":[0,0,1.0476190476190477],"scale":[0.5,0.2,0.047619047619047616]},
{"mesh":0},
{"name":"roof","mesh":2,"translation":[0,1.4,0],"scale":[0.6,0.2,0.8]}],
"meshes":[{"name":"cube","primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0},{"attributes":{"POSITION":0},"indices":2,"material":1}]},
{"primitives":[{"attributes":{"POSITION":0},"indices":3,"material":2}]},
{"primitives":[{"attributes":{"POSITION":0},"indices":3,"material":3}]}],
"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0,1],"roughnessFactor":0.4}},{},
{"pbrMetallicRoughness":{"baseColorFactor":[0.8,0.02,0.02,1]}},{"alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[0,0,0,0.3]}}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":8},{"bufferView":1,"componentType":5121,"type":"SCALAR","count":24},
{"bufferView":1,"byteOffset":24,"componentType":5121,"type":"SCALAR","count":12},{"bufferView":1,"componentType":5121,"type":"SCALAR","count":36}],
"bufferViews":[{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":36}],
"buffers":[{"byteLength":132}]}`

// Buffer returns the binary data of Document: the corners of a cube, and the triangles of its sides, top and bottom.
func Buffer() (b []byte) {
	for corner := range 8 {
		for axis := range 3 {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(corner>>axis&1*2-1)))
		}
	}
	for _, face := range [6][4]byte{{1, 3, 7, 5}, {0, 4, 6, 2}, {4, 5, 7, 6}, {0, 2, 3, 1}, {2, 6, 7, 3}, {0, 1, 5, 4}} {
		b = append(b, face[0], face[1], face[2], face[0], face[2], face[3])
	}
	return b
}

// Car returns the binary file of Document.
func Car() []byte { return gltfmeshtest.GLB(Document, Buffer()) }
