package main

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"rig.example/rig/internal/printable"
)

// screen is stdout or stderr as commands have it. Names out of files and devices may be in what they
// write: nothing that a terminal acts on gets through. What is drawn on a terminal on purpose
// goes to the file itself, which terminal returns.
type screen struct {
	w    io.Writer
	mu   sync.Mutex // of rest: whoever moves something writes from several goroutines
	rest []byte     // the beginning of a letter that was cut in two
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.rest, p...)
	whole := len(text) - unfinished(text)
	s.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(s.w, printable.Text(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes what is left of a letter that was never finished, unless somebody still waits
// for the reader.
func (s *screen) end() {
	if s.mu.TryLock() && len(s.rest) > 0 {
		_, _ = io.WriteString(s.w, printable.Text(string(s.rest)))
	}
}

// unfinished counts the bytes at the end of text that may be the beginning of a letter.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// terminal returns the file behind w if a person looks at it.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(*screen); ok {
		w = s.w
	}
	if o, ok := w.(*output); ok {
		w = o.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// logged makes an attribute fit for a log: a value of any kind is one line of text.
func logged(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString, slog.KindAny:
		if v.Any() != nil {
			a.Value = slog.StringValue(printable.Line(v.String()))
		}
	}
	return a
}
