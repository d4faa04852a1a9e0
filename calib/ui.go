package calib

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// UI is the dialog with the operator: lines of text out and in.
type UI struct {
	in         *bufio.Reader
	out        io.Writer
	assumeYes  bool
	singleKeys func() (undo func()) // see Keys
	quitWord   string               // see QuitBy
}

// ErrNoAnswer is returned by a question whose input has ended.
var ErrNoAnswer = errors.New("no answer")

// ErrQuit is returned by a question that was answered with the word of QuitBy.
var ErrQuit = errors.New("ended by the operator")

// QuitBy makes every question return ErrQuit when it is answered with word.
func (u *UI) QuitBy(word string) { u.quitWord = word }

// NewUI returns a dialog over in and out. With assumeYes it reads nothing, and every question gets its
// default answer.
func NewUI(in io.Reader, out io.Writer, assumeYes bool) *UI {
	return &UI{in: bufio.NewReader(in), out: out, assumeYes: assumeYes}
}

// Keys sets a function that makes the terminal return each key at once, until undo is called. It is used
// when the operator is asked to press any key. Without it, the operator must press Enter.
func (u *UI) Keys(single func() (undo func())) { u.singleKeys = single }

// waitKey starts to wait for a key in the background. The caller must call undo when it stops waiting.
func (u *UI) waitKey() (pressed <-chan error, undo func()) {
	undo, read := func() {}, func() error {
		_, err := u.in.ReadString('\n')
		return err
	}
	if u.singleKeys != nil {
		undo = u.singleKeys()
		read = func() error {
			_, err := u.in.ReadByte()
			_, _ = u.in.Discard(u.in.Buffered()) // one key, such as an arrow, may send several bytes
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

// Say writes one line.
func (u *UI) Say(format string, args ...any) {
	_, _ = io.WriteString(u.out, printable.Sprintf(format+"\n", args...))
}

// Ask returns the operator's answer, or defaultAnswer for an empty line.
func (u *UI) Ask(ctx context.Context, defaultAnswer, format string, args ...any) (string, error) {
	return u.answer(ctx, defaultAnswer, "--yes", printable.Sprintf(format, args...))
}

// answer is as Ask. flag is the command-line flag that makes the question unnecessary, "" if there is none;
// an error names it.
func (u *UI) answer(ctx context.Context, defaultAnswer, flag, question string) (string, error) {
	_, _ = io.WriteString(u.out, question+" ["+defaultAnswer+"] ")
	if u.assumeYes {
		u.Say("")
		return defaultAnswer, context.Cause(ctx)
	}
	typed := make(chan error, 1)
	var line string
	go func() { // continues to wait after ctx has ended; its answer is not used then
		var err error
		line, err = u.in.ReadString('\n')
		typed <- err
	}()
	select {
	case <-ctx.Done():
		u.Say("")
		return "", context.Cause(ctx)
	case err := <-typed:
		if err != nil && line == "" {
			if flag != "" {
				flag = ", or give " + flag
			}
			return "", fmt.Errorf("calib: %w: %w; run it in a terminal and type it%s", ErrNoAnswer, err, flag)
		}
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		line = defaultAnswer
	case line == u.quitWord:
		return "", ErrQuit
	}
	return line, context.Cause(ctx)
}

// Consent asks a question and returns true only if the operator typed yes, so never with assumeYes. flag is
// as for answer.
func (u *UI) Consent(ctx context.Context, flag, question string) (bool, error) {
	answer, err := u.answer(ctx, "no", flag, question+" (yes or no)")
	return answer == "yes", err
}
