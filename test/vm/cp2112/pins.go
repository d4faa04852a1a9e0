package cp2112

// pins is the state of all lines, one bit for each.
type pins struct {
	output         byte // 1: the line is an output of the host
	pushPull       byte // 1: an output drives both levels; 0: open drain, which drives low only
	hostLevels     byte // level to which the host sets an output
	externalLevels byte // level that the circuit outside applies
}

// levels returns the levels that the host reads.
func (p pins) levels() byte {
	pulledDown := p.output &^ p.pushPull &^ p.hostLevels
	pushed := p.output & p.pushPull
	released := ^(pulledDown | pushed)
	return pushed&p.hostLevels | released&p.externalLevels
}

// drivenLevel returns the level to which the host sets a line, and whether the line is an output at all.
func (p pins) drivenLevel(line int) (high, driven bool) {
	bit := byte(1) << line
	return p.hostLevels&bit != 0, p.output&bit != 0
}

// setBit returns b with one bit set, or cleared if set is false.
func setBit(b byte, bit int, set bool) byte {
	if set {
		return b | 1<<bit
	}
	return b &^ (1 << bit)
}
