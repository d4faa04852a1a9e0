package source

import (
	"bytes"
	"fmt"
)

// Limits of TOML documents, far above what people write. Up to Keys keys and tables the work of
// a reader that looks at all of them for each is no burden.
const (
	Keys    = 25_000  // keys and tables, also within values
	entries = 500_000 // of lists, in all
	depth   = 16      // of lists and tables within each other, and parts of a key with dots
)

// TOML returns a document without a byte order mark, or what makes it more than rig reads and
// the line of that. It does not say whether the document is valid.
func TOML(data []byte, keys int) (text []byte, line int, err error) {
	text = WithoutMark(data)
	s := tomlScan{rest: text, line: 1, most: keys}
	for len(s.rest) > 0 {
		if err := s.next(); err != nil {
			return nil, s.line, err
		}
	}
	return text, 0, nil
}

// WithoutMark returns a text without the byte order mark that some programs put before it.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// tomlScan counts what a document holds without understanding it.
type tomlScan struct {
	rest           []byte
	line           int
	keys, most     int  // so far, and allowed
	entries        int  // so far
	depth, dots    int  // here
	value, written bool // whether the line has a = before, or anything
}

func (s *tomlScan) next() error {
	c, took := s.rest[0], 1
	switch c {
	case '\n':
		s.line++
		s.dots, s.written = 0, false
		s.value = s.value && s.depth > 0
	case '#':
		if took = bytes.IndexByte(s.rest, '\n'); took < 0 {
			took = len(s.rest)
		}
	case '"', '\'':
		took = quoted(s.rest)
		s.line += bytes.Count(s.rest[:took], []byte{'\n'})
	case '=':
		s.value, s.dots = true, 0
		s.keys++
	case ',':
		s.entries++
		s.dots = 0
	case '.':
		s.dots++
	case '[', '{':
		if !s.value && !s.written { // the header of a table
			s.keys++
		}
		s.depth, s.dots = s.depth+1, 0
	case ']', '}':
		s.depth, s.dots = max(0, s.depth-1), 0
	}
	s.written = s.written || c > ' '
	s.rest = s.rest[took:]
	return s.fault()
}

func (s *tomlScan) fault() error {
	switch {
	case s.keys > s.most:
		return fmt.Errorf("more than %d keys and tables; name another file, or split it", s.most)
	case s.entries > entries:
		return fmt.Errorf("more than %d entries in lists; name another file, or split it", entries)
	case s.depth > depth:
		return fmt.Errorf("lists or tables lie more than %d deep in each other; close each with ] or }", depth)
	case s.dots > depth:
		return fmt.Errorf("a key has more than %d parts with dots between them; use shorter ones", depth)
	}
	return nil
}

// quoted returns the length of the text in quotes that b begins with; one without an end ends
// with its line.
func quoted(b []byte) int {
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
