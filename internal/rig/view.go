package rig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/rt"
)

// view keeps the display, a child process, alive. One that dies is started again: once at
// once, so that a drive may go on, and then only while the rig is released. Before its first
// picture ever it is not, for then no drive has begun.
type view struct {
	command func() *exec.Cmd
	log     *slog.Logger
	look    time.Duration // between two looks at the display, and the least before it is started again
	beat    func() uint64 // pictures shown so far
	closed  func() bool   // the driver closed the window
	moving  func() bool   // torque or motion are under way

	pid      atomic.Int64
	restarts atomic.Int64
	ended    chan struct{} // closed when there will be no display any more
	err      error         // why there was no first picture; written before ended is closed
	died     error         // why the latest display ended, nil if none did; the same
}

const (
	lookAtDisplay   = 100 * time.Millisecond
	displayPatience = 2 * time.Second
	stableDisplay   = time.Minute // a display that lived so long has earned its restarts anew

	maxRestarts  = 5   // while driving, before it has lived for that long
	hangingLooks = 20  // without a picture more, and the display hangs
	firstLooks   = 300 // the same before its first picture
)

// displayCommand runs this very program as the display, which inherits the files.
func displayCommand(files []*os.File, args []string) (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("rig: own program: %w", err)
	}
	return func() *exec.Cmd {
		cmd := exec.Command(self, args...)
		cmd.ExtraFiles = files
		// it must not outlive the rig, nor take the terminal's Ctrl-C before it
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
		return cmd
	}, nil
}

// newView returns a view of the display that the command runs on page.
func newView(command func() *exec.Cmd, p *page.Page, log *slog.Logger) *view {
	return &view{
		command: command, log: log, look: lookAtDisplay, ended: make(chan struct{}),
		beat: func() uint64 { _, beat := p.Keys(); return beat },
		closed: func() bool {
			keys, _ := p.Keys()
			return keys&frame.KeyClose != 0
		},
		moving: func() bool {
			var f frame.Frame
			s := guard.Parked
			if p.Read(&f) {
				s = guard.State(f.State)
			}
			return s.Moves() || s == guard.Releasing
		},
	}
}

// run returns when the window was closed, ctx ended, or there was no first picture.
func (v *view) run(ctx context.Context) {
	defer close(v.ended)
	// Pdeathsig means the death of the thread that started the child, so the
	// thread is this goroutine's and ends with it.
	runtime.LockOSThread()
	rt.Ordinary()
	for again := (relaunch{}); ; {
		before, started := v.beat(), time.Now()
		err := v.once(ctx)
		if ctx.Err() != nil || err == nil && v.closed() {
			return
		}
		if err == nil {
			err = errors.New("it ended by itself")
		}
		showed, same := v.beat() != before, v.died != nil && v.died.Error() == err.Error()
		v.died = err
		if !showed && before == 0 {
			v.err = fmt.Errorf("%w: %w; to drive without a window give --headless", errNoPicture, err)
			return
		}
		atOnce, looks := again.after(showed, time.Since(started))
		switch {
		case showed:
			v.log.Warn("the display died; it is started again", "error", err, "while driving", atOnce)
		case !same:
			v.log.Warn("the display cannot be started; it is tried again and again", "error", err)
		}
		if !v.pause(ctx, v.look*time.Duration(looks), atOnce) {
			return
		}
		v.restarts.Add(1)
	}
}

var errNoPicture = errors.New("the window failed before its first picture")

// verdict is the error of a drive that lost its window and ended without it. v may be nil. No
// loop may run any more, nor the view.
func (v *view) verdict(r *Rig) error {
	if v == nil || r.drive.State.Guard.Waits() != guard.Blind || !r.drive.State.Blind() {
		return nil
	}
	why := v.died
	if why == nil {
		why = errors.New("it showed no picture")
	}
	return fmt.Errorf("the window was lost and did not come back: %w; to drive without a window give --headless", why)
}

// relaunch decides when a display that died is started again.
type relaunch struct {
	quick int // restarts while driving
	vain  int // starts since one last showed a picture
}

// after returns whether the display is started again though the rig moves, and after how many
// looks, of one that showed a picture or not, and lived for so long.
func (r *relaunch) after(showed bool, lived time.Duration) (atOnce bool, looks int) {
	if lived > stableDisplay {
		r.quick = 0
	}
	if !showed {
		r.vain = min(r.vain+1, 6)
		return false, 1 << r.vain
	}
	r.vain = 0
	if r.quick == maxRestarts {
		return false, 1
	}
	r.quick++
	return true, 1
}

// pause waits, and longer while the rig moves, unless the display may start at once all the
// same. It reports whether there is to be one more.
func (v *view) pause(ctx context.Context, wait time.Duration, atOnce bool) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(wait):
		}
		if atOnce || !v.moving() {
			return true
		}
	}
}

// once runs one child to its end; killing it when ctx ends is no failure. The error is what
// the child said.
func (v *view) once(ctx context.Context) error {
	cmd, words := v.command(), &lastWords{log: v.log}
	cmd.Stderr, cmd.WaitDelay = words, displayPatience // what it started may hold on to its stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	v.pid.Store(int64(cmd.Process.Pid))
	defer context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) })()
	defer context.AfterFunc(ctx, func() { // a graphics driver may hang
		time.Sleep(displayPatience)
		cmd.Process.Kill()
	})()
	var watching sync.WaitGroup
	done := make(chan struct{})
	watching.Go(func() { v.killHanging(done, cmd.Process) })
	err := cmd.Wait()
	close(done)
	watching.Wait()                        // or it would look at a page that is closed
	if errors.Is(err, exec.ErrWaitDelay) { // it has ended well all the same
		err = nil
	}
	if why := words.reason(); err != nil && why != "" {
		return errors.New(why)
	}
	return err
}

// killHanging ends a display that shows no picture any more, once the rig is released: until
// then it may come back by itself.
func (v *view) killHanging(done <-chan struct{}, display *os.Process) {
	last, still, most := v.beat(), 0, firstLooks
	for still <= most || v.moving() {
		select {
		case <-done:
			return
		case <-time.After(v.look):
		}
		still++
		if now := v.beat(); now != last {
			last, still, most = now, 0, hangingLooks
		}
	}
	v.log.Warn("the display hangs; it is ended")
	display.Kill()
}

// first waits for the first picture, and returns why there is none. It waits no longer than
// until a release is asked for.
func (v *view) first(released func() bool) error {
	for v.beat() == 0 && !released() {
		select {
		case <-v.ended:
			return v.err
		case <-time.After(v.look / 10):
		}
	}
	return nil
}
