package wheel

import (
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
)

func TestVMTorqueHasSignAndSize(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	if got := w.Rated(); got != 2.2 {
		t.Errorf("rated %g N·m, want 2.2", got)
	}
	tests := []struct {
		name  string
		nm    float64
		force byte // 0x80 + torque/2.2 · 128, to a step
	}{
		{"1 left", 1, 0x80 + 58},
		{"1 right", -1, 0x80 - 58},
		{"a little left", 0.1, 0x80 + 6},
		{"too much right", -50, 0x80 - 127},
	}
	for _, c := range tests {
		drive(w, c.nm, 60*time.Millisecond)
		r := dev.Reports()
		last := r[len(r)-1]
		t.Logf("%s: %d reports, last % x", c.name, len(r), last.Data)
		if d := int(last.Force) - int(c.force); d < -1 || d > 1 {
			t.Errorf("%s: force byte %#x, want %#x within a step", c.name, last.Force, c.force)
		}
	}
}

func TestVMLimpWhenPushingEnds(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	drive(w, 1, 200*time.Millisecond)
	dev.Reports()
	from := now()
	r := force(t, dev, "rest", resting)
	t.Logf("no force %v after the last push", r.At-from)
	atMost(t, r.At-from, 100*time.Millisecond)
}

func TestVMCloseIsLimpAtOnce(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	drive(w, 1, 100*time.Millisecond)
	dev.Reports()
	from := now()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := force(t, dev, "rest", resting)
	t.Logf("no force %v after Close", r.At-from)
	atMost(t, r.At-from, 20*time.Millisecond)
}

func TestVMNaNIsAFault(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	drive(w, 1, 50*time.Millisecond)
	dev.Reports()
	w.Push(math.NaN())
	force(t, dev, "rest", resting)
	drive(w, 1, 50*time.Millisecond)
	for _, r := range dev.Reports() {
		if pushing(r) {
			t.Fatalf("force % x with a fault", r.Data)
		}
	}
	if w.Status().Fault == "" {
		t.Error("no fault is reported")
	}
	w.ClearFault()
	drive(w, 1, 50*time.Millisecond)
	force(t, dev, "force after the fault was cleared", pushing)
}

// A process that dies between upload and play must not leave its force in the
// rim. Closing the node right there is what the kernel does for a dead process.
func TestVMLimpAfterDeathBetweenUploadAndPlay(t *testing.T) {
	dev := plug(t, g29.Options{})
	node, _ := dev.Node()
	time.Sleep(300 * time.Millisecond)
	s, err := open(DefaultConfig(), evdev.Describe(node), calib.Store{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s.updatesSent = new(atomic.Uint64)
	if err := s.sendForce(sendOrder{upload: true, play: true, level: 0x4000}); err != nil {
		t.Fatal(err)
	}
	force(t, dev, "force", pushing)
	if err := s.sendForce(sendOrder{upload: true, level: 0x5000}); err != nil {
		t.Fatal(err)
	}
	from := now()
	s.node.Close()
	r := force(t, dev, "rest", resting)
	t.Logf("no force %v after the close", r.At-from)
	stays(t, dev)
}

// spawn starts a process that pushes, for the length of the test.
func spawn(t *testing.T, nm float64) *os.Process {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%g", pushVariable, nm))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c.Process
}

// child starts a process that pushes 1 N·m and waits until the rim feels it.
func child(t *testing.T, dev *g29.Wheel) *os.Process {
	t.Helper()
	p := spawn(t, 1)
	force(t, dev, "the child pushes", pushing)
	time.Sleep(100 * time.Millisecond)
	return p
}

func TestVMKilledProcessLeavesALimpWheel(t *testing.T) {
	dev := plug(t, g29.Options{})
	p := child(t, dev)
	dev.Reports()
	from := now()
	if err := p.Signal(unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	r := force(t, dev, "rest", resting)
	t.Logf("no force %v after SIGKILL", r.At-from)
	atMost(t, r.At-from, 10*time.Millisecond)
	stays(t, dev)
}

func TestVMStoppedProcessLeavesALimpWheel(t *testing.T) {
	dev := plug(t, g29.Options{})
	p := child(t, dev)
	dev.Reports()
	from := now()
	if err := p.Signal(unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	r := force(t, dev, "rest", resting)
	t.Logf("no force %v after SIGSTOP", r.At-from)
	atMost(t, r.At-from, 100*time.Millisecond)
	stays(t, dev)
}

// stays fails if force comes back.
func stays(t *testing.T, dev *g29.Wheel) {
	t.Helper()
	time.Sleep(200 * time.Millisecond)
	for _, r := range dev.Reports() {
		if pushing(r) {
			t.Errorf("force came back: % x", r.Data)
		}
	}
}

func TestVMRateStaysBelowTheDriversQueue(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	drive(w, 0, 50*time.Millisecond)
	dev.Reports()
	before := w.Status().Writes
	for i := range 500 {
		w.Push(math.Sin(float64(i) / 10))
		time.Sleep(time.Millisecond)
	}
	sent := w.Status().Writes - before
	last := now()
	time.Sleep(100 * time.Millisecond)
	late := 0
	for _, r := range dev.Reports() {
		if r.At > last+40*time.Millisecond && pushing(r) {
			late++
		}
	}
	t.Logf("%d updates for 500 pushes, %d reports more than 40 ms late", sent, late)
	if sent < 50 || late > 0 {
		t.Errorf("want 50 updates or more and none late")
	}
}

func TestVMForceFollowsAPushAtOnce(t *testing.T) {
	dev := plug(t, g29.Options{})
	w := start(t, DefaultConfig())
	present(t, w, true)
	var sum, worst time.Duration
	const rounds = 20
	for range rounds {
		drive(w, 0, 80*time.Millisecond)
		dev.Reports()
		from := now()
		w.Push(0.9)
		r := force(t, dev, "force", pushing)
		sum += r.At - from
		worst = max(worst, r.At-from)
	}
	t.Logf("from push to report: mean %v, worst %v", sum/rounds, worst)
	atMost(t, worst, 5*time.Millisecond)
}

// A torque that changes each millisecond must reach the wheel while it is
// fresh: older ones are skipped, not queued.
func TestVMForceStaysFresh(t *testing.T) {
	dev := plug(t, g29.Options{})
	cfg := DefaultConfig()
	cfg.MaxSlew = 50
	w := start(t, cfg)
	present(t, w, true)
	drive(w, -2.2, 100*time.Millisecond)
	dev.Reports()
	const step = 2.2 / 127.99609375 // of the driver's 8 bits [N·m]
	var pushed [256]time.Duration   // when a force byte was asked for
	next := now()
	for b := 2; b < 255; b++ {
		pushed[b] = now()
		w.Push(float64(b-g29.NoForce) * step)
		next += time.Millisecond
		mono.SleepUntil(next)
	}
	time.Sleep(50 * time.Millisecond)
	var sum, worst time.Duration
	count := 0
	for _, r := range dev.Reports() {
		if r.Kind != g29.ConstantForce || pushed[r.Force] == 0 {
			continue
		}
		age := r.At - pushed[r.Force]
		pushed[r.Force] = 0 // a renewal repeats the last one
		sum += age
		worst = max(worst, age)
		count++
	}
	t.Logf("%d of 253 torques sent, age at the wheel: mean %v, worst %v", count, sum/time.Duration(max(count, 1)), worst)
	atMost(t, worst, 10*time.Millisecond)
	if count < 40 {
		t.Error("want 40 or more")
	}
}
