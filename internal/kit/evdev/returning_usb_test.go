package evdev

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// usbTree makes the folders of USB devices in sysfs, by port, with vendor and serial number.
func usbTree(t *testing.T, devices map[string][2]string) (folder func(port string) string) {
	t.Helper()
	dir := t.TempDir()
	for port, d := range devices {
		if err := os.MkdirAll(filepath.Join(dir, port), 0o700); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"idVendor", "serial"} {
			if d[i] == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, port, name), []byte(d[i]+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return func(port string) string { return filepath.Join(dir, port) }
}

func TestOnlyTheSameUSBDeviceReturns(t *testing.T) {
	folder := usbTree(t, map[string][2]string{
		"1-1": {"2341", "A"}, "1-2": {"2341", "A"}, "1-3": {"2341", "B"}, "1-4": {"1a86", ""}, "1-5": {"1a86", ""}, "1-6": {"2341", ""}, "1-7": {"0403", "A"},
	})
	for _, tt := range []struct {
		name, used string
		then       []string // ports at which the line is at each attempt, "none" for nowhere
		same       bool     // at the last one
	}{
		{"at its port", "1-1", []string{"1-1"}, true},
		{"at its port, later", "1-1", []string{"none", "none", "1-1"}, true},
		{"its serial number at another port", "1-1", []string{"none", "1-2"}, true},
		{"a twin with its serial number that was there", "1-1", []string{"1-2", "1-2"}, false},
		{"at its port after such a twin", "1-1", []string{"1-2", "none", "1-1"}, true},
		{"another serial number", "1-1", []string{"none", "1-3"}, false},
		{"of another maker with its serial number", "1-1", []string{"none", "1-7"}, false},
		{"no serial number, at its port", "1-4", []string{"none", "1-4"}, true},
		{"no serial number, at another port", "1-4", []string{"none", "1-5"}, false},
		{"one without a serial number", "1-1", []string{"none", "1-6"}, false},
		{"not on USB", "none", []string{"1-1"}, true},
	} {
		var r ReturningUSB
		if err := r.Check("motion", "/dev/ttyACM0", folder(tt.used)); err != nil {
			t.Errorf("%s: at first %v", tt.name, err)
		}
		r.Use(folder(tt.used))
		var err error
		for _, port := range tt.then {
			err = r.Check("motion", "/dev/ttyACM0", folder(port))
		}
		if (err == nil) != tt.same || err != nil && !strings.HasPrefix(err.Error(), "motion: /dev/ttyACM0 is another device now (") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestTheOtherProgramThatHasAWheelIsNamed(t *testing.T) {
	if err := lockedError("/dev/input/event5").Error(); err != "evdev: /dev/input/event5: another program gives its force; end another program first" {
		t.Error(err)
	}
}
