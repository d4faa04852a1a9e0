package rig

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// hearsay is a log that keeps the newest warning, for an error that tells less. What is
// below a warning goes on only where a user wants to see all.
type hearsay struct {
	to *slog.Logger

	mu  sync.Mutex
	why string
}

// Enabled is for every warning.
func (h *hearsay) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || h.to != nil && h.to.Enabled(ctx, slog.LevelDebug)
}

// Handle keeps a warning: its error, or what it says.
func (h *hearsay) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		h.keep(r)
	}
	if h.to != nil && h.to.Enabled(ctx, slog.LevelDebug) {
		return h.to.Handler().Handle(ctx, r)
	}
	return nil
}

// keep remembers what went wrong.
func (h *hearsay) keep(r slog.Record) {
	why := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" {
			why = a.Value.String()
		}
		return a.Key != "err"
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.why = why
}

// WithAttrs is of no use here.
func (h *hearsay) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup is of no use here.
func (h *hearsay) WithGroup(string) slog.Handler { return h }

// explain gives the newest warning instead of an error that came of it, unless the error
// itself says as much.
func (h *hearsay) explain(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.why == "" || err == nil || strings.Contains(h.why, root(err).Error()) {
		return err
	}
	return fmt.Errorf("%s (%w)", h.why, err)
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
