package template

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rig.example/rig/devices/motion/wire"
)

// piece is a part of a string: bytes, or the number of an actuator.
type piece struct {
	literal []byte
	leg     int // 0..Axes-1, or noLeg
}

const noLeg = -1

// axisName is the name of an axis in strings: its number and its set.
type axisName struct {
	number int
	set    byte // 'a', 'b' or 'c'
}

func (n axisName) String() string { return strconv.Itoa(n.number) + string(n.set) }

// parseAxisName parses a name such as 1a, or 1, which means the same.
func parseAxisName(text string) (axisName, error) {
	digits, set := text, byte('a')
	if last := len(text) - 1; last > 0 && (text[last]|0x20) >= 'a' && (text[last]|0x20) <= 'c' {
		digits, set = text[:last], text[last]|0x20
	}
	n, err := strconv.Atoi(digits)
	if err != nil || digits[0] < '0' || digits[0] > '9' {
		return axisName{}, errors.New("is not an axis; write 1a, 2a and so on, with the sets a, b and c")
	}
	if n < 1 || n > wire.Axes {
		return axisName{}, fmt.Errorf("has number %s; a set has the axes 1 to %d, sets b and c have more", digits, wire.Axes)
	}
	return axisName{n, set}, nil
}

// axisNames returns the names of the actuators.
func (c Config) axisNames() ([]axisName, error) {
	list := c.Axes
	if len(list) == 0 {
		list = []string{"1a", "2a", "3a", "4a", "5a", "6a", "7a", "8a"}
	}
	if len(list) > wire.Axes {
		return nil, fmt.Errorf("motion: template.axes: has %d names; give up to %d", len(list), wire.Axes)
	}
	var names []axisName
	for i, text := range list {
		name, err := parseAxisName(text)
		if err != nil {
			return nil, fmt.Errorf("motion: template.axes[%d]: %q %w", i, text, err)
		}
		if legOf(name, names) != noLeg {
			return nil, fmt.Errorf("motion: template.axes[%d]: %q is listed twice; list each axis once", i, text)
		}
		names = append(names, name)
	}
	return names, nil
}

func legOf(name axisName, names []axisName) int {
	for leg, n := range names {
		if n == name {
			return leg
		}
	}
	return noLeg
}

// parseStrings parses strings that are sent one by one.
func (t *compiledTemplate) parseStrings(key string, texts []string, names []axisName) ([][]piece, error) {
	if len(texts) > maxStrings {
		return nil, fmt.Errorf("motion: %s: has %d strings; give up to %d", key, len(texts), maxStrings)
	}
	var all [][]piece
	for i, text := range texts {
		pieces, err := parseString(text, names)
		if err != nil {
			return nil, fmt.Errorf("motion: %s[%d]: %w", key, i, err)
		}
		if n := t.maxTotalLen(pieces); n == 0 || n > maxStringLen {
			return nil, fmt.Errorf("motion: %s[%d]: is %d bytes long; must be 1 to %d", key, i, n, maxStringLen)
		}
		all = append(all, pieces)
	}
	return all, nil
}

// parseOutput parses strings that are sent as one, in every period.
func (t *compiledTemplate) parseOutput(key string, texts []string, names []axisName) ([]piece, error) {
	if len(texts) == 0 {
		return nil, fmt.Errorf(`motion: %s: is empty; give what the controller expects, such as ["P4<Axis1a><Axis2a>!!"], or start from a preset`, key)
	}
	parts, err := t.parseStrings(key, texts, names)
	if err != nil {
		return nil, err
	}
	var all []piece
	for _, part := range parts {
		for _, p := range part {
			all = appendPiece(all, p)
		}
	}
	if n := t.maxTotalLen(all); n > maxStringLen {
		return nil, fmt.Errorf("motion: %s: is %d bytes long; must be up to %d", key, n, maxStringLen)
	}
	return all, t.checkSeparators(key, all)
}

// checkSeparators returns an error if a number of variable length is followed by a digit or another
// number.
func (t *compiledTemplate) checkSeparators(key string, pieces []piece) error {
	for i, p := range pieces {
		next := pieces[(i+1)%len(pieces)]
		if p.leg == noLeg || t.isFixedLen(p.leg) {
			continue
		}
		if next.leg != noLeg || t.isDigit(next.literal[0]) {
			return fmt.Errorf("motion: %s: the number of actuator %d cannot be separated from what follows it; "+
				"put a character that is not a digit between them, or set template.digits", key, p.leg+1)
		}
	}
	return nil
}

// countActuators returns the number of actuators, each of which must be in the output.
func countActuators(output []piece, names []axisName, listed int) (int, error) {
	var present [wire.Axes]bool
	count := listed
	for _, p := range output {
		if p.leg != noLeg {
			present[p.leg] = true
			count = max(count, p.leg+1)
		}
	}
	if count == 0 {
		return 0, errors.New("motion: template.output: has no axis; write <Axis1a> where the number of the first actuator must be")
	}
	for leg := range count {
		if !present[leg] {
			return 0, fmt.Errorf("motion: template.output: <Axis%s> of actuator %d is missing; add it, or remove it from template.axes", names[leg], leg+1)
		}
	}
	return count, nil
}

// parseString parses one string. An error names the column, counted from 1.
func parseString(text string, names []axisName) ([]piece, error) {
	var pieces []piece
	for at := 0; at < len(text); {
		c := text[at]
		if c != '<' {
			if c == '>' || c >= 0x80 {
				return nil, atColumn(at, fmt.Errorf("%q must be written as <%d>", text[at:at+1], c))
			}
			pieces = appendPiece(pieces, piece{[]byte{c}, noLeg})
			at++
			continue
		}
		p, n, err := parseToken(text[at:], names)
		if err != nil {
			return nil, atColumn(at, err)
		}
		pieces = appendPiece(pieces, p)
		at += n
	}
	return pieces, nil
}

func atColumn(at int, err error) error { return fmt.Errorf("column %d: %w", at+1, err) }

// appendPiece appends p, joined with a literal before it if both are literals.
func appendPiece(pieces []piece, p piece) []piece {
	if last := len(pieces) - 1; last >= 0 && p.leg == noLeg && pieces[last].leg == noLeg {
		pieces[last].literal = bytes.Join([][]byte{pieces[last].literal, p.literal}, nil)
		return pieces
	}
	return append(pieces, p)
}

// parseToken parses what is in angle brackets at the start of text, and returns its length with
// the brackets.
func parseToken(text string, names []axisName) (piece, int, error) {
	n := strings.IndexAny(text[1:], "<>") + 1
	if n == 0 || text[n] == '<' {
		return piece{}, 0, errors.New("\"<\" is not closed; close it with \">\", or write <60> for the character itself")
	}
	inner := text[1:n]
	if len(inner) > 4 && strings.EqualFold(inner[:4], "axis") {
		leg, err := parseAxis(inner, names)
		return piece{nil, leg}, n + 1, err
	}
	if inner == "" || strings.Trim(inner, "0123456789") != "" {
		return piece{}, 0, fmt.Errorf("<%s> is unknown; write <Axis1a> for a number, <255> for a byte", inner)
	}
	v, err := strconv.ParseUint(inner, 10, 8)
	if err != nil {
		return piece{}, 0, fmt.Errorf("<%s> is not a byte; must be 0 to 255", inner)
	}
	return piece{[]byte{byte(v)}, noLeg}, n + 1, nil
}

func parseAxis(inner string, names []axisName) (leg int, err error) {
	name, err := parseAxisName(inner[4:])
	if err != nil {
		return noLeg, fmt.Errorf("<%s> %w", inner, err)
	}
	if leg = legOf(name, names); leg == noLeg {
		return noLeg, fmt.Errorf("<%s> has no actuator; add %s to template.axes", inner, name)
	}
	return leg, nil
}
