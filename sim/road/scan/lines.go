package scan

import "bytes"

// lines walks through a text by lines, a line that ends in a backslash joined to
// the next.
type lines struct {
	rest   []byte
	number int // of the current line, counted from 1; of its beginning if it was joined
	next   int // number of lines taken
	joined []byte
}

func newLines(data []byte) lines {
	return lines{rest: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
}

// take returns the next line without its end, valid until the call after, and
// false at the end of the text.
func (l *lines) take() ([]byte, bool) {
	if len(l.rest) == 0 {
		return nil, false
	}
	line := l.raw()
	l.number = l.next
	if !bytes.HasSuffix(line, []byte{'\\'}) {
		return line, true
	}
	l.joined = l.joined[:0]
	for bytes.HasSuffix(line, []byte{'\\'}) {
		l.joined = append(append(l.joined, line[:len(line)-1]...), ' ')
		line = nil
		if len(l.rest) > 0 {
			line = l.raw()
		}
	}
	l.joined = append(l.joined, line...)
	return l.joined, true
}

func (l *lines) raw() []byte {
	line, rest, _ := bytes.Cut(l.rest, []byte{'\n'})
	l.rest = rest
	l.next++
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// word splits text before its first blank; it is empty at the end.
func word(text []byte) (first, rest []byte) {
	for len(text) > 0 && blank(text[0]) {
		text = text[1:]
	}
	for i, c := range text {
		if blank(c) {
			return text[:i], text[i:]
		}
	}
	return text, nil
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }
