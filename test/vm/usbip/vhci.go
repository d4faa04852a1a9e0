package usbip

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// vhci is the kernel's virtual host controller (drivers/usb/usbip).
const vhci = "/sys/devices/platform/vhci_hcd.0/"

// ErrNoController tells that the kernel has no virtual host controller.
var ErrNoController = errors.New("no virtual USB host controller; load vhci-hcd")

// attach gives the kernel one end of a socket pair as the wire to a new device
// and returns the other end and the port of the controller.
//
// The controller takes any stream socket, so no network is needed.
func attach() (wire *os.File, port int, err error) {
	const fullSpeed = 2
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, 0, fmt.Errorf("usbip: %w", err)
	}
	defer unix.Close(pair[1]) // the kernel holds a reference of its own
	wire = os.NewFile(uintptr(pair[0]), "usbip")
	if port, err = freePort(); err == nil {
		id := 1<<16 | (port + 2) // bus and device number at the far end: free to choose
		err = os.WriteFile(vhci+"attach", fmt.Appendf(nil, "%d %d %d %d", port, pair[1], id, fullSpeed), 0)
	}
	if err != nil {
		wire.Close()
		return nil, 0, fmt.Errorf("usbip: attach: %w", err)
	}
	return wire, port, nil
}

// freePort finds a port with nothing plugged in and nothing left over from
// what was.
func freePort() (int, error) {
	status, err := os.ReadFile(vhci + "status")
	if errors.Is(err, os.ErrNotExist) {
		return 0, ErrNoController
	}
	if err != nil {
		return 0, err
	}
	for _, port := range freePorts(string(status)) {
		if left, _ := filepath.Glob(devicePattern(port)); len(left) == 0 {
			return port, nil
		}
	}
	return 0, errors.New("all ports are in use; unplug a device first")
}

// freePorts reads the controller's status table: columns hub, port, state and
// more; hub "hs" is for full and high speed, state 4 is free.
func freePorts(status string) []int {
	const free = 4
	var ports []int
	for _, line := range strings.Split(status, "\n") {
		var hub string
		var port, state int
		n, _ := fmt.Sscanf(line, "%s %d %d", &hub, &port, &state)
		if n == 3 && hub == "hs" && state == free {
			ports = append(ports, port)
		}
	}
	return ports
}

// devicePattern matches the sysfs folder of the device at a port: usb1/1-1 is
// the first.
func devicePattern(port int) string { return fmt.Sprintf(vhci+"usb*/*-%d", port+1) }

// waitNode waits until the device at port has something that matches below its
// HID device in sysfs, and a file of that name in the folder dev.
func waitNode(port int, below, dev string, patience time.Duration) (string, error) {
	const step = 5 * time.Millisecond
	pattern := devicePattern(port) + "/*/*/" + below
	for waited := time.Duration(0); waited < patience; waited += step {
		found, _ := filepath.Glob(pattern)
		if len(found) > 0 {
			node := filepath.Join(dev, filepath.Base(found[0]))
			if _, err := os.Stat(node); err == nil {
				return node, nil
			}
		}
		time.Sleep(step)
	}
	return "", fmt.Errorf("usbip: no %s after %v; are the drivers loaded?", filepath.Join(dev, filepath.Base(below)), patience)
}
