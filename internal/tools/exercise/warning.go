package exercise

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// lastWarning is a log handler that stores the newest warning, so that explain can add it to an
// error that says less. Records are passed on to log only if log shows debug output.
type lastWarning struct {
	log *slog.Logger

	mu   sync.Mutex
	text string
}

// Enabled reports true for every warning.
func (w *lastWarning) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || w.log != nil && w.log.Enabled(ctx, slog.LevelDebug)
}

// Handle stores the text of a warning: its error, or its message.
func (w *lastWarning) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		w.store(r)
	}
	if w.log != nil && w.log.Enabled(ctx, slog.LevelDebug) {
		return w.log.Handler().Handle(ctx, r)
	}
	return nil
}

// store stores the text of a record.
func (w *lastWarning) store(r slog.Record) {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			text = a.Value.String()
		}
		return a.Key != "error"
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = text
}

// WithAttrs returns w, because attributes are not used here.
func (w *lastWarning) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup returns w, because groups are not used here.
func (w *lastWarning) WithGroup(string) slog.Handler { return w }

// explain returns err with the newest warning in front of it, or err alone if that warning already contains
// err's innermost error.
func (w *lastWarning) explain(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.text == "" || err == nil || strings.Contains(w.text, rootError(err).Error()) {
		return err
	}
	return fmt.Errorf("%s (%w)", w.text, err)
}

// rootError returns the innermost wrapped error.
func rootError(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
