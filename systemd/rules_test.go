package systemd

import (
	"path"
	"strings"
	"testing"
)

// event is what udev knows of a device, by the keys of its rules, such as ATTRS{idVendor}.
type event map[string]string

// obey runs the rules on a device: it knows comparisons, assignments and GOTO to the end.
func (e event) obey(rules string) {
rule:
	for line := range strings.Lines(rules) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for pair := range strings.SplitSeq(line, ", ") {
			key, rest, _ := strings.Cut(pair, "=")
			value := strings.Trim(rest, `="`)
			switch {
			case strings.HasPrefix(rest, "="):
				if !matches(value, e[key]) {
					continue rule
				}
			case key == "GOTO":
				return
			default:
				e[key] += value // TAG+=, and each other key is set once
			}
		}
	}
}

func matches(patterns, value string) bool {
	for pattern := range strings.SplitSeq(patterns, "|") {
		if ok, err := path.Match(pattern, value); ok && err == nil {
			return true
		}
	}
	return false
}

func TestOnlyKnownControllersAreTakenFromModemManagerAndOpened(t *testing.T) {
	const own = `SUBSYSTEM=="tty", SUBSYSTEMS=="usb", ATTRS{idVendor}=="1a86", ATTRS{idProduct}=="7523", ENV{RIG_CONTROLLER}="1"` + "\n"
	tests := []struct {
		name, kernel, vendor, product, before string
		want                                  bool
	}{
		{"Arduino Uno", "ttyACM0", "2341", "0043", "", true},
		{"Arduino Mega 2560", "ttyACM1", "2341", "0042", "", true},
		{"Uno of arduino.org", "ttyACM0", "2a03", "0043", "", true},
		{"an Arduino with a modem", "ttyACM0", "2341", "8052", "", false},
		{"CH340", "ttyUSB0", "1a86", "7523", "", false},
		{"CH340 that the user named", "ttyUSB0", "1a86", "7523", own, true},
		{"FTDI", "ttyUSB0", "0403", "6001", own, false},
		{"a modem", "ttyACM0", "12d1", "1506", own, false},
		{"a line of the board", "ttyS0", "", "", own, false},
	}
	for _, tt := range tests {
		e := event{"ACTION": "add", "SUBSYSTEM": "tty", "SUBSYSTEMS": "usb", "KERNEL": tt.kernel, "ATTRS{idVendor}": tt.vendor, "ATTRS{idProduct}": tt.product}
		e.obey(tt.before + content(t, "70-rig.rules"))
		if got := e["ENV{ID_MM_DEVICE_IGNORE}"] == "1"; got != tt.want {
			t.Errorf("%s: ModemManager kept away: %v, want %v", tt.name, got, tt.want)
		}
		if got := e["TAG+"] == "uaccess"; got != tt.want {
			t.Errorf("%s: opened to the user at the seat: %v, want %v", tt.name, got, tt.want)
		}
	}
}
