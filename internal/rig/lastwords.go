package rig

import (
	"bytes"
	"log/slog"
	"strings"

	"rig.example/rig/internal/printable"
)

// lastWords is what a display says on stderr, with the libraries that it uses. All of it goes to
// the log for whoever wants to know more; one line is the reason of its end.
type lastWords struct {
	log   *slog.Logger
	rest  []byte // of a line that has not ended
	first string
	own   string // the last line of rig's own
}

const longestWord = 4096 // bytes of a line; the rest of it is left out

func (w *lastWords) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		w.rest = append(w.rest, line[:min(len(line), longestWord-len(w.rest))]...)
		if line[len(line)-1] == '\n' {
			w.heard()
		}
	}
	return len(b), nil
}

// heard takes a line that has ended.
func (w *lastWords) heard() {
	line := printable.Line(strings.TrimSpace(string(w.rest)))
	w.rest = w.rest[:0]
	if line == "" {
		return
	}
	w.log.Debug("display", "says", line)
	if w.first == "" {
		w.first = line
	}
	if own, ok := strings.CutPrefix(line, "rig: "); ok {
		w.own = own
	}
}

// reason is why the display ended: its own words, or else the first that a library said.
func (w *lastWords) reason() string {
	w.heard()
	if w.own != "" {
		return w.own
	}
	return w.first
}
