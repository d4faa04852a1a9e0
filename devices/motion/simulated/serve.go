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

// Serve is a simulated controller on a line in real time, until ctx ends or the
// line fails. It closes line.
func Serve(ctx context.Context, sim Controller, line io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &lockedWriter{w: line}
	failed := make(chan error, 2)
	go func() { failed <- listen(ctx, sim, line, out) }()
	go func() { failed <- live(ctx, sim, out) }()
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

// listen answers what comes in.
func listen(ctx context.Context, sim Controller, in io.Reader, out io.Writer) error {
	const patience = 5 * time.Millisecond
	buf := make([]byte, 256)
	for ctx.Err() == nil {
		if sim.Stalled() {
			pause(ctx, patience)
			continue
		}
		n, err := in.Read(buf)
		if errors.Is(err, syscall.EIO) { // a pseudo-terminal that nobody has open
			pause(ctx, patience)
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

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// live lets the motors move with the clock.
func live(ctx context.Context, sim Controller, out io.Writer) error {
	const longest = 100 * time.Millisecond // a machine that slept must not make it leap
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for last := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			sent := sim.Advance(min(now.Sub(last), longest))
			last = now
			if _, err := out.Write(sent); err != nil {
				return err
			}
		}
	}
}

// lockedWriter keeps the frames of two goroutines apart, and writes nothing
// for nothing.
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
