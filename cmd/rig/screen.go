package main

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"

	"rig.example/rig/internal/kit/printable"
)

// screen is the stdout or stderr of a command. It escapes control characters, because the output may
// contain untrusted names from files and devices. Escape sequences that draw on a terminal on purpose are
// written to the file that the function terminal returns.
type screen struct {
	w              io.Writer
	mu             sync.Mutex // guards incompleteChar: some commands write from several goroutines
	incompleteChar []byte     // first bytes of a UTF-8 character whose other bytes come with the next Write
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.incompleteChar, p...)
	completeLen := len(text) - incompleteLen(text)
	s.incompleteChar = append([]byte(nil), text[completeLen:]...)
	if _, err := io.WriteString(s.w, printable.Text(string(text[:completeLen]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes the bytes of an incomplete last character. It writes nothing if a Write still waits for the
// reader.
func (s *screen) end() {
	if s.mu.TryLock() && len(s.incompleteChar) > 0 {
		_, _ = io.WriteString(s.w, printable.Text(string(s.incompleteChar)))
	}
}

// incompleteLen returns how many bytes at the end of text are the start of an incomplete UTF-8 character.
func incompleteLen(text []byte) int {
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

// terminal returns the file to which w writes in the end if that is a terminal, and nil otherwise.
func terminal(w io.Writer) *os.File {
	if s, ok := w.(*screen); ok {
		w = s.w
	}
	if o, ok := w.(*stdoutWriter); ok {
		w = o.w
	}
	if q, ok := w.(*queue); ok {
		w = q.file
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// fileOutput returns the writer for a file that a command writes to w instead of to a disk: its line ends and other
// characters remain as they are, except on a terminal.
func fileOutput(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok && terminal(w) == nil {
		return s.w
	}
	return w
}

// cleanAttr makes a log attribute safe: a text, an error or a struct becomes one line without control
// characters.
func cleanAttr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString, slog.KindAny:
		if v.Any() != nil {
			a.Value = slog.StringValue(printable.Line(v.String()))
		}
	}
	return a
}
