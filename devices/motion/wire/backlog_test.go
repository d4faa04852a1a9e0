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
	at := All(0.1)
	b.Add(&at, &at, 10, 0)
	b.taken = 10
	for _, unsent := range []int{1280, 11, -1} {
		if b.Pass(unsent); b.n != 1 || b.Late(patience, patience) || !b.Late(patience+1, patience) {
			t.Fatalf("%d unsent of 10: %d demands wait, want 1 that is late after 50 ms", unsent, b.n)
		}
	}
	b.Pass(0)
	if b.Pass(10); b.n != 0 || b.heard != at || b.Late(time.Hour, patience) {
		t.Errorf("%d demands wait after all left once, heard %g", b.n, b.heard[0])
	}
	for i := range 100 {
		at = All(float64(i))
		b.Add(&at, &at, 10, 0)
	}
	if b.n != backlogMost || b.heard[0] != 99-backlogMost {
		t.Errorf("%d of 100 demands wait after %g, want %d after %d", b.n, b.heard[0], backlogMost, 99-backlogMost)
	}
}
