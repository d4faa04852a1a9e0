package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// Errors of a line or of the controller on it.
var (
	ErrSilent  = errors.New("controller does not answer; check its power, the wiring and motion.baud")
	ErrStalled = errors.New("controller does not accept what is sent; check its power and the cable")
	ErrLost    = errors.New("port was disconnected; plug the controller in again")
)

// Exchange sends queries to a controller over an open line, and waits for the answers.
type Exchange struct {
	Line io.ReadWriter // its Read and Write must behave like those of port.Line
}

// Send writes b, or returns ErrStalled if the port does not accept all of it.
func (t *Exchange) Send(b []byte) error {
	n, err := t.Line.Write(b)
	switch {
	case err != nil && !errors.Is(err, unix.EAGAIN):
		return fmt.Errorf("motion: %w (%w)", ErrLost, err)
	case n < len(b):
		return fmt.Errorf("motion: %w", ErrStalled)
	}
	return nil
}

// Receive passes received bytes to take until it returns true. It returns ErrSilent if that
// does not happen within timeout.
func (t *Exchange) Receive(ctx context.Context, timeout time.Duration, take func(byte) bool) error {
	buf := make([]byte, 256)
	for end := time.Now().Add(timeout); time.Now().Before(end); {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("motion: parameters: %w", err)
		}
		n, err := t.Line.Read(buf)
		for _, b := range buf[:n] {
			if take(b) {
				return nil
			}
		}
		if err != nil && !errors.Is(err, unix.EAGAIN) {
			return fmt.Errorf("motion: %w (%w)", ErrLost, err)
		}
	}
	return fmt.Errorf("motion: %w", ErrSilent)
}

// QueryAttempts is how often a query is sent before a controller counts as silent.
const QueryAttempts = 5

const queryTimeout = 400 * time.Millisecond // for each attempt

// Query sends a query, repeatedly if need be, until take returns true for a received byte.
func (t *Exchange) Query(ctx context.Context, query []byte, take func(byte) bool) error {
	var err error
	for range QueryAttempts {
		if err = t.Send(query); err != nil {
			return err
		}
		if err = t.Receive(ctx, queryTimeout, take); !errors.Is(err, ErrSilent) {
			return err
		}
	}
	return err
}
