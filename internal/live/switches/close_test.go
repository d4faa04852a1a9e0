package switches

import (
	"slices"
	"testing"
)

// The emergency stop, which is opened first, is closed last: it cuts the power.
func TestTheStopIsClosedLast(t *testing.T) {
	var closed []string
	note := func(name string) func() error {
		return func() error { closed = append(closed, name); return nil }
	}
	s := Set{close: []func() error{note("stop"), note("belt")}}
	if err := s.Close(); err != nil || !slices.Equal(closed, []string{"belt", "stop"}) {
		t.Errorf("%v, closed %q", err, closed)
	}
}
