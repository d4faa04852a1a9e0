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

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/live/machine"
)

// displayChild keeps the display, a child process, running. If it ends, it is restarted: up to maxRestarts
// times at once while the rig moves, after that only while the rig does not move. If it ends before its
// first picture it is not restarted, because no drive has begun.
type displayChild struct {
	command  func() *exec.Cmd // creates the command of the child process
	log      *slog.Logger
	interval time.Duration // time between two checks of the display, and shortest time before a restart
	pictures func() uint64 // returns the number of pictures shown so far
	closed   func() bool   // reports whether the driver closed the window
	moving   func() bool   // reports whether torque or motion may flow
	overload func() string // says that the machine is overloaded, or ""

	pid      atomic.Int64  // process ID of the latest child
	restarts atomic.Int64  // number of restarts so far
	done     chan struct{} // closed when the display will not be restarted any more
	err      error         // why there was no first picture; read it after done is closed
	lastErr  error         // why the latest child ended, nil if none did; read it after done is closed
}

const (
	checkInterval = 100 * time.Millisecond // between two checks of the display
	stableAfter   = time.Minute            // a display that ran for this time has all of its restarts again

	maxRestarts           = 5   // restarts at once while the rig moves, without stableAfter in between
	maxUnchangedChecks    = 20  // checks without a new picture after which the display counts as hung
	maxFirstPictureChecks = 300 // the same limit before its first picture
)

// displayCommand returns a function that makes a command to run this program as the display, which
// inherits the files.
func displayCommand(files []*os.File, args []string) (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("rig: own program: %w", err)
	}
	return func() *exec.Cmd {
		cmd := exec.Command(self, args...)
		cmd.ExtraFiles = files
		// It must not outlive the rig, and must not receive the terminal's Ctrl-C.
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
		return cmd
	}, nil
}

// newDisplayChild returns a displayChild for a command that shows page p.
func newDisplayChild(command func() *exec.Cmd, p *framepage.Page, log *slog.Logger) *displayChild {
	return &displayChild{
		command: command, log: log, interval: checkInterval, overload: func() string { return machine.Overload("/") }, done: make(chan struct{}),
		pictures: func() uint64 { _, n := p.Keys(); return n },
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

// run runs the display until the window is closed, ctx ends, or the display ends before its first
// picture.
func (v *displayChild) run(ctx context.Context) {
	defer close(v.done)
	// Pdeathsig is sent when the thread that started the child ends. The goroutine therefore owns its
	// thread, which ends with it.
	runtime.LockOSThread()
	rt.DropPriority()
	for policy := (restartPolicy{}); ; {
		before, started := v.pictures(), time.Now()
		err := v.runOnce(ctx)
		if ctx.Err() != nil || err == nil && v.closed() {
			return
		}
		if err == nil {
			err = errors.New("it ended by itself")
		}
		showedPicture, sameError := v.pictures() != before, v.lastErr != nil && v.lastErr.Error() == err.Error()
		v.lastErr = err
		if !showedPicture && before == 0 {
			v.err = fmt.Errorf("%w: %w; to drive without a window give --headless", errNoPicture, err)
			return
		}
		atOnce, checks := policy.afterExit(showedPicture, time.Since(started))
		switch {
		case showedPicture:
			v.log.Warn("the display ended; it is started again", "error", err)
		case !sameError:
			v.log.Warn("the display cannot be started; rig keeps trying", "error", err)
		}
		if !v.waitRestart(ctx, v.interval*time.Duration(checks), atOnce) {
			return
		}
		v.restarts.Add(1)
	}
}

var errNoPicture = errors.New("the window failed before its first picture")

// lostError returns the error of a drive that lost its window and ended without it, or nil. v may be nil.
// Call it after the loop and run have ended.
func (v *displayChild) lostError(r *Rig) error {
	if v == nil || r.drive.State.Guard.LatchedCause() != guard.WindowLost || !r.drive.State.WindowLost() {
		return nil
	}
	reason := v.lastErr
	if reason == nil {
		reason = errors.New("it showed no picture")
	}
	return fmt.Errorf("the window was lost and did not come back: %w; to drive without a window give --headless", reason)
}

// restartPolicy decides when a display that ended is started again.
type restartPolicy struct {
	whileDriving int // restarts while driving
	failures     int // consecutive starts that showed no picture
}

// afterExit returns whether the display is restarted even while the rig moves, and after how many checks.
// showedPicture says whether it showed a picture, uptime how long it ran.
func (r *restartPolicy) afterExit(showedPicture bool, uptime time.Duration) (atOnce bool, waitChecks int) {
	if uptime > stableAfter {
		r.whileDriving = 0
	}
	if !showedPicture {
		r.failures = min(r.failures+1, 6)
		return false, 1 << r.failures
	}
	r.failures = 0
	if r.whileDriving == maxRestarts {
		return false, 1
	}
	r.whileDriving++
	return true, 1
}

// waitRestart waits before a restart, also until the rig no longer moves unless atOnce is true. It
// reports false if ctx ended.
func (v *displayChild) waitRestart(ctx context.Context, wait time.Duration, atOnce bool) bool {
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

// runOnce runs one child to its end, and ends it when ctx ends. The error is the child's message.
func (v *displayChild) runOnce(ctx context.Context) error {
	cmd, output := v.command(), &childLog{name: "display", log: v.log}
	cmd.Stderr, cmd.WaitDelay = output, pipeWait
	if err := cmd.Start(); err != nil {
		return err
	}
	v.pid.Store(int64(cmd.Process.Pid))
	defer endWith(ctx, cmd.Process.Signal)()
	var watching sync.WaitGroup
	done := make(chan struct{})
	var hung error // why it was killed, nil if it was not
	watching.Go(func() { hung = v.killIfHung(done, cmd.Process) })
	err := cmd.Wait()
	close(done)
	watching.Wait()                        // because the page is closed after this
	if errors.Is(err, exec.ErrWaitDelay) { // the child itself ended without an error
		err = nil
	}
	reason := output.reason()
	switch {
	case hung != nil:
		return hung
	case err != nil && reason != "":
		return errors.New(reason)
	}
	return err
}

// killIfHung kills a display that shows no new pictures, but only while the rig is released, because it
// may recover by itself. It returns the reason, or nil if the display ended before.
func (v *displayChild) killIfHung(done <-chan struct{}, display *os.Process) error {
	last, unchanged, limit := v.pictures(), 0, maxFirstPictureChecks
	for unchanged <= limit || v.moving() {
		select {
		case <-done:
			return nil
		case <-time.After(v.interval):
		}
		unchanged++
		if now := v.pictures(); now != last {
			last, unchanged, limit = now, 0, maxUnchangedChecks
		}
	}
	v.log.Warn("the display does not respond; it is killed")
	display.Kill()
	text := fmt.Sprintf("no new picture within %v", time.Duration(limit)*v.interval)
	if overload := v.overload(); overload != "" {
		return fmt.Errorf("%s: %s; end other programs", text, overload)
	}
	return errors.New(text + ": it hangs")
}

// waitFirstPicture waits for the first picture or a release, and returns why there is no picture.
func (v *displayChild) waitFirstPicture(released func() bool) error {
	for v.pictures() == 0 && !released() {
		select {
		case <-v.done:
			return v.err
		case <-time.After(v.interval / 10):
		}
	}
	return nil
}
