package smc3

import "maps"

// take takes a byte and executes the frame that it completes.
func (c *Simulator) take(out []byte, b byte) []byte {
	f, ok := c.in.feed(b)
	if !ok {
		return out
	}
	c.FrameCount++
	c.sinceFrame = 0
	return c.execute(out, f)
}

// execute executes one frame and appends the answer, if there is one.
func (c *Simulator) execute(out []byte, f frame) []byte {
	switch {
	case f.cmd >= 'A' && f.cmd <= 'C':
		n := min(max(f.value(), clipLow), clipHigh)
		c.Servos[f.cmd-'A'].Target = float64(n) / fullCounts
	case f.cmd == 'Z':
		c.parameterBytes['Z'] = [2]byte{min(max(f.b1, 1), 10), 0}
	case f == frame{'s', 'a', 'v'}:
		c.savedBytes = maps.Clone(c.parameterBytes)
	case f.cmd >= 'D' && f.cmd <= 'X', f.cmd == '~':
		c.parameterBytes[f.cmd] = [2]byte{f.b1, f.b2}
	case f.cmd == 'r' && f.b1 == 'd':
		return c.answer(out, f.b2)
	case f == frame{'v', 'e', 'r'}:
		return appendFrame(out, frame{'v', 0, version})
	case f.cmd == 'e' && f.b1 == 'n':
		c.enable(f.b2)
	case f.cmd == 'm' && f.b1 == 'o' && f.b2 >= '0' && f.b2 <= '3':
		c.streamedMotor, c.untilReport = int(f.b2-'0'), 0
	}
	return out
}

// enable executes "ena" and "en1".."en3".
func (c *Simulator) enable(letter byte) {
	for i := range c.enabled {
		if letter == 'a' || letter == '1'+byte(i) {
			c.enabled[i] = true
		}
	}
}

// answer executes the query "rd" for a letter and appends the answer.
func (c *Simulator) answer(out []byte, letter byte) []byte {
	switch {
	case letter >= 'A' && letter <= 'C':
		return c.reportPosition(out, int(letter-'A'))
	case letter >= 'a' && letter <= 'c':
		return c.reportStatus(out, int(letter-'a'))
	case letter == 'Y':
		return appendFrame(out, frame{'Y', c.status(), 0})
	case letter == 'Z': // the number of control cycles, not the divider
		cycles := c.controlCycles
		c.controlCycles = 0
		return appendFrame(out, frame{'Z', byte(cycles >> 8), byte(cycles)})
	}
	if v, ok := c.parameterBytes[letter]; ok {
		return appendFrame(out, frame{letter, v[0], v[1]})
	}
	return out
}
