package template

import (
	"encoding/binary"
	"math"
	"strconv"

	"rig.example/rig/devices/motion/wire"
)

// number writes positions as a template wants them.
type number struct {
	binary bool
	little bool // low byte first
	width  int  // bytes of a binary number
	base   int  // of one in digits: 10 or 16
	digits int  // at least so many, filled up with zeros
	low    [wire.Axes]float64
	high   [wire.Axes]float64
}

func newNumber(c Config) number {
	n := number{
		binary: c.Format == formatBinary, little: c.ByteOrder == orderLittle,
		width: (c.Bits + 7) / 8, base: 10, digits: c.Digits,
	}
	if c.Format == formatHex {
		n.base = 16
	}
	for i := range wire.Axes {
		n.low[i], n.high[i] = c.ends(i)
	}
	return n
}

// counts returns the number for a share of the stroke. One that is no number
// goes to the centre: it must have been stopped before, and nothing wild may
// leave.
func (n *number) counts(leg int, share float64) uint64 {
	if math.IsNaN(share) {
		share = 0.5
	}
	share = min(max(share, 0), 1)
	return uint64(math.Round(n.low[leg] + share*(n.high[leg]-n.low[leg])))
}

func (n *number) append(dst []byte, v uint64) []byte {
	if !n.binary {
		return n.appendDigits(dst, v)
	}
	var b [8]byte
	if n.little {
		binary.LittleEndian.PutUint64(b[:], v)
		return append(dst, b[:n.width]...)
	}
	binary.BigEndian.PutUint64(b[:], v)
	return append(dst, b[8-n.width:]...)
}

// appendDigits writes v with capitals for digits above 9, as SimTools does.
func (n *number) appendDigits(dst []byte, v uint64) []byte {
	for range n.digits - digitsOf(v, n.base) {
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

// most is the largest number of an actuator.
func (n *number) most(leg int) uint64 { return uint64(max(n.low[leg], n.high[leg])) }

// least is the smallest number of an actuator.
func (n *number) least(leg int) uint64 { return uint64(min(n.low[leg], n.high[leg])) }

// room is how many bytes the number of an actuator takes at most.
func (n *number) room(leg int) int {
	if n.binary {
		return n.width
	}
	return max(n.digits, digitsOf(n.most(leg), n.base))
}

// fixed reports that the number of an actuator always takes as many bytes.
func (n *number) fixed(leg int) bool {
	return n.binary || max(n.digits, digitsOf(n.least(leg), n.base)) == n.room(leg)
}

// longest is how many bytes the pieces take at most.
func (n *number) longest(pieces []piece) int {
	sum := 0
	for _, p := range pieces {
		if p.leg == noLeg {
			sum += len(p.literal)
		} else {
			sum += n.room(p.leg)
		}
	}
	return sum
}
