package calib

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/printable"
)

// UI is the conversation with the operator: plain lines out, plain lines in.
type UI struct {
	in        *bufio.Reader
	out       io.Writer
	assumeYes bool
	single    func() (undo func()) // see Keys
}

// NewUI returns a conversation over in and out. With assumeYes nothing is
// read: every question gets its default answer.
func NewUI(in io.Reader, out io.Writer, assumeYes bool) *UI {
	return &UI{in: bufio.NewReader(in), out: out, assumeYes: assumeYes}
}

// Keys lets a single key be heard where one is waited for: single makes the terminal give
// keys as they are pressed, until undo. Without it a key is a line.
func (u *UI) Keys(single func() (undo func())) { u.single = single }

// key waits in the background for a key. Call undo once it is not waited for any more.
func (u *UI) key() (pressed <-chan error, undo func()) {
	undo, read := func() {}, func() error {
		_, err := u.in.ReadString('\n')
		return err
	}
	if u.single != nil {
		undo = u.single()
		read = func() error {
			_, err := u.in.ReadByte()
			_, _ = u.in.Discard(u.in.Buffered()) // the rest of an arrow key
			return err
		}
	}
	done := make(chan error, 1)
	go func() {
		err := read()
		if err != nil {
			err = fmt.Errorf("calib: no key: %w; run it in a terminal", err)
		}
		done <- err
	}()
	return done, undo
}

func (u *UI) say(format string, args ...any) {
	_, _ = io.WriteString(u.out, printable.Sprintf(format+"\n", args...))
}

// ask returns the operator's answer, or otherwise for an empty line.
func (u *UI) ask(ctx context.Context, otherwise, format string, args ...any) (string, error) {
	return u.answer(ctx, otherwise, "--yes", printable.Sprintf(format, args...))
}

// answer is ask where a flag, "" for none, saves the operator the answer.
func (u *UI) answer(ctx context.Context, otherwise, flag, question string) (string, error) {
	_, _ = io.WriteString(u.out, question+" ["+otherwise+"] ")
	if u.assumeYes {
		u.say("")
		return otherwise, context.Cause(ctx)
	}
	typed := make(chan error, 1)
	var line string
	go func() { // waits on after ctx has ended: whoever asked is gone then
		var err error
		line, err = u.in.ReadString('\n')
		typed <- err
	}()
	select {
	case <-ctx.Done():
		u.say("")
		return "", context.Cause(ctx)
	case err := <-typed:
		if err != nil && line == "" {
			if flag != "" {
				flag = ", or give " + flag
			}
			return "", fmt.Errorf("calib: no answer: %w; run it in a terminal and type it%s", err, flag)
		}
	}
	if line = strings.TrimSpace(line); line == "" {
		line = otherwise
	}
	return line, context.Cause(ctx)
}

// Consent is true only for a typed yes: where nothing is read it is not given. flag is what
// would have agreed beforehand, "" where nothing does.
func (u *UI) Consent(ctx context.Context, flag, question string) (bool, error) {
	answer, err := u.answer(ctx, "no", flag, question+" (yes or no)")
	return answer == "yes", err
}
