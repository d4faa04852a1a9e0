package machine

import (
	"fmt"
	"path/filepath"
	"strconv"
)

// CheckAutosuspend reports a USB device that the kernel switches off while nothing comes from it. folder is the
// device's in sysfs, part the part of the rig that it is.
func CheckAutosuspend(folder, part string, report Report) {
	if text(folder, "power/control") != "auto" {
		return
	}
	delay, err := strconv.Atoi(text(folder, "power/autosuspend_delay_ms"))
	if err != nil || delay < 0 { // negative: never (Documentation/driver-api/usb/power-management.rst)
		return
	}
	// /sys/bus/usb/devices has each device by its port, so that the path does not depend on the host controller.
	report("autosuspend", part, fmt.Sprintf("the kernel may suspend it after %g s without a report", float64(delay)/1000),
		"until it is unplugged (for good see docs/troubleshooting.md): `echo on | sudo tee /sys/bus/usb/devices/"+filepath.Base(folder)+"/power/control`")
}
