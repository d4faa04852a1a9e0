package rig

import "rig/internal/frame"

// keysGoStale is how long a display may be silent before its keys count as let
// go: one that died must not hold a key down [s].
const keysGoStale = 0.25

// window returns the keys that are down in the window.
//
// Only a stop or a closed window counts from a display that has died since, for
// it must not get lost. A confirmation does not: nobody may be holding the key
// any more.
func (r *Rig) window() uint64 {
	if r.page == nil {
		return 0
	}
	keys, beat := r.page.Keys()
	r.silent += r.dt
	if beat != r.beat {
		r.beat, r.silent = beat, 0
	}
	if r.silent > keysGoStale {
		keys &= frame.KeyStop | frame.KeyClose
	}
	return keys
}

// down tells whether a key is held in the window.
func (r *Rig) down(key uint64) bool { return r.pressed&key != 0 }
