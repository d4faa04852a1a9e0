package rig

import "rig/internal/frame"

// sight follows the display by its beat, which grows with each picture that it shows.
type sight struct {
	beat   uint64  // when it was last seen to grow; 0 before the first picture
	silent float64 // time since then [s]
}

const (
	// keysGoStale is how long a display may be silent before its keys count as let
	// go: one that died must not hold a key down [s].
	keysGoStale = 0.25
	// blindAfter is how long a driver who had a window may go without a picture [s].
	blindAfter = 2
)

// step takes the beat of this tick, which lasts dt [s].
func (s *sight) step(beat uint64, dt float64) {
	s.silent += dt
	if beat != s.beat {
		s.beat, s.silent = beat, 0
	}
}

// stale reports whether the keys in the window count as let go.
func (s *sight) stale() bool { return s.silent > keysGoStale }

// lost reports whether there was a window and is none any more. A drive that never had one
// loses none.
func (s *sight) lost() bool { return s.beat != 0 && s.silent > blindAfter }

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
	r.sight.step(beat, r.dt)
	if r.sight.stale() {
		keys &= frame.KeyStop | frame.KeyClose
	}
	return keys
}

// down tells whether a key is held in the window.
func (r *Rig) down(key uint64) bool { return r.pressed&key != 0 }
