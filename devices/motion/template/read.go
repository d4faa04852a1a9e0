package template

import "rig.example/rig/devices/motion/wire"

// stringKind is the kind of a string received from the host.
type stringKind uint8

const (
	targetString stringKind = iota
	startupString
	shutdownString
	queryString
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
	t := r.template
	for k, strings := range [...][][]piece{targetString: {t.output}, startupString: t.startup, shutdownString: t.shutdown, queryString: t.query} {
		i, n, fit := t.scanAny(r.buf, strings, l)
		if fit == fullMatch {
			return stringKind(k), i, n, fit
		}
		result = max(result, fit)
	}
	return 0, 0, 0, result
}

// match is how far received bytes match a string.
type match uint8

const (
	noMatch match = iota
	partialMatch
	fullMatch
)

// scanAny compares the beginning of b with each of the strings, as scan does. It returns the index
// and the length [bytes] of the first that matches.
func (n *number) scanAny(b []byte, strings [][]piece, l *wire.Legs) (index, used int, result match) {
	for i, pieces := range strings {
		used, fit := n.scan(b, pieces, l)
		if fit == fullMatch {
			return i, used, fit
		}
		result = max(result, fit)
	}
	return 0, 0, result
}

// scan compares the beginning of b with the pieces, and returns how many bytes they used. If they
// match, it stores the positions in them in l.
func (n *number) scan(b []byte, pieces []piece, l *wire.Legs) (used int, fit match) {
	var values [wire.Axes]uint64
	begin := 0
	for i := range pieces {
		p, rest := &pieces[i], b[used:]
		size, f := 0, fullMatch
		switch p.kind {
		case literalPiece:
			size, f = scanLiteral(rest, p.literal)
		case numberPiece:
			values[p.leg], size, f = n.scanNumber(rest, p.leg)
		case bitsPiece:
			size, f = p.bits.scan(rest, &values[p.leg])
		case anyPiece:
			if size = 1; len(rest) == 0 {
				f = partialMatch
			}
		case beginPiece:
			begin = used
		case sumPiece:
			v := p.sum.bytes(b[begin:used])
			size, f = scanLiteral(rest, v[:p.sum.size])
		}
		if f != fullMatch {
			return 0, f
		}
		used += size
	}
	return used, n.storePositions(pieces, &values, l)
}

// storePositions stores in l the positions that numbers stand for, unless one is out of range.
func (n *number) storePositions(pieces []piece, values *[wire.Axes]uint64, l *wire.Legs) match {
	for i := range pieces {
		if leg := pieces[i].leg; leg != noLeg && !n.accepts(leg, values[leg]) {
			return noMatch
		}
	}
	for i := range pieces {
		if leg := pieces[i].leg; leg != noLeg {
			l[leg] = n.position(leg, values[leg])
		}
	}
	return fullMatch
}

// accepts reports whether a number may be sent for an actuator.
func (n *number) accepts(leg int, v uint64) bool { return v >= n.min[leg] && v <= n.max[leg] }

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

// scan puts the bits that the first byte of b has of a number into v.
func (f bitField) scan(b []byte, v *uint64) (int, match) {
	switch {
	case len(b) == 0:
		return 0, partialMatch
	case b[0]&^f.mask != f.fixed:
		return 0, noMatch
	}
	*v = *v&^(uint64(f.mask)<<f.shift) | uint64(b[0]&f.mask)<<f.shift
	return 1, fullMatch
}

// scanNumber parses the number of an actuator.
func (n *number) scanNumber(b []byte, leg int) (v uint64, used int, fit match) {
	if n.binary {
		v, used, fit = n.scanBinary(b)
	} else {
		v, used, fit = n.scanDigits(b, leg)
	}
	if fit == fullMatch && !n.accepts(leg, v) {
		return 0, 0, noMatch
	}
	return v, used, fit
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
