package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
)

// holdVariable makes the test binary hold these files open until its input ends, instead of testing.
const holdVariable = "RIG_TEST_HOLD"

func TestMain(m *testing.M) {
	if paths := os.Getenv(holdVariable); paths != "" {
		hold(strings.Split(paths, ","))
		return
	}
	os.Exit(m.Run())
}

// hold opens files for writing, says so, and waits for the end of its input.
func hold(paths []string) {
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer f.Close()
	}
	fmt.Println("open")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// inGuest skips the test outside the virtual machine.
func inGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

// g29Checked plugs in an emulated G29, and returns its node and a function that returns the findings of the wheel.
func g29Checked(t *testing.T) (node string, check func() string) {
	t.Helper()
	inGuest(t)
	dev, err := g29.New(g29.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Unplug)
	if node, err = dev.Node(); err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Profiles = t.TempDir()
	return node, func() string {
		s := newScene(cfg, Options{})
		s.checkWheel()
		return s.text(t)
	}
}

// With the kernel's own /proc and /sys: who has the wheel's nodes open is found, and nothing is once it has ended.
func TestVMOtherProgramsAreFound(t *testing.T) {
	node, check := g29Checked(t)
	if text := check(); text != "" {
		t.Fatalf("a free wheel: found\n%s", text)
	}
	raw := evdev.HIDRaw("/sys", node)
	if raw == "" {
		t.Fatal("the wheel has no raw node")
	}
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), holdVariable+"="+node+","+raw)
	input, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 200)
	if n, _ := output.Read(said); string(said[:n]) != "open\n" {
		t.Fatalf("the other program said %q", said[:n])
	}
	text, pid := check(), fmt.Sprintf("(pid %d) has ", other.Process.Pid)
	for _, want := range []string{pid + node + " open", pid + raw + " open", fmt.Sprintf("`kill %d`", other.Process.Pid)} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	input.Close()
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
	if text := check(); text != "" {
		t.Errorf("free again: found\n%s", text)
	}
}

// A wheel that is unbound from its driver has no input node; it is found on the bus by its USB id.
func TestVMAWheelWithoutItsDriverIsFound(t *testing.T) {
	node, check := g29Checked(t)
	device, err := filepath.EvalSymlinks(evdev.DeviceFolder("/sys", node))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("/sys/bus/hid/drivers/logitech/unbind", []byte(filepath.Base(device)), 0); err != nil {
		t.Fatal(err)
	}
	text := check()
	for _, want := range []string{"wheel-driver warning wheel: Logitech G29 is bound to no driver", "it needs hid-lg4ff", "wheel warning wheel: not found"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if err := os.WriteFile("/sys/bus/hid/drivers/logitech/bind", []byte(filepath.Base(device)), 0); err != nil {
		t.Fatal(err)
	}
	if text := check(); strings.Contains(text, "wheel-driver") {
		t.Errorf("bound again: found\n%s", text)
	}
}

// The firmware that the wheel states in its USB descriptor is found, for profiles to keep.
func TestVMTheFirmwareIsRead(t *testing.T) {
	node, _ := g29Checked(t)
	folder, ok := evdev.USBFolder(evdev.DeviceFolder("/sys", node))
	if !ok {
		t.Fatal("the wheel is not on USB")
	}
	if want, err := evdev.USBID(folder, "bcdDevice"); err != nil || want == 0 || evdev.Describe(node).Firmware != want {
		t.Errorf("firmware %v, want %v, %v", evdev.Describe(node).Firmware, want, err)
	}
}
