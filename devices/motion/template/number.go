package template

import (
	"encoding/binary"
	"math"
	"strconv"

	"rig.example/rig/devices/motion/wire"
)

// number is the format of the numbers that stand for positions in a template.
type number struct {
	binary       bool
	littleEndian bool // low byte first
	width        int  // bytes of a binary number
	base         int  // of digits: 10 or 16
	minDigits    int  // smallest number of digits, with leading zeros
	low          [wire.Axes]float64
	high         [wire.Axes]float64
	min, max     [wire.Axes]uint64 // range of the numbers that are sent or accepted
}

func newNumber(c Config) number {
	n := number{
		binary: c.Format == formatBinary, littleEndian: c.ByteOrder == orderLittle,
		width: (c.Bits + 7) / 8, base: 10, minDigits: c.Digits,
	}
	if c.Format == formatHex {
		n.base = 16
	}
	for i := range wire.Axes {
		n.low[i], n.high[i] = c.endNumbers(i)
		n.min[i], n.max[i] = uint64(min(n.low[i], n.high[i])), uint64(max(n.low[i], n.high[i]))
	}
	return n
}

// newMeasuredNumber returns the format of the numbers that the controller sends: an actuator may
// stand beyond the ends that it is sent to.
func newMeasuredNumber(c Config) number {
	n := newNumber(c)
	for i := range wire.Axes {
		n.min[i], n.max[i] = 0, c.maxNumber()
	}
	return n
}

// counts returns the number that is sent for a fraction of the stroke. NaN goes to the center: the
// caller must have refused it before, and no invalid position may be sent.
func (n *number) counts(leg int, position float64) uint64 {
	if math.IsNaN(position) {
		position = 0.5
	}
	position = min(max(position, 0), 1)
	return uint64(math.Round(n.low[leg] + position*(n.high[leg]-n.low[leg])))
}

// position returns the fraction of the stroke for a number, 0 or 1 for one beyond the ends.
func (n *number) position(leg int, v uint64) float64 {
	return min(max((float64(v)-n.low[leg])/(n.high[leg]-n.low[leg]), 0), 1)
}

// append appends the bytes of the pieces. It does not allocate if dst has room.
func (n *number) append(dst []byte, pieces []piece, l *wire.Legs) []byte {
	begin := len(dst)
	for i := range pieces {
		switch p := &pieces[i]; p.kind {
		case literalPiece:
			dst = append(dst, p.literal...)
		case numberPiece:
			dst = n.appendNumber(dst, n.counts(p.leg, l[p.leg]))
		case bitsPiece:
			dst = append(dst, p.bits.of(n.counts(p.leg, l[p.leg])))
		case anyPiece:
			dst = append(dst, 0)
		case beginPiece:
			begin = len(dst)
		case sumPiece:
			v := p.sum.bytes(dst[begin:])
			dst = append(dst, v[:p.sum.size]...)
		}
	}
	return dst
}

func (n *number) appendNumber(dst []byte, v uint64) []byte {
	if !n.binary {
		return n.appendDigits(dst, v)
	}
	var b [8]byte
	if n.littleEndian {
		binary.LittleEndian.PutUint64(b[:], v)
		return append(dst, b[:n.width]...)
	}
	binary.BigEndian.PutUint64(b[:], v)
	return append(dst, b[8-n.width:]...)
}

// appendDigits appends v with upper-case hexadecimal digits, as SimTools does.
func (n *number) appendDigits(dst []byte, v uint64) []byte {
	for range n.minDigits - digitsOf(v, n.base) {
		dst = append(dst, '0')
	}
	at := len(dst)
	dst = strconv.AppendUint(dst, v, n.base)
	for i := at; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return dst
}

func digitsOf(v uint64, base int) int {
	n := 1
	for v >= uint64(base) {
		v /= uint64(base)
		n++
	}
	return n
}

func (n *number) isDigit(c byte) bool {
	if n.base == 16 && (c|0x20) >= 'a' && (c|0x20) <= 'f' {
		return true
	}
	return c >= '0' && c <= '9'
}

// maxLen returns the length of the longest number that is sent for an actuator [bytes].
func (n *number) maxLen(leg int) int {
	if n.binary {
		return n.width
	}
	return max(n.minDigits, digitsOf(n.max[leg], n.base))
}

// isFixedLen reports whether all numbers that are sent for an actuator have the same length.
func (n *number) isFixedLen(leg int) bool {
	return n.binary || max(n.minDigits, digitsOf(n.min[leg], n.base)) == n.maxLen(leg)
}

// maxTotalLen returns the largest total length of the pieces [bytes].
func (n *number) maxTotalLen(pieces []piece) int {
	sum := 0
	for _, p := range pieces {
		switch p.kind {
		case literalPiece:
			sum += len(p.literal)
		case numberPiece:
			sum += n.maxLen(p.leg)
		case bitsPiece, anyPiece:
			sum++
		case sumPiece:
			sum += p.sum.size
		}
	}
	return sum
}
