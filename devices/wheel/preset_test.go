package wheel

import (
	"log/slog"
	"testing"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

func TestPresetSuitsTheMotor(t *testing.T) {
	for _, tt := range []struct {
		name            string
		vendor, product evdev.ID
		want            string
	}{
		{"G29", 0x046d, 0xc24f, "gear-driven"},
		{"G923 of the Xbox", 0x046d, 0xc26e, "gear-driven"},
		{"G PRO", 0x046d, 0xc272, "direct-drive"},
		{"T300", 0x044f, 0xb66e, "belt"},
		{"T128, or a T818 with its number", 0x044f, 0xb696, "belt"},
		{"CSL Elite", 0x0eb7, 0x0005, "belt"},
		{"CSL DD", 0x0eb7, 0x0020, "direct-drive"},
		{"Simucube 2", 0x16d0, 0x0d60, "direct-drive"},
		{"no known wheel", 0x1234, 0x5678, ""},
	} {
		if got := PresetOf(tt.vendor, tt.product); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for id := range presetOfModel {
		if _, known := modelTable[id]; !known {
			t.Errorf("%s:%s has a preset and is not in the table", id[0], id[1])
		}
	}
}

func TestEveryGearedWheelHasThePresetOfGears(t *testing.T) {
	for id, m := range modelTable {
		if got := PresetOf(id[0], id[1]); m.Quirks.Has(Geared) != (got == GearDriven) && m.Family != LG4FF && m.Family != HIDPP && id != [2]evdev.ID{liteStar, 0x3245} {
			t.Errorf("%s: %q", m.Name, got)
		}
	}
}

func TestRateIsTheSlowerOfDriverAndDevice(t *testing.T) {
	w := New(DefaultConfig(), calib.Store{}, slog.New(slog.DiscardHandler))
	defer w.Close()
	if got := w.UpdateRate(); got != 0 {
		t.Errorf("absent: %g a second, want 0", got)
	}
	for _, tt := range []struct {
		driver, device time.Duration
		want           float64
	}{{2 * time.Millisecond, 0, 500}, {2 * time.Millisecond, 4 * time.Millisecond, 250}, {8 * time.Millisecond, time.Millisecond, 125}} {
		w.current.Store(&session{driver: driverTraits{updatePeriod: tt.driver}, reportPeriod: tt.device})
		if got := w.UpdateRate(); got != tt.want {
			t.Errorf("driver %v, device %v: %g a second, want %g", tt.driver, tt.device, got, tt.want)
		}
	}
	w.current.Store(nil)
}
