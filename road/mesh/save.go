package mesh

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A file has a header, then nodes, vertices, corners, materials, flags and cells as
// in memory, little-endian, and last a checksum (CRC-32C) of everything before.
const (
	magic         = "rigmesh\n"
	formatVersion = 1
	headerSize    = 8 + 2*4 + 4*8 + 2*4 + 6*8 // [bytes]
	tailSize      = 4                         // [bytes]
)

var byteOrder = binary.LittleEndian

// header is the header of a file, as it is written and read.
type header struct {
	Magic                               [8]byte
	Version, Smooth                     uint32
	Triangles, Vertices, Nodes, Dropped uint64
	NX, NY                              uint32     // number of cells of the entry grid along x and y
	Coordinates                         [6]float64 // origin; x, y and cellsPerMetre of the entry grid
}

// header returns the mesh's header.
func (m *Mesh) header() header {
	g := &m.entryGrid
	h := header{
		[8]byte([]byte(magic)), formatVersion, 0, uint64(len(m.corners)), uint64(len(m.vertices)), uint64(len(m.nodes)), uint64(m.dropped),
		uint32(g.nx), uint32(g.ny), [6]float64{m.origin.X, m.origin.Y, m.origin.Z, g.x, g.y, g.cellsPerMetre},
	}
	if m.smooth {
		h.Smooth = 1
	}
	return h
}

// Save writes the mesh in the format that Load reads, without its surfaces.
func (m *Mesh) Save(w interface{ Write([]byte) (int, error) }) error {
	s := saver{to: w}
	head, err := binary.Append(nil, byteOrder, m.header())
	if err != nil {
		return fmt.Errorf("mesh: save: %w", err)
	}
	s.put(head)
	saveList(&s, m.nodes, appendNode)
	saveList(&s, m.vertices, appendVertex)
	saveList(&s, m.corners, appendCorner)
	s.put(m.material)
	saveList(&s, m.flags, func(out []byte, f flags) []byte { return append(out, byte(f)) })
	saveList(&s, m.entryGrid.cells, byteOrder.AppendUint32)
	sum := s.sum
	s.put(byteOrder.AppendUint32(nil, sum))
	if s.err != nil {
		return fmt.Errorf("mesh: save: %w", s.err)
	}
	return nil
}

// saver writes the parts of a file. After the first error it writes nothing more.
type saver struct {
	to  interface{ Write([]byte) (int, error) }
	buf []byte // encoded elements, reused
	sum uint32 // checksum of everything written
	err error  // first error
}

// crcTable returns the table of CRC-32C.
func crcTable() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// put writes data and updates the checksum.
func (s *saver) put(data []byte) {
	if s.err == nil {
		s.sum = crc32.Update(s.sum, crcTable(), data)
		_, s.err = s.to.Write(data)
	}
}

// saveList writes a list; one appends an encoded element.
func saveList[T any](s *saver, list []T, one func([]byte, T) []byte) {
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

// appendFloats appends encoded numbers.
func appendFloats(out []byte, list ...float32) []byte {
	for _, x := range list {
		out = byteOrder.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// appendNode appends an encoded node.
func appendNode(out []byte, n node) []byte {
	out = appendFloats(appendFloats(out, n.low[:]...), n.high[:]...)
	return byteOrder.AppendUint32(byteOrder.AppendUint32(out, n.first), n.count)
}

// appendVertex appends an encoded vertex.
func appendVertex(out []byte, v vertex) []byte {
	return appendFloats(appendFloats(out, v.pos[:]...), v.slope[:]...)
}

// appendCorner appends the encoded vertex indices of a triangle.
func appendCorner(out []byte, c [3]uint32) []byte {
	for _, v := range c {
		out = byteOrder.AppendUint32(out, v)
	}
	return out
}
