package wire

import (
	"testing"
	"time"
)

// A driver that counts more than it holds is believed when it counts least, and one that
// cannot count at all is not waited for.
func TestBacklogBelievesTheLeastCount(t *testing.T) {
	const patience = 50 * time.Millisecond
	var b Backlog
	at := AllAt(0.1)
	b.Add(&at, &at, 10, 0)
	b.accepted = 10
	for _, unsent := range []int{1280, 11, -1} {
		if b.SetUnsent(unsent); b.queuedCount != 1 || b.IsLate(patience, patience) || !b.IsLate(patience+1, patience) {
			t.Fatalf("%d unsent of 10: %d targets wait, want 1 that is late after 50 ms", unsent, b.queuedCount)
		}
	}
	b.SetUnsent(0)
	if b.SetUnsent(10); b.queuedCount != 0 || b.lastSent != at || b.IsLate(time.Hour, patience) {
		t.Errorf("%d targets wait after all left once, heard %g", b.queuedCount, b.lastSent[0])
	}
	for i := range 100 {
		at = AllAt(float64(i))
		b.Add(&at, &at, 10, 0)
	}
	if b.queuedCount != maxQueued || b.lastSent[0] != 99-maxQueued {
		t.Errorf("%d of 100 targets wait after %g, want %d after %d", b.queuedCount, b.lastSent[0], maxQueued, 99-maxQueued)
	}
}
