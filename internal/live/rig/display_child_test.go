package rig

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
)

// screen is a display for tests: each child shows a number of pictures as it starts.
type screen struct {
	started, shown, looked atomic.Int64
	pictures               func(start int64) int64
	overload               string
	child                  func() *exec.Cmd
	moves                  func(s *screen) bool
}

func (s *screen) view() *displayChild {
	return &displayChild{
		log: slog.New(slog.DiscardHandler), interval: time.Millisecond, done: make(chan struct{}),
		pictures: func() uint64 { return uint64(s.shown.Load()) },
		closed:   func() bool { return false },
		moving:   func() bool { s.looked.Add(1); return s.moves != nil && s.moves(s) },
		overload: func() string { return s.overload },
		command: func() *exec.Cmd {
			s.shown.Add(s.pictures(s.started.Add(1)))
			return s.child()
		},
	}
}

func always(n int64) func(int64) int64 { return func(int64) int64 { return n } }

func dies() *exec.Cmd { return exec.Command("false") }

// What cannot be shown is known before the drive: nothing is tried again.
func TestAWindowWithoutAFirstPictureIsAnError(t *testing.T) {
	for _, child := range []string{"false", "true", "/there is no such program"} {
		s := &screen{pictures: always(0), child: func() *exec.Cmd { return exec.Command(child) }}
		v := s.view()
		go v.run(t.Context())
		if err := v.waitFirstPicture(func() bool { return false }); !errors.Is(err, errNoPicture) || s.started.Load() != 1 {
			t.Errorf("%s: %v after %d starts", child, err, s.started.Load())
		}
	}
}

// A display that hangs before its first picture is ended, and that is an error as well.
func TestAWindowThatHangsBeforeItsFirstPictureIsAnError(t *testing.T) {
	s := &screen{pictures: always(0), child: func() *exec.Cmd { return exec.Command("sleep", "3600") }}
	v := s.view()
	go v.run(t.Context())
	if err := v.waitFirstPicture(func() bool { return false }); !errors.Is(err, errNoPicture) {
		t.Errorf("got %v", err)
	}
}

// A display that is killed because it shows nothing says so, and that the machine is overloaded if it is.
func TestAHungWindowSaysWhyItWasKilled(t *testing.T) {
	level.SkipIfQuick(t)
	for overload, want := range map[string]string{
		"": "no new picture within 300ms: it hangs; to drive without a window give --headless",
		"the machine is overloaded: load 50 on 2 processors": "no new picture within 300ms: the machine is overloaded: load 50 on 2 processors; end other programs; to drive without a window give --headless",
	} {
		s := &screen{pictures: always(0), child: func() *exec.Cmd { return exec.Command("sleep", "3600") }, overload: overload}
		v := s.view()
		go v.run(t.Context())
		if err := v.waitFirstPicture(func() bool { return false }); err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "killed") {
			t.Errorf("%q: %v", overload, err)
		}
	}
}

// A drive that ends while its window is lost has failed, with the reason; one whose window is
// back, or was closed by the driver, has not.
func TestADriveThatEndsWithoutItsWindowHasFailed(t *testing.T) {
	gone := errors.New("X connection to :0 broken")
	for _, tt := range []struct {
		name         string
		silent, back int // ticks without a picture, and with one each
		keys         uint64
		fails        bool
	}{
		{"lost", 4000, 0, 0, true}, {"back", 4000, 10, 0, false}, {"there", 0, 10, 0, false}, {"closed", 4000, 0, frame.KeyClose, false},
	} {
		r := withPage(t, demo(t))
		hold(t, r, 0, 3000)
		r.page.SetKeys(tt.keys)
		for range tt.silent {
			r.Tick()
		}
		for range tt.back {
			hold(t, r, 0, 1)
		}
		err := (&displayChild{lastErr: gone}).lostError(r)
		if errors.Is(err, gone) != tt.fails || err != nil != tt.fails {
			t.Errorf("%s: %v in %v", tt.name, err, r.drive.State.Guard.State())
		}
	}
	if err := (*displayChild)(nil).lostError(nil); err != nil {
		t.Errorf("without a window: %v", err)
	}
}

// The drive ends without waiting for the window.
func TestAReleaseEndsTheWaitForAWindow(t *testing.T) {
	v := (&screen{}).view()
	if err := v.waitFirstPicture(func() bool { return true }); err != nil {
		t.Error(err)
	}
}

// A display that dies in a drive is started once; if that shows nothing, only a rig that is
// released gets another one, again and again.
func TestALostWindowIsStartedOnceWhileTheRigMoves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &screen{child: dies}
	s.pictures = func(start int64) int64 {
		if start == 1 || start == 5 {
			return 10
		}
		return 0
	}
	var atRelease int64
	s.moves = func(s *screen) bool { // it moves for 20 looks
		if s.looked.Load() == 20 {
			atRelease = s.started.Load()
		}
		return s.looked.Load() < 20
	}
	v := s.view()
	done := make(chan struct{})
	go func() { v.run(ctx); close(done) }()
	for s.started.Load() < 7 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	if atRelease != 2 {
		t.Errorf("started %d times until the rig was released, want 2", atRelease)
	}
}

// What dies again and again, though it shows something each time, does so five times.
func TestADisplayIsStartedAgainAFewTimesInADrive(t *testing.T) {
	var r restartPolicy
	for i := range 8 {
		if atOnce, _ := r.afterExit(true, time.Second); atOnce != (i < maxRestarts) {
			t.Errorf("death %d in a minute: at once %v", i+1, atOnce)
		}
	}
	if atOnce, _ := r.afterExit(true, 2*stableAfter); !atOnce {
		t.Error("not at once after a long life")
	}
	last := 0
	for range 20 {
		atOnce, looks := r.afterExit(false, time.Second)
		if atOnce || looks < last || looks > 64 {
			t.Errorf("at once %v, %d looks after %d", atOnce, looks, last)
		}
		last = looks
	}
}

// A display that hangs is left alone while the rig moves, and is replaced once it is released.
func TestAHangingDisplayIsReplacedOnceTheRigIsReleased(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &screen{pictures: always(1), child: func() *exec.Cmd { return exec.Command("sleep", "3600") }}
	var whileMoving atomic.Int64
	s.moves = func(s *screen) bool {
		if n := s.looked.Load(); n > 50 {
			return false
		}
		whileMoving.Store(s.started.Load())
		return true
	}
	v := s.view()
	s.shown.Add(1)
	done := make(chan struct{})
	go func() { v.run(ctx); close(done) }()
	for s.started.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	if whileMoving.Load() != 1 {
		t.Errorf("%d displays while the rig moved", whileMoving.Load())
	}
}

func TestClosedDisplayStaysClosed(t *testing.T) {
	s := &screen{pictures: always(1), child: func() *exec.Cmd { return exec.Command("true") }}
	v := s.view()
	v.closed = func() bool { return true }
	v.run(context.Background())
	if s.started.Load() != 1 || v.err != nil {
		t.Errorf("started %d times, %v", s.started.Load(), v.err)
	}
}

// A display that is told to end though nobody closed the window is started again.
func TestTerminatedDisplayIsStartedAgain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &screen{pictures: always(1), child: func() *exec.Cmd { return exec.Command("true") }}
	v := s.view()
	go func() {
		for s.started.Load() < 3 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	v.run(ctx) // or it returns before, and the test hangs
	if n := v.restarts.Load(); n < 2 {
		t.Errorf("restarted %d times", n)
	}
}

func TestDeafDisplayIsKilledAtTheEnd(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel() // it waits most of its time
	ctx, cancel := context.WithCancel(context.Background())
	deaf := filepath.Join(t.TempDir(), "deaf") // is there once it has set its trap
	s := &screen{pictures: always(1), moves: func(*screen) bool { return true }, child: func() *exec.Cmd {
		return exec.Command("sh", "-c", "trap '' TERM; : >"+deaf+"; while :; do sleep 0.1; done")
	}}
	v := s.view()
	go v.run(ctx)
	for _, err := os.Stat(deaf); err != nil; _, err = os.Stat(deaf) {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-v.done // or it hangs
}

func TestDisplayEndsWithTheRig(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &screen{pictures: always(1), moves: func(*screen) bool { return true }, child: func() *exec.Cmd { return exec.Command("sleep", "3600") }}
	v := s.view()
	go v.run(ctx)
	for v.pid.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-v.done // or the display outlives the rig
}
