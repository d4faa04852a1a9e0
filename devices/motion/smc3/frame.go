package smc3

import (
	"math"

	"rig.example/rig/devices/motion/wire"
)

// The SMC3 firmware for a three-motor position controller uses frames of
// five bytes in both directions: '[', a letter, two data bytes, ']'. The
// letters are defined in its published source, version 0.70:
// https://github.com/SimulatorMotorController/SMC3
const (
	frameLen  = 5
	frameHead = '['
	frameTail = ']'

	motors     = 3 // A, B and C
	targetLen  = motors * frameLen
	fullCounts = 1023 // counts of the whole stroke
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

// appendTarget appends one target for each motor. A leg that is NaN goes to the center: the
// caller must have refused it before, and no invalid position may be sent.
func appendTarget(dst []byte, l *wire.Legs) []byte {
	for motor := range motors {
		n := counts(l[motor])
		dst = appendFrame(dst, frame{'A' + byte(motor), byte(n >> 8), byte(n)})
	}
	return dst
}

// appendQuery appends the request for a motor's position.
func appendQuery(dst []byte, motor int) []byte {
	return appendFrame(dst, frame{'r', 'd', 'A' + byte(motor)})
}

// counts returns the controller's counts for a fraction of the stroke.
func counts(position float64) int {
	if math.IsNaN(position) {
		position = 0.5
	}
	return int(math.Round(min(max(position, 0), 1) * fullCounts))
}

// feedback returns the motor whose position a frame reports, and that position as a fraction of
// the stroke. The controller sends a quarter of its counts in one byte.
func (f frame) feedback() (motor int, position float64, ok bool) {
	if f.cmd < 'A' || f.cmd >= 'A'+motors {
		return 0, 0, false
	}
	return int(f.cmd - 'A'), float64(f.b1) * 4 / fullCounts, true
}

// parser finds frames in a stream of bytes.
type parser struct {
	buf    [frameLen]byte
	bufLen int
	noise  uint64 // bytes that belonged to no frame
}

// feed takes the next byte and returns the frame that it completes, if any.
//
// If five bytes do not end in a bracket, only the first is dropped, so that a frame that begins
// among the others is still found.
func (p *parser) feed(b byte) (f frame, ok bool) {
	p.buf[p.bufLen] = b
	p.bufLen++
	p.skipToHead()
	if p.bufLen < frameLen {
		return frame{}, false
	}
	if p.buf[frameLen-1] == frameTail {
		p.bufLen = 0
		return frame{p.buf[1], p.buf[2], p.buf[3]}, true
	}
	p.drop(1)
	p.skipToHead()
	return frame{}, false
}

// skipToHead drops bytes that cannot begin a frame.
func (p *parser) skipToHead() {
	skip := 0
	for skip < p.bufLen && p.buf[skip] != frameHead {
		skip++
	}
	p.drop(skip)
}

// drop removes the first n bytes and counts them as noise.
func (p *parser) drop(n int) {
	copy(p.buf[:], p.buf[n:p.bufLen])
	p.bufLen -= n
	p.noise += uint64(n)
}
