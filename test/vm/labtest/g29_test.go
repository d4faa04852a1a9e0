package labtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/uinput"
)

// plug plugs in a G29, waits until its driver has set it up, and opens it.
func plug(t *testing.T, o g29.Options) (w *g29.Wheel, node string, fd int) {
	t.Helper()
	w, err := g29.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Unplug)
	if node, err = w.Node(); err != nil {
		t.Fatal(err)
	}
	settle(w)
	return w, node, openNode(t, node)
}

// settle waits until the driver has sent nothing for some time, and discards the reports until then.
func settle(w *g29.Wheel) {
	for {
		time.Sleep(100 * time.Millisecond)
		if len(w.Reports()) == 0 {
			return
		}
	}
}

func TestG29GetsTheLogitechDriver(t *testing.T) {
	inGuest(t)
	start := mono.Now()
	w, node, _ := plug(t, g29.Options{})
	t.Logf("from the plug to a quiet device: %v", mono.Now()-start)
	device := "/sys/class/input/" + filepath.Base(node) + "/device/device/"
	driver, err := os.Readlink(device + "driver")
	if err != nil || filepath.Base(driver) != "logitech" {
		t.Errorf("driver %q, %v; want logitech", driver, err)
	}
	if got := forceFeedback(t, node); got != constantGainAutocenter {
		t.Errorf("force feedback %q, want %q", got, constantGainAutocenter)
	}
	if err := os.WriteFile(device+"range", []byte("540"), 0); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a range of 540 degrees", func() bool {
		for _, r := range w.Reports() {
			if r.Kind == g29.Range && r.Degrees == 540 {
				return true
			}
		}
		return false
	})
}

func TestG29AxesAreAtZeroUntilTheFirstReport(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	gas := func(want int32) {
		t.Helper()
		if got, err := uinput.Value(fd, uinput.AbsZ); err != nil || got != want {
			t.Errorf("ABS_Z (gas) is at %d, %v; want %d", got, err, want)
		}
	}
	gas(0) // the kernel assumes that the pedal is pressed
	w.SetInput(g29.AtRest())
	waitAxis(t, fd, uinput.AbsZ, 255)
	gas(255)
}

func TestG29SensorsArriveAsEvents(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	in := g29.AtRest()
	tests := []struct {
		name string
		set  func()
		axis uint16
		want int32
	}{
		{"steering", func() { in.Steer = 0x1234 }, uinput.AbsX, 0x1234},
		{"gas", func() { in.Gas = 17 }, uinput.AbsZ, 17},
		{"brake", func() { in.Brake = 3 }, uinput.AbsRZ, 3},
		{"clutch", func() { in.Clutch = 4 }, uinput.AbsY, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.set()
			w.SetInput(in)
			waitAxis(t, fd, test.axis, test.want)
		})
	}
}

func TestG29ForceByteFollowsTheLevel(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	e := uinput.Constant(0x1000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	tests := []struct {
		name  string
		level int16
		kind  g29.Kind
		force byte
	}{
		{"half to the left", 0x4000, g29.ConstantForce, 0xc0},
		{"all to the left", 0x7fff, g29.ConstantForce, 0xff},
		{"half to the right", -0x4000, g29.ConstantForce, 0x40},
		{"all to the right", -0x7fff, g29.ConstantForce, 0x00},
		{"less than a step to the left", 0xff, g29.Stop, 0x80},
		{"a step to the left", 0x100, g29.ConstantForce, 0x81},
		{"a step to the right", -0x100, g29.ConstantForce, 0x7f},
		{"less than a step to the right is a step", -1, g29.ConstantForce, 0x7f}, // the driver rounds down
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e.SetLevel(test.level)
			upload(t, fd, &e)
			time.Sleep(20 * time.Millisecond)
			got := w.Reports()
			if len(got) == 0 {
				t.Fatal("no report")
			}
			last := got[len(got)-1]
			if last.Kind != test.kind || last.Force != test.force {
				t.Errorf("got % x, want kind %d, force %#x", last.Data, test.kind, test.force)
			}
		})
	}
}

func TestG29AcceptsReportsAtItsInterval(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	e := uinput.Constant(0x1000, 0)
	upload(t, fd, &e)
	for i := range int16(10) { // at once: they must queue
		e.SetLevel(0x1000 + i*0x100)
		upload(t, fd, &e)
		play(t, fd, e)
	}
	time.Sleep(100 * time.Millisecond)
	got := w.Reports()
	if len(got) < 10 {
		t.Fatalf("%d reports, want 10 or more", len(got))
	}
	for i := 1; i < len(got); i++ {
		const tolerance = 500 * time.Microsecond // of the guest's clock, stalls apart
		if gap := got[i].At - got[i-1].At; gap < g29.Interval-tolerance && virtualTime() {
			t.Errorf("reports %d and %d are %v apart, want %v", i-1, i, gap, g29.Interval)
		}
	}
}

func TestG29LeftForceTurnsTheRimLeft(t *testing.T) {
	inGuest(t)
	rim := g29.DefaultRim()
	w, _, fd := plug(t, g29.Options{Rim: &rim})
	e := uinput.Constant(0x4000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	eventually(t, "the rim at its left stop", func() bool { return w.Input().Steer == 0 })
	waitAxis(t, fd, uinput.AbsX, 0) // the left stop
}

func TestG29GoesLimpWhenTheProgramEnds(t *testing.T) {
	inGuest(t)
	w, node, _ := plug(t, g29.Options{})
	fd, err := unix.Open(node, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := uinput.Constant(0x4000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	time.Sleep(20 * time.Millisecond)
	w.Reports()
	closed := mono.Now()
	unix.Close(fd)
	eventually(t, "a stop report", func() bool {
		for _, r := range w.Reports() {
			if r.Kind == g29.Stop {
				t.Logf("stop report %v after close", r.At-closed)
				return true
			}
		}
		return false
	})
}

func TestG29GoesLimpAtTheEndOfAnEffect(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	e := uinput.Constant(0x4000, 60)
	upload(t, fd, &e)
	play(t, fd, e)
	started := mono.Now()
	eventually(t, "a stop report", func() bool {
		for _, r := range w.Reports() {
			if r.Kind == g29.Stop {
				t.Logf("stop report %v after play, for a length of 60 ms", r.At-started)
				return true
			}
		}
		return false
	})
}

func TestG29IsFoundAgainAfterUnplug(t *testing.T) {
	inGuest(t)
	w, _, fd := plug(t, g29.Options{})
	w.Unplug()
	eventually(t, "ENODEV from the dead node", func() bool {
		_, err := unix.Read(fd, make([]byte, 24))
		return err == unix.ENODEV
	})
	_, node, _ := plug(t, g29.Options{})
	if got := forceFeedback(t, node); got != constantGainAutocenter {
		t.Errorf("force feedback %q, want %q", got, constantGainAutocenter)
	}
}
