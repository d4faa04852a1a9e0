package hud

import (
	"strings"
	"testing"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

func TestHalvesOfANotice(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       [2]string
	}{
		{"where a part ends", "it fell; look at the cable; press Enter", [2]string{"it fell; look at the cable;", "press Enter"}},
		{"at a comma, for the part ends too early", "no; look at the power, the cable and the port", [2]string{"no; look at the power,", "the cable and the port"}},
		{"between words", "one two three four", [2]string{"one two", "three four"}},
		{"one word", "unbreakable", [2]string{"unbreakable"}},
		{"nothing", "", [2]string{""}},
	} {
		if got := splitLine(tt.text); got != tt.want {
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
		left, top, right, bottom, corners := c.extent(textColor)
		if corners == 0 || left < 0 || right > c.width || top < 56 || bottom > lapTop {
			t.Errorf("%s: letters from %g, %g to %g, %g", tt.name, left, top, right, bottom)
		}
	}
}

// A speed that is not driven is marked, in a pause, a stop and after the end.
func TestAFrozenCarIsMarked(t *testing.T) {
	for _, tt := range []struct {
		state guard.State
		speed float64
		want  bool
	}{
		{guard.Driving, 30, false}, {guard.Engaging, 30, false}, {guard.Ready, 0, false},
		{guard.Ready, 30, true}, {guard.Releasing, 30, true}, {guard.Stopped, -3, true}, {guard.Fault, 30, true},
		{guard.Parked, 30, true},
	} {
		if got := isFrozen(&frame.Frame{Speed: tt.speed, State: uint64(tt.state)}); got != tt.want {
			t.Errorf("%s at %g m/s: marked %t", tt.state, tt.speed, got)
		}
	}
}
