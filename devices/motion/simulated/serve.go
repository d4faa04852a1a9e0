package simulated

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// Serve runs a simulated controller on a line in real time until ctx ends or the line fails.
// It closes line.
func Serve(ctx context.Context, sim Controller, line io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &lockedWriter{w: line}
	failed := make(chan error, 2)
	go func() { failed <- handleInput(ctx, sim, line, out) }()
	go func() { failed <- advanceWithClock(ctx, sim, out) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	line.Close()
	if err == nil || ctx.Err() != nil || errors.Is(err, os.ErrClosed) || errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("motion: simulated controller: %w", err)
}

// handleInput passes what comes in to the controller and writes its answers.
func handleInput(ctx context.Context, sim Controller, in io.Reader, out io.Writer) error {
	const pollInterval = 5 * time.Millisecond
	buf := make([]byte, 256)
	for ctx.Err() == nil {
		if sim.Stalled() {
			sleep(ctx, pollInterval)
			continue
		}
		n, err := in.Read(buf)
		if errors.Is(err, syscall.EIO) { // a pseudo-terminal that no host has open
			sleep(ctx, pollInterval)
			continue
		}
		if err != nil {
			return err
		}
		if _, err := out.Write(sim.Handle(buf[:n])); err != nil {
			return err
		}
	}
	return nil
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// advanceWithClock advances the controller by the clock and writes what it sends by itself.
func advanceWithClock(ctx context.Context, sim Controller, out io.Writer) error {
	const maxStep = 100 * time.Millisecond // so that the controller does not jump after the machine was suspended
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			sent := sim.Advance(min(now.Sub(last), maxStep))
			last = now
			if _, err := out.Write(sent); err != nil {
				return err
			}
		}
	}
}

// lockedWriter keeps the frames of two goroutines apart, and does not call Write without bytes.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}
