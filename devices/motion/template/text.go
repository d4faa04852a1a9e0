package template

import (
	"bytes"
	"math"

	"rig.example/rig/devices/motion/wire"
)

// textReader reads lines of text from a controller without a protocol for answers. Bytes that
// cannot be text are noise.
type textReader struct {
	boot, fault, stop []byte // parts of lines that report a restart, a fault and an emergency stop; empty for none
	line              []byte
	ignoredLines      int // number of other lines that were returned for the log
	noise             uint64
}

const (
	maxLineLen      = 120 // of text; longer lines are split
	maxIgnoredLines = 32  // other lines that are returned for the log, so that a controller that sends many does not fill it
)

func newTextReader(c Config) *textReader {
	return &textReader{
		boot: []byte(c.BootText), fault: []byte(c.FaultText), stop: []byte(c.StopText),
		line: make([]byte, 0, maxLineLen),
	}
}

// Noise returns how many received bytes belonged to no message.
func (e *textReader) Noise() uint64 { return e.noise }

// Feed takes a received byte and returns an answer when the byte ends a line that has one.
func (e *textReader) Feed(b byte) (wire.Answer, bool) {
	lineEnds := b == '\n' || b == '\r'
	switch {
	case lineEnds:
	case b >= ' ' && b < 0x7f || b == '\t':
		e.line = append(e.line, b)
	default:
		e.noise++
	}
	if len(e.line) == 0 || !lineEnds && len(e.line) < maxLineLen {
		return wire.Answer{}, false
	}
	a, ok := e.answer()
	e.line = e.line[:0]
	return a, ok
}

// answer returns the answer for the line, if it has one.
func (e *textReader) answer() (wire.Answer, bool) {
	a := wire.Answer{Kind: wire.AnswerText, Axis: -1, Temperature: math.NaN()}
	contains := func(part []byte) bool { return len(part) > 0 && bytes.Contains(e.line, part) }
	switch {
	case contains(e.stop):
		a.Kind, a.Fault = wire.AnswerFault, wire.FaultStop
	case contains(e.fault):
		a.Kind, a.Fault = wire.AnswerFault, wire.FaultDrive
	case contains(e.boot):
		a.Kind = wire.AnswerRestarted
	case e.ignoredLines == maxIgnoredLines:
		return wire.Answer{}, false
	default:
		e.ignoredLines++
	}
	a.Text = string(e.line)
	return a, true
}
