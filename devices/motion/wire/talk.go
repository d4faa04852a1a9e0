package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// What can be wrong with a line or with what is at its far end.
var (
	ErrSilent  = errors.New("controller does not answer; check its power, the wiring and motion.baud")
	ErrStalled = errors.New("controller does not take what is sent; check its power and the cable")
	ErrLost    = errors.New("port is gone; plug the controller in again")
)

// Talk is a conversation over an open line.
type Talk struct {
	Line io.ReadWriter // as port.Line
}

// Say writes b.
func (t *Talk) Say(b []byte) error {
	n, err := t.Line.Write(b)
	switch {
	case err != nil && !errors.Is(err, unix.EAGAIN):
		return fmt.Errorf("motion: %w (%w)", ErrLost, err)
	case n < len(b):
		return fmt.Errorf("motion: %w", ErrStalled)
	}
	return nil
}

// Hear gives what comes in to take until that is content, and otherwise returns
// ErrSilent when patience is over.
func (t *Talk) Hear(ctx context.Context, patience time.Duration, take func(byte) bool) error {
	buf := make([]byte, 256)
	for end := time.Now().Add(patience); time.Now().Before(end); {
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

// AskTimes is how often a question is said before a controller counts as silent.
const AskTimes = 5

const askPatience = 200 * time.Millisecond // for the answer to each

// Ask says question until take is content with what comes.
func (t *Talk) Ask(ctx context.Context, question []byte, take func(byte) bool) error {
	var err error
	for range AskTimes {
		if err = t.Say(question); err != nil {
			return err
		}
		if err = t.Hear(ctx, askPatience, take); !errors.Is(err, ErrSilent) {
			return err
		}
	}
	return err
}
