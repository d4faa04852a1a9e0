package evdev

import (
	"errors"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pipeNode is a node that reads what the test writes.
func pipeNode(t *testing.T) (*Node, int) {
	t.Helper()
	var fd [2]int
	if err := unix.Pipe2(fd[:], unix.O_NONBLOCK|unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	n := &Node{fd: fd[0], path: "pipe"}
	t.Cleanup(func() {
		n.Close()
		unix.Close(fd[1])
	})
	return n, fd[1]
}

func send(t testing.TB, fd int, events ...Event) {
	t.Helper()
	if _, err := unix.Write(fd, unsafe.Slice((*byte)(unsafe.Pointer(&events[0])), len(events)*eventSize)); err != nil {
		t.Fatal(err)
	}
}

func TestKernelLayouts(t *testing.T) {
	if s := unsafe.Sizeof(Event{}); s != 24 {
		t.Errorf("input_event has %d bytes, want 24", s)
	}
	if s := unsafe.Sizeof(Constant{}); s != 48 {
		t.Errorf("ff_effect has %d bytes, want 48", s)
	}
	if o := unsafe.Offsetof(Constant{}.level); o != 16 {
		t.Errorf("level lies at %d, want 16", o)
	}
	if s := unsafe.Sizeof(Periodic{}); s != 48 {
		t.Errorf("ff_effect with a wave has %d bytes, want 48", s)
	}
	var p Periodic
	for name, at := range map[string][2]uintptr{
		"waveform": {unsafe.Offsetof(p.waveform), 16}, "period": {unsafe.Offsetof(p.period), 18}, "magnitude": {unsafe.Offsetof(p.magnitude), 20},
		"offset": {unsafe.Offsetof(p.offset), 22}, "phase": {unsafe.Offsetof(p.phase), 24},
	} {
		if at[0] != at[1] {
			t.Errorf("%s of a wave lies at %d, want %d", name, at[0], at[1])
		}
	}
	if evIOCGAbs != 0x80184540 || evIOCGKey != 0x80604518 {
		t.Errorf("requests %#x and %#x, want 0x80184540 and 0x80604518", evIOCGAbs, evIOCGKey)
	}
}

func TestReadDoesNotWait(t *testing.T) {
	n, _ := pipeNode(t)
	var buf [4]Event
	if got, err := n.Read(buf[:]); got != 0 || err != nil {
		t.Errorf("empty node: %d, %v; want 0, nil", got, err)
	}
	if got, err := n.Read(nil); got != 0 || err != nil {
		t.Errorf("no room: %d, %v; want 0, nil", got, err)
	}
}

func TestClosedNodeIsDisconnected(t *testing.T) {
	n, _ := pipeNode(t)
	if err := errors.Join(n.Close(), n.Close()); err != nil {
		t.Fatal(err)
	}
	var buf [1]Event
	if _, err := n.Read(buf[:]); !errors.Is(err, ErrDisconnected) || !errors.Is(err, unix.ENODEV) {
		t.Errorf("read: %v, want ErrDisconnected", err)
	}
	c := NewConstant(time.Second)
	if err := n.Upload(&c); !errors.Is(err, ErrDisconnected) {
		t.Errorf("upload: %v, want ErrDisconnected", err)
	}
	if err := n.Gain(1); !errors.Is(err, ErrDisconnected) {
		t.Errorf("gain: %v, want ErrDisconnected", err)
	}
}

func TestIoctlKeepsTheErrorNumber(t *testing.T) {
	n, _ := pipeNode(t)
	c := NewConstant(time.Second)
	if err := n.Upload(&c); !errors.Is(err, unix.ENOTTY) {
		t.Errorf("upload to a pipe: %v, want ENOTTY", err)
	}
}

func TestInputFollowsEvents(t *testing.T) {
	n, w := pipeNode(t)
	in := &Input{node: n}
	if in.Reported() {
		t.Error("reported before any event")
	}
	send(t, w, Event{Type: EvAbs, Code: AbsZ, Value: 12}, Event{Type: EvAbs, Code: AbsZ, Value: 17}, Event{Type: EvKey, Code: 0x124, Value: 1}, Event{})
	if err := in.Update(); err != nil {
		t.Fatal(err)
	}
	if in.Abs(AbsZ) != 17 || !in.AxisReported(AbsZ) || in.AxisReported(AbsX) || !in.Reported() {
		t.Errorf("ABS_Z %d, moved %v; ABS_X moved %v", in.Abs(AbsZ), in.AxisReported(AbsZ), in.AxisReported(AbsX))
	}
	if !in.Down(0x124) || in.Down(0x125) || in.Down(0xffff) {
		t.Error("want button 0x124 down and no other")
	}
	send(t, w, Event{Type: EvKey, Code: 0x124, Value: 0}, Event{Type: EvKey, Code: 0xfff0, Value: 1}, Event{Type: EvAbs, Code: 0xfff0, Value: 1}, Event{})
	if err := in.Update(); err != nil {
		t.Fatal(err)
	}
	if in.Down(0x124) {
		t.Error("button 0x124 is still down")
	}
}

func TestInputIgnoresEventsAfterALoss(t *testing.T) {
	in := &Input{node: &Node{}}
	for _, e := range []Event{{Type: EvSyn, Code: SynDropped}, {Type: EvAbs, Code: AbsX, Value: 5}} {
		if err := in.apply(&e); err != nil {
			t.Fatal(err)
		}
	}
	if in.Abs(AbsX) != 0 {
		t.Error("an event of a torn report was believed")
	}
}

func TestUpdateReadsALimitedNumberOfEvents(t *testing.T) {
	n, w := pipeNode(t)
	in := &Input{node: n}
	flood := make([]Event, maxReads*len(in.buf)+10)
	for i := range flood {
		flood[i] = Event{Type: EvAbs, Code: AbsX, Value: int32(i)}
	}
	send(t, w, flood...)
	if err := in.Update(); err != nil {
		t.Fatal(err)
	}
	if got, want := in.Abs(AbsX), int32(maxReads*64-1); got != want {
		t.Errorf("after one update event %d, want %d", got, want)
	}
}

func TestUpdateAllocatesNothing(t *testing.T) {
	n, w := pipeNode(t)
	in := &Input{node: n}
	ev := Event{Type: EvAbs, Code: AbsX, Value: 1}
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&ev)), eventSize)
	if n := testing.AllocsPerRun(100, func() {
		unix.Write(w, raw)
		in.Update()
	}); n != 0 {
		t.Errorf("%v allocations an update, want 0", n)
	}
}

func TestWakerEndsWait(t *testing.T) {
	n, _ := pipeNode(t)
	b, err := NewWaker()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.Wake()
	b.Wake()
	if err := n.Wait(b, -1); err != nil {
		t.Fatal(err)
	}
	from := time.Now() // both wake-ups are used, so only the time limit ends this wait
	if err := n.Wait(b, 5*time.Millisecond); err != nil || time.Since(from) < 5*time.Millisecond {
		t.Errorf("woke after %v, %v; want 5 ms", time.Since(from), err)
	}
	if n := testing.AllocsPerRun(100, b.Wake); n != 0 {
		t.Errorf("%v allocations a ring, want 0", n)
	}
}

func TestWaitReportsADisconnectedDevice(t *testing.T) {
	n, w := pipeNode(t)
	b, err := NewWaker()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	unix.Close(w) // the peer hangs up
	if err := n.Wait(b, -1); !errors.Is(err, ErrDisconnected) {
		t.Errorf("got %v, want ErrDisconnected", err)
	}
}

func TestUserCountClosesOnlyWithoutUsers(t *testing.T) {
	var g userCount
	var users sync.WaitGroup
	var inside, shut bool
	for range 4 {
		users.Go(func() {
			for g.acquire() {
				g.release()
			}
		})
	}
	if !g.acquire() {
		t.Fatal("an open gate refused")
	}
	inside = true
	users.Go(func() {
		time.Sleep(5 * time.Millisecond)
		inside = false
		g.release()
	})
	shut = g.close()
	if !shut || inside {
		t.Errorf("shut %v with a user inside %v", shut, inside)
	}
	users.Wait()
	if g.acquire() || g.close() {
		t.Error("a shut gate let someone in, or was shut twice")
	}
}

func FuzzInputApply(f *testing.F) {
	f.Add([]byte{3, 0, 0, 0, 255, 0, 0, 3, 0, 1})
	f.Add([]byte{1, 0x24, 1, 1})
	f.Fuzz(func(t *testing.T, in []byte) {
		input := &Input{node: &Node{}}
		input.node.Close() // a loss cannot be made up for here
		for ; len(in) >= 4; in = in[4:] {
			ev := Event{Type: uint16(in[0]), Code: uint16(in[1]) | uint16(in[2])<<8, Value: int32(in[3])}
			if err := input.apply(&ev); err != nil && !errors.Is(err, ErrDisconnected) {
				t.Fatal(err)
			}
			if ev.Type == EvAbs && input.Abs(ev.Code) != 0 && !input.AxisReported(ev.Code) {
				t.Fatalf("axis %#x has a value and never moved", ev.Code)
			}
		}
	})
}

// What the kernel gets of a sine, field by field (linux/input.h, struct ff_periodic_effect).
func TestSineAsTheKernelReadsIt(t *testing.T) {
	for _, c := range []struct {
		name           string
		peak           int16
		period, length time.Duration
		want           [4]uint16 // period, magnitude, length, direction
	}{
		{"usual", 4096, 40 * time.Millisecond, 140 * time.Millisecond, [4]uint16{40, 4096, 140, 0x4000}},
		{"no period", 1, 0, 0, [4]uint16{1, 1, 0, 0x4000}},
		{"negative", -5, -time.Second, -time.Second, [4]uint16{1, 0, 0, 0x4000}},
		{"too long", 1, time.Hour, time.Hour, [4]uint16{65535, 1, 65535, 0x4000}},
	} {
		p := NewSine()
		p.Set(c.peak, c.period, c.length)
		words := *(*[24]uint16)(unsafe.Pointer(&p))
		if got := [4]uint16{words[9], words[10], words[5], words[2]}; got != c.want || words[0] != 0x51 || words[1] != 0xffff || words[8] != 0x5a {
			t.Errorf("%s: %v of %x, want %v", c.name, got, words, c.want)
		}
	}
}

func TestHasSine(t *testing.T) {
	for _, c := range []struct {
		effects []string
		want    bool
	}{{[]string{"FF_PERIODIC", "FF_SINE"}, true}, {[]string{"FF_PERIODIC", "FF_SQUARE"}, false}, {[]string{"FF_SINE"}, false}, {nil, false}} {
		if got := (Info{FFEffects: c.effects}).HasSine(); got != c.want {
			t.Errorf("%v: %v", c.effects, got)
		}
	}
}
