package drive

import "rig.example/rig/internal/core/frame"

// keys are the keys of the window and the buttons of the cockpit, as bits of frame's keys.
type keys struct {
	down        uint64 // are held, and have their function
	before      uint64 // all that were held in the last tick
	justPressed uint64 // went down in this tick
	stopPressed bool   // a key that went down in this tick is an emergency stop
}

// isDown reports whether a key or its button is held.
func (k *keys) isDown(key uint64) bool { return k.down&key != 0 }

// step takes what is held now. A press counts even if the button was released before this tick.
func (k *keys) step(down, pressed uint64) {
	down |= pressed
	k.justPressed = down&^k.before | pressed
	k.down, k.before = down, down
}

// stopByAny makes each press of a key or button an emergency stop and nothing else, if anyStops. What must be held for
// a drive to go on is no stop, nor is the key that confirms while guard or platform wait for it.
func (k *keys) stopByAny(anyStops, deadMan, confirms bool) {
	k.stopPressed = false
	if !anyStops {
		return
	}
	noStop := frame.KeyClose | frame.KeyInterlock
	if deadMan {
		noStop |= frame.KeyDeadMan
	}
	if confirms {
		noStop |= frame.KeyClear
	}
	k.stopPressed = k.justPressed&^noStop != 0
	const used = frame.KeyClose | frame.KeyStop | frame.KeyClear | frame.KeyInterlock | frame.KeyDeadMan
	k.down, k.justPressed = k.down&used, k.justPressed&used
}
