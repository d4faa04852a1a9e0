package hud

import (
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/frame"
)

func TestHalvesOfANotice(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"where a part ends", "it fell; look at the cable; press Enter", []string{"it fell; look at the cable;", "press Enter"}},
		{"at a comma, for the part ends too early", "no; look at the power, the cable and the port", []string{"no; look at the power,", "the cable and the port"}},
		{"between words", "one two three four", []string{"one two", "three four"}},
		{"one word", "unbreakable", []string{"unbreakable"}},
		{"nothing", "", []string{""}},
	} {
		if got := halves(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The longest notice that a page holds stays in the picture, above the laps.
func TestALongNoticeStaysInThePicture(t *testing.T) {
	for _, tt := range []struct {
		name, text string
	}{
		{"short", "wheel unplugged"},
		{"long", "PLATFORM: following error; " + strings.Repeat("look for what blocks it, ", 9) + "then press Enter"},
	} {
		c := testCanvas(t)
		drawNotice(c, tt.text)
		left, top, right, bottom, corners := c.extent(ink)
		if corners == 0 || left < 0 || right > c.width || top < 56 || bottom > lapTop {
			t.Errorf("%s: letters from %g, %g to %g, %g", tt.name, left, top, right, bottom)
		}
	}
}

// A speed that is not driven is marked, in a pause, a stop and after the end.
func TestAFrozenCarIsMarked(t *testing.T) {
	for _, tt := range []struct {
		state string
		speed float64
		want  bool
	}{
		{"driving", 30, false}, {"engaging", 30, false}, {"ready", 0, false},
		{"ready", 30, true}, {"releasing", 30, true}, {"stopped", -3, true}, {"fault", 30, true}, {"parked", 30, true},
	} {
		if got := frozen(&frame.Frame{Speed: tt.speed}, tt.state); got != tt.want {
			t.Errorf("%s at %g m/s: marked %t", tt.state, tt.speed, got)
		}
	}
}
