package mesh

import (
	"strings"
	"testing"
)

// One triangle many times, as a file of a few bytes each can have it, would make each look
// down as slow as all of them.
func TestPilesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		triangles int
		want      string
	}{{200, ""}, {300, "300 triangles above each other on average: must be at most 256"}, {5000, "more than 4096 triangles above each other near 0.3, 0.3 m"}} {
		var list Triangles
		list.Positions = []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}
		for range tt.triangles {
			list.Indices = append(list.Indices, 0, 1, 2)
		}
		m, err := Build(list, DefaultOptions(), nil)
		if tt.want == "" != (err == nil) || (m == nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%d: %v", tt.triangles, err)
		}
	}
}
