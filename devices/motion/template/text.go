package template

import (
	"bytes"
	"math"

	"rig.example/rig/devices/motion/wire"
)

// ear hears lines of text from a controller that has no language of its own to
// answer in. What cannot be text is noise.
type ear struct {
	boot, fault, stop []byte // parts of lines that mean something; empty for none
	line              []byte
	told              int // lines passed on that mean nothing
	foreign           uint64
}

const (
	longestLine = 120 // of text; what is longer is cut in two
	mostTold    = 32  // lines that mean nothing: a controller that chatters is not listened to for ever
)

func newEar(c Config) *ear {
	return &ear{
		boot: []byte(c.BootText), fault: []byte(c.FaultText), stop: []byte(c.StopText),
		line: make([]byte, 0, longestLine),
	}
}

// Noise returns how many received bytes belonged to nothing.
func (e *ear) Noise() uint64 { return e.foreign }

// Feed takes a byte and returns an answer when it ended a line.
func (e *ear) Feed(b byte) (wire.Answer, bool) {
	ends := b == '\n' || b == '\r'
	switch {
	case ends:
	case b >= ' ' && b < 0x7f || b == '\t':
		e.line = append(e.line, b)
	default:
		e.foreign++
	}
	if len(e.line) == 0 || !ends && len(e.line) < longestLine {
		return wire.Answer{}, false
	}
	a, ok := e.meaning()
	e.line = e.line[:0]
	return a, ok
}

// meaning is what the line tells, if anything.
func (e *ear) meaning() (wire.Answer, bool) {
	a := wire.Answer{Kind: wire.AnswerText, Axis: -1, Temperature: math.NaN()}
	has := func(part []byte) bool { return len(part) > 0 && bytes.Contains(e.line, part) }
	switch {
	case has(e.stop):
		a.Kind, a.Fault = wire.AnswerFault, wire.FaultStop
	case has(e.fault):
		a.Kind, a.Fault = wire.AnswerFault, wire.FaultDrive
	case has(e.boot):
		a.Kind = wire.AnswerBooted
	case e.told == mostTold:
		return wire.Answer{}, false
	default:
		e.told++
	}
	a.Text = string(e.line)
	return a, true
}
