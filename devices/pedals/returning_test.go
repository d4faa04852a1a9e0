package pedals

import (
	"log/slog"
	"strings"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// Pedals that are pulled out in mid-drive are not replaced by another set of the same model.
func TestATwinDoesNotTakeOver(t *testing.T) {
	chosen := evdev.Info{Path: "/dev/input/event1", Name: "Pedal box", Kind: evdev.KindPedals, Axes: axes(evdev.AbsX, evdev.AbsY), Uniq: "1"}
	twin := chosen
	twin.Path, twin.Uniq = "/dev/input/event2", "2"
	p := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	if got, err := p.choose([]evdev.Info{chosen, twin}); err != nil || got.Path != chosen.Path {
		t.Fatalf("at first %s, %v", got.Path, err)
	}
	p.returning.Use(chosen)
	if got, err := p.choose([]evdev.Info{twin}); err == nil || !strings.Contains(err.Error(), "pedals: Pedal box (serial number 2, /dev/input/event2) is another one than Pedal box (serial number 1") {
		t.Errorf("the twin: %s, %v", got.Path, err)
	}
	if got, err := p.choose([]evdev.Info{twin, chosen}); err != nil || got.Path != chosen.Path {
		t.Errorf("plugged in again: %s, %v", got.Path, err)
	}
}
