package mesh

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A file has a head, then nodes, vertices, corners, materials, flags and cells as
// they are in memory, little-endian, and last a checksum (CRC-32C) of all that.
const (
	magic    = "rigmesh\n"
	version  = 1
	headSize = 8 + 2*4 + 4*8 + 2*4 + 6*8
	tailSize = 4
)

var order = binary.LittleEndian

// head is what a file begins with.
type head struct {
	smooth                              bool
	triangles, vertices, nodes, dropped uint64
	nx, ny                              uint32
	places                              [6]float64 // origin; where the grid begins, and its cells a metre
}

func (m *Mesh) head() head {
	g := &m.entries
	return head{
		m.smooth, uint64(len(m.corners)), uint64(len(m.vertices)), uint64(len(m.nodes)), uint64(m.dropped),
		uint32(g.nx), uint32(g.ny), [6]float64{m.origin.X, m.origin.Y, m.origin.Z, g.x, g.y, g.per},
	}
}

func (h *head) append(out []byte) []byte {
	out = append(out, magic...)
	out = order.AppendUint32(out, version)
	smooth := uint32(0)
	if h.smooth {
		smooth = 1
	}
	out = order.AppendUint32(out, smooth)
	for _, n := range [4]uint64{h.triangles, h.vertices, h.nodes, h.dropped} {
		out = order.AppendUint64(out, n)
	}
	out = order.AppendUint32(order.AppendUint32(out, h.nx), h.ny)
	for _, x := range h.places {
		out = order.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

// Save writes the mesh in the form that Load reads, without what it is paved with.
func (m *Mesh) Save(w interface{ Write([]byte) (int, error) }) error {
	h := m.head()
	s := saver{to: w}
	s.put(h.append(nil))
	save(&s, m.nodes, appendNode)
	save(&s, m.vertices, appendVertex)
	save(&s, m.corners, appendCorner)
	s.put(m.material)
	save(&s, m.flags, func(out []byte, f flags) []byte { return append(out, byte(f)) })
	save(&s, m.entries.cells, order.AppendUint32)
	sum := s.sum
	s.put(order.AppendUint32(nil, sum))
	if s.err != nil {
		return fmt.Errorf("mesh: save: %w", s.err)
	}
	return nil
}

// saver writes until there is an error.
type saver struct {
	to  interface{ Write([]byte) (int, error) }
	buf []byte
	sum uint32
	err error
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func (s *saver) put(data []byte) {
	if s.err == nil {
		s.sum = crc32.Update(s.sum, castagnoli(), data)
		_, s.err = s.to.Write(data)
	}
}

func save[T any](s *saver, list []T, one func([]byte, T) []byte) {
	for len(list) > 0 {
		n := min(len(list), chunk)
		s.buf = s.buf[:0]
		for _, x := range list[:n] {
			s.buf = one(s.buf, x)
		}
		s.put(s.buf)
		list = list[n:]
	}
}

func appendFloats(out []byte, list ...float32) []byte {
	for _, x := range list {
		out = order.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func appendNode(out []byte, n node) []byte {
	out = appendFloats(appendFloats(out, n.low[:]...), n.high[:]...)
	return order.AppendUint32(order.AppendUint32(out, n.first), n.count)
}

func appendVertex(out []byte, v vertex) []byte {
	return appendFloats(appendFloats(out, v.pos[:]...), v.slope[:]...)
}

func appendCorner(out []byte, c [3]uint32) []byte {
	for _, v := range c {
		out = order.AppendUint32(out, v)
	}
	return out
}
