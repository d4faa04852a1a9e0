package rig

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"rig.example/rig/test/level"
)

// A child has some tenths of a second to end, and no signal comes once it has ended. What it started and left behind may
// have the rest of a second.
func TestAChildThatHangsIsKilled(t *testing.T) {
	for _, tt := range []struct {
		name  string
		hangs bool
		want  []string
	}{
		{"hangs", true, []string{"terminated at 0s", "killed at 700ms"}},
		{"ends", false, []string{"terminated at 0s"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var got []string
			began := time.Now()
			stop := endWith(ctx, func(s os.Signal) error {
				got = append(got, fmt.Sprintf("%v at %v", s, time.Since(began)))
				return nil
			})
			cancel()
			synctest.Wait()
			if tt.hangs {
				time.Sleep(time.Second)
			}
			stop()
			time.Sleep(time.Second)
			synctest.Wait()
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		})
	}
	if killAfter+pipeWait > time.Second {
		t.Errorf("a child that hangs delays the end by %v", killAfter+pipeWait)
	}
}

// Neither a child that ignores SIGTERM nor one that is stopped keeps a drive from ending, whatever holds its stderr.
func TestNoChildKeepsADriveFromEnding(t *testing.T) {
	level.SkipIfQuick(t)
	for name, script := range map[string]string{
		"ignores SIGTERM": `trap "" TERM; sleep 3600 & while :; do sleep 3600; done`,
		"is stopped":      `kill -STOP $$; while :; do sleep 3600; done`,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		v := &displayChild{log: slog.New(slog.DiscardHandler), interval: time.Millisecond, pictures: func() uint64 { return 1 }, moving: func() bool { return true },
			command: func() *exec.Cmd {
				cmd := exec.Command("sh", "-c", script)
				cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
				return cmd
			}}
		ended := make(chan error, 1)
		go func() { ended <- v.runOnce(ctx) }()
		for v.pid.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-ended; err == nil {
			t.Errorf("%s: it was not killed", name)
		}
		_ = syscall.Kill(-int(v.pid.Load()), syscall.SIGKILL) // what it started
	}
}
