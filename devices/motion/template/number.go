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

func (n *number) append(dst []byte, v uint64) []byte {
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

// maxNumber returns the largest number that is sent for an actuator.
func (n *number) maxNumber(leg int) uint64 { return uint64(max(n.low[leg], n.high[leg])) }

// minNumber returns the smallest number that is sent for an actuator.
func (n *number) minNumber(leg int) uint64 { return uint64(min(n.low[leg], n.high[leg])) }

// maxLen returns the length of the longest number that is sent for an actuator [bytes].
func (n *number) maxLen(leg int) int {
	if n.binary {
		return n.width
	}
	return max(n.minDigits, digitsOf(n.maxNumber(leg), n.base))
}

// isFixedLen reports whether all numbers that are sent for an actuator have the same length.
func (n *number) isFixedLen(leg int) bool {
	return n.binary || max(n.minDigits, digitsOf(n.minNumber(leg), n.base)) == n.maxLen(leg)
}

// maxTotalLen returns the largest total length of the pieces [bytes].
func (n *number) maxTotalLen(pieces []piece) int {
	sum := 0
	for _, p := range pieces {
		if p.leg == noLeg {
			sum += len(p.literal)
		} else {
			sum += n.maxLen(p.leg)
		}
	}
	return sum
}
