package mesh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// ErrCache is wrapped by Load's errors: the mesh must be built again.
var ErrCache = errors.New("build the mesh again")

// Load reads a mesh that Save has written. It keeps no reference to data. It checks all data, so that no query
// of the mesh that it returns can fail.
func Load(data []byte, parallel Parallel) (*Mesh, error) {
	h, err := readHeader(data)
	if err != nil {
		return nil, fmt.Errorf("mesh: load: %w: %w", err, ErrCache)
	}
	l := loader{rest: data[headerSize : len(data)-tailSize], parallel: parallel}
	m := &Mesh{
		origin: r3.Vec{X: h.Coordinates[0], Y: h.Coordinates[1], Z: h.Coordinates[2]}, dropped: int(h.Dropped), smooth: h.Smooth == 1,
		entryGrid: entryGrid{x: h.Coordinates[3], y: h.Coordinates[4], cellsPerMetre: h.Coordinates[5], nx: int(h.NX), ny: int(h.NY)},
	}
	m.nodes = loadList(&l, int(h.Nodes), nodeSize, readNode)
	m.vertices = loadList(&l, int(h.Vertices), vertexSize, readVertex)
	m.corners = loadList(&l, int(h.Triangles), cornerSize, readCorner)
	m.material = loadList(&l, int(h.Triangles), 1, func(in []byte) uint8 { return in[0] })
	m.flags = loadList(&l, int(h.Triangles), 1, func(in []byte) flags { return flags(in[0]) })
	m.entryGrid.cells = loadList(&l, int(h.NX)*int(h.NY), cellSize, byteOrder.Uint32)
	if err := m.validate(parallel); err != nil {
		return nil, fmt.Errorf("mesh: load: %w: %w", err, ErrCache)
	}
	m.box = m.nodes[0].box
	return m, nil
}

// readHeader reads the header and checks the size and the checksum.
func readHeader(data []byte) (h header, err error) {
	if len(data) < headerSize+tailSize || string(data[:len(magic)]) != magic {
		return h, errors.New("not a mesh")
	}
	if _, err := binary.Decode(data, byteOrder, &h); err != nil {
		return h, err
	}
	if h.Version != formatVersion {
		return h, fmt.Errorf("version %d, not %d", h.Version, formatVersion)
	}
	if size, ok := h.size(); !ok || size != uint64(len(data)) {
		return h, fmt.Errorf("%d bytes do not fit its counts", len(data))
	}
	body := data[:len(data)-tailSize]
	if crc32.Checksum(body, crcTable()) != byteOrder.Uint32(data[len(body):]) {
		return h, errors.New("the checksum is wrong")
	}
	return h, nil
}

// size returns the size of the file [bytes], and false if the counts are out of range.
func (h *header) size() (uint64, bool) {
	cells := uint64(h.NX) * uint64(h.NY)
	if h.Triangles-1 >= maxTriangles || h.Vertices > 3*h.Triangles || h.Nodes >= 2*h.Triangles ||
		h.Vertices == 0 || h.Nodes == 0 || cells-1 >= math.MaxInt32 || h.Dropped > maxTriangles {
		return 0, false
	}
	return headerSize + nodeSize*h.Nodes + vertexSize*h.Vertices + (cornerSize+2)*h.Triangles + cellSize*cells + tailSize, true
}

// loader reads lists one after the other from the start of rest.
type loader struct {
	rest     []byte
	parallel Parallel
}

// loadList reads a list of n elements of a size [bytes]; one decodes an element.
func loadList[T any](l *loader, n, size int, one func([]byte) T) []T {
	in := l.rest[:n*size]
	l.rest = l.rest[n*size:]
	list := make([]T, n)
	l.parallel.spans(n, chunk, func(from, to int) {
		part, in := list[from:to], in[from*size:to*size]
		for i := range part {
			part[i] = one(in[:size:size])
			in = in[size:]
		}
	})
	return list
}

// readFloat decodes one float32.
func readFloat(in []byte) float32 { return math.Float32frombits(byteOrder.Uint32(in)) }

// readNode decodes a node.
func readNode(in []byte) node {
	_ = in[nodeSize-1]
	return node{
		box{vec32{readFloat(in), readFloat(in[4:]), readFloat(in[8:])}, vec32{readFloat(in[12:]), readFloat(in[16:]), readFloat(in[20:])}},
		byteOrder.Uint32(in[24:]), byteOrder.Uint32(in[28:]),
	}
}

// readVertex decodes a vertex.
func readVertex(in []byte) vertex {
	_ = in[vertexSize-1]
	return vertex{[3]float32{readFloat(in), readFloat(in[4:]), readFloat(in[8:])}, [2]float32{readFloat(in[12:]), readFloat(in[16:])}}
}

// readCorner decodes the vertices of a triangle.
func readCorner(in []byte) [3]uint32 {
	return [3]uint32{byteOrder.Uint32(in), byteOrder.Uint32(in[4:]), byteOrder.Uint32(in[8:])}
}
