package replayview

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/sim"
)

// Controls turns the keys of a window into places of a recording. A place counts the ticks driven up to it. Controls is a
// plain value that reads no clock.
type Controls struct {
	First, Last uint64   // the places that can be shown
	Stops       []uint64 // places of marks and faults, ascending
	Place       uint64   // the place that is shown
	Paused      bool

	speed  int     // change of speed from real time, as steps in speeds
	due    float64 // part of a tick that is still due
	down   uint64  // keys that were down at the last step
	held   float64 // how long an arrow has been down [s]
	repeat int     // steps that the arrow has repeated
}

// speeds are the speeds of a replay; 1 is real time.
var speeds = [...]float64{0.1, 0.2, 0.5, 1, 2, 4, 8}

// realTime is the index of real time in speeds.
const realTime = 3

// Steps through a recording [ticks].
const (
	jump     = 5000
	pageJump = 30_000
)

// A held arrow repeats its step.
const (
	repeatAfter = 0.4 // [s]
	repeatRate  = 25  // [1/s]
)

// Keys that have one meaning in a replay.
const (
	nextKeys   = frame.KeyMark | frame.KeyCueMore
	beforeKeys = frame.KeyPrevious | frame.KeyCueLess
	fasterKeys = frame.KeyUp | frame.KeyGainMore
	slowerKeys = frame.KeyDown | frame.KeyGainLess
)

// Speed returns the speed of the replay; 1 is real time.
func (c *Controls) Speed() float64 { return speeds[realTime+c.speed] }

// Step returns the place that is shown dt seconds later. keys are the bits of frame's keys that are down. seek is where
// the mouse points at on the scrub bar, from 0 to 1, or NaN for nowhere.
func (c *Controls) Step(keys uint64, seek, dt float64) uint64 {
	pressed := keys &^ c.down
	c.down = keys
	if pressed&frame.KeyStop != 0 {
		c.Paused = !c.Paused
	}
	if pressed&fasterKeys != 0 {
		c.speed = min(c.speed+1, len(speeds)-1-realTime)
	}
	if pressed&slowerKeys != 0 {
		c.speed = max(c.speed-1, -realTime)
	}
	to, moved := c.moved(keys, pressed, seek, dt)
	if !moved && !c.Paused {
		c.due += dt / sim.Dt * c.Speed()
		whole := math.Floor(c.due)
		c.due -= whole
		to += int64(whole)
	}
	c.Place = uint64(min(max(to, int64(c.First)), int64(c.Last)))
	if c.Place == c.Last {
		c.Paused = true
	}
	return c.Place
}

// moved returns where keys and mouse move the place to, and whether they do.
func (c *Controls) moved(keys, pressed uint64, seek, dt float64) (to int64, moved bool) {
	to = int64(c.Place)
	arrows := c.arrows(keys, pressed, dt)
	switch {
	case seek == seek:
		return int64(math.Round(seek * float64(c.Last))), true
	case pressed&frame.KeyHome != 0:
		return int64(c.First), true
	case pressed&frame.KeyEnd != 0:
		return int64(c.Last), true
	case pressed&frame.KeyPageUp != 0:
		return to - pageJump, true
	case pressed&frame.KeyPageDown != 0:
		return to + pageJump, true
	case pressed&nextKeys != 0:
		return int64(c.next()), true
	case pressed&beforeKeys != 0:
		return int64(c.before()), true
	}
	return to + arrows, arrows != 0
}

// arrows returns by how many ticks the arrows left and right move: single ones in a pause, jumps otherwise.
func (c *Controls) arrows(keys, pressed uint64, dt float64) int64 {
	sign := int64(0)
	if keys&frame.KeyRight != 0 {
		sign++
	}
	if keys&frame.KeyLeft != 0 {
		sign--
	}
	if pressed&(frame.KeyLeft|frame.KeyRight) != 0 || sign == 0 {
		c.held, c.repeat = 0, 0
		if c.Paused || sign == 0 {
			return sign
		}
		return sign * jump
	}
	c.held += dt
	due := int(max(c.held-repeatAfter, 0) * repeatRate)
	steps := int64(due - c.repeat)
	c.repeat = due
	if !c.Paused {
		return 0
	}
	return sign * steps
}

// next returns the next mark or fault, or the end.
func (c *Controls) next() uint64 {
	for _, at := range c.Stops {
		if at > c.Place {
			return at
		}
	}
	return c.Last
}

// before returns the mark or fault before, or the start. While the replay runs, a mark that has just been passed does not
// count, so that pressed twice the key goes back by two.
func (c *Controls) before() uint64 {
	const justPassed = 1000 // [ticks]
	limit := c.Place
	if !c.Paused {
		limit -= min(limit, justPassed)
	}
	to := c.First
	for _, at := range c.Stops {
		if at < limit {
			to = at
		}
	}
	return to
}
