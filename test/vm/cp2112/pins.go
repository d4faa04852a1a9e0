package cp2112

// pins is the state of all lines, a bit each.
type pins struct {
	output   byte // the host drives the line
	pushPull byte // both ways; else it only pulls down, and releases for high
	latch    byte // the level the host wants
	outside  byte // the level of what is connected
}

// levels are the lines as the chip reads them.
func (p pins) levels() byte {
	pulledDown := p.output &^ p.pushPull &^ p.latch
	pushed := p.output & p.pushPull
	released := ^(pulledDown | pushed)
	return pushed&p.latch | released&p.outside
}

// drives tells whether the host drives a line, and to which level.
func (p pins) drives(line int) (high, driven bool) {
	bit := byte(1) << line
	return p.latch&bit != 0, p.output&bit != 0
}

// withBit is b with one bit changed.
func withBit(b byte, bit int, set bool) byte {
	if set {
		return b | 1<<bit
	}
	return b &^ (1 << bit)
}
