package drive

import "rig.example/rig/internal/core/frame"

// window monitors the rig's window by the number of pictures it has shown.
type window struct {
	lastPictures uint64  // when they were last seen to grow; 0 before the first one
	sincePicture float64 // time since then [s]
}

const (
	// staleKeysAfter is the time without a new picture after which the window's keys count as released
	// [s], because a window that has died must not hold a key down.
	staleKeysAfter = 0.25
	// windowLostAfter is the time without a new picture after which the window counts as lost [s].
	windowLostAfter = 2
)

// keys returns the keys that are down in the window.
//
// If the window has stopped showing pictures, only the stop key and the closing of the window count. A
// confirmation does not, because its key may have been released since.
func (w *window) keys(in *Window, dt float64) uint64 {
	w.sincePicture += dt
	if in.Pictures != w.lastPictures {
		w.lastPictures, w.sincePicture = in.Pictures, 0
	}
	if w.sincePicture > staleKeysAfter {
		return in.Keys & (frame.KeyStop | frame.KeyClose)
	}
	return in.Keys &^ frame.WindowFocused
}

// lost reports whether the drive had a window that shows no pictures any more.
func (w *window) lost() bool { return w.lastPictures != 0 && w.sincePicture > windowLostAfter }

// WindowLost reports whether the drive had a window that shows no pictures any more.
func (s *State) WindowLost() bool { return s.Cockpit.window.lost() }
