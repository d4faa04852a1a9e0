package telemetry

import (
	"encoding/binary"
	"math"
	"strings"
)

// packet is a packet that grows field by field, little-endian. Values that a field cannot hold become its nearest ones,
// and NaN becomes 0, because readers do not know it.
type packet []byte

func (p *packet) u8(v float64) { *p = append(*p, uint8(bounded(v, 0, math.MaxUint8))) }
func (p *packet) i8(v float64) { *p = append(*p, uint8(int8(bounded(v, math.MinInt8, math.MaxInt8)))) }
func (p *packet) u16(v float64) {
	*p = binary.LittleEndian.AppendUint16(*p, uint16(bounded(v, 0, math.MaxUint16)))
}
func (p *packet) u32(v float64) {
	*p = binary.LittleEndian.AppendUint32(*p, uint32(bounded(v, 0, math.MaxUint32)))
}
func (p *packet) u64(v uint64) { *p = binary.LittleEndian.AppendUint64(*p, v) }

func (p *packet) i32(v float64) {
	*p = binary.LittleEndian.AppendUint32(*p, uint32(int32(bounded(v, math.MinInt32, math.MaxInt32))))
}

func (p *packet) f32(values ...float64) {
	for _, v := range values {
		*p = binary.LittleEndian.AppendUint32(*p, math.Float32bits(float32(bounded(v, -math.MaxFloat32, math.MaxFloat32))))
	}
}

func (p *packet) f64(values ...float64) {
	for _, v := range values {
		*p = binary.LittleEndian.AppendUint64(*p, math.Float64bits(bounded(v, -math.MaxFloat64, math.MaxFloat64)))
	}
}

// flag appends a byte that is 1 or 0.
func (p *packet) flag(on bool) { p.u8(number(on)) }

// text appends the first bytes of a text in a field of size bytes, filled up with zeros; the last one is always 0.
func (p *packet) text(s string, size int) {
	s = strings.ToValidUTF8(s[:min(len(s), size-1)], "")
	*p = append(*p, s...)
	p.zeros(size - len(s))
}

func (p *packet) zeros(n int) {
	for range n {
		*p = append(*p, 0)
	}
}

// bounded returns v within low and high; NaN becomes 0.
func bounded(v, low, high float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, low), high)
}

// number returns 1 for true.
func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
