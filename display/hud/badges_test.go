package hud

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
)

// A message is in one line of larger letters if it fits, else in lines of about the same length.
func TestLinesOfANotice(t *testing.T) {
	for _, tt := range []struct {
		text  string
		width float32
		lines int
		face  typeface
	}{{"wheel unplugged", 400, 1, mediumType}, {"wheel unplugged", 170, 1, smallType}, {longNotice, 1200, 3, smallType}, {"unbreakable", 10, 1, smallType}, {"", 400, 1, mediumType}} {
		c := testCanvas(t)
		got, lines, face := c.wrapped(tt.text, tt.width)
		if lines != tt.lines || face != tt.face || strings.ReplaceAll(string(got), "\n", " ") != tt.text || strings.Count(string(got), "\n") != lines-1 {
			t.Errorf("%q in %g: %d lines %q of face %d", tt.text, tt.width, lines, got, face)
		}
		shortest, longest := float32(math.MaxFloat32), float32(0)
		for _, line := range strings.Split(string(got), "\n") {
			w := c.atlas.textWidth(face, line)
			shortest, longest = min(shortest, w), max(longest, w)
		}
		if longest > tt.width && lines > 1 || shortest < 0.6*longest {
			t.Errorf("%q: lines from %g to %g wide", tt.text, shortest, longest)
		}
	}
}

// What does not fit into the upper row is left out.
func TestTheUpperRowKeepsItsWidth(t *testing.T) {
	f := &frame.Frame{Dropped: 3, Speed: 30, Gear: 2}
	for _, tt := range []struct {
		width float32
		want  []string
	}{{900, []string{"gear 2", "108 km/h", "3 dropped", "60 fps"}}, {340, []string{"gear 2", "108 km/h", "3 dropped"}}, {200, []string{"gear 2", "60 fps"}}, {20, nil}} {
		c := testCanvas(t)
		if drawStatus(c, 0, tt.width, f, &Status{Cockpit: true, Rate: 60}); !slices.Equal(c.audit.words, tt.want) {
			t.Errorf("%g wide: %q", tt.width, c.audit.words)
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
