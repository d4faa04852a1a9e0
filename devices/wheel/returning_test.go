package wheel

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// twins are two wheels of one model.
func twins() (chosen, twin evdev.Info) {
	chosen = evdev.Info{Path: "/dev/input/event4", Name: "Logitech G29", Vendor: 0x046d, Product: 0xc24f, Phys: "usb-0-2/input0", Kind: evdev.KindWheel, FFEffects: []string{"FF_CONSTANT"}}
	twin = chosen
	twin.Path, twin.Phys = "/dev/input/event7", "usb-0-3/input0"
	return chosen, twin
}

// A wheel that is pulled out in mid-drive is not replaced by its twin, which would steer and have force in hands that did not
// choose it; plugged in again at its port, it goes on.
func TestATwinDoesNotTakeOver(t *testing.T) {
	chosen, twin := twins()
	var plugged []evdev.Info
	var opened []string
	refused := errors.New("not yet")
	w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())
	w.list = func() ([]evdev.Info, error) { return plugged, nil }
	w.open = func(_ Config, info evdev.Info, _ calib.Store, _ *slog.Logger) (*session, error) {
		opened = append(opened, info.Path)
		return &session{info: info}, refused
	}
	again := chosen
	again.Path = "/dev/input/event9"
	for _, tt := range []struct {
		name    string
		plugged []evdev.Info
		refused error
		want    string // path, empty for the twin's refusal
	}{
		{"one that could not be opened is not chosen yet", []evdev.Info{twin}, refused, twin.Path},
		{"the first of two", []evdev.Info{chosen, twin}, nil, chosen.Path},
		{"pulled out", []evdev.Info{twin}, nil, ""},
		{"still out", []evdev.Info{twin}, nil, ""},
		{"plugged in again", []evdev.Info{twin, again}, nil, again.Path},
	} {
		plugged, refused, opened = tt.plugged, tt.refused, nil
		_, _, err := w.tryOpen(false)
		if tt.want != "" && (len(opened) != 1 || opened[0] != tt.want || !errors.Is(err, tt.refused)) {
			t.Errorf("%s: opened %q, %v", tt.name, opened, err)
		}
		if tt.want == "" && (len(opened) > 0 || err == nil || !strings.Contains(err.Error(), "usb-0-3/input0, /dev/input/event7) is another one than Logitech G29 (port usb-0-2/input0")) {
			t.Errorf("%s: opened %q, %v", tt.name, opened, err)
		}
	}
}

// The buttons of the twin start nothing either.
func TestTheButtonsOfATwinAreNotRead(t *testing.T) {
	chosen, twin := twins()
	c := NewControls(DefaultButtons(), "", quiet())
	for _, tt := range []struct {
		plugged []evdev.Info
		want    string
	}{{[]evdev.Info{chosen, twin}, chosen.Path}, {[]evdev.Info{twin}, ""}, {[]evdev.Info{twin, chosen}, chosen.Path}} {
		if got := c.devices(tt.plugged); len(got) != 1 || got[0].Path != tt.want {
			t.Errorf("devices %+v, want %q", got, tt.want)
		}
	}
}
