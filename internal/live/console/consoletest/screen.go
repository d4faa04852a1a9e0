// Package consoletest has a terminal for tests: it takes what a program writes to a terminal, and gives out what a person
// sees there. It knows the control sequences that package console uses and panics on all others.
package consoletest

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Screen is a terminal with lines that wrap and scroll. Its methods may be called from several goroutines.
type Screen struct {
	mu            sync.Mutex
	columns, rows int
	lines         [][]rune // all lines, those that have scrolled away first
	top           int      // index of the screen's first line
	row, column   int      // of the cursor; row is an index of lines
	rest          []byte   // start of a sequence or character that is not complete
}

// New returns a terminal of that size.
func New(columns, rows int) *Screen {
	return &Screen{columns: columns, rows: rows, lines: [][]rune{nil}}
}

// Size returns the terminal's size.
func (s *Screen) Size() (columns, rows int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.columns, s.rows
}

// Narrow makes the terminal narrower: as many terminals do, it wraps the lines that are too long anew.
func (s *Screen) Narrow(columns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.lines
	s.columns, s.lines, s.row, s.column, s.top = columns, [][]rune{nil}, 0, 0, 0
	for i, l := range old {
		for _, r := range l {
			s.put(r)
		}
		if i < len(old)-1 {
			s.newLine()
		}
	}
}

// String returns what is on the screen and what has scrolled away, without spaces at the ends of lines.
func (s *Screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, l := range s.lines {
		b.WriteString(strings.TrimRight(string(l), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// CursorColumn returns where in its line the cursor is.
func (s *Screen) CursorColumn() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.column
}

func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = append(s.rest, p...)
	for len(s.rest) > 0 {
		n := s.take(s.rest)
		if n == 0 {
			break
		}
		s.rest = s.rest[n:]
	}
	return len(p), nil
}

// take obeys the first character or sequence and returns its length, or 0 if it is not complete.
func (s *Screen) take(b []byte) int {
	switch b[0] {
	case '\r':
		s.column = 0
		return 1
	case '\n':
		s.newLine()
		return 1
	case 0x1b:
		for i := 2; i < len(b); i++ {
			if b[i] >= '@' && b[i] <= '~' {
				s.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	if r < ' ' {
		panic(fmt.Sprintf("control character %q", r))
	}
	s.put(r)
	return n
}

func (s *Screen) newLine() {
	if s.row++; s.row == len(s.lines) {
		s.lines = append(s.lines, nil)
	}
	s.column = 0
	s.top = max(s.top, s.row-s.rows+1)
}

func (s *Screen) put(r rune) {
	if s.column == s.columns {
		s.newLine()
	}
	for len(s.lines[s.row]) <= s.column {
		s.lines[s.row] = append(s.lines[s.row], ' ')
	}
	s.lines[s.row][s.column] = r
	s.column++
}

// control obeys a sequence that begins with ESC and [.
func (s *Screen) control(parameter string, name byte) {
	switch parameter + string(name) {
	case "K":
		s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
		return
	case "J":
		s.lines = s.lines[:s.row+1]
		s.lines[s.row] = s.lines[s.row][:min(s.column, len(s.lines[s.row]))]
		return
	case "2J":
		for i := s.top; i < len(s.lines); i++ {
			s.lines[i] = nil
		}
		return
	case "H":
		s.row, s.column = s.top, 0
		return
	}
	switch n, err := strconv.Atoi(parameter); {
	case name == 'm':
	case name == 'A' && err == nil:
		s.row = max(s.top, s.row-n)
	default:
		panic(fmt.Sprintf("control sequence %q", parameter+string(name)))
	}
}
