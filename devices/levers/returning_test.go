package levers

import (
	"log/slog"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// A handbrake that is pulled out in mid-drive is not replaced by another one that the selector means too.
func TestATwinDoesNotTakeOver(t *testing.T) {
	chosen := evdev.Info{Path: "/dev/input/event1", Name: "Handbrake", Phys: "usb-0-2/input0"}
	twin := chosen
	twin.Path, twin.Phys = "/dev/input/event2", "usb-0-3/input0"
	n, err := newNode("handbrake", calib.Store{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer n.waker.Close()
	if got, err := n.find([]evdev.Info{chosen, twin}); err != nil || got.Path != chosen.Path {
		t.Fatalf("at first %s, %v", got.Path, err)
	}
	n.returning.Use(chosen)
	if got, err := n.find([]evdev.Info{twin}); err == nil || !strings.Contains(err.Error(), "is another one than Handbrake (port usb-0-2/input0") {
		t.Errorf("the twin: %s, %v", got.Path, err)
	}
	if got, err := n.find([]evdev.Info{twin, chosen}); err != nil || got.Path != chosen.Path {
		t.Errorf("plugged in again: %s, %v", got.Path, err)
	}
}
