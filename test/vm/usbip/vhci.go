package usbip

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// vhciFolder is the sysfs folder of the kernel's virtual host controller (drivers/usb/usbip).
const vhciFolder = "/sys/devices/platform/vhci_hcd.0/"

// ErrNoController is returned if the kernel has no virtual host controller.
var ErrNoController = errors.New("no virtual USB host controller; load vhci-hcd")

// attach passes one end of a socket pair to the kernel as the connection to a new device. It returns the other
// end and the number of the controller's port.
//
// The controller accepts any stream socket, so no network is needed.
//
// A device that is plugged in again gets its port again, by which the rig knows it.
func attach(id identity) (wire *os.File, port int, err error) {
	const fullSpeed = 2
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, 0, fmt.Errorf("usbip: %w", err)
	}
	defer unix.Close(pair[1]) // the kernel keeps its own reference
	wire = os.NewFile(uintptr(pair[0]), "usbip")
	if port, err = portOf(id); err == nil {
		id := 1<<16 | (port + 2) // bus and device number of the device's side, which may be any
		err = os.WriteFile(vhciFolder+"attach", fmt.Appendf(nil, "%d %d %d %d", port, pair[1], id, fullSpeed), 0)
	}
	if err != nil {
		wire.Close()
		return nil, 0, fmt.Errorf("usbip: attach: %w", err)
	}
	return wire, port, nil
}

// plugs holds the ports that each device, or a twin, had so far, and which ports have a device that is plugged in.
var plugs = struct {
	sync.Mutex
	had   map[identity][]int
	taken map[int]bool
}{had: map[identity][]int{}, taken: map[int]bool{}}

// portOf returns a port that a device had and nothing is plugged in at, once it is free, or else a free one.
func portOf(id identity) (port int, err error) {
	const step, patience = 5 * time.Millisecond, 2 * time.Second
	plugs.Lock()
	home := slices.IndexFunc(plugs.had[id], func(port int) bool { return !plugs.taken[port] })
	last := 0
	if home >= 0 {
		last = plugs.had[id][home]
	}
	plugs.Unlock()
	for waited := time.Duration(0); ; waited += step {
		if port, err = freePort(last); err != nil || home < 0 || port == last || waited >= patience {
			break
		}
		time.Sleep(step)
	}
	plugs.Lock()
	defer plugs.Unlock()
	if err == nil {
		plugs.taken[port] = true
		if !slices.Contains(plugs.had[id], port) {
			plugs.had[id] = append(plugs.had[id], port)
		}
	}
	return port, err
}

// leave notes that the device at a port was unplugged.
func leave(port int) {
	plugs.Lock()
	defer plugs.Unlock()
	delete(plugs.taken, port)
}

// freePort returns a port with no device plugged in and no files left of a former device: the preferred one, if it is so.
func freePort(preferred int) (int, error) {
	status, err := os.ReadFile(vhciFolder + "status")
	if errors.Is(err, os.ErrNotExist) {
		return 0, ErrNoController
	}
	if err != nil {
		return 0, err
	}
	ports := freePorts(string(status))
	if slices.Contains(ports, preferred) {
		ports = append([]int{preferred}, ports...)
	}
	for _, port := range ports {
		if left, _ := filepath.Glob(devicePattern(port)); len(left) == 0 {
			return port, nil
		}
	}
	return 0, errors.New("all ports are in use; unplug a device first")
}

// freePorts returns the free ports in the controller's status table. Its columns are hub, port, state and others;
// hub "hs" is for full and high speed, state 4 means free.
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

// devicePattern returns a pattern that matches the sysfs folder of the device at a port. Port 0 is usb1/1-1.
func devicePattern(port int) string { return fmt.Sprintf(vhciFolder+"usb*/*-%d", port+1) }

// waitNode waits until a path below the sysfs folder of the device at port matches below, and the folder dev has a
// file of that name. It returns the file's path.
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
