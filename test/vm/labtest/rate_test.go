package labtest

import (
	"slices"
	"testing"
	"time"

	"rig/test/vm/g29"
	"rig/test/vm/mono"
	"rig/test/vm/uinput"
)

// stream sends n constant forces, one each period, and plays each if asked. It
// returns when each force byte was last sent, and the reports that came of it.
func stream(t *testing.T, n int, period time.Duration, playEach bool) (map[byte]time.Duration, []g29.Report) {
	t.Helper()
	w, _, fd := plug(t, g29.Options{})
	realTime(t)
	e := uinput.Constant(0x1000, 0)
	upload(t, fd, &e)
	play(t, fd, e)
	time.Sleep(20 * time.Millisecond)
	w.Reports()
	sent := map[byte]time.Duration{}
	start := mono.Now() + period
	for i := range n {
		mono.SleepUntil(start + time.Duration(i)*period)
		b := byte(0x81 + i%0x7e)
		e.SetLevel((int16(b) - g29.NoForce) << 8)
		sent[b] = mono.Now()
		upload(t, fd, &e)
		if playEach {
			play(t, fd, e)
		}
	}
	time.Sleep(20 * time.Millisecond)
	return sent, w.Reports()
}

func TestG29UploadsAloneGoOutEveryFourMilliseconds(t *testing.T) {
	inGuest(t)
	if !virtualTime() {
		t.Skip("needs virtual time: vmexec -icount")
	}
	const uploads = 500
	_, reports := stream(t, uploads, time.Millisecond, false)
	t.Logf("%d uploads at 1 kHz gave %d reports", uploads, len(reports))
	if len(reports) < uploads/4-10 || len(reports) > uploads/4+10 { // a timer of the driver, at HZ=250
		t.Errorf("%d reports, want about %d", len(reports), uploads/4)
	}
}

func TestG29UploadWithPlayGoesOutAtOnce(t *testing.T) {
	inGuest(t)
	if !virtualTime() {
		t.Skip("needs virtual time: vmexec -icount")
	}
	sent, reports := stream(t, 0x7e, 4100*time.Microsecond, true) // each force byte once, against every phase of the 2 and 4 ms grids
	first := map[byte]time.Duration{}
	for _, r := range reports {
		if _, known := first[r.Force]; !known && r.Kind == g29.ConstantForce {
			first[r.Force] = r.At
		}
	}
	var age []time.Duration
	for b, at := range sent {
		if arrived, ok := first[b]; ok {
			age = append(age, arrived-at)
		}
	}
	if len(age) < 0x7e*9/10 {
		t.Fatalf("%d of %d forces arrived", len(age), 0x7e)
	}
	slices.Sort(age)
	t.Logf("age of a force at the wheel: min %v, p50 %v, max %v", age[0], age[len(age)/2], age[len(age)-1])
	const most = 2*g29.Interval + time.Millisecond // a report of the driver's timer may be ahead in the queue
	if worst := age[len(age)-1]; worst > most {
		t.Errorf("a force was %v old, want %v at most", worst, most)
	}
}
