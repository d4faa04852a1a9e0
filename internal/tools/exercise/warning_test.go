package exercise

import (
	"errors"
	"log/slog"
	"testing"
)

// An error that tells little gets the words of the warning before it.
func TestAWarningExplains(t *testing.T) {
	h := &lastWarning{}
	log := slog.New(h)
	vague := errors.New("absent")
	if got := h.explain(vague); got != vague {
		t.Errorf("%v without a warning", got)
	}
	log.Info("said", "error", "nothing")
	log.Warn("trying again", "error", errors.New("port not found"))
	if got := h.explain(vague); got.Error() != "port not found (absent)" || !errors.Is(got, vague) {
		t.Errorf("%v", got)
	}
	if h.explain(nil) != nil {
		t.Error("an error out of nothing")
	}
}
