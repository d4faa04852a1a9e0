package smc3

import "maps"

// Handle takes bytes from the host and returns what the controller answers.
func (c *Simulator) Handle(in []byte) []byte {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.boot > 0 {
		return nil
	}
	var out []byte
	for _, b := range in {
		if f, ok := c.in.feed(b); ok {
			c.frames++
			c.silent = 0
			out = c.obey(out, f)
		}
	}
	return c.Spoil(out, frameHead)
}

// obey carries out one frame and appends the answer, if there is one.
func (c *Simulator) obey(out []byte, f frame) []byte {
	switch {
	case f.cmd >= 'A' && f.cmd <= 'C':
		n := min(max(f.value(), clipLow), clipHigh)
		c.motor[f.cmd-'A'].Target = float64(n) / fullCounts
	case f.cmd == 'Z':
		c.params['Z'] = [2]byte{min(max(f.b1, 1), 10), 0}
	case f == frame{'s', 'a', 'v'}:
		c.saved = maps.Clone(c.params)
	case f.cmd >= 'D' && f.cmd <= 'X', f.cmd == '~':
		c.params[f.cmd] = [2]byte{f.b1, f.b2}
	case f.cmd == 'r' && f.b1 == 'd':
		return c.answer(out, f.b2)
	case f == frame{'v', 'e', 'r'}:
		return appendFrame(out, frame{'v', 0, version})
	case f.cmd == 'e' && f.b1 == 'n':
		c.enable(f.b2)
	case f.cmd == 'm' && f.b1 == 'o' && f.b2 >= '0' && f.b2 <= '3':
		c.stream, c.due = int(f.b2-'0'), 0
	}
	return out
}

// enable obeys "ena" and "en1".."en3".
func (c *Simulator) enable(which byte) {
	for i := range c.enabled {
		if which == 'a' || which == '1'+byte(i) {
			c.enabled[i] = true
		}
	}
}

// answer obeys "rd" with the letter of what is asked for.
func (c *Simulator) answer(out []byte, what byte) []byte {
	switch {
	case what >= 'A' && what <= 'C':
		return c.reportPosition(out, int(what-'A'))
	case what >= 'a' && what <= 'c':
		return c.reportStatus(out, int(what-'a'))
	case what == 'Y':
		return appendFrame(out, frame{'Y', c.status(), 0})
	case what == 'Z': // tells not the divider, but how often it worked
		n := c.loops
		c.loops = 0
		return appendFrame(out, frame{'Z', byte(n >> 8), byte(n)})
	}
	if v, ok := c.params[what]; ok {
		return appendFrame(out, frame{what, v[0], v[1]})
	}
	return out
}
