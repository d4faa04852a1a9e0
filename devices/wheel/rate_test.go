package wheel

import (
	"os"
	"path/filepath"
	"strings"
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
		{"slower than any wheel", map[string][3]string{"ep_01": {"out", "Interrupt", "4096ms"}}, renewInterval},
		{"before its time", map[string][3]string{"ep_01": {"out", "Interrupt", "-2ms"}}, 0},
		{"nonsense", map[string][3]string{"ep_01": {"out", "Interrupt", "often"}}, 0},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			if got := endpointInterval(sysfs(t, c.ends), "/dev/input/event5"); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if got := endpointInterval(t.TempDir(), "/dev/input/event5"); got != 0 {
		t.Errorf("got %v for no device at all", got)
	}
}

func TestMeterTellsOnce(t *testing.T) {
	var m uploadMeter
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

// What is told of a driver is what its forces take, not a part of one that was held up: a mean
// made 125 ms for each force of a single one of 2 s, and 9 ms of many that took 20.
func TestMeterTellsWhatForcesTake(t *testing.T) {
	for _, c := range []struct {
		name string
		took func(i int) time.Duration
		told string
		rate time.Duration // of one after 100
	}{
		{"one of 2 s", func(i int) time.Duration {
			return map[bool]time.Duration{true: 2 * time.Second}[i == 50] + time.Millisecond
		}, "", time.Millisecond},
		{"the first one takes long", func(i int) time.Duration { return map[bool]time.Duration{true: time.Second}[i == 0] + time.Millisecond }, "", time.Millisecond},
		{"all of 20 ms", func(int) time.Duration { return 20 * time.Millisecond }, "takes 20 ms for each force", 20 * time.Millisecond},
		{"20 ms, then quick again", func(i int) time.Duration {
			return map[bool]time.Duration{true: 20 * time.Millisecond, false: time.Millisecond}[i < 50]
		}, "takes 20 ms for each force", time.Millisecond},
	} {
		var m uploadMeter
		told := ""
		for i := range 100 {
			told += m.add(c.took(i))
		}
		if told == "" != (c.told == "") || !strings.Contains(told, c.told) {
			t.Errorf("%s: told %q, want %q", c.name, told, c.told)
		}
		if got := m.period(time.Millisecond); got != c.rate {
			t.Errorf("%s: a force each %v, want %v", c.name, got, c.rate)
		}
	}
}
