package rig

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/connect/outputs"
	"rig.example/rig/internal/connect/playback"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/page"
	"rig.example/rig/internal/kit/rt"
)

// serviceChild keeps a process running that the drive can do without: the one that tells other programs what the rig does,
// or the one that plays its sound. If it ends it is started again, and the drive goes on.
type serviceChild struct {
	command string // of rig
	what    string // it does, in messages
	options []byte // as JSON
	page    *os.File
	others  *page.Others   // memory for the other cars of a session, to write; nil for none
	serve   func(net.Conn) // serves the connection to the child until that ends
	log     *slog.Logger
	retry   time.Duration // shortest time before it is started again; doubled each time that it did not live for stableAfter
}

const (
	firstServiceRetry = time.Second
	maxServiceRetry   = time.Minute
)

// newOutputsChild returns the child for options, or nil if nothing is to be sent or served.
func newOutputsChild(o outputs.Options, r *Rig, orders remoteOrders, log *slog.Logger) (*serviceChild, error) {
	if !o.Wanted() {
		return nil, nil
	}
	return newServiceChild("outputs", "telemetry and web page", o, r, orders.serveWeb, log)
}

// newSoundChild returns the child that plays, or nil if nothing is to play.
func newSoundChild(o Options, r *Rig, log *slog.Logger) (*serviceChild, error) {
	p := playback.Of(&o.Config, o.hasWindow() || o.Follow != nil)
	if !p.Wanted() {
		return nil, nil
	}
	return newServiceChild("sound", "sound", p, r, r.takeSound, log)
}

func newServiceChild(command, what string, options any, r *Rig, serve func(net.Conn), log *slog.Logger) (*serviceChild, error) {
	text, err := json.Marshal(options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	return &serviceChild{command: command, what: what, options: text, page: r.page.Files()[0], serve: serve, log: log, retry: firstServiceRetry}, nil
}

// takeSound takes what the sound's process tells once a second, a line each, until its connection ends or it tells what
// cannot be: then it is closed, which ends the process. Underruns are those of the whole drive.
func (r *Rig) takeSound(conn net.Conn) {
	const maxLine, maxDevices, maxLatency = 512, 64, 60 // [bytes], [1], [s]
	var before, now frame.Sound
	r.sound.Get(&before)
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, maxLine), maxLine)
	for lines.Scan() {
		if json.Unmarshal(lines.Bytes(), &now) != nil || now.Devices > maxDevices || !(now.Latency >= 0 && now.Latency < maxLatency) {
			break
		}
		now.Underruns += before.Underruns
		r.sound.Put(&now)
	}
	conn.Close()
	r.sound.Put(&frame.Sound{Underruns: now.Underruns})
}

// run runs the child, and starts it again when it has ended, until ctx ends. c may be nil.
func (c *serviceChild) run(ctx context.Context) {
	if c == nil {
		return
	}
	runtime.LockOSThread() // as for the display: Pdeathsig is sent when the thread that started the child ends
	rt.DropPriority()
	for wait := c.retry; ; wait = min(2*wait, maxServiceRetry) {
		started := time.Now()
		err := c.runOnce(ctx)
		if c.others != nil {
			c.others.Put(&frame.Others{}) // nobody moves those cars any more
		}
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) > stableAfter {
			wait = c.retry
		}
		c.log.Warn(c.what+" ended; started again in "+wait.String(), "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// runOnce runs one child to its end, and ends it when ctx ends.
func (c *serviceChild) runOnce(ctx context.Context) error {
	near, far, err := connectedPair()
	if err != nil {
		return err
	}
	command, err := displayCommand(c.inherited(far), []string{c.command})
	if err != nil {
		return errors.Join(err, near.Close(), far.Close())
	}
	cmd, output := command(), &childLog{log: c.log, name: c.command}
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(c.options), output, pipeWait
	var serving sync.WaitGroup
	serving.Go(func() { c.serve(near) })
	defer serving.Wait()
	defer near.Close()
	err = cmd.Start()
	far.Close()
	if err != nil {
		return err
	}
	defer endWith(ctx, cmd.Process.Signal)()
	if err = cmd.Wait(); errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if reason := output.reason(); reason != "" {
		return errors.New(reason)
	}
	return err
}

// inherited returns the files that the child gets: the page, its end of the connection, and the memory of the other cars.
func (c *serviceChild) inherited(far *os.File) []*os.File {
	if c.others == nil {
		return []*os.File{c.page, far}
	}
	return []*os.File{c.page, far, c.others.File()}
}

// connectedPair returns the two ends of a connection: one to use, and one for a child.
func connectedPair() (net.Conn, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	own, far := os.NewFile(uintptr(fds[0]), "orders"), os.NewFile(uintptr(fds[1]), "orders")
	near, err := net.FileConn(own)
	own.Close()
	if err != nil {
		return nil, nil, errors.Join(err, far.Close())
	}
	return near, far, nil
}
