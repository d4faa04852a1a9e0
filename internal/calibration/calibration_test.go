package calibration

import (
	"os"
	"slices"
	"testing"

	"rig.example/rig/calib"
	"rig.example/rig/internal/config"
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
