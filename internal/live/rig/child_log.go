package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"rig.example/rig/internal/kit/printable"
)

// childLog receives what a child process and its libraries write to stderr. Log records as JSON are logged again as they
// are; all else goes to the debug log, and one line of it is reported as the reason why the process ended.
type childLog struct {
	log         *slog.Logger
	name        string // of the child, in messages
	line        []byte // present line, not ended yet
	firstLine   string // first line, from rig or a library
	lastOwnLine string // last line from rig itself
}

const maxLine = 4096 // bytes of a line; the rest is dropped

func (w *childLog) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		w.line = append(w.line, line[:min(len(line), maxLine-len(w.line))]...)
		if line[len(line)-1] == '\n' {
			w.endLine()
		}
	}
	return len(b), nil
}

// endLine logs a finished line.
func (w *childLog) endLine() {
	isRecord := w.relay(w.line)
	line := printable.Line(strings.TrimSpace(string(w.line)))
	w.line = w.line[:0]
	if line == "" || isRecord {
		return
	}
	w.log.Debug(w.name + ": " + line)
	if w.firstLine == "" {
		w.firstLine = line
	}
	if own, ok := strings.CutPrefix(line, "rig: "); ok {
		w.lastOwnLine = own
	}
}

// relay logs a record that the child has logged as JSON. It reports false if the line is none.
func (w *childLog) relay(line []byte) bool {
	record := map[string]any{}
	if !bytes.HasPrefix(line, []byte("{")) || json.Unmarshal(line, &record) != nil {
		return false
	}
	var level slog.Level
	name, _ := record[slog.LevelKey].(string)
	text, ok := record[slog.MessageKey].(string)
	if !ok || level.UnmarshalText([]byte(name)) != nil {
		return false
	}
	var attrs []slog.Attr
	for _, key := range slices.Sorted(maps.Keys(record)) {
		if key != slog.LevelKey && key != slog.MessageKey && key != slog.TimeKey {
			attrs = append(attrs, slog.Any(key, record[key]))
		}
	}
	w.log.LogAttrs(context.Background(), level, printable.Line(text), attrs...)
	return true
}

// reason returns why the child ended: its own last message, or else the first line of a library.
func (w *childLog) reason() string {
	w.endLine()
	if w.lastOwnLine != "" {
		return w.lastOwnLine
	}
	return w.firstLine
}
