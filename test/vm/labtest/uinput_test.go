package labtest

import (
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/uinput"
)

func newDevice(t *testing.T, c uinput.Config) (*uinput.Device, int) {
	t.Helper()
	d, err := uinput.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d, openNode(t, d.Node())
}

func TestUinputWheelServesForceFeedback(t *testing.T) {
	inGuest(t)
	d, fd := newDevice(t, uinput.Wheel())
	if got := forceFeedback(t, d.Node()); got != constantGainAutocenter {
		t.Errorf("force feedback %q, want %q", got, constantGainAutocenter)
	}
	e := uinput.Constant(-1234, 100)
	upload(t, fd, &e)
	play(t, fd, e)
	if err := uinput.Write(fd, uinput.Event{Type: uinput.EvFF, Code: uinput.FFGain, Value: 0xc000}); err != nil {
		t.Fatal(err)
	}
	if err := uinput.Erase(fd, e.ID); err != nil {
		t.Fatal(err)
	}
	got := d.Requests()
	want := []uinput.Request{
		{Kind: uinput.UploadEffect, ID: e.ID},
		{Kind: uinput.PlayEffect, ID: e.ID, Value: 1},
		{Kind: uinput.SetGain, Value: 0xc000},
		{Kind: uinput.PlayEffect, ID: e.ID, Value: 0},
		{Kind: uinput.EraseEffect, ID: e.ID},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for i, w := range want {
		if g := got[i]; g.Kind != w.Kind || g.ID != w.ID || g.Value != w.Value {
			t.Errorf("request %d: got %+v, want %+v", i, g, w)
		}
	}
	if level := got[0].Effect.Level(); level != -1234 {
		t.Errorf("level %d, want -1234", level)
	}
}

func TestUinputAxesArriveAsEvents(t *testing.T) {
	inGuest(t)
	d, fd := newDevice(t, uinput.Pedals())
	if err := d.Set(uinput.AbsY, 4000); err != nil {
		t.Fatal(err)
	}
	waitAxis(t, fd, uinput.AbsY, 4000)
}

func TestUinputCloseIsAnUnplug(t *testing.T) {
	inGuest(t)
	d, fd := newDevice(t, uinput.Wheel())
	d.Close()
	if _, err := unix.Read(fd, make([]byte, 24)); err != unix.ENODEV {
		t.Errorf("read gives %v, want ENODEV", err)
	}
	e := uinput.Constant(1000, 0)
	if err := uinput.Upload(fd, &e); err == nil {
		t.Error("upload to a disconnected device did not fail")
	}
}
