package road

import "testing"

func TestGridPlacesAreStaggered(t *testing.T) {
	for _, tt := range []struct {
		place        int
		behind, left float64
	}{{1, 8, 2}, {2, 16, -2}, {3, 24, 2}, {64, 512, -2}} {
		if behind, left := GridDistance(tt.place); behind != tt.behind || left != tt.left {
			t.Errorf("place %d: %g m behind, %g m left", tt.place, behind, left)
		}
	}
}
