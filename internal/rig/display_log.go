package rig

import (
	"bytes"
	"log/slog"
	"strings"

	"rig.example/rig/internal/printable"
)

// displayLog receives what a display process and its libraries write to stderr. All of it goes to the
// debug log; one line is reported as the reason why the process ended.
type displayLog struct {
	log         *slog.Logger
	line        []byte // present line, not ended yet
	firstLine   string // first line, from rig or a library
	lastOwnLine string // last line from rig itself
}

const maxLine = 4096 // bytes of a line; the rest is dropped

func (w *displayLog) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		w.line = append(w.line, line[:min(len(line), maxLine-len(w.line))]...)
		if line[len(line)-1] == '\n' {
			w.endLine()
		}
	}
	return len(b), nil
}

// endLine logs a finished line.
func (w *displayLog) endLine() {
	line := printable.Line(strings.TrimSpace(string(w.line)))
	w.line = w.line[:0]
	if line == "" {
		return
	}
	w.log.Debug("display: " + line)
	if w.firstLine == "" {
		w.firstLine = line
	}
	if own, ok := strings.CutPrefix(line, "rig: "); ok {
		w.lastOwnLine = own
	}
}

// reason returns why the display ended: its own last message, or else the first line of a library.
func (w *displayLog) reason() string {
	w.endLine()
	if w.lastOwnLine != "" {
		return w.lastOwnLine
	}
	return w.firstLine
}
