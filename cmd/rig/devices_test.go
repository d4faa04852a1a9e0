package main

import (
	"testing"

	"rig.example/rig/internal/tools/watch"
)

// An axis that trembles must not hide the buttons, nor one that creeps stay unseen.
func TestAnAxisIsShownWhenItHasMoved(t *testing.T) {
	shown := map[string]int32{}
	for i, c := range []struct {
		axis  string
		value int32
		want  bool
	}{
		{"ABS_X", 500, true}, {"ABS_X", 510, false}, {"ABS_X", 519, false}, {"ABS_X", 520, true}, {"ABS_X", 505, false},
		{"ABS_X", 500, true}, {"ABS_Y", 500, true}, {"ABS_X", 0, true},
	} {
		if got := axisMoved(shown, watch.Event{Path: "/dev/input/event5", Name: c.axis, Value: c.value, Range: 1000}); got != c.want {
			t.Errorf("%d: %s at %d is shown: %v, want %v", i, c.axis, c.value, got, c.want)
		}
	}
}

func TestEventsInWords(t *testing.T) {
	for _, c := range []struct {
		h    watch.Event
		want string
	}{
		{watch.Event{Path: "/dev/input/event5", Device: "G29", Kind: "button", Name: "BTN_TOP2", Value: 1, Action: "shift_up"},
			"/dev/input/event5  G29                              BTN_TOP2 pressed  → shift_up"},
		{watch.Event{Path: "/dev/input/event5", Device: "G29", Kind: "hat", Name: "hat0-left"}, "/dev/input/event5  G29                              hat0-left released"},
		{watch.Event{Path: "/dev/input/event12", Device: "G29", Kind: "axis", Name: "ABS_X", Value: -3}, "/dev/input/event12 G29                              ABS_X -3"},
		{watch.Event{Path: "/dev/input/event12", Device: "G29", Kind: "unplugged"}, "/dev/input/event12 G29                              unplugged"},
	} {
		if got := c.h.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
