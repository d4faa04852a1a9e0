package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/port"
)

func TestCheckLooksAtThePort(t *testing.T) {
	line, pty, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, port, want, remedy string }{
		{"a pseudo-terminal", pty, "", ""},
		{"missing", "/dev/ttyNOTHING", "/dev/ttyNOTHING: no such file or directory", "present: "},
		{"a file", file, "file: is not a serial port", "present: "},
		{"a folder", "/dev", "/dev: is not a serial port", "present: "},
		{"no terminal", "/dev/null", "/dev/null: is not a serial port", "present: "},
		{"the console", "/dev/tty", "/dev/tty: is not a serial port", "present: "},
	} {
		said, remedies := "", ""
		checkPort(tt.port, func(_, _, what, remedy string) { said, remedies = said+what, remedies+remedy })
		if (said == "") != (tt.want == "") || !strings.HasSuffix(said, tt.want) || !strings.Contains(remedies, tt.remedy) {
			t.Errorf("%s: %q, %q; want %q", tt.name, said, remedies, tt.want)
		}
	}
}

func TestThePresentLinesAreListed(t *testing.T) {
	dir := t.TempDir()
	if got, want := matchingFiles(filepath.Join(dir, "*")), "none under "+dir; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := matchingFiles(filepath.Join(dir, "*")), dir+"/a, "+dir+"/b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhichDevicesAreSerialLines(t *testing.T) {
	const drivers = `/dev/tty             /dev/tty        5       0 system:/dev/tty
acm                  /dev/ttyACM   166 0-255 serial
serial               /dev/ttyS       4 64-111 serial
one                  /dev/ttyMXC    99       7 serial
pty_slave            /dev/pts      136 0-1048575 pty:slave
unknown              /dev/tty        4 1-63 console
broken line
`
	for _, tt := range []struct {
		major, minor uint32
		want         bool
	}{
		{166, 0, true}, {166, 255, true}, {166, 256, false}, {4, 64, true}, {4, 3, false}, {99, 7, true}, {99, 8, false},
		{136, 12, true}, {5, 0, false}, {1, 3, false},
	} {
		if got := listsSerialDevice([]byte(drivers), tt.major, tt.minor); got != tt.want {
			t.Errorf("%d:%d is a serial line: %t", tt.major, tt.minor, got)
		}
	}
}

func FuzzDrivers(f *testing.F) {
	f.Add([]byte("serial /dev/ttyS 4 64-111 serial\n"), uint32(4), uint32(64))
	f.Add([]byte("serial /dev/ttyS 4 - serial\n"), uint32(4), uint32(0))
	f.Fuzz(func(t *testing.T, drivers []byte, major, minor uint32) {
		if listsSerialDevice(drivers, major, minor) && len(drivers) < len("a b 0 0 pty") {
			t.Errorf("%q", drivers)
		}
	})
}
