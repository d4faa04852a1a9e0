package levers

// slotSet is a set of slots of an H-pattern shifter: bit 0 is a separate reverse slot, bit n the slot of
// gear n.
type slotSet uint32

const reverseSlot slotSet = 1

// hPattern turns the slots of an H-pattern shifter into gears. It reads no clock: one step is one tick.
//
// A gear is selected from the first contact of its slot on. It ends when the button of the slot has been
// up for longer than contacts bounce, or when another button is down. There is always at least one tick
// of neutral between two gears. If two slots have contact at once, the first one stays selected.
type hPattern struct {
	debounceTicks int     // longest time in which the button may be up without ending the gear [ticks]
	slot          slotSet // slot of the lever; 0: neutral
	isReverse     bool    // the gear of the slot is reverse
	releasedTicks int     // time for which its button has been up [ticks]
}

// step returns the gear: -1 reverse, 0 neutral, 1 and above forward. pressed has the slots whose buttons
// are down. reverseHeld reports whether the lever is pushed down, or its ring lifted: a slot of
// reverseSlots that is entered then is reverse.
func (h *hPattern) step(pressed slotSet, reverseHeld bool, reverseSlots slotSet) int8 {
	switch {
	case h.slot != 0 && pressed&h.slot != 0:
		h.releasedTicks = 0
	case h.slot != 0:
		h.releasedTicks++
		if pressed != 0 || h.releasedTicks > h.debounceTicks {
			h.slot = 0
		}
	case pressed != 0 && pressed&(pressed-1) == 0: // one slot, not two
		h.slot, h.releasedTicks = pressed, 0
		h.isReverse = pressed == reverseSlot || reverseHeld && pressed&reverseSlots != 0
	}
	return h.gear()
}

func (h *hPattern) gear() int8 {
	switch {
	case h.slot == 0:
		return 0
	case h.isReverse:
		return -1
	}
	gear := int8(0)
	for s := h.slot; s > 1; s >>= 1 {
		gear++
	}
	return gear
}

// debouncedButton removes the bounces of a button: it is down from the first contact on, and up after
// debounceTicks without contact. A button that is down at the first step does not count until it was
// released, so that plugging in a shifter does not shift.
type debouncedButton struct {
	debounceTicks int
	isDown        bool
	heldAtStart   bool // it has been down since the first step
	releasedTicks int  // time without contact [ticks]
	started       bool
}

// step takes whether the button has contact, and reports whether it is pressed.
func (c *debouncedButton) step(pressed bool) bool {
	if !c.started {
		c.started, c.heldAtStart = true, pressed
	}
	if pressed {
		c.isDown, c.releasedTicks = true, 0
		return !c.heldAtStart
	}
	c.releasedTicks++
	if c.releasedTicks > c.debounceTicks {
		c.isDown, c.heldAtStart = false, false
	}
	return c.isDown && !c.heldAtStart
}

// sequential is a sequential shifter, which has one button for up and one for down.
type sequential struct{ up, down debouncedButton }

// step reports whether the lever is pulled up or down. Both results are false if both buttons have contact.
func (s *sequential) step(up, down bool) (isUp, isDown bool) {
	isUp, isDown = s.up.step(up), s.down.step(down)
	if isUp && isDown {
		return false, false
	}
	return isUp, isDown
}
