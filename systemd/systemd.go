// Package systemd tells the service manager how rig does. Beside it lie the
// files that give rig its rights on a machine; `make install` puts them where
// they belong.
package systemd

import (
	"fmt"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// Ready tells that rig is up. Like all that follows it does nothing when no
// service manager started rig; an error tells that one did and cannot be
// reached.
func Ready() error { return notify(daemon.SdNotifyReady) }

// Alive feeds the watchdog; it wants that more often than WatchdogInterval.
func Alive() error { return notify(daemon.SdNotifyWatchdog) }

// Stopping tells that rig releases the wheel and parks.
func Stopping() error { return notify(daemon.SdNotifyStopping) }

// Status shows one line in systemctl status.
func Status(line string) error { return notify("STATUS=" + oneLine(line)) }

func notify(state string) error {
	if _, err := daemon.SdNotify(false, state); err != nil {
		return fmt.Errorf("systemd: notify: %w; is the service's NOTIFY_SOCKET still there?", err)
	}
	return nil
}

// oneLine keeps a line break from starting another assignment.
func oneLine(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c < ' ' {
			b[i] = ' '
		}
	}
	return string(b)
}

// WatchdogInterval returns how long the service manager waits for a sign of
// life, and 0 if it does not watch this process.
func WatchdogInterval() time.Duration {
	d, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		return 0 // set by nobody that watches
	}
	return d
}
