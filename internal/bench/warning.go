package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// lastWarning is a log that keeps the newest warning, for an error that tells less. What is
// below a warning goes on only where a user wants to see all.
type lastWarning struct {
	to *slog.Logger

	mu  sync.Mutex
	why string
}

// Enabled is for every warning.
func (w *lastWarning) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || w.to != nil && w.to.Enabled(ctx, slog.LevelDebug)
}

// Handle keeps a warning: its error, or what it says.
func (w *lastWarning) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		w.keep(r)
	}
	if w.to != nil && w.to.Enabled(ctx, slog.LevelDebug) {
		return w.to.Handler().Handle(ctx, r)
	}
	return nil
}

// keep remembers what went wrong.
func (w *lastWarning) keep(r slog.Record) {
	why := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" {
			why = a.Value.String()
		}
		return a.Key != "err"
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.why = why
}

// WithAttrs is of no use here.
func (w *lastWarning) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup is of no use here.
func (w *lastWarning) WithGroup(string) slog.Handler { return w }

// explain gives the newest warning instead of an error that came of it, unless the error
// itself says as much.
func (w *lastWarning) explain(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.why == "" || err == nil || strings.Contains(w.why, root(err).Error()) {
		return err
	}
	return fmt.Errorf("%s (%w)", w.why, err)
}

// root is the error that others wrap.
func root(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
