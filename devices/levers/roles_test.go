package levers

import (
	"slices"
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

// Of several nodes that a selector fits, the first that has everything is used.
func TestOneNodeHasTheRole(t *testing.T) {
	lever := []evdev.Axis{{Name: "ABS_Z", Code: evdev.AbsZ, Max: 255}}
	var c Config
	c.Shifter.Kind, c.Shifter.Device, c.Shifter.Up, c.Shifter.Down = "sequential", "box", "BTN_TRIGGER", "BTN_THUMB"
	c.Extra = Extras{{Axis: "handbrake", Device: "box", Code: "ABS_Z"}, {Axis: "clutch", Device: "pedal", Code: "ABS_Z"}}
	list := []evdev.Info{
		{Path: "/dev/input/event1", Name: "box", Buttons: []string{"BTN_TRIGGER", "BTN_THUMB"}},
		{Path: "/dev/input/event2", Name: "box", Axes: lever, Buttons: []string{"BTN_TRIGGER", "BTN_THUMB"}},
		{Path: "/dev/input/event3", Name: "box", Axes: lever, Buttons: []string{"BTN_TRIGGER", "BTN_THUMB"}},
		{Path: "/dev/input/event4", Name: "box", Err: evdev.ErrDisconnected},
		{Path: "/dev/input/event9", Name: "pedal"},
	}
	roles, err := c.Roles(list)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Role{
		"/dev/input/event1": {Rejected: []string{"not the shifter: it has no axis ABS_Z", "not the handbrake (ABS_Z): it has no axis ABS_Z"}},
		"/dev/input/event2": {Uses: []string{"shifter", "handbrake (ABS_Z)"}},
		"/dev/input/event3": {Rejected: []string{"not the shifter: /dev/input/event2 comes first", "not the handbrake (ABS_Z): /dev/input/event2 comes first"}},
		"/dev/input/event9": {Rejected: []string{"not the clutch (ABS_Z): it has no axis ABS_Z"}},
	}
	for _, i := range list {
		if got, want := roles[i.Path], want[i.Path]; !slices.Equal(got.Uses, want.Uses) || !slices.Equal(got.Rejected, want.Rejected) {
			t.Errorf("%s: %q, want %q", i.Path, got, want)
		}
	}
}
