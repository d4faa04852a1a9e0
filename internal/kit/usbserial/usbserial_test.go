package usbserial

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machineWith is a /sys and a /run/udev with a board (ttyACM0) and an adapter (ttyUSB0) on USB,
// and a line that is not (ttyS0).
func machineWith(t *testing.T, record string) (root string) {
	t.Helper()
	root = t.TempDir()
	put := func(path, text string) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(filepath.Join(root, to), filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	const usb = "sys/devices/pci0/usb1"
	put("sys/class/tty/ttyACM0/dev", "166:0\n")
	put("sys/class/tty/ttyUSB0/dev", "188:0\n")
	put("sys/class/tty/ttyS0/dev", "4:64\n")
	put(usb+"/1-1/idVendor", "2341\n")
	put(usb+"/1-1/idProduct", "0043\n")
	put(usb+"/1-1/1-1:1.0/x", "")
	link(usb+"/1-1/1-1:1.0", "sys/class/tty/ttyACM0/device")
	put(usb+"/1-2/idVendor", "1a86\n")
	put(usb+"/1-2/idProduct", "7523\n")
	put(usb+"/1-2/1-2:1.0/ttyUSB0/x", "")
	link(usb+"/1-2/1-2:1.0/ttyUSB0", "sys/class/tty/ttyUSB0/device")
	put("sys/devices/pnp0/00:05/x", "")
	link("sys/devices/pnp0/00:05", "sys/class/tty/ttyS0/device")
	put("run/udev/data/c166:0", "S:serial/by-id/usb-Arduino\nE:ID_BUS=usb\nE:ID_MM_DEVICE_IGNORE=1\nG:uaccess\n")
	put("run/udev/data/c188:0", "E:ID_BUS=usb\n"+record)
	return root
}

func TestLinesThatModemManagerMayProbeAreNamedWithTheRule(t *testing.T) {
	const rule = `ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523", ENV{RIG_CONTROLLER}="1"`
	for _, tt := range []struct{ name, port, record, want string }{
		{"a known board", "/dev/ttyACM0", "", ""},
		{"an unknown adapter", "/dev/ttyUSB0", "", rule},
		{"an adapter with a rule", "/dev/ttyUSB0", "E:ID_MM_DEVICE_IGNORE=1\n", ""},
		{"not on USB", "/dev/ttyS0", "", ""},
		{"missing", "/dev/ttyUSB9", "", ""},
	} {
		got := ""
		Check(machineWith(t, tt.record), tt.port, func(_, _, _, remedy string) { got += remedy })
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Who drives without a check is told as well.
func TestADriveWarnsOfModemManager(t *testing.T) {
	for port, want := range map[string]int{"/dev/ttyUSB0": 1, "/dev/ttyACM0": 0} {
		var log bytes.Buffer
		Warn(machineWith(t, ""), port, slog.New(slog.NewTextHandler(&log, nil)))
		if n := strings.Count(log.String(), "level=WARN"); n != want || n != strings.Count(log.String(), "RIG_CONTROLLER") {
			t.Errorf("%s: %s", port, &log)
		}
	}
}

func TestSerialLinesHaveTheirUSBNumbers(t *testing.T) {
	root := machineWith(t, "")
	for path, want := range map[string]string{"/dev/ttyACM0": "2341:0043", "/dev/ttyUSB0": "1a86:7523"} {
		l, ok := Lookup(root, path)
		if got := l.Vendor.String() + ":" + l.Product.String(); !ok || got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if _, ok := Lookup(root, "/dev/ttyS0"); ok {
		t.Error("a line that is not on USB has numbers")
	}
}
