package wheel

import (
	"strings"
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

func TestDriversOfWheels(t *testing.T) {
	for _, tt := range []struct {
		vendor, product evdev.ID
		name, module    string
		switcher        bool
	}{
		{logitech, 0xc24f, "hid-lg4ff", "hid-logitech", false},
		{logitech, 0xc266, "new-lg4ff", "hid-logitech-new", false},
		{logitech, 0xc267, "new-lg4ff", "hid-logitech-new", true},
		{logitech, 0xc261, "hid-logitech-hidpp", "hid-logitech-hidpp", true},
		{fanatec, 0x0020, "hid-fanatecff", "hid-fanatec", false},
		{moza, 0x0002, "hid-universal-pidff", "hid-universal-pidff", false},
		{granite, 0x0d60, "hid-pidff", "", false},
		{thrustmaster, 0xb65e, "", "", false},
	} {
		d, ok := DriverFor(tt.vendor, tt.product)
		if !ok || d.Name != tt.name || strings.Join(d.Modules, "") != tt.module || (d.Switcher != "") != tt.switcher {
			t.Errorf("%v:%v: %+v, %v", tt.vendor, tt.product, d, ok)
		}
	}
	if _, ok := DriverFor(1, 2); ok {
		t.Error("an unknown wheel has a driver")
	}
}

func TestKernelsThatHaveADriver(t *testing.T) {
	universal, _ := DriverFor(moza, 0x0002)
	xbox, _ := DriverFor(logitech, 0xc26e)
	g29, _ := DriverFor(logitech, 0xc24f)
	for _, tt := range []struct {
		version              [3]int
		universal, xbox, g29 bool
	}{
		{[3]int{6, 1, 158}, false, false, true}, {[3]int{6, 3, 0}, false, true, true},
		{[3]int{6, 12, 23}, false, true, true}, {[3]int{6, 12, 24}, true, true, true},
		{[3]int{6, 13, 11}, false, true, true}, {[3]int{6, 14, 3}, true, true, true},
		{[3]int{6, 15, 0}, true, true, true}, {[3]int{7, 0, 0}, true, true, true},
	} {
		if u, x, g := universal.InKernel(tt.version), xbox.InKernel(tt.version), g29.InKernel(tt.version); u != tt.universal || x != tt.xbox || g != tt.g29 {
			t.Errorf("%v: %v %v %v", tt.version, u, x, g)
		}
	}
}
