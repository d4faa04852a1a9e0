package wheel

import (
	"testing"

	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
)

// Who drives with another program next finds the rotation that was there.
func TestVMRangeIsPutBack(t *testing.T) {
	dev := plug(t, g29.Options{})
	node, _ := dev.Node()
	cfg := DefaultConfig()
	cfg.RangeDeg = 540
	w := start(t, cfg)
	present(t, w, true)
	if got, err := evdev.Attr(evdev.DeviceFolder("/sys", node), "range"); err != nil || got != "540" {
		t.Fatalf("range attribute %s, %v; want 540", got, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := evdev.Attr(evdev.DeviceFolder("/sys", node), "range"); err != nil || got != "900" {
		t.Errorf("range attribute %s, %v after Close; want the driver's 900", got, err)
	}
}
