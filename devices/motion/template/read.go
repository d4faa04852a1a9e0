package template

import "rig.example/rig/devices/motion/wire"

// heard is what a string from the host was.
type heard uint8

const (
	heardDemand heard = iota
	heardStartup
	heardShutdown
)

// reader finds the strings of a template in a stream of bytes, as a
// strict controller does. When bytes are no string, only the first is given
// up: a string that begins among the others is still found.
type reader struct {
	t     *compiled
	buf   []byte
	noise uint64 // bytes that belonged to no string
}

// feed takes the next byte and calls take for each string that it completes.
func (r *reader) feed(b byte, take func(kind heard, which int, l *wire.Legs)) {
	r.buf = append(r.buf, b)
	for len(r.buf) > 0 {
		var l wire.Legs
		kind, which, used, fit := r.find(&l)
		switch fit {
		case fitsPartly:
			return
		case fitsWhole:
			take(kind, which, &l)
		case fitsNot:
			r.noise++
			used = 1
		}
		r.buf = r.buf[:copy(r.buf, r.buf[used:])]
	}
}

// find tells which string the buffer begins with. What may still become one is
// waited for.
func (r *reader) find(l *wire.Legs) (kind heard, which, used int, fit fits) {
	fit = fitsNot
	consider := func(k heard, i int, pieces []piece) {
		var at wire.Legs
		n, f := r.t.scan(r.buf, pieces, &at)
		if f == fitsWhole && fit != fitsWhole {
			kind, which, used, fit, *l = k, i, n, f, at
		} else if f == fitsPartly && fit == fitsNot {
			fit = f
		}
	}
	consider(heardDemand, 0, r.t.output)
	for i, pieces := range r.t.startup {
		consider(heardStartup, i, pieces)
	}
	for i, pieces := range r.t.shutdown {
		consider(heardShutdown, i, pieces)
	}
	return kind, which, used, fit
}

// fits tells whether bytes begin with a string.
type fits uint8

const (
	fitsNot fits = iota
	fitsPartly
	fitsWhole
)

// scan compares b with the pieces, and returns how many bytes they took and the
// positions found in them.
func (t *compiled) scan(b []byte, pieces []piece, l *wire.Legs) (used int, fit fits) {
	for _, p := range pieces {
		n, f := 0, fitsNot
		if p.leg == noLeg {
			n, f = scanLiteral(b[used:], p.literal)
		} else {
			n, l[p.leg], f = t.scanNumber(b[used:], p.leg)
		}
		if f != fitsWhole {
			return 0, f
		}
		used += n
	}
	return used, fitsWhole
}

func scanLiteral(b, literal []byte) (int, fits) {
	n := min(len(b), len(literal))
	switch {
	case string(b[:n]) != string(literal[:n]):
		return 0, fitsNot
	case n < len(literal):
		return 0, fitsPartly
	}
	return n, fitsWhole
}

// scanNumber reads the number of an actuator and returns the share of the
// stroke that it means.
func (t *compiled) scanNumber(b []byte, leg int) (used int, share float64, fit fits) {
	v, used, fit := uint64(0), 0, fitsNot
	if t.binary {
		v, used, fit = t.scanBinary(b)
	} else {
		v, used, fit = t.scanDigits(b, leg)
	}
	if fit == fitsWhole && (v < t.least(leg) || v > t.most(leg)) {
		return 0, 0, fitsNot
	}
	return used, (float64(v) - t.low[leg]) / (t.high[leg] - t.low[leg]), fit
}

func (n *number) scanBinary(b []byte) (v uint64, used int, fit fits) {
	if len(b) < n.width {
		return 0, 0, fitsPartly
	}
	for i := range n.width {
		at := i
		if n.little {
			at = n.width - 1 - i
		}
		v = v<<8 | uint64(b[at])
	}
	return v, n.width, fitsWhole
}

// scanDigits reads as many digits as there can be, without zeros in front but
// those that fill up.
func (n *number) scanDigits(b []byte, leg int) (v uint64, used int, fit fits) {
	room := n.room(leg)
	for used < min(len(b), room) && n.isDigit(b[used]) {
		v = v*uint64(n.base) + digit(b[used])
		used++
	}
	switch {
	case used == len(b) && used < room:
		return 0, 0, fitsPartly
	case used == 0 || used != max(n.digits, digitsOf(v, n.base)):
		return 0, 0, fitsNot
	}
	return v, used, fitsWhole
}

func digit(c byte) uint64 {
	if c <= '9' {
		return uint64(c - '0')
	}
	return uint64(c|0x20-'a') + 10
}
