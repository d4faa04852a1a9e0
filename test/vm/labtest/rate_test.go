package labtest

import (
	"os"
	"slices"
	"testing"
	"time"

	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/mono"
	"rig.example/rig/test/vm/uinput"
)

const jiffy = 4 * time.Millisecond // time between ticks of Debian's kernels (HZ=250); ticks are at its multiples

// sender is a real-time thread that updates a constant force of a G29.
type sender struct {
	t      *testing.T
	wheel  *g29.Wheel
	fd     int
	effect uinput.Effect
}

func newSender(t *testing.T) *sender {
	t.Helper()
	inGuest(t)
	if !virtualTime() {
		t.Skip("needs virtual time: vmexec -icount")
	}
	w, _, fd := plug(t, g29.Options{})
	realTime(t)
	s := &sender{t, w, fd, uinput.Constant(0x1000, 0)}
	upload(t, fd, &s.effect)
	play(t, fd, s.effect)
	return s
}

// stream uploads n forces, one in each period, the first one phase after a tick of the kernel. If playEach is set it also
// plays each. It returns the time at which each force byte was uploaded, and the reports that reached the wheel. n is
// at most the number of force bytes, 0x7e.
func (s *sender) stream(n int, period, phase time.Duration, playEach bool) (map[byte]time.Duration, []g29.Report) {
	s.t.Helper()
	time.Sleep(20 * time.Millisecond) // queued reports are sent
	s.wheel.Reports()
	sent := map[byte]time.Duration{}
	start := (mono.Now()/jiffy+2)*jiffy + phase
	for i := range n {
		mono.SleepUntil(start + time.Duration(i)*period)
		b := byte(0x81 + i%0x7e)
		s.effect.SetLevel((int16(b) - g29.NoForce) << 8)
		sent[b] = mono.Now()
		upload(s.t, s.fd, &s.effect)
		if playEach {
			play(s.t, s.fd, s.effect)
		}
	}
	time.Sleep(20 * time.Millisecond)
	return sent, s.wheel.Reports()
}

// phases returns delays after a tick at which a writer with 1 kHz may send. The first is 0.
func phases() (list []time.Duration) {
	for phase := time.Duration(0); phase < time.Millisecond; phase += 80 * time.Microsecond {
		list = append(list, phase)
	}
	return list
}

// An upload without a play is sent by a timer of the driver (drivers/input/ff-memless.c), one report per jiffy. Each
// upload restarts the timer. On PREEMPT_RT a thread with low priority runs the timer: a real-time writer that is
// synchronous with the tick uploads before that thread in every jiffy, and the wheel gets no force all the time. This
// is why rig plays each force.
func TestG29GetsUploadsWithoutPlayEveryFourMilliseconds(t *testing.T) {
	s := newSender(t)
	const uploads, starvedMost = 100, 2 // phases close to the tick
	starved := 0
	for _, phase := range phases() {
		_, reports := s.stream(uploads, time.Millisecond, phase, false)
		n := len(reports)
		switch {
		case n > uploads/4+2 || n < uploads/4-2 && os.Getenv("RIG_VM_KERNEL") != "rt":
			t.Errorf("%v after the tick: %d reports, want about %d", phase, n, uploads/4)
		case n < uploads/4-2:
			starved++
			t.Logf("figure: %v after the tick, %d uploads at 1 kHz gave %d reports", phase, uploads, n)
		}
	}
	if starved > starvedMost {
		t.Errorf("forces wait for their timer at %d of %d phases, want %d at most", starved, len(phases()), starvedMost)
	}
}

// A play sends the force immediately at any phase, also synchronous with the tick.
func TestG29GetsAPlayedUploadImmediately(t *testing.T) {
	s := newSender(t)
	const most = 2*g29.Interval + time.Millisecond // a report of the driver's timer may be ahead in the queue
	var all []time.Duration
	check := func(n int, period, phase time.Duration) {
		sent, reports := s.stream(n, period, phase, true)
		ages := agesOf(sent, reports)
		if len(ages) < len(sent)*9/10 {
			t.Fatalf("%v after the tick: %d of %d forces arrived", phase, len(ages), len(sent))
		}
		all = append(all, ages...)
	}
	for _, phase := range phases() {
		check(10, jiffy, phase)
	}
	check(0x7e, jiffy+100*time.Microsecond, 0) // each force byte once, against every phase of the 2 and 4 ms grids
	slices.Sort(all)
	t.Logf("figure: age of a force at the wheel: min %v, p50 %v, max %v", all[0], all[len(all)/2], all[len(all)-1])
	if worst := all[len(all)-1]; worst > most {
		t.Errorf("a force was %v old, want %v at most", worst, most)
	}
}

// agesOf returns the time from the upload of each force until the wheel first received it.
func agesOf(sent map[byte]time.Duration, reports []g29.Report) (ages []time.Duration) {
	first := map[byte]time.Duration{}
	for _, r := range reports {
		if _, known := first[r.Force]; !known && r.Kind == g29.ConstantForce {
			first[r.Force] = r.At
		}
	}
	for b, at := range sent {
		if arrived, ok := first[b]; ok {
			ages = append(ages, arrived-at)
		}
	}
	return ages
}
