package template

import "rig.example/rig/devices/motion/wire"

// stringKind is the kind of a string received from the host.
type stringKind uint8

const (
	targetString stringKind = iota
	startupString
	shutdownString
)

// reader finds the strings of a template in a stream of bytes, as a strict controller does. If
// bytes are no string, only the first is dropped, so that a string that begins among the others
// is still found.
type reader struct {
	template *compiledTemplate
	buf      []byte
	noise    uint64 // bytes that belonged to no string
}

// feed takes the next byte and calls take for each string that it completes.
func (r *reader) feed(b byte, take func(kind stringKind, index int, l *wire.Legs)) {
	r.buf = append(r.buf, b)
	for len(r.buf) > 0 {
		var l wire.Legs
		kind, index, used, fit := r.findString(&l)
		switch fit {
		case partialMatch:
			return
		case fullMatch:
			take(kind, index, &l)
		case noMatch:
			r.noise++
			used = 1
		}
		r.buf = r.buf[:copy(r.buf, r.buf[used:])]
	}
}

// findString compares the beginning of the buffer with all strings of the template. It returns the
// kind of the one that matches, its index among those of its kind and its length [bytes], and stores
// the positions in it in l. With a partial match the caller must wait for more bytes.
func (r *reader) findString(l *wire.Legs) (kind stringKind, index, length int, result match) {
	result = noMatch
	try := func(k stringKind, i int, pieces []piece) {
		var at wire.Legs
		n, f := r.template.scan(r.buf, pieces, &at)
		if f == fullMatch && result != fullMatch {
			kind, index, length, result, *l = k, i, n, f, at
		} else if f == partialMatch && result == noMatch {
			result = f
		}
	}
	try(targetString, 0, r.template.output)
	for i, pieces := range r.template.startup {
		try(startupString, i, pieces)
	}
	for i, pieces := range r.template.shutdown {
		try(shutdownString, i, pieces)
	}
	return kind, index, length, result
}

// match is how far received bytes match a string.
type match uint8

const (
	noMatch match = iota
	partialMatch
	fullMatch
)

// scan compares b with the pieces, and returns how many bytes they used and the positions in them.
func (t *compiledTemplate) scan(b []byte, pieces []piece, l *wire.Legs) (used int, fit match) {
	for _, p := range pieces {
		n, f := 0, noMatch
		if p.leg == noLeg {
			n, f = scanLiteral(b[used:], p.literal)
		} else {
			n, l[p.leg], f = t.scanNumber(b[used:], p.leg)
		}
		if f != fullMatch {
			return 0, f
		}
		used += n
	}
	return used, fullMatch
}

func scanLiteral(b, literal []byte) (int, match) {
	n := min(len(b), len(literal))
	switch {
	case string(b[:n]) != string(literal[:n]):
		return 0, noMatch
	case n < len(literal):
		return 0, partialMatch
	}
	return n, fullMatch
}

// scanNumber parses the number of an actuator and returns the fraction of the stroke for it.
func (t *compiledTemplate) scanNumber(b []byte, leg int) (used int, position float64, fit match) {
	v, used, fit := uint64(0), 0, noMatch
	if t.binary {
		v, used, fit = t.scanBinary(b)
	} else {
		v, used, fit = t.scanDigits(b, leg)
	}
	if fit == fullMatch && (v < t.minNumber(leg) || v > t.maxNumber(leg)) {
		return 0, 0, noMatch
	}
	return used, (float64(v) - t.low[leg]) / (t.high[leg] - t.low[leg]), fit
}

func (n *number) scanBinary(b []byte) (v uint64, used int, fit match) {
	if len(b) < n.width {
		return 0, 0, partialMatch
	}
	for i := range n.width {
		at := i
		if n.littleEndian {
			at = n.width - 1 - i
		}
		v = v<<8 | uint64(b[at])
	}
	return v, n.width, fullMatch
}

// scanDigits parses the digits of an actuator's number, up to its largest length. A number must
// have leading zeros up to the configured minimum number of digits.
func (n *number) scanDigits(b []byte, leg int) (v uint64, used int, fit match) {
	room := n.maxLen(leg)
	for used < min(len(b), room) && n.isDigit(b[used]) {
		v = v*uint64(n.base) + digit(b[used])
		used++
	}
	switch {
	case used == len(b) && used < room:
		return 0, 0, partialMatch
	case used == 0 || used != max(n.minDigits, digitsOf(v, n.base)):
		return 0, 0, noMatch
	}
	return v, used, fullMatch
}

func digit(c byte) uint64 {
	if c <= '9' {
		return uint64(c - '0')
	}
	return uint64(c|0x20-'a') + 10
}
