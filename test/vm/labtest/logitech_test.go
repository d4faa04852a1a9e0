package labtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/uinput"
)

// identity returns a number of the device with this input node (product, vendor or version), as four hexadecimal
// digits.
func identity(t *testing.T, node, which string) string {
	t.Helper()
	text, err := os.ReadFile("/sys/class/input/" + filepath.Base(node) + "/device/id/" + which)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// driver returns the name of the kernel's HID driver of an input node.
func driver(t *testing.T, node string) string {
	t.Helper()
	link, err := os.Readlink("/sys/class/input/" + filepath.Base(node) + "/device/device/driver")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(link)
}

func TestG27GetsTheLogitechDriver(t *testing.T) {
	inGuest(t)
	w, node, fd := plug(t, g29.Options{Model: g29.G27})
	if got := driver(t, node) + " " + identity(t, node, "product"); got != "logitech c29b" {
		t.Errorf("driver and product %q, want logitech c29b", got)
	}
	if got := forceFeedback(t, node); got != constantGainAutocenter {
		t.Errorf("force feedback %q, want %q", got, constantGainAutocenter)
	}
	in := g29.AtRest()
	in.Steer, in.Brake = 0x1234, 3
	w.SetInput(in)
	waitAxis(t, fd, uinput.AbsX, 0x1234>>2) // 14 bits
	in.Gas = 17
	w.SetInput(in)
	waitAxis(t, fd, uinput.AbsZ, 17)
	if got, err := uinput.Value(fd, uinput.AbsRZ); err != nil || got != 3 {
		t.Errorf("brake at %d, %v; want 3", got, err)
	}
	e := uinput.Constant(0x4000, 0)
	upload(t, fd, &e)
	started := mono.Now()
	play(t, fd, e)
	eventually(t, "a force to the left", func() bool {
		for _, r := range w.Reports() {
			if r.Kind == g29.ConstantForce && r.Force == 0xc0 {
				t.Logf("figure: G27: force %v after play", r.At-started)
				return true
			}
		}
		return false
	})
}

func TestWheelsInCompatibilityModeAreSwitched(t *testing.T) {
	inGuest(t)
	for _, test := range []struct {
		name    string
		model   g29.Model
		product string
		command string
	}{
		{"G29", g29.G29, "c24f", "\xf8\x09\x05\x01\x01\x00\x00"},
		{"G27", g29.G27, "c29b", "\xf8\x09\x04\x01\x00\x00\x00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := mono.Now()
			w, err := g29.New(g29.Options{Model: test.model, Compat: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(w.Unplug)
			before, err := w.CompatNode()
			if err != nil {
				t.Fatal(err)
			}
			first := identity(t, before, "product")
			shown := mono.Now() - start
			node, err := w.Node()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("figure: %s: first as %s after %v, as %s after %v", test.name, first, shown, identity(t, node, "product"), mono.Now()-start)
			if first != "c294" || identity(t, node, "product") != test.product {
				t.Errorf("product %s, then %s; want c294, then %s", first, identity(t, node, "product"), test.product)
			}
			checkSwitch(t, w.Reports(), test.command)
			settle(w)
			checkForce(t, w, node)
		})
	}
}

// checkSwitch checks that the mode was switched once, by that command, and that the driver had sent the command to
// forget the mode after a bus reset before.
func checkSwitch(t *testing.T, reports []g29.Report, command string) {
	t.Helper()
	var last g29.Kind
	var orders []string
	for _, r := range reports {
		if r.Kind == g29.NativeMode {
			orders = append(orders, string(r.Data[:]))
			if last != g29.ForgetMode {
				t.Errorf("% x came after a report of kind %d, want %d", r.Data, last, g29.ForgetMode)
			}
		}
		last = r.Kind
	}
	if len(orders) != 1 || orders[0] != command {
		t.Errorf("mode commands % x, want once % x", orders, command)
	}
}

// checkForce checks that a force reaches the wheel at node.
func checkForce(t *testing.T, w *g29.Wheel, node string) {
	t.Helper()
	fd := openNode(t, node)
	e := uinput.Constant(0x2000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	time.Sleep(20 * time.Millisecond)
	if r := w.Reports(); len(r) == 0 || r[len(r)-1].Force != 0xa0 {
		t.Errorf("reports %+v, want a last force of 0xa0", r)
	}
}

func TestEqualWheelsDifferByTheirPort(t *testing.T) {
	inGuest(t)
	a, nodeA, fdA := plug(t, g29.Options{})
	b, nodeB, _ := plug(t, g29.Options{})
	if nodeA == nodeB {
		t.Fatalf("both are %s", nodeA)
	}
	physA, physB := attribute(t, nodeA, "phys"), attribute(t, nodeB, "phys")
	t.Logf("figure: twins: %s at %s, %s at %s, serial number %q", nodeA, physA, nodeB, physB, attribute(t, nodeA, "uniq"))
	if physA == physB {
		t.Errorf("both are at %s", physA)
	}
	e := uinput.Constant(0x4000, 0)
	upload(t, fdA, &e)
	play(t, fdA, e)
	time.Sleep(20 * time.Millisecond)
	if r := a.Reports(); len(r) == 0 || r[len(r)-1].Force != 0xc0 {
		t.Errorf("the first got %+v, want a last force of 0xc0", r)
	}
	if r := b.Reports(); len(r) != 0 {
		t.Errorf("the second got %+v, want nothing", r)
	}
	b.Unplug()
	e.SetLevel(-0x4000)
	upload(t, fdA, &e)
	time.Sleep(20 * time.Millisecond)
	if r := a.Reports(); len(r) == 0 || r[len(r)-1].Force != 0x40 {
		t.Errorf("without its twin the first got %+v, want a last force of 0x40", r)
	}
}

// attribute returns the contents of a file of the input device in sysfs.
func attribute(t *testing.T, node, name string) string {
	t.Helper()
	text, err := os.ReadFile("/sys/class/input/" + filepath.Base(node) + "/device/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}
