package rig

import (
	"context"
	"os"
	"syscall"
	"time"
)

// A child that hangs delays the end of a drive by no more than both of these. All children end at the same time.
const (
	killAfter = 700 * time.Millisecond // from SIGTERM to SIGKILL: a driver may hang, the process may be stopped
	pipeWait  = 200 * time.Millisecond // from the end of a child to that of what it started, which may keep its stderr open
)

// endWith ends a child when ctx ends, by signals that it sends with signal. stop ends that, once the child has ended.
func endWith(ctx context.Context, signal func(os.Signal) error) (stop func()) {
	ended := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		_ = signal(syscall.SIGTERM) // an error: it has ended
		select {
		case <-ended:
		case <-time.After(killAfter):
			_ = signal(syscall.SIGKILL)
		}
	})
	return func() { cancel(); close(ended) }
}
