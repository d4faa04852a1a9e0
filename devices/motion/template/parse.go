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

// axisName is what an axis is called in strings: its number and its set.
type axisName struct {
	number int
	set    byte // 'a', 'b' or 'c'
}

func (n axisName) String() string { return strconv.Itoa(n.number) + string(n.set) }

// parseAxisName reads a name such as 1a, or 1, which means the same.
func parseAxisName(text string) (axisName, error) {
	digits, set := text, byte('a')
	if last := len(text) - 1; last > 0 && (text[last]|0x20) >= 'a' && (text[last]|0x20) <= 'c' {
		digits, set = text[:last], text[last]|0x20
	}
	n, err := strconv.Atoi(digits)
	if err != nil || digits[0] < '0' || digits[0] > '9' {
		return axisName{}, errors.New("is no axis; write 1a, 2a and so on, with sets a, b and c")
	}
	if n < 1 || n > wire.Axes {
		return axisName{}, fmt.Errorf("has number %s; axes go from 1 to %d, more of them are in sets b and c", digits, wire.Axes)
	}
	return axisName{n, set}, nil
}

// names returns what the actuators are called.
func (c Config) names() ([]axisName, error) {
	list := c.Axes
	if len(list) == 0 {
		list = []string{"1a", "2a", "3a", "4a", "5a", "6a", "7a", "8a"}
	}
	if len(list) > wire.Axes {
		return nil, fmt.Errorf("motion: template.axes: has %d names; there are up to %d actuators", len(list), wire.Axes)
	}
	var names []axisName
	for i, text := range list {
		name, err := parseAxisName(text)
		if err != nil {
			return nil, fmt.Errorf("motion: template.axes[%d]: %q %w", i, text, err)
		}
		if legOf(name, names) != noLeg {
			return nil, fmt.Errorf("motion: template.axes[%d]: %q is there twice; name each axis once", i, text)
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

// phrases reads strings that are sent one by one.
func (t *compiled) phrases(key string, texts []string, names []axisName) ([][]piece, error) {
	if len(texts) > mostStrings {
		return nil, fmt.Errorf("motion: %s: has %d strings; give up to %d", key, len(texts), mostStrings)
	}
	var all [][]piece
	for i, text := range texts {
		pieces, err := parseString(text, names)
		if err != nil {
			return nil, fmt.Errorf("motion: %s[%d]: %w", key, i, err)
		}
		if n := t.longest(pieces); n == 0 || n > longestString {
			return nil, fmt.Errorf("motion: %s[%d]: stands for %d bytes; 1..%d", key, i, n, longestString)
		}
		all = append(all, pieces)
	}
	return all, nil
}

// join reads strings that are sent as one, again and again.
func (t *compiled) join(key string, texts []string, names []axisName) ([]piece, error) {
	if len(texts) == 0 {
		return nil, fmt.Errorf(`motion: %s: is empty; give what the controller takes, such as ["P4<Axis1a><Axis2a>!!"], or start from a preset`, key)
	}
	parts, err := t.phrases(key, texts, names)
	if err != nil {
		return nil, err
	}
	var all []piece
	for _, part := range parts {
		for _, p := range part {
			all = appendPiece(all, p)
		}
	}
	if n := t.longest(all); n > longestString {
		return nil, fmt.Errorf("motion: %s: stands for %d bytes; up to %d", key, n, longestString)
	}
	return all, t.readable(key, all)
}

// readable refuses numbers that no controller could tell from what follows them.
func (t *compiled) readable(key string, pieces []piece) error {
	for i, p := range pieces {
		next := pieces[(i+1)%len(pieces)]
		if p.leg == noLeg || t.fixed(p.leg) {
			continue
		}
		if next.leg != noLeg || t.isDigit(next.literal[0]) {
			return fmt.Errorf("motion: %s: the number of actuator %d runs into what follows it; "+
				"put a character between that is no digit, or set template.digits", key, p.leg+1)
		}
	}
	return nil
}

// moved counts the actuators, each of which must be in the output.
func moved(output []piece, names []axisName, listed int) (int, error) {
	var in [wire.Axes]bool
	count := listed
	for _, p := range output {
		if p.leg != noLeg {
			in[p.leg] = true
			count = max(count, p.leg+1)
		}
	}
	if count == 0 {
		return 0, errors.New("motion: template.output: has no axis; put <Axis1a> where the number of the first actuator goes")
	}
	for leg := range count {
		if !in[leg] {
			return 0, fmt.Errorf("motion: template.output: <Axis%s> of actuator %d is missing; put it in, or leave it out of template.axes", names[leg], leg+1)
		}
	}
	return count, nil
}

// parseString reads one string. Faults name their column, the first being 1.
func parseString(text string, names []axisName) ([]piece, error) {
	var pieces []piece
	for at := 0; at < len(text); {
		c := text[at]
		if c != '<' {
			if c == '>' || c >= 0x80 {
				return nil, faultAt(at, fmt.Errorf("%q cannot stand for itself; write it as <%d>", text[at:at+1], c))
			}
			pieces = appendPiece(pieces, piece{[]byte{c}, noLeg})
			at++
			continue
		}
		p, n, err := parseToken(text[at:], names)
		if err != nil {
			return nil, faultAt(at, err)
		}
		pieces = appendPiece(pieces, p)
		at += n
	}
	return pieces, nil
}

func faultAt(at int, err error) error { return fmt.Errorf("column %d: %w", at+1, err) }

// appendPiece appends p, as one with a literal before it.
func appendPiece(pieces []piece, p piece) []piece {
	if last := len(pieces) - 1; last >= 0 && p.leg == noLeg && pieces[last].leg == noLeg {
		pieces[last].literal = bytes.Join([][]byte{pieces[last].literal, p.literal}, nil)
		return pieces
	}
	return append(pieces, p)
}

// parseToken reads what stands between angle brackets at the start of text,
// and returns how long it is with them.
func parseToken(text string, names []axisName) (piece, int, error) {
	n := strings.IndexAny(text[1:], "<>") + 1
	if n == 0 || text[n] == '<' {
		return piece{}, 0, errors.New("\"<\" is never closed; close it with \">\", or write <60> for the character itself")
	}
	inner := text[1:n]
	if len(inner) > 4 && strings.EqualFold(inner[:4], "axis") {
		leg, err := parseAxis(inner, names)
		return piece{nil, leg}, n + 1, err
	}
	if inner == "" || strings.Trim(inner, "0123456789") != "" {
		return piece{}, 0, fmt.Errorf("<%s> is not known; write <Axis1a> for a number, <255> for a byte", inner)
	}
	v, err := strconv.ParseUint(inner, 10, 8)
	if err != nil {
		return piece{}, 0, fmt.Errorf("<%s> is no byte; 0..255", inner)
	}
	return piece{[]byte{byte(v)}, noLeg}, n + 1, nil
}

func parseAxis(inner string, names []axisName) (leg int, err error) {
	name, err := parseAxisName(inner[4:])
	if err != nil {
		return noLeg, fmt.Errorf("<%s> %w", inner, err)
	}
	if leg = legOf(name, names); leg == noLeg {
		return noLeg, fmt.Errorf("<%s> moves no actuator; name %s in template.axes", inner, name)
	}
	return leg, nil
}
