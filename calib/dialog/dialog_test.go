package dialog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A motor pushes after the whole word alone.
func TestOnlyYesIsConsent(t *testing.T) {
	for answer, want := range map[string]bool{
		"yes\n": true, "no\n": false, "\n": false, "y\n": false, "maybe\n": false, "yes please\n": false, "not yes\n": false, "900\n": false,
	} {
		got, err := New(strings.NewReader(answer), io.Discard, false).Consent(t.Context(), "", "Push?")
		if got != want || err != nil {
			t.Errorf("%q: %v, %v", answer, got, err)
		}
	}
	if got, _ := New(strings.NewReader(""), io.Discard, false).Consent(t.Context(), "", "Push?"); got {
		t.Error("the end of the input is consent")
	}
}

// Who interrupts a question need not answer it.
func TestAQuestionEndsWithItsContext(t *testing.T) {
	typed, _ := io.Pipe() // nobody types
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if yes, err := New(typed, io.Discard, false).Consent(ctx, "", "Move?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", yes, err)
	}
}

// An answer that does not fit is told, and the question comes again; with --yes nobody can give another one.
func TestQuestionsAreAskedUntilTheAnswerFits(t *testing.T) {
	ask := func(answers string, question func(*Dialog) (any, error)) (any, string) {
		var screen strings.Builder
		d := New(strings.NewReader(answers), &screen, false)
		d.Quit = "q"
		got, err := question(d)
		return got, fmt.Sprint(screen.String(), err)
	}
	oneOf := func(d *Dialog) (any, error) { return d.OneOf(t.Context(), "Write it?", "yes", "yes", "b") }
	choose := func(d *Dialog) (any, error) { return d.Choose(t.Context(), "Which?", []string{"one", "two"}, 1) }
	number := func(d *Dialog) (any, error) { return d.Number(t.Context(), "How far?", 20, 3, 100) }
	for _, tt := range []struct {
		answers  string
		question func(*Dialog) (any, error)
		want     any
		says     string
	}{
		{"no\nB\n", oneOf, "b", `Write it? (yes, b, q) [yes]   "no": must be one of yes, b, q`},
		{"y\n", oneOf, "yes", "<nil>"},
		{"\n", oneOf, "yes", "<nil>"},
		{"q\n", oneOf, "", ErrQuit.Error()},
		{"0\n3\ntwo\n1\n", choose, 0, `Which? (1 to 2) [2]   "0": must be 1 to 2`},
		{"\n", choose, 1, "<nil>"},
		{"nan\n2\n101\n12,5\n", number, 12.5, `How far? [20]   "nan": must be 3 to 100`},
		{"2\n", number, 0.0, ErrNoAnswer.Error()},
	} {
		got, screen := ask(tt.answers, tt.question)
		if !strings.Contains(screen, tt.says) || got != tt.want && !strings.Contains(screen, ErrNoAnswer.Error()) {
			t.Errorf("%q: %v, want %v; it shows %s, want %s", tt.answers, got, tt.want, screen, tt.says)
		}
	}
	if _, err := New(strings.NewReader(""), io.Discard, true).Number(t.Context(), "How far?", 2, 3, 100); err == nil || err.Error() != `"2": must be 3 to 100` {
		t.Error(err)
	}
}
