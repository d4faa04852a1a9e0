package scan

import (
	"bytes"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
)

// small keeps every input quick.
func small() bounds { return bounds{triangles: 20_000, vertices: 20_000} }

const fuzzLongest = 1 << 14 // [bytes]

// holds tells what a scene that was read must have, and checks it.
func holds(t *testing.T, s *Scene, err error) {
	if err != nil {
		if strings.ContainsAny(err.Error(), "\n\r") || !strings.HasPrefix(err.Error(), "scan: ") {
			t.Fatalf("error %q", err)
		}
		return
	}
	if len(s.Indices) != 3*len(s.Materials) || len(s.Indices) == 0 || len(s.Names) > math.MaxUint8 {
		t.Fatalf("%d indices, %d materials, %d names", len(s.Indices), len(s.Materials), len(s.Names))
	}
	for _, v := range s.Indices {
		if p := s.at(v); !(r3.Norm(p) < 2*road.MaxCoordinate) {
			t.Fatalf("vertex %d at %v", v, p)
		}
	}
	for _, m := range s.Materials {
		_ = s.Names[m]
	}
	r := Check(s, DefaultLimits())
	if r.Triangles != len(s.Materials) || r.Count(Broken) != 0 || !(r.Area >= 0) {
		t.Fatalf("report %+v", r)
	}
}

func FuzzParseOBJ(f *testing.F) {
	f.Add([]byte(square+"usemtl a\nf 1 2 3 4\n"), true)
	f.Add([]byte("mtllib a b\no x\ng y\n"+square+"f -1/2/3 -2//1 \\\n 1/1\nf 4 3 2 1 3\n"), false)
	f.Add([]byte("v 0 0 nan\nv 1e400 0 0\nv 0 0 0\nf 1 2 3"), false)
	f.Fuzz(func(t *testing.T, data []byte, up bool) {
		if len(data) > fuzzLongest {
			return
		}
		o := usual()
		if up {
			o.Up = "z"
		}
		s, err := parseOBJ(data, "a.obj", o, small())
		holds(t, s, err)
	})
}

func FuzzParseGLTF(f *testing.F) {
	f.Add(doc{}.text(), []byte{})
	f.Add(binaryQuad(), []byte{})
	f.Add(doc{bufferText: `{"byteLength":60,"uri":"a"}`}.text(), append(quad(), shorts(0, 1, 2, 1, 3, 2)...))
	f.Add(doc{nodes: `{"children":[1],"scale":[-1,2,3]},{"mesh":0,"rotation":[1,0,0,1]}`, head: `"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],`}.text(), []byte{})
	f.Add(doc{accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":6}`}.text(), []byte{})
	f.Fuzz(func(t *testing.T, data, other []byte) {
		if len(data) > fuzzLongest || len(other) > fuzzLongest {
			return
		}
		s, err := parseGLTF(data, "a.gltf", besideIt(map[string]string{"a": string(other)}), small())
		holds(t, s, err)
	})
}

func FuzzParseASC(f *testing.F) {
	f.Add([]byte(ascHead + "1 2 3\n4 5 6\n"))
	f.Add([]byte("NCOLS 2\nNROWS 3\nXLLCORNER -1e3\nYLLCORNER .5\nCELLSIZE 0.25\nNODATA_value 7\n7 1 2 3 -4e2 7"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzLongest {
			return
		}
		g, err := ParseASC(data, "a.asc", nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "scan: ") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %q", err)
			}
			return
		}
		nx, ny := g.Size()
		if words := len(bytes.Fields(data)); nx*ny > words {
			t.Fatalf("%d times %d points of %d words", nx, ny, words)
		}
		x, y, farX, farY := g.Extent()
		for _, p := range [...]r3.Vec{{X: x, Y: y}, {X: (x + farX) / 2, Y: (y + farY) / 2}, {X: farX, Y: farY}} {
			if c := g.Touch(p); !(math.Abs(c.Depth) < 1e9 && math.Abs(r3.Norm(c.Normal)-1) < 1e-9) {
				t.Fatalf("contact %+v at %v", c, p)
			}
		}
	})
}

// Any one and any two of a file's values may be anything.
func TestGLTFWithAnyValues(t *testing.T) {
	texts := [][]byte{
		doc{nodes: `{"mesh":0,"children":[1],"scale":[-1,2,3]},{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,3,4,5,1]}`,
			head:      `"scene":0,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],"images":[{"bufferView":0}],`,
			meshes:    `{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0,"mode":5}]}`,
			accessors: `{"bufferView":0,"byteOffset":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":6}`}.text(),
		doc{accessors: `{"bufferView":0,"componentType":5126,"type":"VEC3","count":4,"sparse":{"count":1,"indices":{"bufferView":1,"byteOffset":0,"componentType":5121},"values":{"bufferView":0,"byteOffset":0}}},` +
			`{"bufferView":1,"componentType":5121,"type":"SCALAR","count":6}`, views: `{"buffer":0,"byteLength":48,"byteStride":12},{"buffer":0,"byteOffset":48,"byteLength":12,"byteStride":1}`}.text(),
	}
	values := []string{"-1", "0", "1", "2", "5", "255", "5120", "5121", "5123", "5125", "4096", "4294967295", "4294967296", "9223372036854775807", "-9223372036854775808", "1e300", "null", `"VEC2"`, `"x"`, "[]", "{}", "[0]", "[null]"}
	random := rand.New(rand.NewPCG(1, 1))
	value := regexp.MustCompile(`-?\b[0-9.]+\b|"[A-Z0-9]+"`)
	read := 0
	try := func(text []byte) {
		s, err := parseGLTF(text, "a.gltf", nil, small())
		holds(t, s, err)
		if err == nil {
			read++
		}
	}
	for _, text := range texts {
		at := value.FindAllIndex(text, -1)
		for _, one := range at {
			for _, v := range values {
				try(slices.Concat(text[:one[0]], []byte(v), text[one[1]:]))
			}
		}
		for range 5000 {
			i, j := random.IntN(len(at)-1), random.IntN(len(at))
			if i >= j {
				continue
			}
			a, b := values[random.IntN(len(values))], values[random.IntN(len(values))]
			try(slices.Concat(text[:at[i][0]], []byte(a), text[at[i][1]:at[j][0]], []byte(b), text[at[j][1]:]))
		}
	}
	if read < 100 {
		t.Errorf("only %d files were read", read)
	}
}
