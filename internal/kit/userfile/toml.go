package userfile

import (
	"bytes"
	"fmt"
)

// Limits of TOML documents, far above what people write. The TOML decoder's work may grow with the square
// of the number of keys; up to MaxKeys that is fast enough.
const (
	MaxKeys        = 25_000  // keys and tables, including those inside values
	maxListEntries = 500_000 // entries of all lists together
	maxDepth       = 16      // nesting of lists and tables, and parts of a dotted key
)

// TOML returns a document without its byte order mark. If the document exceeds a limit, of which maxKeys is
// one, it returns an error and the line of the excess. It does not check whether the document is valid.
func TOML(data []byte, maxKeys int) (text []byte, line int, err error) {
	text = WithoutBOM(data)
	s := tomlScan{rest: text, line: 1, maxKeys: maxKeys}
	for len(s.rest) > 0 {
		if err := s.next(); err != nil {
			return nil, s.line, err
		}
	}
	return text, 0, nil
}

// WithoutBOM returns a text without the UTF-8 byte order mark that some programs write at its start.
func WithoutBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// tomlScan counts the keys, list entries and brackets of a document without parsing it completely.
type tomlScan struct {
	rest    []byte // part of the document that is not scanned yet
	line    int    // line number of rest, from 1
	keys    int    // keys and tables so far
	maxKeys int
	entries int // list entries so far
	depth   int // open brackets and braces
	dots    int // dots in the current key or value

	afterEquals bool // an equals sign came before, so that the scanner is in a value, not in a key or a table's header
	hasText     bool // the line so far is not empty
}

// next scans one character, comment or quoted text, and returns an error if a limit is exceeded.
func (s *tomlScan) next() error {
	c, length := s.rest[0], 1
	switch c {
	case '\n':
		s.line++
		s.dots, s.hasText = 0, false
		s.afterEquals = s.afterEquals && s.depth > 0
	case '#':
		if length = bytes.IndexByte(s.rest, '\n'); length < 0 {
			length = len(s.rest)
		}
	case '"', '\'':
		length = quotedLength(s.rest)
		s.line += bytes.Count(s.rest[:length], []byte{'\n'})
	case '=':
		s.afterEquals, s.dots = true, 0
		s.keys++
	case ',':
		s.entries++
		s.dots = 0
	case '.':
		s.dots++
	case '[', '{':
		if !s.afterEquals && !s.hasText { // this is the header of a table
			s.keys++
		}
		s.depth, s.dots = s.depth+1, 0
	case ']', '}':
		s.depth, s.dots = max(0, s.depth-1), 0
	}
	s.hasText = s.hasText || c > ' '
	s.rest = s.rest[length:]
	return s.checkLimits()
}

// checkLimits returns an error if a limit is exceeded.
func (s *tomlScan) checkLimits() error {
	switch {
	case s.keys > s.maxKeys:
		return fmt.Errorf("more than %d keys and tables; name another file, or split it", s.maxKeys)
	case s.entries > maxListEntries:
		return fmt.Errorf("more than %d entries in lists; name another file, or split it", maxListEntries)
	case s.depth > maxDepth:
		return fmt.Errorf("lists or tables lie more than %d deep in each other; close each with ] or }", maxDepth)
	case s.dots > maxDepth:
		return fmt.Errorf("a key has more than %d parts with dots between them; use shorter ones", maxDepth)
	}
	return nil
}

// quotedLength returns the length of the quoted text at the start of b, with its quotes. A text without a
// closing quote ends at the end of its line, one in triple quotes at the end of b.
func quotedLength(b []byte) int {
	quote := b[:1]
	if three := bytes.Repeat(quote, 3); bytes.HasPrefix(b, three) {
		if end := bytes.Index(b[3:], three); end >= 0 {
			return 3 + end + 3
		}
		return len(b)
	}
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] == '\\' && quote[0] == '"':
			i++
		case b[i] == quote[0]:
			return i + 1
		case b[i] == '\n':
			return i
		}
	}
	return len(b)
}
