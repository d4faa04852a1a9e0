// Package dialog asks the person at the terminal. In go lines of text, or single keys; out come questions, answers and
// whether the person agrees. It knows nothing of what is asked for, and takes no answer but a typed yes for consent.
package dialog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// Dialog asks over lines of text. Each question returns the cause of its context if that ends.
type Dialog struct {
	Quit string // word that ends each question by ErrQuit; "" for none
	// Keys makes the terminal return each key at once, until undo is called, when the operator is asked to press any key. If
	// it is nil, the operator must press Enter.
	Keys func() (undo func())

	in        *bufio.Reader
	out       io.Writer
	assumeYes bool
}

// New returns a dialog over in and out. With assumeYes it reads nothing, and every question gets its default answer.
func New(in io.Reader, out io.Writer, assumeYes bool) *Dialog {
	return &Dialog{in: bufio.NewReader(in), out: out, assumeYes: assumeYes}
}

var (
	ErrNoAnswer  = errors.New("no answer")             // the input has ended
	ErrQuit      = errors.New("ended by the operator") // the answer was the word Quit
	ErrNotAgreed = errors.New("nobody agreed")         // the answer was not yes
)

// Say writes one line.
func (d *Dialog) Say(format string, args ...any) {
	_, _ = io.WriteString(d.out, printable.Sprintf(format+"\n", args...))
}

// Ask returns the operator's answer, or defaultAnswer for an empty line.
func (d *Dialog) Ask(ctx context.Context, defaultAnswer, format string, args ...any) (string, error) {
	return d.answer(ctx, defaultAnswer, "--yes", printable.Sprintf(format, args...))
}

// answer is as Ask. flag is the command-line flag that makes the question unnecessary, "" if there is none;
// an error names it.
func (d *Dialog) answer(ctx context.Context, defaultAnswer, flag, question string) (string, error) {
	_, _ = io.WriteString(d.out, question+" ["+defaultAnswer+"] ")
	if d.assumeYes {
		d.Say("")
		return defaultAnswer, context.Cause(ctx)
	}
	typed := make(chan error, 1)
	var line string
	go func() { // continues to wait after ctx has ended; its answer is not used then
		var err error
		line, err = d.in.ReadString('\n')
		typed <- err
	}()
	select {
	case <-ctx.Done():
		d.Say("")
		return "", context.Cause(ctx)
	case err := <-typed:
		if err != nil && line == "" {
			if flag != "" {
				flag = ", or give " + flag
			}
			return "", fmt.Errorf("%w: %w; run it in a terminal and type it%s", ErrNoAnswer, err, flag)
		}
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		line = defaultAnswer
	case line == d.Quit:
		return "", ErrQuit
	}
	return line, context.Cause(ctx)
}

// Consent asks a question and returns true only if the operator typed yes, so never with assumeYes. flag is
// as for answer.
func (d *Dialog) Consent(ctx context.Context, flag, question string) (bool, error) {
	answer, err := d.answer(ctx, "no", flag, question+" (yes or no)")
	return answer == "yes", err
}

// Agree is as Consent, with ErrNotAgreed for any other answer.
func (d *Dialog) Agree(ctx context.Context, flag, question string) error {
	yes, err := d.Consent(ctx, flag, question)
	if err == nil && !yes {
		err = ErrNotAgreed
	}
	return err
}

// OneOf asks until the answer is one of several words; y is short for yes.
func (d *Dialog) OneOf(ctx context.Context, question, defaultAnswer string, words ...string) (word string, err error) {
	choice := strings.Join(words, ", ")
	if d.Quit != "" {
		choice += ", " + d.Quit
	}
	err = d.until(ctx, defaultAnswer, printable.Sprintf("%s (%s)", question, choice), "one of "+choice, func(answer string) bool {
		for _, w := range words {
			if strings.EqualFold(answer, w) || w == "yes" && strings.EqualFold(answer, "y") {
				word = w
			}
		}
		return word != ""
	})
	return word, err
}

// Choose shows a numbered list and returns the index of the item that the operator chose.
func (d *Dialog) Choose(ctx context.Context, question string, items []string, defaultItem int) (chosen int, err error) {
	for i, item := range items {
		d.Say("    %d  %s", i+1, item)
	}
	numbers := fmt.Sprintf("1 to %d", len(items))
	err = d.until(ctx, strconv.Itoa(defaultItem+1), printable.Sprintf("%s (%s)", question, numbers), numbers, func(answer string) bool {
		n, err := strconv.Atoi(answer)
		chosen = n - 1
		return err == nil && n >= 1 && n <= len(items)
	})
	return chosen, err
}

// Number asks until the answer is a number within a range.
func (d *Dialog) Number(ctx context.Context, question string, defaultValue, low, high float64) (v float64, err error) {
	must := fmt.Sprintf("%g to %g", low, high)
	err = d.until(ctx, printable.Plain(defaultValue), printable.Sprintf("%s", question), must, func(answer string) bool {
		v, err = ParseNumber(answer)
		return err == nil && v >= low && v <= high
	})
	return v, err
}

// ParseNumber returns the number that a person typed, with a decimal point or a comma.
func ParseNumber(answer string) (float64, error) {
	return strconv.ParseFloat(strings.Replace(answer, ",", ".", 1), 64)
}

// until asks until fits accepts an answer, and says what it must be. With assumeYes, nobody can give another one.
func (d *Dialog) until(ctx context.Context, defaultAnswer, question, must string, fits func(answer string) bool) error {
	for {
		answer, err := d.answer(ctx, defaultAnswer, "--yes", question)
		if err != nil || fits(answer) {
			return err
		}
		if d.assumeYes {
			return fmt.Errorf("%q: must be %s", printable.Line(answer), must)
		}
		d.Say("  %q: must be %s", printable.Line(answer), must)
	}
}

// WaitKey starts to wait for a key in the background. The caller must call undo when it stops waiting.
func (d *Dialog) WaitKey() (pressed <-chan error, undo func()) {
	undo, read := func() {}, func() error {
		_, err := d.in.ReadString('\n')
		return err
	}
	if d.Keys != nil {
		undo = d.Keys()
		read = func() error {
			_, err := d.in.ReadByte()
			_, _ = d.in.Discard(d.in.Buffered()) // one key, such as an arrow, may send several bytes
			return err
		}
	}
	done := make(chan error, 1)
	go func() {
		err := read()
		if err != nil {
			err = fmt.Errorf("no key: %w; run it in a terminal", err)
		}
		done <- err
	}()
	return done, undo
}
