package calib

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// A motor pushes after the whole word alone.
func TestOnlyYesIsConsent(t *testing.T) {
	for answer, want := range map[string]bool{
		"yes\n": true, "no\n": false, "\n": false, "y\n": false, "maybe\n": false, "yes please\n": false, "not yes\n": false, "900\n": false,
	} {
		got, err := NewUI(strings.NewReader(answer), io.Discard, false).Consent(t.Context(), "", "Push?")
		if got != want || err != nil {
			t.Errorf("%q: %v, %v", answer, got, err)
		}
	}
	if got, _ := NewUI(strings.NewReader(""), io.Discard, false).Consent(t.Context(), "", "Push?"); got {
		t.Error("the end of the input is consent")
	}
}

// Who interrupts a question need not answer it.
func TestAQuestionEndsWithItsContext(t *testing.T) {
	typed, _ := io.Pipe() // nobody types
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if yes, err := NewUI(typed, io.Discard, false).Consent(ctx, "", "Move?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", yes, err)
	}
}
