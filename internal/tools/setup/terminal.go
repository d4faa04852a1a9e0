package setup

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/printable"
)

// quitWord ends the setup at every question.
const quitWord = "q"

// Terminal is the dialog with the operator. Enter takes the answer that a question shows in brackets. Each question
// returns calib.ErrQuit for the answer q, and the cause of ctx if that ends.
type Terminal struct {
	ctx context.Context
	ui  *calib.UI
	out io.Writer
	yes bool // every question gets its default answer
}

// newTerminal returns a dialog over in and out.
func newTerminal(ctx context.Context, in io.Reader, out io.Writer, yes bool) *Terminal {
	t := &Terminal{ctx, calib.NewUI(in, out, yes), out, yes}
	t.ui.QuitBy(quitWord)
	return t
}

// say writes a line.
func (t *Terminal) say(format string, args ...any) { t.ui.Say(format, args...) }

// explain says what is wrong with an answer, and returns an error if nobody can give another one.
func (t *Terminal) explain(format string, args ...any) error {
	if t.yes {
		return fmt.Errorf(format, args...)
	}
	t.say("  "+format, args...)
	return nil
}

// oneOf asks until the answer is one of several words.
func (t *Terminal) oneOf(question, defaultAnswer string, words ...string) (string, error) {
	choice := strings.Join(append(words[:len(words):len(words)], quitWord), ", ")
	for {
		answer, err := t.ui.Ask(t.ctx, defaultAnswer, "  %s (%s)", question, choice)
		if err != nil {
			return "", err
		}
		for _, w := range words {
			if strings.EqualFold(answer, w) || w == answerYes && strings.EqualFold(answer, "y") {
				return w, nil
			}
		}
		if err := t.explain("%q: must be one of %s", printable.Line(answer), choice); err != nil {
			return "", err
		}
	}
}

// choose shows a numbered list and returns the index of the item that the operator chose.
func (t *Terminal) choose(question string, items []string, defaultItem int) (int, error) {
	for i, item := range items {
		t.say("    %d  %s", i+1, item)
	}
	for {
		answer, err := t.ui.Ask(t.ctx, strconv.Itoa(defaultItem+1), "  %s (1 to %d)", question, len(items))
		if err != nil {
			return 0, err
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(items) {
			return n - 1, nil
		}
		if err := t.explain("%q: must be 1 to %d", printable.Line(answer), len(items)); err != nil {
			return 0, err
		}
	}
}

// number asks until the answer is a number within a range.
func (t *Terminal) number(question string, defaultValue, low, high float64) (float64, error) {
	for {
		answer, err := t.ui.Ask(t.ctx, printable.Plain(defaultValue), "  %s", question)
		if err != nil {
			return 0, err
		}
		if v, err := strconv.ParseFloat(strings.Replace(answer, ",", ".", 1), 64); err == nil && v >= low && v <= high {
			return v, nil
		}
		if err := t.explain("%q: must be %g to %g", printable.Line(answer), low, high); err != nil {
			return 0, err
		}
	}
}

// consent asks a question that only a typed yes answers with true, unless agreed says that the flag has done so.
func (t *Terminal) consent(agreed bool, flag, question string) (bool, error) {
	if agreed {
		t.say("  %s (agreed by %s)", question, flag)
		return true, t.ctx.Err()
	}
	return t.ui.Consent(t.ctx, flag, "  "+question)
}

// Answers to the question whether to do a step.
const (
	answerYes  = "yes"
	answerSkip = "s"
	answerBack = "b"
)
