package rig

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"rig/internal/rt"
)

// view keeps the display, a child process, alive: should it die the car drives
// on and the display starts again, a few times at most.
type view struct {
	command  func() *exec.Cmd
	log      *slog.Logger
	wait     time.Duration // before it is started again
	closed   func() bool   // the driver closed the window
	pid      atomic.Int64
	restarts atomic.Int64
}

const (
	maxRestarts     = 5
	restartWait     = 500 * time.Millisecond
	displayPatience = 2 * time.Second
	stableDisplay   = time.Minute // a display that lived so long has earned its restarts anew
)

// displayCommand runs this very program as the display, which inherits the files.
func displayCommand(files []*os.File, args []string) (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("rig: own program: %w", err)
	}
	return func() *exec.Cmd {
		cmd := exec.Command(self, args...)
		cmd.Stderr, cmd.ExtraFiles = os.Stderr, files
		// it must not outlive the rig, nor take the terminal's Ctrl-C before it
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
		return cmd
	}, nil
}

// run returns when the window was closed, ctx ended, or the display died too
// often.
func (v *view) run(ctx context.Context) {
	// Pdeathsig means the death of the thread that started the child, so the
	// thread is this goroutine's and ends with it.
	runtime.LockOSThread()
	rt.Ordinary()
	for failures := 0; failures <= maxRestarts; failures++ {
		started := time.Now()
		err := v.once(ctx)
		if ctx.Err() != nil || err == nil && v.closed() {
			return
		}
		if time.Since(started) > stableDisplay {
			failures = 0
		}
		if failures < maxRestarts {
			v.log.Warn("display died; the car drives on, starting it again", "err", err)
			v.restarts.Add(1)
			time.Sleep(v.wait)
		}
	}
	v.log.Error("display died too often; driving without it", "restarts", maxRestarts)
}

// once runs one child to its end; killing it when ctx ends is no failure.
func (v *view) once(ctx context.Context) error {
	cmd := v.command()
	if err := cmd.Start(); err != nil {
		return err
	}
	v.pid.Store(int64(cmd.Process.Pid))
	defer context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) })()
	defer context.AfterFunc(ctx, func() { // a graphics driver may hang
		time.Sleep(displayPatience)
		cmd.Process.Kill()
	})()
	return cmd.Wait()
}
