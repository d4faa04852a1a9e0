package rig

import (
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
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/outputs"
	"rig.example/rig/internal/rt"
)

// outputsChild keeps the process running that tells other programs what the rig does. If it ends it is started again,
// and the drive goes on without it: no reader is worth a drive.
type outputsChild struct {
	options []byte // as JSON
	page    *os.File
	orders  *remoteOrders
	log     *slog.Logger
	retry   time.Duration // shortest time before it is started again; doubled each time that it did not live for stableAfter
}

const maxOutputsRetry = time.Minute

// newOutputsChild returns the child for options, or nil if nothing is to be sent or served.
func newOutputsChild(o outputs.Options, r *Rig, orders *remoteOrders, log *slog.Logger) (*outputsChild, error) {
	if !o.Wanted() {
		return nil, nil
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("outputs: %w", err)
	}
	const firstRetry = time.Second
	return &outputsChild{options: text, page: r.page.Files()[0], orders: orders, log: log, retry: firstRetry}, nil
}

// run runs the child, and starts it again when it has ended, until ctx ends. c may be nil.
func (c *outputsChild) run(ctx context.Context) {
	if c == nil {
		return
	}
	runtime.LockOSThread() // as for the display: Pdeathsig is sent when the thread that started the child ends
	rt.DropPriority()
	for wait := c.retry; ; wait = min(2*wait, maxOutputsRetry) {
		started := time.Now()
		err := c.runOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) > stableAfter {
			wait = c.retry
		}
		c.log.Warn("telemetry and web page ended; they are started again", "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// runOnce runs one child to its end, and ends it when ctx ends.
func (c *outputsChild) runOnce(ctx context.Context) error {
	near, far, err := connectedPair()
	if err != nil {
		return err
	}
	command, err := displayCommand([]*os.File{c.page, far}, []string{"outputs"})
	if err != nil {
		return errors.Join(err, near.Close(), far.Close())
	}
	cmd, output := command(), &childLog{log: c.log, name: "outputs"}
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(c.options), output, exitTimeout
	var serving sync.WaitGroup
	serving.Go(func() { c.orders.serveWeb(near) })
	defer serving.Wait()
	defer near.Close()
	err = cmd.Start()
	far.Close()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) })()
	defer context.AfterFunc(ctx, func() {
		time.Sleep(exitTimeout)
		cmd.Process.Kill()
	})()
	if err = cmd.Wait(); errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	if reason := output.reason(); reason != "" {
		return errors.New(reason)
	}
	return err
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
