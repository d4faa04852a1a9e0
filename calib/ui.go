package calib

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// UI is the conversation with the operator: plain lines out, plain lines in.
type UI struct {
	in        *bufio.Reader
	out       io.Writer
	assumeYes bool
}

// NewUI returns a conversation over in and out. With assumeYes nothing is
// read: every question gets its default answer.
func NewUI(in io.Reader, out io.Writer, assumeYes bool) *UI {
	return &UI{bufio.NewReader(in), out, assumeYes}
}

func (u *UI) say(format string, args ...any) { fmt.Fprintf(u.out, format+"\n", args...) }

// ask returns the operator's answer, or otherwise for an empty line.
func (u *UI) ask(ctx context.Context, otherwise, format string, args ...any) (string, error) {
	fmt.Fprintf(u.out, format+" [%s] ", append(args, otherwise)...)
	if u.assumeYes {
		u.say("")
		return otherwise, ctx.Err()
	}
	line, err := u.in.ReadString('\n')
	if err != nil && line == "" {
		return "", fmt.Errorf("calib: no answer: %w; run it in a terminal, or with --yes", err)
	}
	if line = strings.TrimSpace(line); line == "" {
		line = otherwise
	}
	return line, ctx.Err()
}

// consent is true only for a typed yes: where nothing is read it is not given.
func (u *UI) consent(ctx context.Context, question string) (bool, error) {
	answer, err := u.ask(ctx, "no", "%s (yes or no)", question)
	return answer == "yes", err
}
