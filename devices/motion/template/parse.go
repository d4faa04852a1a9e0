package template

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"rig.example/rig/devices/motion/wire"
)

// piece is a part of a string.
type piece struct {
	kind    pieceKind
	literal []byte    // of a literalPiece
	leg     int       // of a numberPiece or bitsPiece: 0..Axes-1; noLeg for the others
	bits    bitField  // of a bitsPiece
	sum     *checksum // of a sumPiece
}

// pieceKind is the kind of a piece.
type pieceKind uint8

const (
	literalPiece pieceKind = iota // bytes
	numberPiece                   // the number of an actuator
	bitsPiece                     // a byte with some bits of the number of an actuator
	anyPiece                      // a byte of any value, in feedback
	beginPiece                    // no byte: the next checksum begins here
	sumPiece                      // the checksum of the bytes since the last beginPiece
)

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
func (s stringParser) parseStrings(key string, texts []string) ([][]piece, error) {
	if len(texts) > maxStrings {
		return nil, fmt.Errorf("motion: %s: has %d strings; give up to %d", key, len(texts), maxStrings)
	}
	var all [][]piece
	for i, text := range texts {
		pieces, err := s.parseString(text)
		if err != nil {
			return nil, fmt.Errorf("motion: %s[%d]: %w", key, i, err)
		}
		if n := s.maxTotalLen(pieces); n == 0 || n > maxStringLen {
			return nil, fmt.Errorf("motion: %s[%d]: is %d bytes long; must be 1 to %d", key, i, n, maxStringLen)
		}
		all = append(all, pieces)
	}
	return all, nil
}

// parseOutput parses strings that are sent as one, in every period.
func (s stringParser) parseOutput(key string, texts []string) ([]piece, error) {
	if len(texts) == 0 {
		return nil, fmt.Errorf(`motion: %s: is empty; give what the controller expects, such as ["P4<Axis1a><Axis2a>!!"], or start from a preset`, key)
	}
	parts, err := s.parseStrings(key, texts)
	if err != nil {
		return nil, err
	}
	var all []piece
	for _, part := range parts {
		for _, p := range part {
			all = appendPiece(all, p)
		}
	}
	if n := s.maxTotalLen(all); n > maxStringLen {
		return nil, fmt.Errorf("motion: %s: is %d bytes long; must be up to %d", key, n, maxStringLen)
	}
	return all, s.checkSeparators(key, all)
}

// checkSeparators returns an error if a number of variable length is followed by a digit or by
// something else that may look like one. What follows the last piece is the first.
func (s stringParser) checkSeparators(key string, pieces []piece) error {
	pieces = slices.DeleteFunc(slices.Clone(pieces), func(p piece) bool { return p.kind == beginPiece })
	for i, p := range pieces {
		if s.runsInto(p, pieces[(i+1)%len(pieces)]) {
			return fmt.Errorf("motion: %s: the number of actuator %d cannot be separated from what follows it; "+
				"put a character that is not a digit between them, or set template.digits", key, p.leg+1)
		}
	}
	return nil
}

// runsInto reports whether p is a number of variable length whose end cannot be seen from next.
func (s stringParser) runsInto(p, next piece) bool {
	return p.kind == numberPiece && !s.isFixedLen(p.leg) && (next.kind != literalPiece || s.isDigit(next.literal[0]))
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
