package bench

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
	log.Info("said", "err", "nothing")
	log.Warn("trying again", "err", errors.New("port is gone"))
	if got := h.explain(vague); got.Error() != "port is gone (absent)" || !errors.Is(got, vague) {
		t.Errorf("%v", got)
	}
	if h.explain(nil) != nil {
		t.Error("an error out of nothing")
	}
}
