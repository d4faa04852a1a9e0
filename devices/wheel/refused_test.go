package wheel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// onAWheel makes s the device of a wheel that turns, with a clock of its own: each wait takes
// a millisecond, and step is called after it with the time [ms].
func onAWheel(t *testing.T, s *session, f *fakeForce, step func(w *Wheel, in *fakeInput, at int)) *Wheel {
	t.Helper()
	w := New(DefaultConfig(), calib.Store{Dir: t.TempDir()}, quiet())
	t.Cleanup(func() { w.Close() })
	in := &fakeInput{reported: true, abs: map[uint16]int32{evdev.AbsX: 32768}}
	s.input, s.axis, s.waker = in, evdev.AbsX, w.waker
	s.profile = calib.WheelProfile{Left: 0, Right: 65535, Center: 32768, RangeDeg: 900}
	s.torque, s.updatesSent, s.effectsEnabled, s.requestedVibration = &w.torque, &w.updatesSent, &w.effectsEnabled, &w.vibration
	s.driver.updatePeriod, s.limits.slew = 1, 1e15 // the writer never holds: that takes real time
	now := time.Duration(0)
	s.clock = func() time.Duration { now += time.Microsecond; return now }
	w.now = func() time.Duration { return now }
	w.rated.Store(s.limits.rated)
	w.current.Store(s)
	at := 0
	f.onWait = func() {
		at++
		now = time.Duration(at) * ms
		step(w, in, at)
	}
	return w
}

// A driver that refuses a force costs the force and nothing else: the wheel steers on, says
// what the kernel said, and its torque fades in once forces are taken again.
func TestAForceThatIsRefusedLeavesTheSteering(t *testing.T) {
	for _, c := range []struct {
		fails string
		err   error
		says  []string
	}{
		{"upload", unix.EIO, []string{"input/output error", "power supply"}},
		{"upload", unix.ENOSPC, []string{"no space left on device", "close other programs"}},
		{"play 0", unix.EINVAL, []string{"invalid argument"}},
	} {
		f := newFakeForce()
		s := armed(t, "hid-pidff", f)
		s.driver.playEach = true
		var rated []float64
		w := onAWheel(t, s, f, func(w *Wheel, in *fakeInput, at int) {
			in.abs[evdev.AbsX] = int32(32768 + at)
			var got Sample
			w.Poll(&got)
			if want := s.profile.Angle(int32(32768 + at)); !got.Present || got.Angle != want {
				t.Errorf("%s: at %d ms the wheel is at %+v, want %g rad", c.fails, at, got, want)
			}
			rated = append(rated, w.Rated())
			w.Push(min(w.Rated(), 3+math.Sin(float64(at))))
			switch at {
			case 100:
				f.fails, f.err = c.fails, c.err
			case 150:
				for _, text := range append(c.says, "steering goes on") {
					if got := w.Status(); !strings.Contains(got.NoForce, text) || got.RatedNm != 0 {
						t.Errorf("%s: %q with %g N·m, want it to say %q", c.fails, got.NoForce, got.RatedNm, text)
					}
				}
			case 1000:
				f.fails = ""
			case 6000:
				s.stop.Store(true)
			}
		})
		s.updatesSent = &w.updatesSent
		go s.runWriter()
		<-s.ended
		if rated[98] != 4 || slices.Max(rated[102:2099]) != 0 {
			t.Errorf("%s: %g N·m before, up to %g within 2 s of the refusal, want 4 and 0", c.fails, rated[98], slices.Max(rated[102:2099]))
		}
		for i := 2099; i < len(rated); i++ {
			if rise := rated[i] - rated[i-1]; rise < 0 || rise > 4.0/1900 {
				t.Fatalf("%s: the torque rises by %g N·m at %d ms, want a fade of 2 s", c.fails, rise, i)
			}
		}
		if end := rated[len(rated)-1]; end != 4 || w.Status().NoForce != "" {
			t.Errorf("%s: %g N·m at the end, %q", c.fails, end, w.Status().NoForce)
		}
	}
}

// A driver that takes no force as the wheel is opened, such as one whose effects another
// program holds, is asked again less and less often. The wheel steers from the start.
func TestAForceThatIsRefusedAtFirstIsAskedForAgain(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	f.fails, f.err = "upload", unix.ENOSPC
	adds := s.effectTorque
	s.effectTorque = nil // Wheel.use brings it, and comes later
	if err := s.prepareForce(Config{Spring: 1}); err != nil {
		t.Fatalf("the wheel is given up: %v", err)
	}
	s.effectTorque = adds
	var tries []int
	w := onAWheel(t, s, f, func(w *Wheel, _ *fakeInput, at int) {
		if slices.Contains(f.calls, "gain 1") {
			tries = append(tries, at/1000)
		}
		f.calls = nil
		if w.Rated() != 0 {
			t.Errorf("%g N·m at %d ms", w.Rated(), at)
		}
		s.stop.Store(at == 200_000)
	})
	f.calls = nil
	if w.Rated() != 0 || w.Status().NoForce == "" {
		t.Errorf("%g N·m before the first try", w.Rated())
	}
	go s.runWriter()
	<-s.ended
	if want := []int{2, 6, 14, 30, 62, 126, 190}; !slices.Equal(tries, want) {
		t.Errorf("asked again at %v s, want %v", tries, want)
	}
}

// Only a device that was unplugged ends the wheel.
func TestAnUnpluggedDeviceEndsTheWheel(t *testing.T) {
	f := newFakeForce()
	s := armed(t, "hid-pidff", f)
	waits := 0
	onAWheel(t, s, f, func(w *Wheel, _ *fakeInput, _ int) {
		waits++
		w.Push(1)
		f.fails, f.err = "upload", evdev.ErrDisconnected
	})
	go s.runWriter()
	<-s.ended
	if waits > 1 {
		t.Errorf("the writer of an unplugged device waited %d times", waits)
	}
	if err := s.prepareForce(Config{}); err == nil {
		t.Error("an unplugged device was made ready")
	}
}

// Each error of the kernel says what it means of a wheel, and what helps. That others may hold
// its effects is said of full slots alone.
func TestEachRefusalHasItsRemedy(t *testing.T) {
	seen := map[string]unix.Errno{}
	for errno, says := range map[unix.Errno]string{
		unix.EIO: "cable", unix.ENOSPC: "close other programs", unix.EBUSY: "busy", unix.EINVAL: "update", unix.EPERM: "rig check",
		unix.EACCES: "another program", unix.ENOMEM: "memory", unix.ETIMEDOUT: "in time", unix.EPIPE: "USB", unix.ENOSYS: "update", unix.ERANGE: "dmesg",
	} {
		text := refusedText(fmt.Errorf("evdev: /dev/input/event5: upload force: %w", errno))
		if !strings.Contains(text, says) || !strings.Contains(text, errno.Error()) || !strings.HasSuffix(text, "rig tries again") {
			t.Errorf("%s: %q, want it to say %q", unix.ErrnoName(errno), text, says)
		}
		if others := strings.Contains(text, "program"); others && errno != unix.ENOSPC && errno != unix.EBUSY && errno != unix.EACCES {
			t.Errorf("%s: %q blames others", unix.ErrnoName(errno), text)
		}
		_, what, _ := strings.Cut(text, errno.Error())
		if other, twice := seen[what]; twice && !(errno == unix.ENOSYS || other == unix.ENOSYS) {
			t.Errorf("%s and %s say the same: %q", unix.ErrnoName(errno), unix.ErrnoName(other), what)
		}
		seen[what] = errno
	}
}

// A driver that does not even say how many effects it has is not one whose effects are taken.
func TestAFailedCountOfEffectsIsNoFullWheel(t *testing.T) {
	for _, err := range []error{unix.EIO, nil} {
		f := newFakeForce()
		s := armed(t, "hid-pidff", f)
		s.node = countless{f, err}
		text := refusedText(s.armForce())
		if strings.Contains(text, "room for 0") != (err == nil) || strings.Contains(text, "input/output error") != (err != nil) || strings.Contains(text, "close") {
			t.Errorf("%v: %q", err, text)
		}
	}
}

// countless is a device that does not report how many effects it can hold.
type countless struct {
	*fakeForce
	err error
}

func (c countless) Effects() (int, error) { return 0, c.err }
