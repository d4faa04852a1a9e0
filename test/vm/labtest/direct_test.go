package labtest

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/vm/hiddesc"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/pidwheel"
	"rig.example/rig/test/vm/uinput"
)

// direct plugs in a direct-drive wheel, waits until its driver sends nothing more, and opens it.
func direct(t *testing.T, o pidwheel.Options) (w *pidwheel.Wheel, node string, fd int) {
	t.Helper()
	start := mono.Now()
	w, err := pidwheel.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Unplug)
	if node, err = w.Node(); err != nil {
		t.Fatal(err)
	}
	t.Logf("figure: direct drive: from plug to node %v", mono.Now()-start)
	for last := 0; ; {
		time.Sleep(100 * time.Millisecond)
		n := len(w.Reports())
		if n == 0 && last == 0 {
			break
		}
		last = n
	}
	return w, node, openNode(t, node)
}

func TestDirectDriveGetsForceFeedback(t *testing.T) {
	inGuest(t)
	w, node, _ := direct(t, pidwheel.Options{Serial: "RIG0001"})
	if got := driver(t, node); got != "hid-generic" {
		t.Errorf("driver %s, want hid-generic", got)
	}
	// Bits 0x50 to 0x5c and 0x60: rumble, which the kernel adds to periodic, then
	// periodic, constant, spring, friction, damper, inertia, ramp, five waves; gain.
	if got, want := forceFeedback(t, node), "11fff0000 0"; got != want {
		t.Errorf("force feedback %q, want %q", got, want)
	}
	if got := attribute(t, node, "uniq"); got != "RIG0001" {
		t.Errorf("serial number %q, want RIG0001", got)
	}
	if n := w.Effects(); n != 0 {
		t.Errorf("%d slots taken before the first upload, want none", n)
	}
}

func TestDirectDriveSensorsArriveAsEvents(t *testing.T) {
	inGuest(t)
	w, _, fd := direct(t, pidwheel.Options{})
	w.SetInput(pidwheel.Input{Steer: 0x1234, Gas: 0x2345, Brake: 0x3456, Clutch: 0x4567})
	waitAxis(t, fd, uinput.AbsX, 0x1234)
	waitValue(t, fd, uinput.AbsY, 0x4567) // the last of the report
	for axis, want := range map[uint16]int32{uinput.AbsZ: 0x2345, uinput.AbsRZ: 0x3456} {
		if got, err := uinput.Value(fd, axis); err != nil || got != want {
			t.Errorf("axis %d at %d, %v; want %d", axis, got, err, want)
		}
	}
}

// waitValue waits until the kernel reports the value want for an axis.
func waitValue(t *testing.T, fd int, axis uint16, want int32) {
	t.Helper()
	var got int32
	for range 100 {
		var err error
		if got, err = uinput.Value(fd, axis); err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("axis %#x at %d, never at %d", axis, got, want)
}

// The kernel filters a joystick's small movements as noise, and treats a direct-drive wheel as a joystick: 255 counts
// are 3.5 of 900 degrees.
func TestDirectDriveSmallMovementsNeedTheFuzzRemoved(t *testing.T) {
	inGuest(t)
	w, _, fd := direct(t, pidwheel.Options{})
	fuzz, err := uinput.Fuzz(fd, uinput.AbsX)
	if err != nil || fuzz != 255 {
		t.Errorf("fuzz %d, %v; want 255", fuzz, err)
	}
	steer := func(to uint16) int32 {
		w.SetInput(pidwheel.Input{Steer: to})
		time.Sleep(20 * time.Millisecond)
		got, err := uinput.Value(fd, uinput.AbsX)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	steer(0x8000)
	if got := steer(0x8000 + 100); got != 0x8000 {
		t.Errorf("100 counts of movement change the axis by %d, want 0", got-0x8000)
	}
	if err := uinput.SetFuzz(fd, uinput.AbsX, 0); err != nil {
		t.Fatal(err)
	}
	if got := steer(0x8000 + 101); got != 0x8000+101 {
		t.Errorf("without fuzz 101 counts change it by %d", got-0x8000)
	}
}

// The input node exists before its driver has read the wheel's capabilities. Until then its event types contain no
// force feedback (EV_FF, bit 21).
func TestDirectDriveNodeAppearsBeforeItsForceFeedback(t *testing.T) {
	inGuest(t)
	const slow = 200 * time.Millisecond
	w, err := pidwheel.New(pidwheel.Options{AnswerTime: slow})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Unplug)
	node, err := w.Node()
	if err != nil {
		t.Fatal(err)
	}
	seen := mono.Now()
	events := attribute(t, node, "capabilities/ev")
	fd := openNode(t, node)
	opened := mono.Now() - seen
	e := uinput.Constant(1, 0)
	first := uinput.Upload(fd, &e)
	eventually(t, "an upload", func() bool { return first == nil || uinput.Upload(fd, &e) == nil })
	t.Logf("figure: direct drive that answers in %v: with the node events %s, %s later; open takes %v, the first upload gives %v, the first that succeeds ends %v after the node",
		slow, events, attribute(t, node, "capabilities/ev"), opened, first, mono.Now()-seen)
	if virtualTime() && (events != "1b" || !errors.Is(first, unix.ENOSYS)) {
		t.Errorf("events %s and %v at first, want 1b and ENOSYS", events, first)
	}
}

func TestDirectDriveForces(t *testing.T) {
	inGuest(t)
	w, _, fd := direct(t, pidwheel.Options{})
	right := pidwheel.Motion{Position: 0.5, Speed: 0.5, Acceleration: 0.5}
	tests := []struct {
		name   string
		effect uinput.Effect
		rim    pidwheel.Motion
		after  time.Duration // since the start
		want   float64
	}{
		{"constant to the left", uinput.Constant(0x4000, 0), pidwheel.Motion{}, time.Minute, 0.5},
		{"constant to the right", uinput.Constant(-0x4000, 0), pidwheel.Motion{}, time.Minute, -0.5},
		{"spring", uinput.Condition(uinput.FFSpring, 0x4000, 0), right, 0, 0.25},
		{"damper", uinput.Condition(uinput.FFDamper, 0x4000, 0), right, 0, 0.25},
		{"inertia", uinput.Condition(uinput.FFInertia, 0x4000, 0), right, 0, 0.25},
		{"friction", uinput.Condition(uinput.FFFriction, 0x4000, 0), right, 0, 0.5},
		{"sine at a quarter of its period", uinput.Sine(0x4000, 40, 0), pidwheel.Motion{}, 10 * time.Millisecond, 0.5},
		{"ramp half way", uinput.RampFrom(0, 0x4000, 100), pidwheel.Motion{}, 50 * time.Millisecond, 0.25},
		{"constant after its length", uinput.Constant(0x4000, 100), pidwheel.Motion{}, 101 * time.Millisecond, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := test.effect
			upload(t, fd, &e)
			play(t, fd, e)
			started := waitReport(t, w, pidwheel.Start).At
			if got := w.Force(started+test.after, test.rim); math.Abs(got-test.want) > 0.001 {
				t.Errorf("force %.4f, want %.4f", got, test.want)
			}
			if err := uinput.Erase(fd, e.ID); err != nil {
				t.Fatal(err)
			}
			waitReport(t, w, pidwheel.Free)
			if n := w.Effects(); n != 0 {
				t.Errorf("%d slots taken after the erase, want none", n)
			}
		})
	}
}

// waitReport waits for a report of this kind.
func waitReport(t *testing.T, w *pidwheel.Wheel, kind pidwheel.Kind) pidwheel.Report {
	t.Helper()
	var found pidwheel.Report
	eventually(t, "a report of the kind", func() bool {
		for _, r := range w.Reports() {
			if r.Kind == kind {
				found = r
				return true
			}
		}
		return false
	})
	return found
}

func TestDirectDriveGainScalesTheForce(t *testing.T) {
	inGuest(t)
	w, _, fd := direct(t, pidwheel.Options{})
	e := uinput.Constant(0x7fff, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	waitReport(t, w, pidwheel.Start)
	if err := uinput.Write(fd, uinput.Event{Type: uinput.EvFF, Code: uinput.FFGain, Value: 0x8000}); err != nil {
		t.Fatal(err)
	}
	waitReport(t, w, pidwheel.SetGain)
	if got := w.Force(mono.Now(), pidwheel.Motion{}); math.Abs(got-0.5) > 0.01 {
		t.Errorf("force %.3f at half gain, want 0.5", got)
	}
}

func TestDirectDriveAcceptsUploadsAtOneKilohertz(t *testing.T) {
	inGuest(t)
	if !virtualTime() {
		t.Skip("needs virtual time: vmexec -icount")
	}
	w, _, fd := direct(t, pidwheel.Options{})
	realTime(t)
	e := uinput.Constant(1, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	time.Sleep(20 * time.Millisecond)
	w.Reports()
	const uploads = 500
	sent := make([]time.Duration, uploads)
	took := make([]time.Duration, uploads)
	start := mono.Now() + time.Millisecond
	for i := range uploads {
		mono.SleepUntil(start + time.Duration(i)*1100*time.Microsecond) // against every phase of the interval
		e.SetLevel(int16(i+1) * 60)
		sent[i] = mono.Now()
		upload(t, fd, &e)
		took[i] = mono.Now() - sent[i]
	}
	time.Sleep(20 * time.Millisecond)
	age := ages(w.Reports(), sent)
	if len(age) != uploads {
		t.Fatalf("%d levels arrived, want %d", len(age), uploads)
	}
	slices.Sort(age)
	slices.Sort(took)
	const nearlyAll = uploads * 99 / 100 // the emulated wheel shares the only processor with the kernel's housekeeping
	t.Logf("figure: direct drive: upload takes p50 %v, max %v; force arrives after p50 %v, p99 %v, max %v",
		took[uploads/2], took[uploads-1], age[uploads/2], age[nearlyAll], age[uploads-1])
	if age[nearlyAll] > 2*pidwheel.DefaultInterval+time.Millisecond {
		t.Errorf("one force in a hundred was %v old, or more", age[nearlyAll])
	}
}

// ages returns how long each level took to reach the wheel. The n-th upload has the level 60*n.
func ages(reports []pidwheel.Report, sent []time.Duration) []time.Duration {
	var age []time.Duration
	for _, r := range reports {
		if r.Kind == pidwheel.SetConstant && len(age) < len(sent) {
			age = append(age, r.At-sent[len(age)])
		}
	}
	return age
}

func TestDirectDriveGoesLimpAtTheEndOfAnEffect(t *testing.T) {
	inGuest(t)
	w, _, fd := direct(t, pidwheel.Options{})
	e := uinput.Constant(0x4000, 100)
	upload(t, fd, &e)
	play(t, fd, e)
	started := waitReport(t, w, pidwheel.Start).At
	time.Sleep(150 * time.Millisecond)
	if r := w.Reports(); len(r) != 0 {
		t.Errorf("the kernel sent %+v, want nothing: the wheel keeps the time", r)
	}
	if force := w.Force(started+99*time.Millisecond, pidwheel.Motion{}); math.Abs(force-0.5) > 0.001 {
		t.Errorf("force %.3f before its end, want 0.5", force)
	}
	if force := w.Force(mono.Now(), pidwheel.Motion{}); force != 0 {
		t.Errorf("force %.3f after its end, want 0", force)
	}
}

func TestDirectDriveGoesLimpWhenTheProgramEnds(t *testing.T) {
	inGuest(t)
	w, node, _ := direct(t, pidwheel.Options{})
	fd, err := unix.Open(node, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	e := uinput.Constant(0x4000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	waitReport(t, w, pidwheel.Start)
	closed := mono.Now()
	unix.Close(fd)
	freed := waitReport(t, w, pidwheel.Free).At
	t.Logf("figure: direct drive: limp %v after close", freed-closed)
	if force, n := w.Force(freed, pidwheel.Motion{}), w.Effects(); force != 0 || n != 0 {
		t.Errorf("force %.3f and %d effects after close, want none", force, n)
	}
}

func TestDirectDriveReportsThatAllSlotsAreInUse(t *testing.T) {
	inGuest(t)
	const slots = 4
	w, _, fd := direct(t, pidwheel.Options{Slots: slots})
	for range slots {
		e := uinput.Constant(1, 0)
		upload(t, fd, &e)
	}
	e := uinput.Constant(1, 0)
	if err := uinput.Upload(fd, &e); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("the upload after the last slot gives %v, want ENOSPC", err)
	}
	if n := w.Effects(); n != slots {
		t.Errorf("%d slots taken, want %d of %d", n, slots, hiddesc.PIDSlots)
	}
}

func TestSlowDirectDrive(t *testing.T) {
	inGuest(t)
	const slow = 20 * time.Millisecond
	w, _, fd := direct(t, pidwheel.Options{AnswerTime: slow, Interval: slow})
	e := uinput.Constant(0x1000, 0)
	start := mono.Now()
	upload(t, fd, &e)
	created := mono.Now() - start
	play(t, fd, e)
	time.Sleep(200 * time.Millisecond)
	w.Reports()
	const uploads = 10
	start = mono.Now()
	for i := range int16(uploads) {
		e.SetLevel(0x1000 + i + 1)
		upload(t, fd, &e)
	}
	changed := (mono.Now() - start) / uploads
	time.Sleep((uploads + 4) * slow)
	reports := w.Reports()
	if len(reports) == 0 {
		t.Fatal("no report")
	}
	t.Logf("figure: slow direct drive: first upload takes %v, later ones %v; %d uploads at once give %d reports, the last after %v",
		created, changed, uploads, len(reports), reports[len(reports)-1].At-start)
	if created < slow {
		t.Errorf("the first upload took %v, want %v or more", created, slow)
	}
}
