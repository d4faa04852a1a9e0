package mesh

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// ErrCache is what Load's errors are: the mesh has to be built again.
var ErrCache = errors.New("build the mesh again")

// Load reads what Save wrote, and keeps nothing of data. Whatever the data are,
// a mesh that it returns answers every query.
func Load(data []byte, parallel Parallel) (*Mesh, error) {
	h, err := readHead(data)
	if err != nil {
		return nil, fmt.Errorf("mesh: load: %w: %w", err, ErrCache)
	}
	l := loader{rest: data[headSize : len(data)-tailSize], parallel: parallel}
	m := &Mesh{
		origin: r3.Vec{X: h.places[0], Y: h.places[1], Z: h.places[2]}, dropped: int(h.dropped), smooth: h.smooth,
		entries: grid{x: h.places[3], y: h.places[4], per: h.places[5], nx: int(h.nx), ny: int(h.ny)},
	}
	m.nodes = load(&l, int(h.nodes), nodeSize, readNode)
	m.vertices = load(&l, int(h.vertices), vertexSize, readVertex)
	m.corners = load(&l, int(h.triangles), cornerSize, readCorner)
	m.material = load(&l, int(h.triangles), 1, func(in []byte) uint8 { return in[0] })
	m.flags = load(&l, int(h.triangles), 1, func(in []byte) flags { return flags(in[0]) })
	m.entries.cells = load(&l, int(h.nx)*int(h.ny), cellSize, order.Uint32)
	if err := m.valid(parallel); err != nil {
		return nil, fmt.Errorf("mesh: load: %w: %w", err, ErrCache)
	}
	m.box = m.nodes[0].box
	return m, nil
}

// readHead checks that the data are whole, too.
func readHead(data []byte) (h head, err error) {
	if len(data) < headSize+tailSize || string(data[:len(magic)]) != magic {
		return h, errors.New("not a mesh")
	}
	in := data[len(magic):]
	if v := order.Uint32(in); v != version {
		return h, fmt.Errorf("version %d, not %d", v, version)
	}
	h.smooth = order.Uint32(in[4:]) == 1
	in = in[8:]
	for i, n := range [4]*uint64{&h.triangles, &h.vertices, &h.nodes, &h.dropped} {
		*n = order.Uint64(in[8*i:])
	}
	h.nx, h.ny = order.Uint32(in[32:]), order.Uint32(in[36:])
	for i := range h.places {
		h.places[i] = math.Float64frombits(order.Uint64(in[40+8*i:]))
	}
	if size, ok := h.size(); !ok || size != uint64(len(data)) {
		return h, fmt.Errorf("%d bytes do not fit its counts", len(data))
	}
	body := data[:len(data)-tailSize]
	if crc32.Checksum(body, castagnoli()) != order.Uint32(data[len(body):]) {
		return h, errors.New("the checksum is wrong")
	}
	return h, nil
}

// size returns how long the file must be, and false if the counts make no sense.
func (h *head) size() (uint64, bool) {
	cells := uint64(h.nx) * uint64(h.ny)
	if h.triangles-1 >= mostTriangles || h.vertices > 3*h.triangles || h.nodes >= 2*h.triangles ||
		h.vertices == 0 || h.nodes == 0 || cells-1 >= math.MaxInt32 || h.dropped > mostTriangles {
		return 0, false
	}
	return headSize + nodeSize*h.nodes + vertexSize*h.vertices + (cornerSize+2)*h.triangles + cellSize*cells + tailSize, true
}

// loader takes lists from the front of data.
type loader struct {
	rest     []byte
	parallel Parallel
}

func load[T any](l *loader, n, size int, one func([]byte) T) []T {
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

func readFloat(in []byte) float32 { return math.Float32frombits(order.Uint32(in)) }

func readNode(in []byte) node {
	_ = in[nodeSize-1]
	return node{
		box{triple{readFloat(in), readFloat(in[4:]), readFloat(in[8:])}, triple{readFloat(in[12:]), readFloat(in[16:]), readFloat(in[20:])}},
		order.Uint32(in[24:]), order.Uint32(in[28:]),
	}
}

func readVertex(in []byte) vertex {
	_ = in[vertexSize-1]
	return vertex{[3]float32{readFloat(in), readFloat(in[4:]), readFloat(in[8:])}, [2]float32{readFloat(in[12:]), readFloat(in[16:])}}
}

func readCorner(in []byte) [3]uint32 {
	return [3]uint32{order.Uint32(in), order.Uint32(in[4:]), order.Uint32(in[8:])}
}
