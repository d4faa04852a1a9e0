package wheel

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// sysfs lays a wheel out as the kernel does: input node, HID device, USB interface.
func sysfs(t *testing.T, endpoints map[string][3]string) (root string) {
	t.Helper()
	root = t.TempDir()
	device := filepath.Join(root, "devices/usb1/1-1:1.0")
	node := filepath.Join(device, "0003:046D:C24F.0001/input/input5/event5")
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, e := range endpoints {
		write(filepath.Join(device, name, "direction"), e[0])
		write(filepath.Join(device, name, "type"), e[1])
		write(filepath.Join(device, name, "interval"), e[2])
	}
	for link, to := range map[string]string{
		filepath.Join(root, "class/input/event5"):                        node,
		filepath.Join(node, "device"):                                    filepath.Join(device, "0003:046D:C24F.0001/input/input5"),
		filepath.Join(device, "0003:046D:C24F.0001/input/input5/device"): filepath.Join(device, "0003:046D:C24F.0001"),
	} {
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestEndpointPeriod(t *testing.T) {
	in := [3]string{"in", "Interrupt", "1ms"}
	tests := []struct {
		name string
		ends map[string][3]string
		want time.Duration
	}{
		{"a G29", map[string][3]string{"ep_81": in, "ep_01": {"out", "Interrupt", "2ms"}}, 2 * time.Millisecond},
		{"high speed", map[string][3]string{"ep_81": in, "ep_01": {"out", "Interrupt", "125us"}}, 125 * time.Microsecond},
		{"forces by way of endpoint 0", map[string][3]string{"ep_81": in, "ep_00": {"both", "Control", "0ms"}}, 0},
		{"slower than any wheel", map[string][3]string{"ep_01": {"out", "Interrupt", "4096ms"}}, renewEvery},
		{"before its time", map[string][3]string{"ep_01": {"out", "Interrupt", "-2ms"}}, 0},
		{"nonsense", map[string][3]string{"ep_01": {"out", "Interrupt", "often"}}, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := endpointPeriod(sysfs(t, c.ends), "/dev/input/event5"); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if got := endpointPeriod(t.TempDir(), "/dev/input/event5"); got != 0 {
		t.Errorf("got %v for no device at all", got)
	}
}

func TestMeterTellsOnce(t *testing.T) {
	var m meter
	told := 0
	for i := range 200 {
		took := time.Millisecond
		if i > 50 {
			took = 20 * time.Millisecond
		}
		if m.add(took) != "" {
			told++
		}
		if i == 50 && told != 0 {
			t.Error("a quick driver was called slow")
		}
	}
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}
