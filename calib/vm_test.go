package calib

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
)

// The whole procedure on the kernel's driver: a hand turns the rim, and the
// sign test's pulse moves it.
func TestVMCalibrateTheWheel(t *testing.T) {
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
	rim := g29.DefaultRim()
	dev, err := g29.New(g29.Options{Rim: &rim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Unplug)
	node, err := dev.Node()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // the driver adds force after the node
	src, err := Open(evdev.Describe(node))
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	put := func(steer uint16) {
		in := g29.AtRest()
		in.Steer = steer
		dev.SetInput(in)
	}
	put(0x8000)
	go func() {
		for _, steer := range []uint16{0x0100, 0xff00, 0x8010} {
			time.Sleep(400 * time.Millisecond)
			put(steer)
		}
	}()
	opt := DefaultWheelOptions()
	opt.PushOK = true
	opt.Hold, opt.Window = 200*time.Millisecond, 5*time.Second
	var out strings.Builder
	p, err := Wheel(t.Context(), src, dialog.New(strings.NewReader(""), io.MultiWriter(&out, t.Output()), true), opt)
	if err != nil {
		t.Fatal(err)
	}
	if p.Left != 0x0100 || p.Right != 0xff00 || p.Center != 0x8010 || p.Force != 1 {
		t.Errorf("got left %#x, right %#x, center %#x, sign %d; want 0x100, 0xff00, 0x8010, +1", p.Left, p.Right, p.Center, p.Force)
	}
}
