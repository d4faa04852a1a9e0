// Package loopbacktest has lines to simulated controllers that a test breaks.
package loopbacktest

import (
	"context"
	"io"
	"os"
	"regexp"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/motion/motion4sim"
	"rig.example/rig/devices/motion/simulated"
	"rig.example/rig/internal/loopback"
)

// Line is a line in memory to a simulated controller, which a test breaks.
type Line struct {
	simulated.Controller
	Mute   atomic.Bool // what the controller says is lost
	Stuck  atomic.Bool // the port takes nothing
	Cut    atomic.Bool // the port is not found
	Seized atomic.Bool // the actuators do not move

	Unswitched bool // a motion4sim controller whose switch nobody presses
	Serve      func(context.Context) error
}

// Handle loses the targets of actuators that do not move: a frame of the SMC3 is [A..C] with
// two bytes.
func (f *Line) Handle(in []byte) []byte {
	if f.Seized.Load() {
		in = targets.ReplaceAll(in, nil)
	}
	return f.Controller.Handle(in)
}

var targets = regexp.MustCompile(`(?s)\[[A-C]..\]`)

// Dial puts the line in the place of the configured one, and returns what opens it.
func (f *Line) Dial(t testing.TB, cfg *motion.Config, axes int) func() (io.ReadWriteCloser, error) {
	t.Helper()
	var err error
	if f.Controller, err = loopback.Controller(cfg, axes); err != nil {
		t.Fatal(err)
	}
	if f.Unswitched {
		f.Controller = motion4sim.NewSimulator(motion4sim.DefaultSimulatorConfig())
	}
	var dial func() (io.ReadWriteCloser, error)
	dial, f.Serve = loopback.Connect(cfg, f)
	return func() (io.ReadWriteCloser, error) {
		if f.Cut.Load() {
			return nil, os.ErrNotExist
		}
		near, err := dial()
		return brokenLine{near, f}, err
	}
}

// brokenLine is the near end of such a line.
type brokenLine struct {
	io.ReadWriteCloser
	*Line
}

func (l brokenLine) Read(p []byte) (int, error) {
	n, err := l.ReadWriteCloser.Read(p)
	switch {
	case l.Cut.Load():
		return 0, io.ErrUnexpectedEOF
	case l.Mute.Load():
		return 0, err
	}
	return n, err
}

func (l brokenLine) Write(p []byte) (int, error) {
	switch {
	case l.Cut.Load():
		return 0, io.ErrUnexpectedEOF
	case l.Stuck.Load():
		return 0, unix.EAGAIN
	}
	return l.ReadWriteCloser.Write(p)
}
