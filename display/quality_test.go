package display

import (
	"strings"
	"testing"
)

func TestQualityToStartWith(t *testing.T) {
	for _, tt := range []struct {
		quality  string
		software bool
		want     string
	}{
		{Low, false, Low}, {Low, true, Low}, {Medium, false, Medium}, {High, true, High}, {Auto, false, High}, {Auto, true, Medium},
	} {
		if got := details[detailIndex(tt.quality, tt.software)].name; got != tt.want {
			t.Errorf("%s, software %t: starts with %s, want %s", tt.quality, tt.software, got, tt.want)
		}
	}
}

// A higher quality never draws less.
func TestQualitiesGrow(t *testing.T) {
	for i := 1; i < len(details); i++ {
		low, high := details[i-1], details[i]
		if high.samples < low.samples || high.noise < low.noise || low.pixelLight && !high.pixelLight || high.distances.Road < low.distances.Road ||
			high.distances.Trees < low.distances.Trees || high.distances.Terrain < low.distances.Terrain {
			t.Errorf("%s draws less than %s", high.name, low.name)
		}
	}
	if h := details[2].shaderHeader(); !strings.HasPrefix(h, "#version 330 core\n") || !strings.Contains(h, "NOISE 2\n") || !strings.Contains(h, "PIXEL_LIGHT 1\n") {
		t.Errorf("the header of the best quality's shaders is %q", h)
	}
}
