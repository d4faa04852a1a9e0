package levers

// gate is the slots of an H-pattern shifter as its buttons tell them: bit 0 is
// a reverse slot of its own, bit n the slot of gear n.
type gate uint32

const reverseSlot gate = 1

// hPattern makes gears of an H-pattern shifter's slots. It keeps no clock: one
// step is one tick.
//
// A gear counts from the first contact on. It ends when its button has been up
// for longer than contacts bounce, or another one is down. Between two gears
// there is always a tick of neutral. Of two slots at once the one that came
// first stays.
type hPattern struct {
	settle   int  // ticks a button may be up before its gear ends
	slot     gate // the slot the lever is in, 0 is neutral
	reversed bool // it was entered with the lever held down, and is reverse
	missing  int  // ticks since its button is up
}

// step returns the gear: -1 reverse, 0 neutral, 1 and up forward. pressed are
// the slots whose buttons are down; lifted tells whether the lever is held
// down (or its ring up), which makes reverse of the slots in reversing.
func (h *hPattern) step(pressed gate, lifted bool, reversing gate) int8 {
	switch {
	case h.slot != 0 && pressed&h.slot != 0:
		h.missing = 0
	case h.slot != 0:
		h.missing++
		if pressed != 0 || h.missing > h.settle {
			h.slot = 0
		}
	case pressed != 0 && pressed&(pressed-1) == 0: // one slot, not two
		h.slot, h.missing = pressed, 0
		h.reversed = pressed == reverseSlot || lifted && pressed&reversing != 0
	}
	return h.gear()
}

func (h *hPattern) gear() int8 {
	switch {
	case h.slot == 0:
		return 0
	case h.reversed:
		return -1
	}
	gear := int8(0)
	for s := h.slot; s > 1; s >>= 1 {
		gear++
	}
	return gear
}

// contact is one button without its bounces: down at the first contact, up when
// it has been up for settle ticks. One that is down at the first look does
// not count until it was let go: nobody shifts by plugging in.
type contact struct {
	settle int
	down   bool
	stale  bool // held since the first look
	up     int  // ticks
	looked bool
}

// step returns whether the button is pressed.
func (c *contact) step(pressed bool) bool {
	if !c.looked {
		c.looked, c.stale = true, pressed
	}
	if pressed {
		c.down, c.up = true, 0
		return !c.stale
	}
	c.up++
	if c.up > c.settle {
		c.down, c.stale = false, false
	}
	return c.down && !c.stale
}

// sequential is a lever with one contact forwards and one back.
type sequential struct{ up, down contact }

// step returns which way the lever is pulled, neither if both are.
func (s *sequential) step(up, down bool) (isUp, isDown bool) {
	isUp, isDown = s.up.step(up), s.down.step(down)
	if isUp && isDown {
		return false, false
	}
	return isUp, isDown
}
