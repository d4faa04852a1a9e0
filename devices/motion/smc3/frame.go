package smc3

import (
	"math"

	"rig.example/rig/devices/motion/wire"
)

// The SMC3 firmware for a three-motor position controller speaks frames of
// five bytes in both directions: '[', a letter, two bytes, ']'. What the
// letters mean is in its published source, version 0.70:
// https://github.com/SimulatorMotorController/SMC3
const (
	frameLen  = 5
	frameHead = '['
	frameTail = ']'

	motors     = 3 // A, B and C
	demandLen  = motors * frameLen
	fullCounts = 1023 // a position at the upper end of the stroke
)

// frame is one command or answer without its brackets.
type frame struct {
	cmd    byte
	b1, b2 byte
}

// value returns both bytes as one number, high byte first.
func (f frame) value() int { return int(f.b1)<<8 | int(f.b2) }

func appendFrame(dst []byte, f frame) []byte {
	return append(dst, frameHead, f.cmd, f.b1, f.b2, frameTail)
}

// appendDemand appends one target per motor. A leg that is no number goes to
// the centre: it must have been stopped before, and nothing wild may leave.
func appendDemand(dst []byte, l *wire.Legs) []byte {
	for motor := range motors {
		n := counts(l[motor])
		dst = appendFrame(dst, frame{'A' + byte(motor), byte(n >> 8), byte(n)})
	}
	return dst
}

// appendQuestion appends the request for a motor's position.
func appendQuestion(dst []byte, motor int) []byte {
	return appendFrame(dst, frame{'r', 'd', 'A' + byte(motor)})
}

// counts returns the controller's number for a share of the stroke.
func counts(share float64) int {
	if math.IsNaN(share) {
		share = 0.5
	}
	return int(math.Round(min(max(share, 0), 1) * fullCounts))
}

// feedback returns which motor a frame tells the position of, and that
// position as a share of the stroke. The controller sends a quarter of its
// counts in one byte.
func (f frame) feedback() (motor int, share float64, ok bool) {
	if f.cmd < 'A' || f.cmd >= 'A'+motors {
		return 0, 0, false
	}
	return int(f.cmd - 'A'), float64(f.b1) * 4 / fullCounts, true
}

// parser finds frames in a stream of bytes.
type parser struct {
	buf   [frameLen]byte
	n     int
	noise uint64 // bytes that belonged to no frame
}

// feed takes the next byte and returns a frame when it completed one.
//
// When five bytes do not end in a bracket, only the first is given up: a frame
// that begins among the others is still found.
func (p *parser) feed(b byte) (f frame, ok bool) {
	p.buf[p.n] = b
	p.n++
	p.toHead()
	if p.n < frameLen {
		return frame{}, false
	}
	if p.buf[frameLen-1] == frameTail {
		p.n = 0
		return frame{p.buf[1], p.buf[2], p.buf[3]}, true
	}
	p.drop(1)
	p.toHead()
	return frame{}, false
}

// toHead drops what cannot begin a frame.
func (p *parser) toHead() {
	skip := 0
	for skip < p.n && p.buf[skip] != frameHead {
		skip++
	}
	p.drop(skip)
}

func (p *parser) drop(n int) {
	copy(p.buf[:], p.buf[n:p.n])
	p.n -= n
	p.noise += uint64(n)
}
