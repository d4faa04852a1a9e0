package template

import (
	"errors"
	"fmt"
	"math"

	"rig.example/rig/devices/motion/wire"
)

// compileFeedback parses the strings that the controller sends, and checks those that ask for them.
func (t *compiledTemplate) compileFeedback(c Config, names []axisName) (err error) {
	s := stringParser{number: &t.measured, names: names, bits: c.Bits, isFeedback: true}
	if t.feedback, err = s.parseStrings("template.feedback", c.Feedback); err != nil {
		return err
	}
	var measured [wire.Axes]bool
	for i, pieces := range t.feedback {
		if err := s.checkFeedback(pieces, t.actuatorCount); err != nil {
			return fmt.Errorf("motion: template.feedback[%d]: %w", i, err)
		}
		for _, p := range pieces {
			if p.leg != noLeg {
				measured[p.leg] = true
			}
		}
	}
	for leg := range t.actuatorCount {
		if len(t.feedback) > 0 && !measured[leg] {
			return fmt.Errorf("motion: template.feedback: <Axis%s> of actuator %d is missing; add it, or leave feedback out if the controller does not report all", names[leg], leg+1)
		}
	}
	return t.checkQuery()
}

// checkFeedback returns an error if rig could not find a string among others, or not use it.
func (s stringParser) checkFeedback(pieces []piece, actuators int) error {
	hasLiteral, hasAxis := false, false
	for i, p := range pieces {
		next := piece{kind: anyPiece} // whatever comes after the last
		if i+1 < len(pieces) {
			next = pieces[i+1]
		}
		hasLiteral, hasAxis = hasLiteral || p.kind == literalPiece, hasAxis || p.leg != noLeg
		switch {
		case p.leg >= actuators:
			return fmt.Errorf("<Axis%s> moves no actuator; write <Any> for each byte that does not matter", s.names[p.leg])
		case s.runsInto(p, next):
			return fmt.Errorf("the number of <Axis%s> has no end; write what the controller sends after it, such as <13>, or set template.digits", s.names[p.leg])
		}
	}
	switch {
	case !hasAxis:
		return errors.New("has no axis; write <Axis1a> where the number of the first actuator is")
	case !hasLiteral:
		return errors.New("has no fixed byte, so that its beginning cannot be found; have the controller send one, such as P<Axis1a>")
	case s.maxTotalLen(pieces) > maxFeedbackLen:
		return fmt.Errorf("is %d bytes long; must be up to %d", s.maxTotalLen(pieces), maxFeedbackLen)
	}
	return nil
}

func (t *compiledTemplate) checkQuery() error {
	if len(t.query) > 0 && len(t.feedback) == 0 {
		return errors.New("motion: template.query: has no answer; describe it in template.feedback")
	}
	for i, pieces := range t.query {
		for _, p := range pieces {
			if p.leg != noLeg {
				return fmt.Errorf("motion: template.query[%d]: has an axis; only output, startup and shutdown can", i)
			}
		}
	}
	return nil
}

// feedbackReader finds feedback among the bytes that a controller sends, and reads the others as
// lines of text. If bytes are no feedback, only the first is dropped, so that one that begins
// among the others is still found.
type feedbackReader struct {
	*textReader
	measured *number
	strings  [][]piece
	// No longer than the longest string: while all of it may begin one, it is shorter than that, and
	// whenever an answer leaves bytes behind, at least one was dropped for the one that came.
	buf []byte
}

func newFeedbackReader(t *compiledTemplate, text *textReader) *feedbackReader {
	return &feedbackReader{text, &t.measured, t.feedback, make([]byte, 0, maxFeedbackLen)}
}

// Feed takes a received byte and returns the answer that it completes, if any.
func (r *feedbackReader) Feed(b byte) (wire.Answer, bool) {
	r.buf = append(r.buf, b)
	for len(r.buf) > 0 {
		a := wire.Answer{Kind: wire.AnswerPositions, Axis: -1, Temperature: math.NaN(), Positions: wire.AllAt(math.NaN())}
		_, used, fit := r.measured.scanAny(r.buf, r.strings, &a.Positions)
		switch fit {
		case partialMatch:
			return wire.Answer{}, false
		case fullMatch:
			r.drop(used)
			return a, true
		}
		first := r.buf[0]
		r.drop(1)
		if a, ok := r.textReader.Feed(first); ok {
			return a, true
		}
	}
	return wire.Answer{}, false
}

// drop removes the first n bytes.
func (r *feedbackReader) drop(n int) { r.buf = r.buf[:copy(r.buf, r.buf[n:])] }
