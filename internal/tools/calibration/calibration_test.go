package calibration

import (
	"os"
	"slices"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/files/config"
)

func TestPedalsAreMeasuredWhereTheyAre(t *testing.T) {
	in, out := partition([]string{"throttle", "brake", "clutch"}, []string{"brake"})
	if !slices.Equal(in, []string{"brake"}) || !slices.Equal(out, []string{"throttle", "clutch"}) {
		t.Errorf("%q on the converter, %q on the node", in, out)
	}
}

// A device that is not there leaves no profile.
func TestNothingIsKeptOfADeviceThatIsNotThere(t *testing.T) {
	cfg := config.Default()
	cfg.Profiles, cfg.Wheel.Device, cfg.Pedals.Device = t.TempDir(), "no such wheel", "no such pedals"
	if _, _, err := Wheel(t.Context(), cfg, nil, calib.WheelOptions{}); err == nil {
		t.Error("a wheel was measured")
	}
	if _, _, err := Force(t.Context(), cfg, nil, calib.ForceOptions{}); err == nil {
		t.Error("a motor was measured")
	}
	if saved, err := Pedals(t.Context(), cfg, nil, calib.PedalsOptions{Names: []string{"throttle"}}); err == nil || saved != nil {
		t.Errorf("%v, kept %v", err, saved)
	}
	if files, err := os.ReadDir(cfg.Profiles); err != nil || len(files) != 0 {
		t.Errorf("%v, %d files", err, len(files))
	}
}

// A button counts once it goes down, and not while it is held from before.
func TestAButtonIsPressedOnceItGoesDown(t *testing.T) {
	buttons := []string{"BTN_TRIGGER", "BTN_THUMB"}
	trigger, thumb := uint16(0x120), uint16(0x121)
	var held map[string]bool
	for i, look := range []struct {
		down []uint16
		want string
	}{{[]uint16{trigger}, ""}, {[]uint16{trigger}, ""}, {nil, ""}, {[]uint16{trigger}, "BTN_TRIGGER"}, {[]uint16{trigger, thumb}, "BTN_THUMB"}} {
		down, pressed, err := newlyDown(buttons, held, func(code uint16) bool { return slices.Contains(look.down, code) })
		if held = down; pressed != look.want || err != nil {
			t.Errorf("look %d: %q, %v; want %q", i, pressed, err, look.want)
		}
	}
}
