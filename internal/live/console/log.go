package console

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
)

const codeFaint = "\x1b[2m"

// LogOptions are the options of NewLog.
type LogOptions struct {
	Level       slog.Leveler                                 // least level that is logged
	Color       bool                                         // marks warnings and errors by color too
	ReplaceAttr func(groups []string, a slog.Attr) slog.Attr // makes message and attributes safe for a terminal; must not be nil
}

// logHandler writes records for people: time of day, level in words, message, attributes.
type logHandler struct {
	attrs slog.Handler // writes the attributes alone to line.text
	line  *logLine
}

// logLine is shared by a handler and those that were made of it.
type logLine struct {
	mu      sync.Mutex
	text    bytes.Buffer
	w       io.Writer
	options LogOptions
}

// NewLog returns a handler that writes each record to w as one line, such as
//
//	14:03:11  WARNING  confirmation ignored  cause="nothing waits for a confirmation"
func NewLog(w io.Writer, o LogOptions) slog.Handler {
	line := &logLine{w: w, options: o}
	return &logHandler{line: line, attrs: slog.NewTextHandler(&line.text, &slog.HandlerOptions{Level: o.Level, ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return o.ReplaceAttr(groups, a)
	}})}
}

func (h *logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.attrs.Enabled(ctx, level)
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.attrs.WithAttrs(attrs), h.line}
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return &logHandler{h.attrs.WithGroup(name), h.line}
}

func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	l := h.line
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Reset()
	if err := h.attrs.Handle(ctx, r); err != nil {
		return err
	}
	text := l.head(r)
	if attrs := bytes.TrimSpace(l.text.Bytes()); len(attrs) > 0 {
		text += "  " + string(attrs)
	}
	_, err := io.WriteString(l.w, text+"\n")
	return err
}

// head returns time, level and message of a record.
func (l *logLine) head(r slog.Record) string {
	message := l.options.ReplaceAttr(nil, slog.String(slog.MessageKey, r.Message)).Value.String()
	at, level, tone := r.Time.Format("15:04:05"), "debug  ", Plain
	switch {
	case r.Level >= slog.LevelError:
		level, tone = "ERROR  ", Failure
	case r.Level >= slog.LevelWarn:
		level, tone = "WARNING", Warning
	case r.Level >= slog.LevelInfo:
		level = "info   "
	}
	if !l.options.Color {
		return at + "  " + level + "  " + message
	}
	return codeFaint + at + codeEnd + "  " + colored(level+"  "+message, tone)
}
