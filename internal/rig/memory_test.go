package rig

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"rig/devices/motion"
)

// inMemory puts a simulated controller of so many actuators in the place of the configured one.
// The line to it needs no kernel, so that a bubble of testing/synctest gives both a time of its
// own: dial opens it for a platform, serve answers until its context ends.
func inMemory(t *testing.T, cfg *motion.Config, axes int) (dial func() (io.ReadWriteCloser, error), serve func(context.Context) error) {
	t.Helper()
	sim, err := farEnd(cfg, axes)
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	t.Cleanup(func() { near.Close(); far.Close() }) // or a test that fails would wait for serve
	cfg.Port = "memory"
	return func() (io.ReadWriteCloser, error) { return patient{near}, nil },
		func(ctx context.Context) error { return motion.Serve(ctx, sim, far) }
}

// patient is a line whose Read gives up after a while, as that of a serial port does. Only the
// far end unplugs it.
type patient struct{ net.Conn }

func (p patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		return 0, err
	}
	n, err := p.Conn.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, err
}

func (patient) Close() error { return nil }
