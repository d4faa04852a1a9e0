package motion

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/devices/motion/port"
)

// adapterAt makes a folder that stands for /, in which the line of name is on the USB device at a port.
func adapterAt(t *testing.T, root, name, usbPort string) {
	t.Helper()
	device, link := filepath.Join(root, "sys/devices/usb1", usbPort), filepath.Join(root, "sys/class/tty", name, "device")
	_ = os.Remove(link)
	if err := errors.Join(os.MkdirAll(device, 0o700), os.WriteFile(filepath.Join(device, "idVendor"), []byte("1a86\n"), 0o600),
		os.WriteFile(filepath.Join(device, "idProduct"), []byte("7523\n"), 0o600), os.MkdirAll(filepath.Dir(link), 0o700), os.Symlink(device, link)); err != nil {
		t.Fatal(err)
	}
}

// A port's name passes to another adapter when the controller is unplugged. Nothing is sent to that one.
func TestAnotherAdapterUnderThePortsNameIsNotOpened(t *testing.T) {
	line, path, err := port.OpenPty()
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	p, err := New(quickConfig(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.root = t.TempDir()
	open := func(usbPort string) error {
		adapterAt(t, p.root, filepath.Base(path), usbPort)
		l, err := p.dial()
		if err != nil {
			return err
		}
		return l.(io.Closer).Close()
	}
	const refused = "is another device now (at USB port 1-2) than when this drive began (at USB port 1-1), and is not used; plug that one in again"
	for _, tt := range []struct{ usbPort, fault string }{{"1-1", ""}, {"1-2", refused}, {"1-2", refused}, {"1-1", ""}} {
		if err := open(tt.usbPort); (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("at %s: %v", tt.usbPort, err)
		}
	}
}
