package bus

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// refusal is an answer of JetStream's with a code.
type refusal jetstream.ErrorCode

func (r refusal) Error() string { return "refused" }
func (r refusal) APIError() *jetstream.APIError {
	return &jetstream.APIError{ErrorCode: jetstream.ErrorCode(r)}
}

// What passes by itself is asked for again: also an event whose first sending a slow cluster is still keeping.
func TestWhatPassesIsRepeated(t *testing.T) {
	for _, tt := range []struct {
		err   error
		calls int
	}{
		{refusal(10008), 3}, // no leader
		{refusal(10158), 3}, // duplicate message id is in process
		{nats.ErrTimeout, 3},
		{nats.ErrNoResponders, 3},
		{refusal(10077), 1}, // maximum messages exceeded
		{errors.New("another"), 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			err := repeat(t.Context(), func(context.Context) error {
				if calls++; calls < 3 {
					return tt.err
				}
				return nil
			})
			if calls != tt.calls || (err == nil) != (tt.calls == 3) {
				t.Errorf("%v: %d calls, %v", tt.err, calls, err)
			}
		})
	}
}
