package drive

import (
	"testing"

	"rig.example/rig/internal/core/frame"
)

// The window is followed by its pictures alone: the first picture counts, and two that are just
// in time.
func TestWindowIsFollowedByItsPictures(t *testing.T) {
	const dt = 0.001
	var w window
	keys := func(pictures uint64) (stale bool) {
		return w.keys(&Window{Keys: frame.KeyUp, Pictures: pictures}, dt) == 0
	}
	for range 10_000 {
		keys(0)
	}
	if w.lost() {
		t.Error("a window that never showed anything is lost")
	}
	for beat := uint64(1); beat < 4; beat++ {
		stale := keys(beat)
		if stale || w.lost() {
			t.Errorf("stale %v, lost %v in the tick of picture %d", stale, w.lost(), beat)
		}
		for tick := 1; tick < 1999; tick++ {
			stale := keys(beat)
			if stale && tick < 250 || !stale && tick > 251 || w.lost() {
				t.Fatalf("stale %v, lost %v, %d ticks after a picture", stale, w.lost(), tick)
			}
		}
	}
	for range 3 {
		keys(3)
	}
	if !w.lost() {
		t.Error("nothing is lost after 2 s")
	}
}
