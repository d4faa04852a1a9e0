// Package loopbacktest connects a platform to a simulated controller by a line in memory, on which a test can
// cause faults.
package loopbacktest

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/internal/live/loopback"
)

// Line is a line in memory to a simulated controller. A test causes a fault by setting one of its fields.
type Line struct {
	simulated.Controller
	RepliesLost    atomic.Bool // the controller's answers do not arrive
	WritesBlocked  atomic.Bool // the port accepts no bytes: writing returns EAGAIN
	Unplugged      atomic.Bool // reading and writing fail, and the port is not found when it is opened again
	ActuatorsStuck atomic.Bool // the actuators do not move, because the controller receives no targets; SMC3 only

	// Offline is set before Dial: the controller is a motion4sim whose switch for going online is not pressed.
	Offline bool
	Serve   func(context.Context) error // runs the simulated controller; set by Dial
}

// Handle passes the bytes of the platform to the simulated controller and returns its answer. While ActuatorsStuck
// is set, it removes the targets of the SMC3's protocol.
func (f *Line) Handle(in []byte) []byte {
	if f.ActuatorsStuck.Load() {
		in = targets.ReplaceAll(in, nil)
	}
	return f.Controller.Handle(in)
}

// targets matches the frame of a target in the protocol of the SMC3: [A, [B or [C, two bytes and ].
var targets = regexp.MustCompile(`(?s)\[[A-C]..\]`)

// Dial replaces the line in cfg by f, to a simulated controller with at least axes actuators. It returns a function
// that opens the platform's end.
func (f *Line) Dial(t testing.TB, cfg *motion.Config, axes int) func() (io.ReadWriteCloser, error) {
	t.Helper()
	var err error
	if f.Controller, err = loopback.Controller(cfg, axes); err != nil {
		t.Fatal(err)
	}
	if f.Offline {
		f.Controller = motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig())
	}
	near, far := net.Pipe()
	cfg.Port, cfg.BootWait = "memory", min(cfg.BootWait, 0.2)
	f.Serve = func(ctx context.Context) error { return simulated.Serve(ctx, f, far) }
	return func() (io.ReadWriteCloser, error) {
		if f.Unplugged.Load() {
			return nil, os.ErrNotExist
		}
		return brokenLine{memoryLine{near}, f}, nil
	}
}

// memoryLine is a line in memory whose Read returns without bytes after a timeout, as a serial port's does.
type memoryLine struct{ net.Conn }

func (l memoryLine) Read(p []byte) (int, error) {
	if err := l.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		return 0, err
	}
	n, err := l.Conn.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = nil
	}
	return n, err
}

// Close does nothing, so that the platform can open the line again. Only the simulated controller ends it.
func (memoryLine) Close() error { return nil }

// brokenLine is the platform's end of a Line, with the faults that are set in it.
type brokenLine struct {
	io.ReadWriteCloser
	*Line
}

func (l brokenLine) Read(p []byte) (int, error) {
	n, err := l.ReadWriteCloser.Read(p)
	switch {
	case l.Unplugged.Load():
		return 0, io.ErrUnexpectedEOF
	case l.RepliesLost.Load():
		return 0, err
	}
	return n, err
}

func (l brokenLine) Write(p []byte) (int, error) {
	switch {
	case l.Unplugged.Load():
		return 0, io.ErrUnexpectedEOF
	case l.WritesBlocked.Load():
		return 0, unix.EAGAIN
	}
	return l.ReadWriteCloser.Write(p)
}
