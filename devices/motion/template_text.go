package motion

import (
	"bytes"
	"math"
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

func newEar(c TemplateConfig) *ear {
	return &ear{
		boot: []byte(c.BootText), fault: []byte(c.FaultText), stop: []byte(c.StopText),
		line: make([]byte, 0, longestLine),
	}
}

func (e *ear) noise() uint64 { return e.foreign }

// feed takes a byte and returns an answer when it ended a line.
func (e *ear) feed(b byte) (answer, bool) {
	ends := b == '\n' || b == '\r'
	switch {
	case ends:
	case b >= ' ' && b < 0x7f || b == '\t':
		e.line = append(e.line, b)
	default:
		e.foreign++
	}
	if len(e.line) == 0 || !ends && len(e.line) < longestLine {
		return answer{}, false
	}
	a, ok := e.meaning()
	e.line = e.line[:0]
	return a, ok
}

// meaning is what the line tells, if anything.
func (e *ear) meaning() (answer, bool) {
	a := answer{kind: answerText, axis: -1, temperature: math.NaN()}
	has := func(part []byte) bool { return len(part) > 0 && bytes.Contains(e.line, part) }
	switch {
	case has(e.stop):
		a.kind, a.fault = answerFault, FaultStop
	case has(e.fault):
		a.kind, a.fault = answerFault, FaultDrive
	case has(e.boot):
		a.kind = answerBooted
	case e.told == mostTold:
		return answer{}, false
	default:
		e.told++
	}
	a.text = string(e.line)
	return a, true
}
