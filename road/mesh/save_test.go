package mesh

import (
	"bytes"
	"errors"
	"hash/crc32"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/internal/kit/valid"
	"rig.example/rig/test/level"
)

func TestParallelBuildsTheSame(t *testing.T) {
	level.SkipIfQuick(t)
	tr := terrain(300, 280, 0.7, hills) // more than one chunk
	one, err := Build(tr, DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved(t, one), saved(t, build(t, tr, DefaultOptions()))) {
		t.Error("the parallel build differs")
	}
}

func TestLoadGivesWhatWasSaved(t *testing.T) {
	for name, tr := range meshes() {
		m := build(t, tr, DefaultOptions())
		data := saved(t, m)
		for _, p := range []Parallel{nil, together} {
			back, err := Load(data, p)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(saved(t, back), data) || back.box != m.box || back.Bytes() != m.Bytes() {
				t.Errorf("%s: comes back changed", name)
			}
		}
	}
}

// sealed gives data a checksum that is right.
func sealed(data []byte) []byte {
	body := data[:len(data)-tailSize]
	return byteOrder.AppendUint32(body[:len(body):len(body)], crc32.Checksum(body, crcTable()))
}

func TestBadCachesAreRefused(t *testing.T) {
	good := saved(t, build(t, terrain(5, 5, 1, hills), DefaultOptions()))
	const nodes = headerSize
	tests := []struct {
		name    string
		invalid func(d []byte) []byte
	}{
		{"empty", func(d []byte) []byte { return nil }},
		{"truncated", func(d []byte) []byte { return d[:len(d)-9] }},
		{"another version", func(d []byte) []byte { d[8] = 9; return sealed(d) }},
		{"a bit", func(d []byte) []byte { d[200] ^= 4; return d }},
		{"2^60 triangles", func(d []byte) []byte { d[23] = 0x10; return sealed(d) }},
		{"a node below itself", func(d []byte) []byte { byteOrder.PutUint32(d[nodes+24:], 0); return sealed(d) }},
		{"nodes below two", func(d []byte) []byte {
			byteOrder.PutUint32(d[nodes+nodeSize+24:], byteOrder.Uint32(d[nodes+24:]))
			return sealed(d)
		}},
		{"a leaf too long", func(d []byte) []byte { byteOrder.PutUint32(d[nodes+28:], 1<<31); return sealed(d) }},
		{"a box without end", func(d []byte) []byte {
			byteOrder.PutUint32(d[nodes:], math.Float32bits(float32(math.NaN())))
			return sealed(d)
		}},
	}
	for _, tt := range tests {
		if _, err := Load(tt.invalid(bytes.Clone(good)), nil); !errors.Is(err, ErrCache) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
}

// A cache with a wrong word and a checksum that fits is refused, or answers.
func TestCorruptCachesNeverPanic(t *testing.T) {
	level.SkipIfQuick(t)
	for _, tr := range []Triangles{terrain(3, 3, 1, hills), blocks(2)} {
		good := saved(t, build(t, tr, DefaultOptions()))
		refused := 0
		words := []uint32{0, 1, 2, 3, 1 << 31, math.MaxUint32, math.Float32bits(1), math.Float32bits(-1e5), math.Float32bits(1e38), 0x7fc00000}
		for at := 0; at+4 <= len(good); at++ {
			for _, word := range words {
				invalid := bytes.Clone(good)
				byteOrder.PutUint32(invalid[at:], word)
				m, err := Load(sealed(invalid), nil)
				if err != nil {
					refused++
					continue
				}
				if at%4 == 0 {
					finiteQueries(t, m, r3.Vec{}, r3.Vec{X: 0.1, Z: -1})
				}
			}
		}
		t.Logf("%d of %d refused", refused, len(good)*len(words))
	}
}

// finiteQueries asks a mesh for everything.
func finiteQueries(t *testing.T, m *Mesh, p, dir r3.Vec) {
	t.Helper()
	for i := range min(20, len(m.corners)) {
		f := m.face(i)
		q := r3.Add(r3.Add(m.origin, r3.Scale(1.0/3, r3.Add(r3.Add(f[0], f[1]), f[2]))), p)
		c := m.Touch(q)
		if s := c.Depth + r3.Norm(c.Point) + r3.Norm(c.Normal); !valid.Finite(s) {
			t.Fatalf("at %v: %+v", q, c)
		}
		if h, ok := m.Ray(q, dir, 1e9); ok && !valid.Finite(h.Fraction+r3.Norm(h.Point)+r3.Norm(h.Normal)) {
			t.Fatalf("from %v along %v: %+v", q, dir, h)
		}
		if h, ok := m.SweepSphere(q, 0.3, dir); ok && !valid.Finite(h.Fraction+r3.Norm(h.Point)+r3.Norm(h.Normal)) {
			t.Fatalf("ball from %v along %v: %+v", q, dir, h)
		}
		if h, ok := m.SweepCylinder(q, r3.Vec{Y: 1, Z: 0.1}, 0.3, 0.1, dir); ok && !valid.Finite(h.Fraction+r3.Norm(h.Point)+r3.Norm(h.Normal)) {
			t.Fatalf("wheel from %v along %v: %+v", q, dir, h)
		}
	}
}

func FuzzLoad(f *testing.F) {
	good := saved(f, build(f, terrain(3, 3, 1, hills), DefaultOptions()))
	f.Add(good, uint16(0), uint32(0))
	f.Add(good, uint16(headerSize+24), uint32(3))
	f.Add([]byte(magic), uint16(1), uint32(1))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, value uint32) {
		if len(data) >= headerSize+tailSize {
			if int(at)+4 < len(data) {
				byteOrder.PutUint32(data[at:], value)
			}
			data = sealed(data)
		}
		m, err := Load(data, nil)
		if err != nil {
			return
		}
		finiteQueries(t, m, r3.Vec{}, r3.Vec{X: 0.1, Z: -1})
		m.Bounds()
	})
}
