package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"rig.example/rig/internal/live/console"
)

// queue is stdout or stderr of a command that moves something. Its Write never waits for the reader and never fails: a
// terminal that was closed or stopped with Ctrl-S, or a pipe that nobody reads, must neither end nor delay a movement.
type queue struct {
	panel      *console.Panel
	file       *os.File
	isTerminal bool // also after it was closed
	gaveUp     bool // what is left was not read
}

func (q *queue) Write(text []byte) (int, error) {
	_, _ = q.panel.Write(text) // finish returns the error
	return len(text), nil
}

// queueOutputs puts queues in place of stdout and stderr, each if it is a file.
func (s *streams) queueOutputs(stdout *stdoutWriter, stderr *screen) (out, errs *queue) {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGTTOU) // a reader that has exited, a terminal that stops what writes in its background
	if errs = newQueue(stderr.w, nil); errs != nil {
		stderr.w, s.flush = errs, errs.panel.Flush
	}
	if out = newQueue(stdout.w, errs); out != nil {
		stdout.w = out
	}
	return out, errs
}

// newQueue returns a queue for w, or nil if w is no file. It is other, which may be nil, if that writes to the same file, so
// that the order of the texts remains.
func newQueue(w io.Writer, other *queue) *queue {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if other != nil && sameFile(f, other.file) {
		return other
	}
	return &queue{panel: console.NewPanel(f, console.Options{}), file: f, isTerminal: term.IsTerminal(int(f.Fd()))}
}

func sameFile(a, b *os.File) bool {
	of, err := a.Stat()
	other, otherErr := b.Stat()
	return err == nil && otherErr == nil && os.SameFile(of, other)
}

// finish waits until all is written. If giveUp reports true, it gives up when nothing was read for 2 s. That is an error,
// but for a terminal: its reader has closed or stopped it. q may be nil.
func (q *queue) finish(giveUp func() bool) error {
	if q == nil || q.gaveUp {
		return nil
	}
	err := q.panel.Flush()
	for errors.Is(err, console.ErrNotRead) && !giveUp() {
		err = q.panel.Flush()
	}
	if q.gaveUp = errors.Is(err, console.ErrNotRead); !q.gaveUp {
		defer q.panel.Close()
	}
	if q.isTerminal && (q.gaveUp || errors.Is(err, unix.EIO)) {
		return nil
	}
	return err
}

// progress returns a line of the terminal on which a command shows what it does, or nil if stderr is none.
func (s *streams) progress() *console.Progress {
	if t := terminal(s.err); t != nil {
		return &console.Progress{Terminal: t, W: rawOutput(s.err)}
	}
	return nil
}
