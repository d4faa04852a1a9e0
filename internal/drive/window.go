package drive

import "rig.example/rig/internal/frame"

// window follows the rig's window by the count of its pictures.
type window struct {
	pictures uint64  // when they were last seen to grow; 0 before the first one
	silent   float64 // time since then [s]
}

const (
	// keysGoStale is how long a window may be silent before its keys count as let go: one
	// that died must not hold a key down [s].
	keysGoStale = 0.25
	// blindAfter is how long a driver who had a window may go without a picture [s].
	blindAfter = 2
)

// keys returns those that are down in the window.
//
// Only a stop or a closed window counts from a window that has died since, for it must not get
// lost. A confirmation does not: nobody may be holding the key any more.
func (w *window) keys(in *Window, dt float64) uint64 {
	w.silent += dt
	if in.Pictures != w.pictures {
		w.pictures, w.silent = in.Pictures, 0
	}
	if w.silent > keysGoStale {
		return in.Keys & (frame.KeyStop | frame.KeyClose)
	}
	return in.Keys
}

// lost reports whether there was a window and is none any more. A drive that never had one loses
// none.
func (w *window) lost() bool { return w.pictures != 0 && w.silent > blindAfter }

// Blind reports whether the window of a drive that had one is lost.
func (s *State) Blind() bool { return s.window.lost() }
