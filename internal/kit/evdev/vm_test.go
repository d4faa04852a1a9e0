package evdev

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rig.example/rig/test/vm/uinput"
)

// inGuest skips the test outside the virtual machine.
func inGuest(t *testing.T) {
	t.Helper()
	if os.Getenv("RIG_VM") == "" {
		t.Skip("needs the virtual machine: see test/vm/README.md")
	}
}

func newDevice(t *testing.T, c uinput.Config) *uinput.Device {
	t.Helper()
	inGuest(t)
	d, err := uinput.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

func openInput(t *testing.T, d *uinput.Device) *Input {
	t.Helper()
	n, err := Open(d.Node())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { n.Close() })
	in, err := NewInput(n, Describe(d.Node()).Axes)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestVMListSeesPedalsAndWheel(t *testing.T) {
	p := newDevice(t, uinput.Pedals())
	w := newDevice(t, uinput.Wheel())
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]Kind{}
	for _, i := range list {
		kinds[i.Path] = i.Kind
		t.Logf("%s %q %s driver %q", i.Path, i.Name, i.Kind, i.Driver)
	}
	if kinds[p.Node()] != KindPedals || kinds[w.Node()] != KindWheel {
		t.Errorf("got %v, want pedals %s and wheel %s", kinds, p.Node(), w.Node())
	}
}

func TestVMOneBadNodeHidesNoOther(t *testing.T) {
	p := newDevice(t, uinput.Pedals())
	bad := "/dev/input/event99"
	if err := os.WriteFile(bad, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(bad)
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	var sawGood, sawBad bool
	for _, i := range list {
		sawGood = sawGood || i.Path == p.Node() && i.Err == nil
		sawBad = sawBad || i.Path == bad && i.Err != nil && i.Problem != ""
	}
	if !sawGood || !sawBad {
		t.Errorf("good node seen %v, bad node with its error %v", sawGood, sawBad)
	}
}

func TestVMStateBeforeTheFirstEvent(t *testing.T) {
	d := newDevice(t, uinput.Pedals())
	if err := d.Set(uinput.AbsY, 1234); err != nil {
		t.Fatal(err)
	}
	in := openInput(t, d)
	if in.Abs(AbsY) != 1234 || in.AxisReported(AbsY) || !in.Reported() {
		t.Errorf("ABS_Y %d, moved %v; want 1234 from before the open", in.Abs(AbsY), in.AxisReported(AbsY))
	}
}

func TestVMLostEventsAreRecovered(t *testing.T) {
	c := uinput.Pedals()
	c.Keys = []uint16{uinput.BtnTrigger}
	d := newDevice(t, c)
	in := openInput(t, d)
	for v := range int32(1000) {
		if err := d.Set(uinput.AbsX, v+1); err != nil {
			t.Fatal(err)
		}
		if v == 10 {
			d.Press(uinput.BtnTrigger, true)
			d.Set(uinput.AbsZ, 777)
		}
	}
	for range 20 {
		if err := in.Update(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("resynchronised %d times", in.Resyncs())
	if in.Resyncs() == 0 {
		t.Error("the kernel lost nothing: the test tests nothing")
	}
	if in.Abs(AbsX) != 1000 || in.Abs(AbsZ) != 777 || !in.AxisReported(AbsZ) || !in.Down(uinput.BtnTrigger) {
		t.Errorf("ABS_X %d, ABS_Z %d (moved %v), button %v; want 1000, 777, true, true",
			in.Abs(AbsX), in.Abs(AbsZ), in.AxisReported(AbsZ), in.Down(uinput.BtnTrigger))
	}
}

func TestVMResyncAllocatesNothing(t *testing.T) {
	in := openInput(t, newDevice(t, uinput.Wheel()))
	drop, end := Event{Type: EvSyn, Code: SynDropped}, Event{}
	if n := testing.AllocsPerRun(50, func() { in.apply(&drop); in.apply(&end) }); n != 0 {
		t.Errorf("%v allocations a resync, want 0", n)
	}
}

func TestVMEffectReachesTheDevice(t *testing.T) {
	d := newDevice(t, uinput.Wheel())
	n, err := Open(d.Node())
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if count, err := n.Effects(); err != nil || count < 1 {
		t.Errorf("%d effects, %v; want some", count, err)
	}
	c := NewConstant(60 * time.Millisecond)
	c.SetLevel(-4321)
	for _, err := range []error{n.Gain(0.5), n.Autocenter(0), n.Upload(&c), n.Play(&c), n.Stop(&c), n.Erase(&c)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(10 * time.Millisecond)
	var level, length, gain, plays int
	for _, r := range d.Requests() {
		switch r.Kind {
		case uinput.UploadEffect:
			level, length = int(r.Effect.Level()), int(r.Effect.Length)
		case uinput.SetGain:
			gain = int(r.Value)
		case uinput.PlayEffect:
			plays++
		}
	}
	if level != -4321 || length != 60 || gain != 0x8000 || plays < 2 {
		t.Errorf("level %d, length %d ms, gain %#x, plays %d; want -4321, 60, 0x8000, 2", level, length, gain, plays)
	}
}

func TestVMWatchReportsPlugAndUnplug(t *testing.T) {
	inGuest(t)
	ctx, cancel := context.WithCancel(context.Background())
	changes, err := Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wait := func(what string) {
		select {
		case <-changes:
		case <-time.After(2 * time.Second):
			t.Fatalf("no notice of %s", what)
		}
	}
	d := newDevice(t, uinput.Pedals())
	wait("a new node")
	time.Sleep(50 * time.Millisecond)
	for len(changes) > 0 {
		<-changes
	}
	d.Close()
	wait("a node that went")
	cancel()
	for range changes { // ends when the channel is closed
	}
}

func TestVMWatchWaitsForTheFolder(t *testing.T) {
	inGuest(t)
	kept := "/dev/input-kept"
	if err := os.Rename(inputDir, kept); err != nil {
		t.Fatal(err)
	}
	defer func() {
		os.RemoveAll(inputDir)
		os.Rename(kept, inputDir)
	}()
	changes, err := Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(inputDir, 0o755); err != nil {
		t.Fatal(err)
	}
	<-changes // the folder
	time.Sleep(20 * time.Millisecond)
	if err := os.WriteFile(filepath.Join(inputDir, "event0"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	select {
	case <-changes:
	case <-time.After(2 * time.Second):
		t.Fatal("no notice of a node in the new folder")
	}
}

// All users of a shared node see all its events. Other programs see none after it is grabbed.
func TestVMSharedAndGrabbed(t *testing.T) {
	c := uinput.Pedals()
	c.Keys = []uint16{uinput.BtnTrigger}
	d := newDevice(t, c)
	stranger := openInput(t, d)
	info := Describe(d.Node())
	a, err := Share(info)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Share(info)
	if err != nil || a != b {
		t.Fatalf("two inputs for one node, %v", err)
	}
	for range 2 { // the pedals ask as the wheel did
		if err := a.Grab(); err != nil {
			t.Fatal(err)
		}
	}
	first, second := a.EventEnd(), b.EventEnd()
	d.Press(uinput.BtnTrigger, true)
	d.Press(uinput.BtnTrigger, false)
	for _, in := range []*Input{a, b, stranger} {
		if err := in.Update(); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []*uint64{&first, &second} {
		for _, want := range []int32{1, 0} {
			if ev, lost := a.NextEvent(at); ev == nil || lost || ev.Code != uinput.BtnTrigger || ev.Value != want {
				t.Errorf("got %+v, lost %v; want a press and its end", ev, lost)
			}
		}
	}
	if stranger.EventEnd() != 0 {
		t.Error("another descriptor received events of a grabbed device")
	}
	a.Release()
	if err := b.Update(); err != nil {
		t.Errorf("closed while one still shares it: %v", err)
	}
	b.Release()
	if err := b.Update(); err != ErrDisconnected {
		t.Errorf("got %v after the last release", err)
	}
	d.Press(uinput.BtnTrigger, true)
	if stranger.Update(); !stranger.Down(uinput.BtnTrigger) {
		t.Error("still grabbed after the last release")
	}
}

// A device that another program grabs counts as disconnected soon after its next movement, and a grabbed device is
// not opened. A device that rig itself grabs is kept.
func TestVMGrabbedByAnotherProgram(t *testing.T) {
	d := newDevice(t, uinput.Wheel())
	info := Describe(d.Node())
	in, err := Share(info)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	updates := func(want error) {
		t.Helper()
		var err error
		for v := range int32(1000) {
			if v%10 == 0 {
				d.Set(uinput.AbsX, 20000+100*v)
			}
			if err = in.Update(); err != nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if err := in.Grab(); err != nil {
		t.Fatal(err)
	}
	updates(nil)
	if err := in.node.ioctlValue(evIOCGrab, 0); err != nil {
		t.Fatal(err)
	}
	stranger, err := Open(d.Node())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	if err := stranger.grab(); err != nil {
		t.Fatal(err)
	}
	updates(ErrGrabbed)
	if other, err := Share(info); !errors.Is(err, ErrGrabbed) || other != nil {
		t.Errorf("a grabbed device was shared: %v", err)
	}
	stranger.Close()
	again, err := Share(info)
	if err != nil || again == in {
		t.Fatalf("after the grab: %v", err)
	}
	again.Release()
}
