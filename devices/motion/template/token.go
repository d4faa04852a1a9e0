package template

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"rig.example/rig/devices/motion/wire"
)

// stringParser parses the strings of a template.
type stringParser struct {
	*number
	names      []axisName
	bits       int  // of a number
	isFeedback bool // the strings are sent by the controller
}

// parseString parses one string. An error in a token names its column, counted from 1.
func (s stringParser) parseString(text string) ([]piece, error) {
	pieces, hasSum := []piece{{kind: beginPiece, leg: noLeg}}, false
	for at := 0; at < len(text); {
		p, n, err := s.parsePiece(text[at:])
		if err == nil && p.kind == sumPiece && pieces[len(pieces)-1].kind == beginPiece {
			err = fmt.Errorf("<%s> covers no bytes; write it after those that it covers", p.sum.name)
		}
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", at+1, err)
		}
		hasSum = hasSum || p.kind == sumPiece
		pieces = appendPiece(pieces, p)
		at += n
	}
	if !hasSum {
		pieces = pieces[1:]
	}
	return pieces, s.checkBits(pieces)
}

// appendPiece appends p, joined with a literal before it if both are literals.
func appendPiece(pieces []piece, p piece) []piece {
	if last := len(pieces) - 1; last >= 0 && p.kind == literalPiece && pieces[last].kind == literalPiece {
		pieces[last].literal = bytes.Join([][]byte{pieces[last].literal, p.literal}, nil)
		return pieces
	}
	return append(pieces, p)
}

// parsePiece parses the character or the token at the start of text, and returns its length.
func (s stringParser) parsePiece(text string) (piece, int, error) {
	if c := text[0]; c == '>' || c >= 0x80 {
		return piece{}, 0, fmt.Errorf("%q must be written as <%d>", text[:1], c)
	} else if c != '<' {
		return piece{literal: []byte{c}, leg: noLeg}, 1, nil
	}
	n := strings.IndexAny(text[1:], "<>") + 1
	if n == 0 || text[n] == '<' {
		return piece{}, 0, errors.New("\"<\" is not closed; close it with \">\", or write <60> for the character itself")
	}
	p, err := s.parseToken(text[1:n])
	return p, n + 1, err
}

// parseToken parses what is in angle brackets.
func (s stringParser) parseToken(inner string) (piece, error) {
	sum := checksumNamed(inner)
	switch {
	case len(inner) > 4 && strings.EqualFold(inner[:4], "axis"):
		return s.parseAxis(inner)
	case sum != nil:
		return piece{kind: sumPiece, leg: noLeg, sum: sum}, nil
	case strings.EqualFold(inner, "begin"):
		return piece{kind: beginPiece, leg: noLeg}, nil
	case strings.EqualFold(inner, "any") && s.isFeedback:
		return piece{kind: anyPiece, leg: noLeg}, nil
	case strings.EqualFold(inner, "any"):
		return piece{}, fmt.Errorf("<%s> can only be received; write the byte to send, such as <0>", inner)
	case inner == "" || strings.Trim(inner, "0123456789") != "":
		return piece{}, fmt.Errorf("<%s> is unknown; write <Axis1a> for a number, <255> for a byte, or %s for a checksum", inner, checksumNames())
	}
	v, err := strconv.ParseUint(inner, 10, 8)
	if err != nil {
		return piece{}, fmt.Errorf("<%s> is not a byte; must be 0 to 255", inner)
	}
	return piece{literal: []byte{byte(v)}, leg: noLeg}, nil
}

// parseAxis parses a token such as Axis1a, or Axis1a:0-6 for some bits of its number.
func (s stringParser) parseAxis(inner string) (piece, error) {
	axis, field, hasField := strings.Cut(inner, ":")
	name, err := parseAxisName(axis[4:])
	if err != nil {
		return piece{}, fmt.Errorf("<%s> %w", inner, err)
	}
	p := piece{kind: numberPiece, leg: legOf(name, s.names)}
	if p.leg == noLeg {
		return piece{}, fmt.Errorf("<%s> has no actuator; add %s to template.axes", inner, name)
	}
	if hasField {
		p.kind = bitsPiece
		if p.bits, err = s.parseBits(field); err != nil {
			return piece{}, fmt.Errorf("<%s> %w", inner, err)
		}
	}
	return p, nil
}

// bitField is the place of some bits of a number in a byte.
type bitField struct {
	shift int  // lowest of these bits in the number
	mask  byte // lowest bits of the byte, which they fill
	fixed byte // value of the other bits of the byte
}

// parseBits parses a range of bits such as 0-6, or 0-4+192 with a value for the rest of the byte.
func (s stringParser) parseBits(text string) (bitField, error) {
	span, rest, hasRest := strings.Cut(text, "+")
	first, last, _ := strings.Cut(span, "-")
	low, lowErr := strconv.ParseUint(first, 10, 8)
	high, highErr := strconv.ParseUint(last, 10, 8)
	switch {
	case lowErr != nil || highErr != nil:
		return bitField{}, errors.New("names no bits; write <Axis1a:0-6> for bits 0 to 6 of the number")
	case low > high || high-low > 7:
		return bitField{}, errors.New("does not fit in a byte; name up to 8 bits, the lowest first")
	case high >= uint64(s.bits):
		return bitField{}, fmt.Errorf("has bit %d; numbers have bits 0 to %d, see template.bits", high, s.bits-1)
	}
	f := bitField{shift: int(low), mask: byte(1<<(high-low+1) - 1)}
	if hasRest {
		v, err := strconv.ParseUint(rest, 10, 8)
		if f.fixed = byte(v); err != nil || f.fixed&f.mask != 0 {
			return bitField{}, fmt.Errorf("has %q for the rest of the byte; must be a sum of bits above %d, up to %d", rest, f.mask, ^f.mask)
		}
	}
	return f, nil
}

// of returns the byte for a number.
func (f bitField) of(v uint64) byte { return byte(v>>f.shift)&f.mask | f.fixed }

// checkBits returns an error if a string has some bits of a number and lacks others, which would
// make actuators jump. Feedback may lack the lowest bits.
func (s stringParser) checkBits(pieces []piece) error {
	full := uint64(1)<<s.bits - 1
	var present [wire.Axes]uint64
	for _, p := range pieces {
		switch p.kind {
		case numberPiece:
			present[p.leg] = full
		case bitsPiece:
			present[p.leg] |= uint64(p.bits.mask) << p.bits.shift
		}
	}
	for leg, b := range present {
		if b == 0 {
			continue
		}
		if s.isFeedback {
			b |= 1<<bits.TrailingZeros64(b) - 1
		}
		if missing := full &^ b; missing != 0 {
			return fmt.Errorf("bit %d of the number of <Axis%s> is missing; add it, or lower template.bits", bits.TrailingZeros64(missing), s.names[leg])
		}
	}
	return nil
}
