// Package systemd notifies the service manager of rig's state by sd_notify. The folder also holds
// the unit, the udev rules and the limits that rig needs; `make install` installs them.
package systemd

import (
	"fmt"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Ready notifies the service manager that rig is up. Like all functions here it does nothing and
// returns nil if no service manager started rig; it returns an error if the service manager
// cannot be reached.
func Ready() error { return notify(daemon.SdNotifyReady) }

// Alive tells the watchdog of the service manager that rig is running. It must be called more often than every
// WatchdogSec of the unit.
func Alive() error { return notify(daemon.SdNotifyWatchdog) }

// Stopping notifies the service manager that rig releases the wheel and parks the platform.
func Stopping() error { return notify(daemon.SdNotifyStopping) }

// Status sets the line that `systemctl status` shows.
func Status(line string) error { return notify("STATUS=" + oneLine(line)) }

func notify(state string) error {
	if _, err := daemon.SdNotify(false, state); err != nil {
		return fmt.Errorf("systemd: notify: %w; check that the socket in NOTIFY_SOCKET exists", err)
	}
	return nil
}

// oneLine replaces control characters by spaces: a line break would start another assignment.
func oneLine(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' {
			b[i] = ' '
		}
	}
	return string(b)
}
