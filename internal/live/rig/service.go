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
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/kit/rt"
	"rig.example/rig/internal/live/operator"
)

// Service is something that runs beside a drive in a process of its own, a command of rig, and that the drive can do without.
// The process reads its options from stdin as JSON, and inherits the page, to read, one end of a connection, and files of its
// own. If it ends it is started again, and the drive goes on.
type Service struct {
	Command string // of rig, that the process runs
	What    string // it does, in messages

	// Begin is called once, when the drive is built and before anything moves: it may still place the car. It returns the
	// options, nil if the service is not wanted in this drive, and the files of its own.
	Begin func(Built) (options any, files []*os.File, err error)

	// Serve serves the connection until that ends: it takes the orders that the process may give, or what it tells.
	Serve func(*operator.Pending, net.Conn)

	Show   func(*frame.Frame) // sets what the frame of a tick shows of it; the loop calls it: it neither waits nor allocates; nil for nothing
	Ended  func()             // is called each time that the process has ended; nil for nothing to do
	Report func(*Summary)     // sets its part of the summary before the process is ended; nil for none
}

// Built is a drive beside which a service is to run.
type Built struct {
	Drive     *drive.Drive
	Page      *framepage.Page
	HasWindow bool
}

// serviceChild keeps the process of a service running.
type serviceChild struct {
	Service
	options []byte     // as JSON
	files   []*os.File // that it inherits, but for the connection: the page comes first
	orders  *operator.Pending
	log     *slog.Logger
	retry   time.Duration // shortest time before it is started again; doubled each time that it did not live for stableAfter
}

const (
	firstServiceRetry = time.Second
	maxServiceRetry   = time.Minute
)

// beginServices begins all services that are wanted.
func (r *Rig) beginServices(o *Options, p *framepage.Page) error {
	for _, s := range o.Services {
		options, files, err := s.Begin(Built{Drive: r.drive, Page: p, HasWindow: o.hasWindow()})
		if err != nil {
			return err
		}
		if options == nil {
			continue
		}
		text, err := json.Marshal(options)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Command, err)
		}
		files = append([]*os.File{p.Files()[0]}, files...)
		r.services = append(r.services, &serviceChild{Service: s, options: text, files: files, orders: &r.orders, log: o.Log, retry: firstServiceRetry})
	}
	return nil
}

// reports returns a summary with the parts of the services alone.
func (r *Rig) reports() (sum Summary) {
	for _, c := range r.services {
		if c.Report != nil {
			c.Report(&sum)
		}
	}
	return sum
}

// run runs the child, and starts it again when it has ended, until ctx ends.
func (c *serviceChild) run(ctx context.Context) {
	runtime.LockOSThread() // as for the display: Pdeathsig is sent when the thread that started the child ends
	rt.DropPriority()
	for wait := c.retry; ; wait = min(2*wait, maxServiceRetry) {
		started := time.Now()
		err := c.runOnce(ctx)
		if c.Ended != nil {
			c.Ended()
		}
		if ctx.Err() != nil {
			return
		}
		if time.Since(started) > stableAfter {
			wait = c.retry
		}
		c.log.Warn(c.What+" ended; started again in "+wait.String(), "error", err)
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
	command, err := displayCommand(c.inherited(far), []string{c.Command})
	if err != nil {
		return errors.Join(err, near.Close(), far.Close())
	}
	cmd, output := command(), &childLog{log: c.log, name: c.Command}
	cmd.Stdin, cmd.Stderr, cmd.WaitDelay = bytes.NewReader(c.options), output, pipeWait
	var serving sync.WaitGroup
	serving.Go(func() { c.Serve(c.orders, near) })
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

// inherited returns the files that the child gets: the page, its end of the connection, and those of its own.
func (c *serviceChild) inherited(far *os.File) []*os.File {
	return slices.Insert(slices.Clone(c.files), 1, far)
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
